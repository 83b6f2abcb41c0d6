"""What the small models and grammars read out of a text: labelled stretches, and dates with their candidates (G2.4).

Values only. Who reads them: `app.inference.spans`, `app.inference.dates`, `app.inference.intent`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime, timedelta


class SpanLabel(StrEnum):
    """What a stretch of text names (G2.4) or states (G2.7)."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    PROJECT = "project"
    WORK = "work"
    """A book, film, song, game or product: kept apart so that it is not taken for a person or a place."""
    ROLE = "role"
    TASK = "task"
    DECISION = "decision"
    CONDITION = "condition"
    PLAN = "plan"
    """Something that is to happen at a time; read by rules alone."""
    DATE = "date"
    DEADLINE = "deadline"
    AMOUNT = "amount"
    EMAIL = "email"
    PHONE = "phone"
    URL = "url"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A labelled stretch of a text.

    Attributes:
        start, end: in characters (code points) of the text, `end` exclusive.
        label: a `SpanLabel` value, or a label of redaction.
        confidence: 0..1.
    """

    start: int
    end: int
    label: str
    confidence: float = 1.0


class Grain(StrEnum):
    """How exact a date is said."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    PART_OF_DAY = "part_of_day"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    HALF_YEAR = "half_year"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to understand an expression of time.

    Attributes:
        start: aware, in the zone of the reference; None: open to the past ("until Friday").
        end: exclusive; None: a point in time that lasts no named while, or open to the future ("since Monday").
        grain: how exact it is said.
        score: 0..1; those of a reading sum to 1 at most.
        is_time_only: only a time of day is said ("at 8"), and the day is a guess.
    """

    start: datetime | None
    end: datetime | None
    grain: Grain
    score: float
    is_time_only: bool = False


class DateKind(StrEnum):
    """What an expression of time says."""

    POINT = "point"
    RANGE = "range"
    DURATION = "duration"
    RECURRENCE = "recurrence"


@dataclass(frozen=True, slots=True)
class DateReading:
    """An expression of time in a text.

    Attributes:
        start, end: where it stands, in characters, `end` exclusive.
        candidates: the most likely first; empty for a duration, and for what is recognised but not understood (a date
            of the Chinese lunar calendar outside the known years).
        is_deadline: said as the time until which something is due ("by Friday", 周三前).
        duration: of a DURATION; nominal for months (30 days) and years (365 days).
        rrule: of a RECURRENCE, RFC 5545 ("FREQ=WEEKLY;BYDAY=MO").
    """

    start: int
    end: int
    kind: DateKind
    candidates: tuple[Candidate, ...] = ()
    is_deadline: bool = False
    duration: timedelta | None = None
    rrule: str | None = None

    @property
    def is_certain(self) -> bool:
        """Whether one candidate may be acted on without asking."""
        return bool(self.candidates) and self.candidates[0].score >= CERTAIN

    @property
    def deadline(self) -> datetime | None:
        """The moment until which something is due by the most likely candidate, exclusive; None where none is known."""
        if not self.candidates:
            return None
        best = self.candidates[0]
        return best.end or best.start


CERTAIN = 0.75
"""From this score a reading is acted on; below, all candidates are shown."""
