"""Times of the clock as Chinese says them: 三点半, 9点20, 15:30, 下午3:30, 3pm, 差五分八点, 七八点.

An hour up to twelve without a part of the day is two candidates. A number with a decimal point (二十四点五度) is no
time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_numbers import HOUR, MINUTE, NUMBER_STARTS, whole
from app.inference.dates.chinese_parts import only_time
from app.inference.dates.chinese_pieces import Piece, Rank, Setting, is_single_day
from app.inference.dates.chinese_words import production
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    import re
    from datetime import date, datetime

_NOON, _DAY_HOURS = 12, 24
_AWAKE = 8
_MINUTES = 60
_BEFORE_A_TIME = frozenset(("", "在", "于", "到", "从", "，", ",", " ", "。", "是", "约"))
_AFTER_A_TIME = frozenset(
    ("", "，", ",", "。", " ", "到", "至", "-", "~", "前", "后", "之", "以", "见", "开", "出", "吃", "集", "的")
)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of the clock as said.

    `is_24` when the half of the day is sure (15点, 08:30, 3pm, 零点);
    `is_digital` when it is written with a colon, which mostly means 24 hours; `end_hour` of 七八点.
    """

    hour: int
    minute: int = 0
    second: int = 0
    grain: Grain = Grain.HOUR
    is_24: bool = False
    is_digital: bool = False
    end_hour: int | None = None

    def on(self, day: date, hour: int, score: float, side: int = 0) -> Moment:
        """The moment of a day with an hour of 24."""
        start = calendar.at_time(day, hour, self.minute, self.second)
        if self.end_hour is not None:
            end: datetime | None = start + timedelta(hours=self.end_hour - self.hour + 1)
        else:
            end = None
        return Moment(start, end, self.grain, score, side)


def _clock(match: re.Match[str], setting: Setting) -> Piece:
    hour, minute, grain = whole(match["hour"]), 0, Grain.HOUR
    groups = match.groupdict()
    if groups.get("half"):
        minute, grain = 30, Grain.MINUTE
    elif groups.get("quarters"):
        minute, grain = (
            15 * {"一": 1, "二": 2, "两": 2, "三": 3, "1": 1, "2": 2, "3": 3}[groups["quarters"]],
            Grain.MINUTE,
        )
    elif groups.get("minute"):
        minute, grain = whole(groups["minute"]), Grain.MINUTE
    second = 0
    if groups.get("second"):
        second, grain = whole(groups["second"]), Grain.SECOND
    return _at(
        match,
        setting,
        Clock(hour, minute, second, grain, is_24=match["hour"] in {"零", "〇"}),
        groups.get("half_of_day"),
    )


def _whole_hour(match: re.Match[str], setting: Setting) -> Piece:
    """三点; 一点 alone is more often "a little", and opens an expression only where a time can stand."""
    piece = _clock(match, setting)
    before = match.string[match.start() - 1] if match.start() else ""
    after = match.string[match.end() : match.end() + 1]
    is_little = match[0] in {"一点", "一时"} and (before not in _BEFORE_A_TIME or after not in _AFTER_A_TIME)
    return replace(piece, alone=None) if is_little else piece


def _colon_clock(match: re.Match[str], setting: Setting) -> Piece:
    hour, minute = int(match["hour"]), int(match["minute"])
    second = int(match["second"] or 0)
    grain = Grain.SECOND if match["second"] else Grain.MINUTE
    is_24 = len(match["hour"]) == 2 and match["hour"][0] == "0"  # noqa: PLR2004 - 08:30
    return _at(match, setting, Clock(hour, minute, second, grain, is_24=is_24, is_digital=True), match["half_of_day"])


def _at(match: re.Match[str], setting: Setting, clock: Clock, half_of_day: str | None = None) -> Piece:
    if half_of_day:
        is_afternoon = half_of_day[0] in "pP"
        hour = clock.hour % _NOON + (_NOON if is_afternoon else 0) if clock.hour <= _NOON else clock.hour
        clock = Clock(hour, clock.minute, clock.second, clock.grain, is_24=True)
    if clock.hour > _DAY_HOURS or (clock.hour == _DAY_HOURS and clock.minute):
        raise ValueError("no such hour")

    def alone() -> list[Moment]:
        return [only_time(moment) for moment in on_day(setting.today, clock)]

    return Piece(match.start(), match.end(), Rank.CLOCK, alone, lambda moment: _clock_within(moment, clock), unit="点")


