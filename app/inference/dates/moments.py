"""What both grammars work out: moments of wall-clock time with scores, and readings made of them.

A grammar gives a `Found` for each expression; `reader` turns it into the domain's `DateReading`, in the zone of the
reference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.readings import Candidate, DateKind, DateReading, Grain
from app.inference.dates import calendar

if TYPE_CHECKING:
    from datetime import datetime, timedelta, tzinfo

MOST_CANDIDATES = 12
_LEAST_SCORE = 0.02


@dataclass(frozen=True, slots=True)
class Moment:
    """One way to understand an expression, in wall-clock time without a zone.

    Attributes:
        start: None is open to the past.
        end: exclusive; None is open to the future, or a point.
        score: relative to its fellows; `Found` makes them sum to 1.
        side: -1 the past one of two, 1 the coming one, 0 neither: the tense of the sentence decides between them.
        zone: whose wall clock it is, where the text says so; else that of the reference.
    """

    start: datetime | None
    end: datetime | None
    grain: Grain
    score: float = 1.0
    side: int = 0
    is_time_only: bool = False
    zone: tzinfo | None = None

    @classmethod
    def of(cls, stretch: calendar.Stretch, score: float = 1.0, side: int = 0) -> Moment:
        """A stretch of the calendar as a moment."""
        return cls(stretch.start, stretch.end, stretch.grain, score, side)

    @property
    def stretch(self) -> calendar.Stretch:
        """Its stretch; raises ValueError when an end is open."""
        if self.start is None or self.end is None:
            raise ValueError("an open moment is no stretch")
        return calendar.Stretch(self.start, self.end, self.grain)


@dataclass(frozen=True, slots=True)
class Found:
    """An expression of time in a text, as a grammar reads it; `start` and `end` in characters, `end` exclusive.

    Attributes:
        certainty: what the scores of its moments sum to; below 1 where it may count from another day than the reference
            ("the next day", 第二天).
    """

    start: int
    end: int
    kind: DateKind
    moments: tuple[Moment, ...] = ()
    is_deadline: bool = False
    duration: timedelta | None = None
    rrule: str | None = None
    certainty: float = 1.0

    def reading(self, zone: tzinfo) -> DateReading:
        """The reading, its moments in a zone, the likeliest first, their scores summing to its certainty."""
        return DateReading(
            start=self.start,
            end=self.end,
            kind=self.kind,
            candidates=tuple(_candidate(moment, zone, self.certainty) for moment in ranked(self.moments)),
            is_deadline=self.is_deadline,
            duration=self.duration,
            rrule=self.rrule,
        )


def ranked(moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """The likeliest first, each once, the least likely left out, scores summing to 1."""
    best: dict[tuple[object, ...], Moment] = {}
    for moment in moments:
        key = (moment.start, moment.end, moment.is_time_only)
        earlier = best.get(key)
        best[key] = moment if earlier is None else replace(earlier, score=earlier.score + moment.score)
    total = sum(moment.score for moment in best.values()) or 1.0
    ordered = sorted(best.values(), key=lambda moment: -moment.score)[:MOST_CANDIDATES]
    return tuple(
        replace(moment, score=moment.score / total) for moment in ordered if moment.score / total >= _LEAST_SCORE
    )


def _candidate(moment: Moment, zone: tzinfo, certainty: float) -> Candidate:
    return Candidate(
        start=None if moment.start is None else instant(moment.start, moment.zone, zone),
        end=None if moment.end is None else instant(moment.end, moment.zone, zone),
        grain=moment.grain,
        score=round(moment.score * certainty, 4),
        is_time_only=moment.is_time_only,
    )


def instant(moment: datetime, own: tzinfo | None, zone: tzinfo) -> datetime:
    """A wall-clock time, of its own zone where it has one, in a zone; at the ends of the calendar as it is said."""
    if own is None:
        return calendar.anchored(moment, zone)
    try:
        return calendar.anchored(moment, own).astimezone(zone)
    except OverflowError:
        return calendar.anchored(moment, zone)
