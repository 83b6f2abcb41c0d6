"""How long ago and in how long, as Chinese says it: 三天后, 近三个月, 15个工作日内, 过两天.

What is aligned and what is counted is not agreed: "三年前" is a year to most, and a day to some; "近三个月" goes back
to a day, or to the first of a month. Both are candidates.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_amounts import AMOUNT, CALENDAR_GRAINS, Amount, amount_of
from app.inference.dates.chinese_numbers import CJK_NUMBER, DAY, NUMBER_STARTS
from app.inference.dates.chinese_pieces import Piece, Rank, Setting
from app.inference.dates.chinese_words import production
from app.inference.dates.moments import Moment

_RANKS = {
    Grain.CENTURY: Rank.YEAR, Grain.YEAR: Rank.YEAR, Grain.QUARTER: Rank.QUARTER, Grain.MONTH: Rank.MONTH,
    Grain.WEEK: Rank.WEEK, Grain.DAY: Rank.DAY,
}  # fmt: skip
_NAMES_A_YEAR = 12_000
_FEW = ((3, 0.5), (7, 0.5))
_BEFORE_A_PREFIX = frozenset(
    "我你您他她它们在于从是就和跟与的了这那有请把对按查看找要想说用以并且或及个为到,，。、;；:：!！?？ \n(（“\"'"
)
_GOES_ON = frozenset("来去了")


def _is_year(written: str, amount: Amount) -> bool:
    """2015年前, 07年以前: a year by its name."""
    return amount.months >= _NAMES_A_YEAR or (written[0] in "0零〇" and "年" in written)


_AROUND = 8
_DAY_OF_MONTH = re.compile(rf"{DAY}日", re.ASCII)
_DUE = re.compile(
    r"请|须|务必|应当|需|提交|[上缴]?交(?!通|流|往)|完成|回复|反馈|缴|付|报名|截止|办理|申请|递|寄|还清|到位"
)


def _after_amount(match: re.Match[str], setting: Setting) -> Piece | None:
    return _ago(match, setting) if match["side"] else _inside(match, setting)


def _before_amount(match: re.Match[str], setting: Setting) -> Piece | None:
    if match["passing"]:
        return None if match.string[match.end() : match.end() + 1] in _GOES_ON else _passing(match, setting)
    return _recent(match, setting) if match["past"] else _upcoming(match, setting)


def _ago(match: re.Match[str], setting: Setting) -> Piece | None:
    amount = amount_of(match["amount"])
    sign = -1 if "前" in match["side"] else 1
    is_open = len(match["side"]) > 1
    if _is_year(match["amount"], amount):
        return None
    if (
        sign < 0
        and _DAY_OF_MONTH.fullmatch(match["amount"])
        and _DUE.search(match.string, max(0, match.start() - _AROUND), match.end() + _AROUND)
    ):
        # 请于15日前提交: before the fifteenth
        return None
    moments = _moments_away(amount, setting, sign, is_open=is_open)
    rank = _RANKS.get(amount.grain, Rank.CLOCK)
    return Piece(match.start(), match.end(), rank, alone=lambda: moments)


def _moments_away(amount: Amount, setting: Setting, sign: int, *, is_open: bool) -> list[Moment]:
    """三天后: the day; 三年前: that year, or the day to the day; 三天以后 also everything from there on."""
    if amount.is_vague:
        return _few(amount, setting, sign, is_from_now=False)
    at = amount.away(setting, sign)
    side = sign
    if any(amount.spread):
        return _spread(amount, setting, sign)
    if amount.grain not in CALENDAR_GRAINS:
        moments = [Moment(at, None, amount.grain, 0.85, side)]
        this = calendar.holding_time(setting.now, amount.grain)
        moments.append(_stretch_between(this.start, amount, sign, 0.1))
        one = this.end - this.start
        moments.append(
            Moment(at - one, at, amount.grain, 0.05, side)
            if sign < 0
            else Moment(at, at + one, amount.grain, 0.05, side)
        )
        return moments
    if amount.has_fraction and amount.grain in {Grain.YEAR, Grain.CENTURY}:
        amount = replace(amount, grain=Grain.MONTH)
    unit = calendar.holding(at.date(), amount.grain)
    if amount.grain is Grain.QUARTER:
        month = calendar.holding(at.date(), Grain.MONTH)
        return [
            Moment.of(month, 0.45, side),
            Moment.of(unit, 0.3, side),
            Moment.of(calendar.days(at.date()), 0.25, side),
        ]
    is_half = amount.has_fraction and amount.months % 1 != 0
    moments = [Moment.of(unit, 0.85 if amount.grain is Grain.DAY else 0.2 if is_half else 0.5, side)]
    if amount.grain is not Grain.DAY:
        moments.append(Moment.of(calendar.days(at.date()), 0.6 if is_half else 0.3, side))
        if amount.has_fraction:
            end = calendar.later_months(calendar.midnight(at.date()), 1)
            moments.append(Moment(calendar.midnight(at.date()), end, Grain.DAY, 0.1, side))
    if amount.grain is Grain.MONTH:
        # Two months ago, give or take one
        start, end = (unit.moved(-1).start, unit.end) if sign < 0 else (unit.start, unit.moved(1).end)
        moments.append(Moment(start, end, amount.grain, 0.1, side))
    moments.append(_stretch_between(calendar.holding(setting.today, amount.grain).start, amount, sign, 0.1))
    if is_open:
        moments.append(
            Moment(unit.start, None, amount.grain, 0.1, side)
            if sign > 0
            else Moment(None, unit.end, amount.grain, 0.1, side)
        )
    return moments


def _stretch_between(this: datetime, amount: Amount, sign: int, score: float) -> Moment:
    """The units between now and then, whole ones."""
    step = timedelta(days=amount.days, seconds=amount.seconds)
    if sign < 0:
        start = calendar.later_months(this, -int(amount.months)) - step
        return Moment(start, this, amount.grain, score, sign)
    first = calendar.holding_time(this, amount.grain).end
    end = calendar.later_months(first, int(amount.months)) + step
    return Moment(first, end, amount.grain, score, sign)


def _spread(amount: Amount, setting: Setting, sign: int) -> list[Moment]:
    near = amount.away(setting, sign)
    most = replace(amount, months=amount.months + amount.spread[0], days=amount.days + amount.spread[1])
    far = most.away(setting, sign)
    if amount.grain not in CALENDAR_GRAINS:
        return [Moment(min(near, far), max(near, far), amount.grain, 1.0, sign)]
    first, last = (calendar.holding(one.date(), amount.grain) for one in sorted((near, far)))
    return [
        Moment(first.start, last.end, amount.grain, 0.7, sign),
        Moment.of(calendar.holding(near.date(), amount.grain), 0.3, sign),
    ]


def _few(amount: Amount, setting: Setting, sign: int, *, is_from_now: bool) -> list[Moment]:
    """几天前, 近几年: from two up to five or nine of them; nobody says how many, hence two candidates."""
    found = []
    for more, score in _FEW:
        share = more / 7
        most = replace(
            amount, months=amount.months + amount.spread[0] * share, days=amount.days + amount.spread[1] * share
        )
        near = setting.now if is_from_now else amount.away(setting, sign)
        far = most.away(setting, sign)
        if amount.grain in CALENDAR_GRAINS:
            far = calendar.midnight(far.date())
            near = near if is_from_now else calendar.midnight(near.date()) + calendar.ONE_DAY
        found.append(Moment(min(near, far), max(near, far), amount.grain, score, sign))
    return found


def _inside(match: re.Match[str], setting: Setting) -> Piece | None:
    """三天内: from now on; with 来 or 以来 up to now."""
    amount = amount_of(match["amount"])
    if _is_year(match["amount"], amount):
        return None
    if match["inside"].endswith("来"):
        return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: _lately(amount, setting))
    if amount.is_vague:
        return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: _few(amount, setting, 1, is_from_now=True))
    end = amount.away(setting, 1)
    if amount.grain in CALENDAR_GRAINS:
        end = calendar.midnight(end.date()) + calendar.ONE_DAY
    moments = [Moment(setting.now, end, amount.grain, 0.8, 1)]
    if amount.grain in {Grain.YEAR, Grain.MONTH}:
        moments.append(replace(moments[0], end=calendar.holding(end.date(), amount.grain).end, score=0.2))
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: moments)


def _lately(amount: Amount, setting: Setting) -> list[Moment]:
    """Up to now: counted back to the instant, the day, or to whole months and years."""
    if amount.is_vague:
        return _few(amount, setting, -1, is_from_now=True)
    at = amount.away(setting, -1)
    if amount.grain not in CALENDAR_GRAINS:
        return [Moment(at, setting.now, amount.grain, 1.0, -1)]
    if amount.grain in {Grain.DAY, Grain.WEEK} and amount.has_fraction:
        exact = calendar.midnight(setting.today) - timedelta(days=amount.days)
        end = calendar.midnight(setting.today) + calendar.ONE_DAY
        return [Moment(at, setting.now, amount.grain, 0.6, -1), Moment(exact, end, amount.grain, 0.4, -1)]
    moments = [Moment(calendar.midnight(at.date()), setting.now, amount.grain, 0.76, -1)]
    if amount.grain in {Grain.DAY, Grain.WEEK}:
        moments.append(Moment(at, setting.now, amount.grain, 0.2, -1))
    if amount.grain in {Grain.YEAR, Grain.MONTH, Grain.QUARTER}:
        grain = Grain.MONTH if amount.has_fraction else amount.grain
        moments.append(Moment(calendar.holding(at.date(), grain).start, setting.now, amount.grain, 0.24, -1))
    return moments


def _recent(match: re.Match[str], setting: Setting) -> Piece | None:
    """最近两周, 过去三年: counted back from now, or the whole weeks before this one."""
    amount = amount_of(match["amount"])
    if not _may_open(match):
        return None
    moments = _lately(amount, setting)
    if amount.is_vague:
        return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: moments)
    if amount.grain in CALENDAR_GRAINS:
        this = calendar.holding(setting.today, amount.grain).start
    else:
        this = calendar.holding_time(setting.now, amount.grain).start
    moments = [replace(moment, score=moment.score * 0.8) for moment in moments]
    moments.append(_stretch_between(this, amount, -1, 0.2))
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: moments)


def _upcoming(match: re.Match[str], setting: Setting) -> Piece | None:
    """未来三天, 接下来两周, 后一年: counted from now, from tomorrow, or the next whole ones."""
    amount = amount_of(match["amount"])
    if not _may_open(match):
        return None
    if amount.is_vague:
        return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: _few(amount, setting, 1, is_from_now=True))
    at = amount.away(setting, 1)
    moments = [Moment(setting.now, at, amount.grain, 0.6, 1)]
    if amount.grain in CALENDAR_GRAINS:
        this = calendar.holding(setting.today, amount.grain).start
        tomorrow = calendar.midnight(setting.today) + calendar.ONE_DAY
        last = calendar.midnight(at.date()) + calendar.ONE_DAY
        moments.append(Moment(setting.now, last, amount.grain, 0.1, 1))
        moments.append(Moment(tomorrow, last, amount.grain, 0.2, 1))
    else:
        this = calendar.holding_time(setting.now, amount.grain).start
    moments.append(_stretch_between(this, amount, 1, 0.15))
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: moments)


def _may_open(match: re.Match[str]) -> bool:
    """考试前三天 counts from the exam, 前三天 from now: before 前, 后, 上 and 下 no event may stand."""
    prefix = match.string[match.start()]
    if prefix not in "前后上下头" or not match.start():
        return True
    return match.string[match.start() - 1] in _BEFORE_A_PREFIX


def _passing(match: re.Match[str], setting: Setting) -> Piece | None:
    """过两天, 再过一周: 两 may be few."""
    amount = amount_of(match["amount"])
    moments = _moments_away(amount, setting, 1, is_open=False)
    return Piece(match.start(), match.end(), _RANKS.get(amount.grain, Rank.CLOCK), alone=lambda: moments)


def duration_of(match: re.Match[str]) -> timedelta | None:
    """How long a matched amount is; None when it is said without a number."""
    try:
        amount = amount_of(match["amount"])
    except (ValueError, OverflowError):
        return None
    return None if amount.is_vague else amount.duration


_A = rf"(?P<amount>{AMOUNT})"
_NOT_AFTER = r"(?![一二三四五六七八九十两\d]{1,3}[名位个人次]|[期者续悔面排台])"
_NOT_INSIDE = r"(?![自到说存部容科地回信]|的人)"
_PAST = r"最近这?|近来?|过去|这(?![一1半个])|前|上(?![一1半个])|刚过去|此前|之前|往前"
_COMING = r"未来|今后|接下来|将来|往后|此后|之后|后|下(?![一1半个])|随后"
PRODUCTIONS = (
    # One pattern each for what is before and what is after an amount: compiling an amount is what costs
    production(
        NUMBER_STARTS,
        rf"{_A}(?:的?(?:时间|功夫))?"
        rf"(?:(?P<side>之前|以前|之后|以后|过后|前|后){_NOT_AFTER}|(?P<inside>以内|之内|内|以来|来){_NOT_INSIDE})",
        _after_amount,
    ),
    production(
        "最近过这前上刚此之往未今接将后下随再",
        rf"(?:(?P<past>{_PAST})|(?P<coming>{_COMING})|(?P<passing>再过|再有|过))(?:的|这)?{_A}"
        r"(?:以来|之内|以内|来|内|里|间|期间)?(?![前后])",
        _before_amount,
    ),
    production("前上", rf"(?P<prefix>[前上])(?P<amount>(?:{CJK_NUMBER}{{1,4}}|\d{{1,3}})月)(?=\Z|[，。,])", _recent),
)
DURATION = re.compile(rf"{_A}(?:[一二三两]夜)?", re.ASCII)