def _clock_within(moment: Moment, clock: Clock) -> list[Moment]:
    if moment.start is None:
        return []
    if moment.grain is Grain.PART_OF_DAY:
        return _in_part(moment, clock)
    if moment.grain is Grain.DAY and is_single_day(moment):
        return on_day(moment.start.date(), clock)
    return []


def on_day(day: date, clock: Clock) -> list[Moment]:
    """A time of a named day: both halves of it where the hour leaves that open."""
    if clock.is_24 or clock.hour > _NOON or clock.hour == 0:
        return [clock.on(day, clock.hour, 1.0)]
    if clock.hour == _NOON:
        return [clock.on(day, _NOON, 0.85), clock.on(day, _DAY_HOURS, 0.15)]
    # Nobody meets at three in the morning: what is awake is likelier. Written with a colon, it is the clock's 24 hours.
    morning = 0.8 if clock.hour >= _AWAKE or clock.is_digital else 0.35
    return [clock.on(day, clock.hour, morning), clock.on(day, clock.hour + _NOON, 1 - morning)]


def _in_part(moment: Moment, clock: Clock) -> list[Moment]:
    """A time in a part of the day, which says the half of the day, and for the small hours the day."""
    assert moment.start is not None and moment.end is not None  # noqa: S101, PT018 - a part of a day is closed
    day, first = moment.start.date(), moment.start.hour
    last = (moment.end - calendar.midnight(day)) // timedelta(hours=1)
    if first >= _AWAKE // 2 and last <= _NOON and clock.hour < _NOON:
        return [clock.on(day, clock.hour, 1.0)]
    hours = {hour: _fit(hour, first, last) for hour in _readings(clock)}
    best = max(hours.values())
    if best <= 0:
        return []
    hour = next(hour for hour, fit in hours.items() if fit == best)
    return [clock.on(day, hour, best / 2)]


def _readings(clock: Clock) -> list[int]:
    if clock.is_24 or clock.hour > _NOON:
        return [clock.hour, clock.hour + _DAY_HOURS]
    if clock.hour == _NOON:
        return [_NOON, 0, _DAY_HOURS]
    return [clock.hour, clock.hour + _NOON, clock.hour + _DAY_HOURS]


def _fit(hour: int, first: int, last: int) -> float:
    """How well an hour fits a part of the day: 2 inside it, less by its distance, 0 from five hours on."""
    if first <= hour < last or hour == last == _DAY_HOURS:
        return 2.0
    distance = first - hour if hour < first else hour - last + 1
    return max(0.0, 1 - distance / 5)


def _few(match: re.Match[str], setting: Setting) -> Piece:
    """七八点: from seven to the end of eight."""
    first, second = whole(match["hour"]), whole(match["next"])
    if second != first + 1:
        raise ValueError("not two hours in a row")
    return _at(match, setting, Clock(first, grain=Grain.HOUR, end_hour=second))


def _fives(match: re.Match[str], setting: Setting) -> Piece:
    """三点三个字, 三点踏三: Cantonese counts the minutes in fives."""
    minute = 5 * whole(match["fives"] or match["fives2"])
    return _at(match, setting, Clock(whole(match["hour"]), minute, 0, Grain.MINUTE))


def _impossible(match: re.Match[str], setting: Setting) -> Piece:
    """25点, 下午30:00: read as a whole, so that no part of it is taken for a time."""
    del setting

    def never() -> list[Moment]:
        raise ValueError("no such hour")

    return Piece(match.start(), match.end(), Rank.CLOCK, never, lambda _: never())


