"""Days, weeks, months and years as spans of time in one zone. Weeks begin on Monday (ISO 8601)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

DAYS_A_WEEK = 7
_MONTHS_A_YEAR = 12


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

    def week(self, offset: int = 0) -> Span:
        """This week, or one so many weeks from it."""
        return self.days(self._monday(offset), DAYS_A_WEEK)

    def weekend(self, offset: int = 0) -> Span:
        """Saturday and Sunday of a week."""
        return self.days(self._monday(offset) + timedelta(days=5), 2)

    def weekday_of_week(self, weekday: int, offset: int) -> Span:
        """A weekday (0 is Monday) of this week, or of one so many weeks from it."""
        return self.days(self._monday(offset) + timedelta(days=weekday))

    def coming(self, weekday: int) -> Span:
        """The next such weekday; today counts."""
        return self.offset((weekday - self.day.weekday()) % DAYS_A_WEEK)

    def previous(self, weekday: int) -> Span:
        """The last such weekday before today."""
        return self.offset(-((self.day.weekday() - weekday - 1) % DAYS_A_WEEK + 1))

    def month(self, offset: int = 0) -> Span:
        """This month, or one so many months from it."""
        return self.month_of(*_shifted(self.day.year, self.day.month, offset))

    def month_of(self, year: int, month: int) -> Span:
        """A month of a year; raises ValueError for one that does not exist."""
        first = date(year, month, 1)
        return Span(self._midnight(first), self._midnight(date(*_shifted(year, month, 1), 1)))

    def year(self, offset: int = 0) -> Span:
        """This year, or one so many years from it."""
        year = self.day.year + offset
        return Span(self._midnight(date(year, 1, 1)), self._midnight(date(year + 1, 1, 1)))

    def nearest(self, month: int, day: int) -> Span:
        """A date without its year: the nearest to today, the past counting double, since calendars look ahead.

        Raises:
            ValueError: there is no such date.
        """
        found = []
        for year in (self.day.year - 1, self.day.year, self.day.year + 1):
            try:
                found.append(date(year, month, day))
            except ValueError:
                continue  # 29 February
        if not found:
            raise ValueError("no such date")
        return self.days(min(found, key=self._distance))

    def nearest_month(self, month: int) -> Span:
        """A month without its year: the nearest to today, the past counting double."""
        years = (self.day.year - 1, self.day.year, self.day.year + 1)
        return self.month_of(min(years, key=lambda year: self._distance(date(year, month, 15))), month)

    def months_later(self, count: int) -> date:
        """The same day so many months later, or that month's last day."""
        year, month = _shifted(self.day.year, self.day.month, count)
        last = (date(*_shifted(year, month, 1), 1) - timedelta(days=1)).day
        return date(year, month, min(self.day.day, last))

    def part(self, span: Span, first_hour: int, end_hour: int) -> Span:
        """Some hours of a span's first day."""
        day = span.start.date()
        end_day = day if end_hour < 24 else day + timedelta(days=1)  # noqa: PLR2004 - hours of a day
        return Span(
            datetime.combine(day, time(first_hour), self.zone),
            datetime.combine(end_day, time(end_hour % 24), self.zone),
        )

    def _distance(self, day: date) -> int:
        days = (day - self.day).days
        return days if days >= 0 else -2 * days

    def _monday(self, offset: int) -> date:
        return self.day - timedelta(days=self.day.weekday()) + timedelta(weeks=offset)

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time.min, self.zone)


def _shifted(year: int, month: int, count: int) -> tuple[int, int]:
    index = year * _MONTHS_A_YEAR + month - 1 + count
    return index // _MONTHS_A_YEAR, index % _MONTHS_A_YEAR + 1
