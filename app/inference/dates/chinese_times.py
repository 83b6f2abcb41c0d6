"""Parts of the day and times of the clock as Chinese says them: 傍晚, 今晚, 三点半, 9点20, 15:30, 差五分八点, 七八点.

An hour up to twelve without a part of the day is two candidates. A number with a decimal point (二十四点五度) is no time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_days import NUMBER_STARTS
from app.inference.dates.chinese_numbers import CJK_NUMBER, HOUR, MINUTE, whole
from app.inference.dates.chinese_pieces import Piece, Production, Rank, Setting, certain, is_single_day
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

_NOON, _DAY_HOURS = 12, 24
_AWAKE = 8


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: from and to in hours, the likeliest first; where it begins and ends is not agreed."""

    hours: tuple[tuple[int, int], ...]


_EARLY = Part(((0, 5), (4, 8)))
_DAWN = Part(((5, 8), (6, 9)))
_MORNING = Part(((6, 10), (8, 12), (4, 12)))
_FORENOON = Part(((8, 12), (7, 12), (6, 12)))
_NOONTIME = Part(((12, 14), (11, 13), (12, 13)))
_AFTERNOON = Part(((12, 18), (13, 18), (12, 16)))
_AFTER_NOON = Part(((13, 15), (12, 16)))
_DUSK = Part(((17, 19), (16, 20)))
_EVENING = Part(((18, 24), (16, 20), (18, 22)))
_NIGHT = Part(((20, 24), (18, 24)))
_LATE = Part(((23, 29), (22, 26), (23, 24)))
_MIDNIGHT = Part(((0, 5), (23, 27)))
_WHOLE_DAY = Part(((0, 24),))
PARTS = {
    **dict.fromkeys(("凌晨", "拂晓", "黎明", "天亮前"), _EARLY),
    **dict.fromkeys(("清晨", "清早", "大清早", "晨间", "晨"), _DAWN),
    **dict.fromkeys(("早上", "早晨", "早间", "一早", "一大早", "大早上", "早", "朝早", "早朝"), _MORNING),
    **dict.fromkeys(("上午", "上昼", "午前"), _FORENOON),
    **dict.fromkeys(("中午", "正午", "午间", "晌午", "大中午", "午饭时"), _NOONTIME),
    **dict.fromkeys(("下午", "晏昼", "晏晝", "下昼", "后晌"), _AFTERNOON),
    **dict.fromkeys(("午后",), _AFTER_NOON),
    **dict.fromkeys(("傍晚", "黄昏", "傍黑", "日落时分"), _DUSK),
    **dict.fromkeys(("晚上", "晚间", "夜晚", "晚", "夜晚黑", "晚黑"), _EVENING),
    **dict.fromkeys(("夜里", "夜间", "入夜", "夜"), _NIGHT),
    **dict.fromkeys(("深夜", "深更半夜", "大半夜", "大晚上"), _LATE),
    **dict.fromkeys(("半夜", "大半夜里"), _MIDNIGHT),
    **dict.fromkeys(("午夜", "子夜"), Part(((0, 1), (23, 25)))),
    **dict.fromkeys(("后半夜", "下半夜"), Part(((2, 5), (0, 5)))),
    "前半夜": Part(((18, 24), (20, 24))),
    "上半夜": Part(((18, 24), (20, 24))),
    "白天": Part(((6, 19), (8, 18))),
    "日间": Part(((8, 18),)),
    **dict.fromkeys(("全天", "一整天", "整天"), _WHOLE_DAY),
}
_SCORES = (0.78, 0.13, 0.09)
_DAY_PARTS = {
    "今晚": (0, "晚上"), "今夜": (0, "夜里"), "今早": (0, "早上"), "今晨": (0, "清晨"), "今朝": (0, "早上"), "今午": (0, "中午"),
    "当晚": (0, "晚上"), "当夜": (0, "夜里"), "是夜": (0, "夜里"), "今儿晚上": (0, "晚上"),
    "昨晚": (-1, "晚上"), "昨夜": (-1, "夜里"), "昨早": (-1, "早上"), "昨晨": (-1, "清晨"), "寻晚": (-1, "晚上"), "尋晚": (-1, "晚上"), "琴晚": (-1, "晚上"),
    "明晚": (1, "晚上"), "明夜": (1, "夜里"), "明早": (1, "早上"), "明晨": (1, "清晨"), "听晚": (1, "晚上"), "聽晚": (1, "晚上"), "听朝": (1, "早上"), "聽朝": (1, "早上"),
    "明午": (1, "中午"), "次晨": (1, "清晨"), "次晚": (1, "晚上"), "翌晨": (1, "清晨"), "翌晚": (1, "晚上"),
    "后晚": (2, "晚上"), "后早": (2, "早上"), "大后晚": (3, "晚上"), "前晚": (-2, "晚上"), "前夜": (-2, "夜里"), "大前晚": (-3, "晚上"),
}  # fmt: skip
_ONE_SIGN = frozenset("早晚夜晨")