def _before_hour(match: re.Match[str], setting: Setting) -> Piece:
    """差五分八点, 八点差五分; 八点过五分 is read as its minutes."""
    hour = whole(match["hour"])
    minute = 15 * whole(match["quarters"]) if match["quarters"] else whole(match["minute"])
    if not minute or minute >= _MINUTES or not hour:
        raise ValueError("no such time")
    return _at(match, setting, Clock(hour - 1, 60 - minute, 0, Grain.MINUTE))


_O = r"(?:点钟|点|时(?![间刻候期代常而空装尚事]))"
_HALF_OF_DAY = r"(?: ?(?P<half_of_day>[apAP]\.?[mM]\.?|[pP](?![a-zA-Z])))?"
_NO_DECIMAL = r"(?![零〇一二三四五六七八九\d](?![十分刻:]))"
# 三点建议, 两点说明: points, not hours
_A_POINT = r"[建意说要注问理区不想原看希体感启共特优缺好也都点]|就够"
_NOT_MORE = r"(?![\d.点个天年月日号%度万百千多元块米人倍名岁]|分之)"
_NOT_LONG = r"(?!\d|半[个天年月]|[儿了滴差]|之间)"
PRODUCTIONS = (
    production(
        NUMBER_STARTS, rf"(?P<hour>{HOUR}) ?{_O}(?P<half>(?:踏|搭)?半)(?:整|许|左右|前后(?!的))?(?![个天年月])", _clock
    ),
    production(NUMBER_STARTS, rf"(?P<hour>{HOUR}) ?{_O}[过零〇]?(?P<quarters>[一二两三123])(?:刻钟?|个骨)", _clock),
    production(
        NUMBER_STARTS,
        rf"(?P<hour>{HOUR}) ?{_O}过?(?P<minute>{MINUTE})分(?!之|钟[前后内以之])钟?(?:(?P<second>{MINUTE})秒)?",
        _clock,
    ),
    production(
        NUMBER_STARTS,
        rf"(?P<hour>{HOUR}) ?[点时]"
        rf"(?P<minute>[0-5]\d|[二三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九]){_NOT_MORE}",
        _clock,
    ),
    production(
        NUMBER_STARTS,
        rf"(?P<hour>{HOUR}) ?{_O}{_NO_DECIMAL}{_NOT_LONG}(?!{_A_POINT})(?:整|许|左右|多(?!钟))?",
        _whole_hour,
    ),
    production(
        NUMBER_STARTS,
        r"(?P<hour>2[0-4]|1\d|0?\d):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d{1,6})?)?(?![\d:])"
        + _HALF_OF_DAY
        + r" ?(?:时|点|整|许|左右|Z(?![a-zA-Z]))?",
        _colon_clock,
    ),
    production(NUMBER_STARTS, r"(?P<hour>1[0-2]|0?[1-9]) ?(?P<half_of_day>[apAP]\.?[mM]\.?)(?![a-zA-Z])", _clock),
    production(
        NUMBER_STARTS,
        r"(?P<hour>[一二三四五六七八九]|\d{1,2}(?=、))、?(?P<next>[二三四五六七八九]|(?<=、)\d{1,2})(?:点钟?|时)(?!\d)",
        _few,
    ),
    production(
        NUMBER_STARTS,
        rf"(?P<hour>{HOUR})点(?:(?P<fives>[一二三四五六七八九十]|十一|1[01]|[1-9])个字|[踏搭](?P<fives2>[一二三四五六七八九十]))",
        _fives,
    ),
    production(
        NUMBER_STARTS,
        r"(?:2[5-9]|[3-9]\d)(?::[0-5]\d(?::[0-5]\d)?(?![\d:])|点(?!\d)(?:半|[0-5]\d分?)?)",
        _impossible,
    ),
    production(
        "差", rf"差(?:(?P<minute>{MINUTE})分钟?|(?P<quarters>[一1])刻钟?)[到就]?(?P<hour>{HOUR})点钟?", _before_hour
    ),
    production(
        NUMBER_STARTS, rf"(?P<hour>{HOUR})点差(?:(?P<minute>{MINUTE})分钟?|(?P<quarters>[一1])刻钟?)", _before_hour
    ),
)
