"""What recurs, as the rule of a calendar (RFC 5545): both grammars build it here.

Only building. Unfolding a rule into its instances is the work of whoever keeps calendars.
"""

from __future__ import annotations

from dataclasses import dataclass

DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WORKDAYS = (0, 1, 2, 3, 4)
WEEKEND = (5, 6)


@dataclass(frozen=True, slots=True)
class Recurrence:
    """How often something is.

    Attributes:
        frequency: of RFC 5545: "HOURLY", "DAILY", "WEEKLY", "MONTHLY" or "YEARLY".
        interval: every so many of them.
        weekdays: 0 is Monday.
        position: which of the weekdays of a month ("the first Monday", -1 the last).
        month_days, months: numbers, -1 the last day of the month.
        times: (hour, minute) of each day.
        count: how often in all.
        until: the last day, as YYYYMMDD.
    """

    frequency: str
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    position: int | None = None
    month_days: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    times: tuple[tuple[int, int], ...] = ()
    count: int | None = None
    until: str | None = None

    def rrule(self) -> str:
        """The rule, its parts in one order, so that equal recurrences have equal rules."""
        parts = [f"FREQ={self.frequency}"]
        if self.interval != 1:
            parts.append(f"INTERVAL={self.interval}")
        if self.months:
            parts.append("BYMONTH=" + _listed(self.months))
        if self.month_days:
            parts.append("BYMONTHDAY=" + _listed(self.month_days))
        if self.weekdays:
            number = "" if self.position is None else str(self.position)
            parts.append("BYDAY=" + ",".join(number + DAYS[day] for day in sorted(set(self.weekdays))))
        if self.times:
            parts.append("BYHOUR=" + _listed(tuple(hour for hour, _ in self.times)))
            parts.append("BYMINUTE=" + _listed(tuple(minute for _, minute in self.times)))
        if self.count is not None:
            parts.append(f"COUNT={self.count}")
        if self.until is not None:
            parts.append(f"UNTIL={self.until}")
        return ";".join(parts)


def _listed(numbers: tuple[int, ...]) -> str:
    return ",".join(str(number) for number in sorted(set(numbers)))