def _part(match: re.Match[str], setting: Setting) -> Piece | None:
    word = match["part"]
    part = PARTS[word]

    def alone() -> list[Moment]:
        if part is _WHOLE_DAY:
            return certain(calendar.days(setting.today))
        return [_only_time(one) for one in _hours_of(setting.today, part)]

    def within(moment: Moment) -> list[Moment]:
        if moment.grain is not Grain.DAY or moment.start is None or not is_single_day(moment):
            return []
        return _hours_of(moment.start.date(), part)

    can_open = word not in _ONE_SIGN
    return Piece(
        match.start(), match.end(), Rank.PART_OF_DAY, alone if can_open else None, within, unit="点"
    )


def _opening_part(match: re.Match[str], setting: Setting) -> Piece | None:
    """早8点: before an hour one sign is enough."""
    piece = _part(match, setting)
    return None if piece is None else replace(piece, alone=lambda: [_only_time(one) for one in today(match["part"], setting)])


def _only_time(moment: Moment) -> Moment:
    return Moment(moment.start, moment.end, moment.grain, moment.score, moment.side, is_time_only=True)


def _hours_of(day: date, part: Part) -> list[Moment]:
    return [
        Moment.of(calendar.hours(day, first, end), score)
        for (first, end), score in zip(part.hours, _SCORES, strict=False)
    ]


