"""Spans of time, and days as such, in one zone. What a text calls them is read in `when`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to, but not including, `end`; both aware."""

    start: datetime
    end: datetime

    @property
    def last_day(self) -> date:
        """The last calendar day that the span touches."""
        return max(self.start.date(), (self.end - timedelta(microseconds=1)).date())

    @property
    def is_one_day(self) -> bool:
        """Whether it lies within one calendar day."""
        return self.last_day == self.start.date()


@dataclass(frozen=True, slots=True)
class Today:
    """The day from which expressions are read, and its zone."""

    day: date
    zone: tzinfo

    @classmethod
    def of(cls, now: datetime) -> Today:
        """The day of an aware instant, in its own zone."""
        zone = now.tzinfo
        if zone is None:
            raise ValueError("a time without an offset has no day")
        return cls(now.date(), zone)

    def days(self, first: date, count: int = 1) -> Span:
        """`count` days from `first` on."""
        return Span(self._midnight(first), self._midnight(first + timedelta(days=count)))

    def offset(self, days: int) -> Span:
        """One day, so many days from today."""
        return self.days(self.day + timedelta(days=days))

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time.min, self.zone)
