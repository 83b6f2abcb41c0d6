"""How much time, as Chinese says it: 三天, 一个半小时, 两年多, 二十几天, 36天5小时30分, 15个工作日, 几个月."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_numbers import CJK_NUMBER, number

if TYPE_CHECKING:
    from app.inference.dates.chinese_pieces import Setting

UNITS: dict[str, tuple[Grain, float, float, float]] = {
    # grain, months, days, seconds
    "世纪": (Grain.CENTURY, 1200, 0, 0),
    "年": (Grain.YEAR, 12, 0, 0), "载": (Grain.YEAR, 12, 0, 0), "周年": (Grain.YEAR, 12, 0, 0),
    "季度": (Grain.QUARTER, 3, 0, 0), "季": (Grain.QUARTER, 3, 0, 0),
    "月": (Grain.MONTH, 1, 0, 0),
    "周": (Grain.WEEK, 0, 7, 0), "星期": (Grain.WEEK, 0, 7, 0), "礼拜": (Grain.WEEK, 0, 7, 0),
    "天": (Grain.DAY, 0, 1, 0), "日": (Grain.DAY, 0, 1, 0), "昼夜": (Grain.DAY, 0, 1, 0), "晚": (Grain.DAY, 0, 1, 0),
    "小时": (Grain.HOUR, 0, 0, 3600), "钟头": (Grain.HOUR, 0, 0, 3600), "钟": (Grain.HOUR, 0, 0, 3600),
    "时": (Grain.HOUR, 0, 0, 3600),
    "刻钟": (Grain.MINUTE, 0, 0, 900), "分钟": (Grain.MINUTE, 0, 0, 60), "分": (Grain.MINUTE, 0, 0, 60),
    "秒钟": (Grain.SECOND, 0, 0, 1), "秒": (Grain.SECOND, 0, 0, 1),
    "工作日": (Grain.DAY, 0, 0, 0), "交易日": (Grain.DAY, 0, 0, 0),
}  # fmt: skip
_NOMINAL_MONTH_DAYS, _NOMINAL_YEAR_DAYS = 30, 365
CALENDAR_GRAINS = {Grain.CENTURY, Grain.YEAR, Grain.QUARTER, Grain.MONTH, Grain.WEEK, Grain.DAY}


@dataclass(frozen=True, slots=True)
class Amount:
    """How long something is.

    Attributes:
        months, days, seconds: added up.
        working_days: Mondays to Fridays.
        grain: the smallest unit said.
        spread: how much more it may be, in months and in days (二十几年: 120 months); both 0 where it is exact.
        is_vague: said without a number (几天).
        has_fraction: 两年半.
    """

    months: float = 0
    days: float = 0
    seconds: float = 0
    working_days: int = 0
    grain: Grain = Grain.CENTURY
    spread: tuple[float, float] = (0, 0)
    is_vague: bool = False
    has_fraction: bool = False

    @property
    def duration(self) -> timedelta:
        """As a length of time: a month of 30 days, a year of 365."""
        years, months = divmod(self.months, 12)
        days = years * _NOMINAL_YEAR_DAYS + months * _NOMINAL_MONTH_DAYS + self.days + self.working_days
        return timedelta(days=days, seconds=self.seconds)

    def away(self, setting: Setting, sign: int) -> datetime:
        """The wall-clock time so far after the reference (before it with a sign of -1)."""
        if self.working_days:
            day = calendar.working_days_later(setting.today, sign * self.working_days)
            return datetime.combine(day, setting.now.time())
        months, left = divmod(self.months, 1)
        moment = calendar.later_months(setting.now, sign * int(months))
        moment += sign * timedelta(days=self.days + left * _NOMINAL_MONTH_DAYS)
        if self.seconds and not self.months and not self.days:
            return calendar.elapsed(setting.reference, sign * timedelta(seconds=self.seconds))
        return moment + sign * timedelta(seconds=self.seconds)


_SOME = r"(?:好几|数|几|若干)"
_COUNTED = rf"(?:\d{{1,6}}(?:\.\d{{1,3}})?|{CJK_NUMBER}{{1,9}}几|几十|{CJK_NUMBER}{{1,9}}|{_SOME})"
_UNIT = (
    r"(?:世纪|周年(?!庆)|年(?![代级轮龄度底初末终货味糕俗]|中(?![国文学心央华秋午医间]))|载(?!入)|季度|(?<=个)季|(?<=[个半两俩数几多])月(?![份底初末饼])|周(?![年岁一二三四五六日天末边刊报])|"
    r"星期(?![一二三四五六日天\d])|礼拜(?![一二三四五六日天\d])|天(?![一二]?生|使|才|气|线|然|堂|空|文|猫)|昼夜|个?工作日|个?交易日|小时|钟头|(?<=个)钟(?!头)|"
    r"刻钟|分钟|秒钟?|(?<=[\d一二两三四五六七八九十半])日(?=[之以]?[内前后])|分(?=[前后内半])|分(?=半?钟))"
)
_TERM = (
    rf"(?:(?:{_COUNTED}) ?[多来余]? ?个?半?多? ?{_UNIT}(?:半(?!月|年|天|小时))?(?:钟(?=[前后内之以]))?(?:多|有余)?|"
    rf"半个?{_UNIT}(?:多|有余)?)"
)
_SMALLER = (
    rf"(?:(?:又|零|加|外加|和|,|，)? ?(?:{_TERM}|(?:{CJK_NUMBER}{{1,4}}|\d{{1,3}})(?:个?月|天|时|分|秒)(?![前后]?半)))"
)
AMOUNT = rf"{_TERM}{_SMALLER}{{0,4}}"
_ONE_TERM = re.compile(
    rf"(?:又|零|加|外加|和|,|，)? ?(?:(?P<number>{_COUNTED})|(?=半)) ?(?P<more>[多来余])? ?个?(?P<half>半)?个?"
    r"(?P<many>多)? ?"
    r"(?P<unit>世纪|周年|年|载|季度|季|月|周|星期|礼拜|天|日|昼夜|个?工作日|个?交易日|小时|钟头|钟|刻钟|分钟|分半钟|分|秒钟|秒|时)"
    r"(?P<end_half>半(?!月|年|天|小时))?钟?(?P<after>多|有余)?",
    re.ASCII,
)


def amount_of(written: str) -> Amount:
    """What a matched amount says; raises ValueError when it is none."""
    total = Amount()
    position = 0
    while position < len(written):
        match = _ONE_TERM.match(written, position)
        if match is None or match.end() == position:
            raise ValueError(written)
        total = _with_term(total, match)
        position = match.end()
    return total


def _with_term(total: Amount, match: re.Match[str]) -> Amount:
    unit, has_half = match["unit"], bool(match["half"])
    if unit == "分半钟":
        unit, has_half = "分", True
    count, spread, is_vague = _count_of(match["number"])
    if match["half"] or match["end_half"] or has_half:
        count += 0.5
    if match["more"] or match["many"] or match["after"]:
        spread = spread or _next_round(count) - count
    if unit.endswith(("工作日", "交易日")):
        return replace(total, working_days=total.working_days + int(count), grain=Grain.DAY)
    grain, months, days, seconds = UNITS[unit]
    return Amount(
        months=total.months + months * count,
        days=total.days + days * count,
        seconds=total.seconds + seconds * count,
        working_days=total.working_days,
        grain=grain,
        spread=(total.spread[0] + spread * months, total.spread[1] + spread * (days or seconds / 86_400)),
        is_vague=total.is_vague or is_vague,
        has_fraction=total.has_fraction or count % 1 != 0,
    )


_FEW_DIGITS = frozenset("一二两三四五六七八九")


def _count_of(written: str | None) -> tuple[float, float, bool]:
    """A number, how much more it may be, and whether it is none at all (几, 数)."""
    if written is None:
        return 0.0, 0.0, False
    if written in {"几", "数", "好几", "若干", "几十"}:
        return (20.0, 70.0, True) if written == "几十" else (2.0, 7.0, True)
    if written.endswith("几"):
        return number(written[:-1]), 10.0, False
    if len(written) == 2 and all(sign in _FEW_DIGITS for sign in written):  # noqa: PLR2004 - 两三天 is two or three
        low, high = (number(sign) for sign in written)
        if high <= low:
            raise ValueError(written)
        return low, high - low, False
    return number(written), 0.0, False


def _next_round(count: float) -> float:
    """20多 goes to 30, 3多 to 4."""
    step = 10 if count >= 10 and count % 10 == 0 else 1  # noqa: PLR2004 - tens
    return count + step