def _day_part(match: re.Match[str], setting: Setting) -> Piece:
    shift, name = _DAY_PARTS[match[0]]
    day = (setting.named if match[0][0] in "当是次翌" else setting.today) + timedelta(days=shift)
    return Piece(match.start(), match.end(), Rank.PART_OF_DAY, alone=lambda: _hours_of(day, PARTS[name]), unit="点")


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of the clock as said: `is_24` when the half of the day is sure (15点, 08:30, 3pm, 零点);
    `is_digital` when it is written with a colon, which mostly means 24 hours; `end_hour` of 七八点."""

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
        minute, grain = 15 * {"一": 1, "二": 2, "两": 2, "三": 3, "1": 1, "2": 2, "3": 3}[groups["quarters"]], Grain.MINUTE
    elif groups.get("minute"):
        minute, grain = whole(groups["minute"]), Grain.MINUTE
    second = 0
    if groups.get("second"):
        second, grain = whole(groups["second"]), Grain.SECOND
    return _at(match, setting, Clock(hour, minute, second, grain, is_24=match["hour"] in {"零", "〇"}), groups.get("half_of_day"))


def _whole_hour(match: re.Match[str], setting: Setting) -> Piece:
    """三点; 一点 alone is more often "a little", and opens an expression only where a time can stand."""
    piece = _clock(match, setting)
    before = match.string[match.start() - 1] if match.start() else ""
    after = match.string[match.end() : match.end() + 1]
    is_little = match[0] == "一点" and (before not in _BEFORE_A_TIME or after not in _AFTER_A_TIME)
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
        return [_only_time(moment) for moment in on_day(setting.today, clock)]

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
    if _AWAKE // 2 <= first and last <= _NOON and clock.hour < _NOON:
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


def _before_hour(match: re.Match[str], setting: Setting) -> Piece:
    """差五分八点, 八点差五分; 八点过五分 is read as its minutes."""
    hour = whole(match["hour"])
    minute = 15 * whole(match["quarters"]) if match["quarters"] else whole(match["minute"])
    if not 0 < minute < 60 or not hour:  # noqa: PLR2004 - minutes of an hour
        raise ValueError("no such time")
    return _at(match, setting, Clock(hour - 1, 60 - minute, 0, Grain.MINUTE))


_NOT_SIGN = r"(?![饭餐班会安点稻就已期年市盘读操婚恋教报熟产莺归辈于些了起前后])"
_PART_WORDS = "|".join(
    [f"{word}(?!班|茶|饭|好(?![好像多]))" for word in sorted(PARTS, key=len, reverse=True) if word not in _ONE_SIGN]
    + [f"{word}{_NOT_SIGN}" for word in sorted(_ONE_SIGN)]
)
_DAY_PART_WORDS = "|".join(sorted(_DAY_PARTS, key=len, reverse=True))
# 三点建议, 两点说明: points, not hours
_A_POINT = r"[建意说要注问理区不想原看希体感启共特优缺好]|也|都|就够|点"
_BEFORE_A_TIME = frozenset(("", "在", "于", "到", "从", "，", ",", " ", "。", "是", "约"))
_AFTER_A_TIME = frozenset(("", "，", ",", "。", " ", "到", "至", "-", "~", "前", "后", "之", "以", "见", "开", "出", "吃", "集", "的"))
_O = r"(?:点钟|点|时)"
_TAIL = r"(?:整|许|左右|前后(?!的))?"
_HALF_OF_DAY = r"(?: ?(?P<half_of_day>[apAP]\.?[mM]\.?|[pP](?![a-zA-Z])))?"
_NO_DECIMAL = r"(?![零〇一二三四五六七八九\d](?![十分刻:]))"


def _made(starts: object, pattern: str, make: object) -> Production:
    return Production(frozenset(starts), re.compile(pattern, re.ASCII), make)  # type: ignore[arg-type,call-overload]


PRODUCTIONS = (
    _made(
        {word[0] for word in PARTS},
        rf"(?P<part>{_PART_WORDS})(?:的?时候|时分|期间)?",
        _part,
    ),
    _made("早晚", rf"(?P<part>[早晚])(?=(?:\d{{1,2}}|{CJK_NUMBER}{{1,3}})(?:点|:\d\d))", _opening_part),
    _made({word[0] for word in _DAY_PARTS}, f"(?:{_DAY_PART_WORDS})(?!饭|餐|会|报|安)", _day_part),
    _made(NUMBER_STARTS, rf"(?P<hour>{HOUR}) ?{_O}(?P<half>(?:踏|搭)?半){_TAIL}(?!个|天|年|月)", _clock),
    _made(NUMBER_STARTS, rf"(?P<hour>{HOUR}) ?{_O}(?:过|零|〇)?(?P<quarters>[一二两三123])刻钟?", _clock),
    _made(
        NUMBER_STARTS,
        rf"(?P<hour>{HOUR}) ?(?:点钟|点|时)(?:过)?(?P<minute>{MINUTE})分(?!之|钟[前后内以之])(?:钟)?(?:(?P<second>{MINUTE})秒)?",
        _clock,
    ),
    _made(
        NUMBER_STARTS,
        rf"(?P<hour>{HOUR}) ?[点时](?P<minute>[0-5]\d|[二三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九])"
        r"(?![\d.点个天年月日号%度万百千多元块米人倍名岁]|分之)",
        _clock,
    ),
    _made(NUMBER_STARTS, rf"(?P<hour>{HOUR}) ?{_O}{_NO_DECIMAL}(?!\d|半[个天年月]|[儿了滴]|之间|差|{_A_POINT})(?:整|许|左右|多(?!钟))?", _whole_hour),
    _made(
        NUMBER_STARTS,
        r"(?P<hour>2[0-4]|1\d|0?\d):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d{1,6})?)?(?![\d:])" + _HALF_OF_DAY + r" ?(?:时|点|整|许|左右|Z(?![a-zA-Z]))?",
        _colon_clock,
    ),
    _made(NUMBER_STARTS, r"(?P<hour>1[0-2]|0?[1-9]) ?(?P<half_of_day>[apAP]\.?[mM]\.?)(?![a-zA-Z])", _clock),
    _made(NUMBER_STARTS, r"(?P<hour>[一二三四五六七八九]|\d{1,2}(?=、))、?(?P<next>[二三四五六七八九]|(?<=、)\d{1,2})(?:点钟?|时)(?!\d)", _few),
    _made("差", rf"差(?:(?P<minute>{MINUTE})分钟?|(?P<quarters>[一1])刻钟?)(?:到|就)?(?P<hour>{HOUR})点钟?", _before_hour),
    _made(NUMBER_STARTS, rf"(?P<hour>{HOUR})点差(?:(?P<minute>{MINUTE})分钟?|(?P<quarters>[一1])刻钟?)", _before_hour),
)  # fmt: skip


def today(word: str, setting: Setting) -> list[Moment]:
    """A part of the day that is said with one sign and so does not open an expression by itself (每晚)."""
    return _hours_of(setting.today, PARTS[word])
