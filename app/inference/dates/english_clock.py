"""Times of day as values: what "half past seven" may be, alone and within a part of the day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from datetime import date, datetime

    from app.inference.dates.english_context import Times

HALF_DAY, WHOLE_DAY = 12, 24
_LIKELY_FROM, _LIKELY_TO = 7, 19
"""Hours from 7 to before 19 are the likelier half of the day when nothing else is said."""


@dataclass(frozen=True, slots=True)
class Hour:
    """One way to understand a time of day; hours from 24 on belong to the day after."""

    hour: int
    minute: int = 0
    second: int = 0
    score: float = 1.0

    @property
    def minutes(self) -> float:
        """Since midnight."""
        return self.hour * 60 + self.minute + self.second / 60


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day.

    Attributes:
        hours: the ways to understand it, the likelier first.
        is_sure: whether it is one without a preposition or a date beside it: "3 pm", not "3".
        is_open: whether morning or afternoon is not said.
        zone: minutes east of Greenwich, or a key of the zone database; None where none is said.
    """

    hours: tuple[Hour, ...]
    grain: Grain = Grain.MINUTE
    is_sure: bool = True
    is_open: bool = False
    zone: int | str | None = None

    def chosen(self, hours: tuple[Hour, ...]) -> Clock:
        """With only some of the ways."""
        return replace(self, hours=hours, is_open=len(hours) > 1 and self.is_open)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: its customary bounds in hours, the house's first; hours from 24 on are of the day after."""

    name: str
    bounds: tuple[tuple[float, float], ...]

    def stretches(self, day: date) -> Times:
        """The part of one day, in each of its bounds."""
        weights = (0.8, *([0.2 / (len(self.bounds) - 1)] * (len(self.bounds) - 1))) if len(self.bounds) > 1 else (1.0,)
        return tuple(
            Moment.of(bounds_of(day, first, end), weight)
            for (first, end), weight in zip(self.bounds, weights, strict=True)
        )

    def latter(self) -> Part:
        """Its later half."""
        return Part(f"late {self.name}", tuple(((first + end) / 2, end) for first, end in self.bounds))

    def former(self) -> Part:
        """Its earlier half."""
        return Part(f"early {self.name}", tuple((first, (first + end) / 2) for first, end in self.bounds))

    def middle(self) -> Part:
        """Its middle."""
        return Part(
            f"mid {self.name}",
            tuple((first + (end - first) / 4, end - (end - first) / 4) for first, end in self.bounds),
        )


PARTS = {
    name: Part(name, bounds)
    for name, bounds in (
        ("morning", ((6, 12), (8, 12), (4, 12), (0, 12))),
        ("breakfast", ((7, 10), (8, 12), (6, 9))),
        ("brunch", ((10, 12), (8, 12), (11, 14))),
        ("noon", ((12, 14), (11, 13))),
        ("afternoon", ((12, 18), (12, 16), (12, 19))),
        ("evening", ((18, 22), (16, 20), (18, 24))),
        ("night", ((20, 24), (18, 24), (21, 30))),
        ("tonight", ((18, 24), (20, 24))),
        ("daytime", ((8, 18), (6, 18))),
        ("nighttime", ((22, 30), (0, 8), (20, 24))),
        ("dawn", ((5, 7), (4, 8))),
        ("dusk", ((17, 20), (18, 20))),
        ("workday", ((9, 17), (8, 18), (9, 18))),
        ("schoolday", ((8, 15), (8, 16))),
        ("early morning", ((5, 8), (6, 8), (8, 10), (0, 9), (4, 8))),
        ("late night", ((22, 26), (21, 24), (22, 24))),
    )
}
_CLOCK_RANGE = {
    "morning": (0, 13), "early morning": (0, 12), "breakfast": (5, 12), "brunch": (8, 14), "noon": (10, 15),
    "afternoon": (12, 21), "evening": (14, 24), "night": (17, 30), "tonight": (16, 30), "nighttime": (17, 30),
    "late night": (17, 30), "daytime": (6, 20), "dawn": (2, 10), "dusk": (14, 23), "workday": (7, 20),
    "schoolday": (7, 18),
}  # fmt: skip
"""Which hours may be said within a part of the day: "at 5 in the evening" is 17:00."""


def bounds_of(day: date, first: float, end: float) -> calendar.Stretch:
    """Some hours of a day, halves of hours allowed."""
    return calendar.Stretch(_at(day, first), _at(day, end), Grain.PART_OF_DAY)


def _at(day: date, hours: float) -> datetime:
    return calendar.at_time(day, int(hours), round(hours % 1 * 60))


def within(clock: Clock, part: Part) -> Clock | None:
    """A time of day, said together with a part of the day; None when they do not go together.

    After midnight belongs to the night before in "tonight at 1": both days are kept.
    """
    first, end = _CLOCK_RANGE[part.name.removeprefix("late ").removeprefix("mid ") if part.name not in _CLOCK_RANGE
                              else part.name]  # fmt: skip
    found: list[Hour] = []
    for hour in clock.hours:
        if clock.is_open and hour.hour == HALF_DAY and end > WHOLE_DAY:
            found.append(replace(hour, hour=WHOLE_DAY, score=hour.score))
            continue
        ways = [candidate for candidate in (hour.hour, hour.hour + WHOLE_DAY) if first <= candidate < end]
        found += [replace(hour, hour=way) for way in ways]
        found += [replace(hour, score=hour.score * 0.4) for way in ways if way >= WHOLE_DAY]
    if not found:
        return None
    return replace(clock, hours=tuple(found), is_open=False, is_sure=True)


def open_clock(hour: int, minute: int = 0, second: int = 0, *, grain: Grain, is_zero_led: bool = False) -> Clock | None:
    """A time that says no half of the day: 15 is one way, 3 is two; None for no time of day."""
    if hour > WHOLE_DAY or (hour == WHOLE_DAY and minute):
        return None
    if hour == 0 or hour > HALF_DAY:
        return Clock((Hour(hour, minute, second),), grain)
    morning = Hour(hour % HALF_DAY, minute, second)
    evening = Hour(hour % HALF_DAY + HALF_DAY, minute, second)
    is_morning = _LIKELY_FROM <= hour < HALF_DAY
    weight = 0.8 if is_zero_led and hour < HALF_DAY else 0.6
    if hour == HALF_DAY:
        return Clock((replace(evening, score=0.9), replace(morning, score=0.1)), grain, is_open=True)
    if is_zero_led or is_morning:
        ways = (replace(morning, score=weight), replace(evening, score=1 - weight))
    else:
        ways = (replace(evening, score=weight), replace(morning, score=1 - weight))
    return Clock(ways, grain, is_open=True)


def half_clock(hour: int, minute: int, half: str, *, second: int = 0, grain: Grain) -> Clock | None:
    """A time with a.m. or p.m.; 15 pm is 15:00, and 15 am is None."""
    if hour > HALF_DAY or hour == 0:
        if hour >= WHOLE_DAY or (half == "a" and hour > HALF_DAY):
            return None
        return Clock((Hour(hour, minute, second),), grain)
    return Clock((Hour(hour % HALF_DAY + (HALF_DAY if half == "p" else 0), minute, second),), grain)


def at(days: Times, clock: Clock) -> Times:
    """A time on days."""
    found = []
    for moment in days:
        for hour in clock.hours:
            if moment.start is None:
                raise ValueError("an open moment has no day")
            start = calendar.at_time(moment.start.date(), hour.hour, hour.minute, hour.second)
            found.append(Moment(start, None, clock.grain, moment.score * hour.score, moment.side))
    return tuple(found)
