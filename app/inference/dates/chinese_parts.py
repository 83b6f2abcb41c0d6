"""Parts of the day as Chinese says them: 凌晨, 早上, 傍晚, 今晚, 明早. Where they begin is not agreed: candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_numbers import CJK_NUMBER
from app.inference.dates.chinese_pieces import Piece, Rank, Setting, certain, is_single_day
from app.inference.dates.chinese_words import either, firsts, production, words
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    import re
    from datetime import date


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: from and to in hours, the likeliest first."""

    hours: tuple[tuple[int, int], ...]


PARTS = {
    word: Part(tuple((first, end) for first, end in group["hours"]))
    for group in words()["parts"]
    for word in group["words"]
}
_DAY_PARTS: dict[str, tuple[int, str]] = {
    word: (shift, name)
    for table in ("parts_of_days", "parts_of_named_days")
    for word, (shift, name) in words()[table].items()
}
_FROM_NAMED = frozenset(words()["parts_of_named_days"])
_SCORES = (0.78, 0.1, 0.07, 0.05)
_WHOLE_DAY = (0, 24)
# What opens no expression: 早 and 晚 are mostly "early" and "late"
_ONE_SIGN = frozenset(word for word in PARTS if len(word) == 1)


def _part(match: re.Match[str], setting: Setting) -> Piece | None:
    word = match["part"]
    part = PARTS[word]

    def alone() -> list[Moment]:
        if part.hours == (_WHOLE_DAY,):
            return certain(calendar.days(setting.today))
        return [only_time(one) for one in _hours_of(setting.today, part)]

    def within(moment: Moment) -> list[Moment]:
        if moment.grain is not Grain.DAY or moment.start is None or not is_single_day(moment):
            return []
        return _hours_of(moment.start.date(), part)

    can_open = word not in _ONE_SIGN
    return Piece(match.start(), match.end(), Rank.PART_OF_DAY, alone if can_open else None, within, unit="点")


def _opening_part(match: re.Match[str], setting: Setting) -> Piece | None:
    """早8点: before an hour one sign is enough."""
    piece = _part(match, setting)
    return (
        None
        if piece is None
        else replace(piece, alone=lambda: [only_time(one) for one in today(match["part"], setting)])
    )


def only_time(moment: Moment) -> Moment:
    """The same, of a day that is only a guess."""
    return Moment(moment.start, moment.end, moment.grain, moment.score, moment.side, is_time_only=True)


def _hours_of(day: date, part: Part) -> list[Moment]:
    return [
        Moment.of(calendar.hours(day, first, end), score)
        for (first, end), score in zip(part.hours, _SCORES, strict=False)
    ]


def _day_part(match: re.Match[str], setting: Setting) -> Piece:
    shift, name = _DAY_PARTS[match[0]]
    day = (setting.named if match[0] in _FROM_NAMED else setting.today) + timedelta(days=shift)
    return Piece(match.start(), match.end(), Rank.PART_OF_DAY, alone=lambda: _hours_of(day, PARTS[name]), unit="点")


def today(word: str, setting: Setting) -> list[Moment]:
    """A part of the day that is said with one sign and so does not open an expression by itself (每晚)."""
    return _hours_of(setting.today, PARTS[word])


# 一下午 is how long something took; 周一下午 is not
_NOT_LONG = r"(?<![整半])(?<!(?<![周期拜])一)"
# 早一点, 晚一点: a little earlier or later
_NOT_A_LITTLE = r"(?!一点(?!钟|半|整|零|\d\d|[二三四五]?十))"
_NOT_SIGN = r"(?![饭餐班会安点稻就已期年市盘读操婚恋教报熟产莺归辈于些了起前后])"
_WORDS = "|".join(
    [
        f"{_NOT_LONG}(?:{word})(?!班|茶|饭|好(?![好像多]))"
        for word in sorted(PARTS, key=len, reverse=True)
        if word not in _ONE_SIGN
    ]
    + [f"{word}{_NOT_SIGN}" for word in sorted(_ONE_SIGN)]
)
PRODUCTIONS = (
    production(
        "早晚", rf"(?P<part>[早晚]){_NOT_A_LITTLE}(?=(?:\d{{1,2}}|{CJK_NUMBER}{{1,3}})(?:点|:\d\d))", _opening_part
    ),
    production(firsts(PARTS), rf"(?P<part>{_WORDS})(?:的?时候|时分|期间)?", _part),
    production(firsts(_DAY_PARTS), rf"(?:{either(_DAY_PARTS)})(?![饭餐会报安])", _day_part),
)
