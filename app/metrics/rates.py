"""The five rates of a span and of its weeks, with their definitions (G7).

Where nothing was counted a rate is None, and never 0: nothing is known of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.metrics import Rate, RatesOfWeek
from app.domain.text import msg
from app.metrics.counts import (
    CONTEXT_HIT,
    EXPIRED_CONTEXT,
    MANUAL_CORRECTION,
    RATES,
    TASK_SUCCESS,
    USER_ADOPTION,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime, tzinfo

    from app.metrics.counts import Count

WORDS = {
    TASK_SUCCESS: (
        msg("Task success"),
        msg("Successful tasks of those about whose end somebody said something."),
    ),
    USER_ADOPTION: (
        msg("Adoption"),
        msg("Answers that were used, of those about which somebody said whether they were."),
    ),
    CONTEXT_HIT: (
        msg("Context hits"),
        msg(
            "Entries that an answer gave, and its user did not leave uncited, of those that you marked as wanted for"
            " the question and that the asker may see."
        ),
    ),
    EXPIRED_CONTEXT: (
        msg("Expired context"),
        msg(
            "Items that were no longer so when they were handed out, known then or only later, of all that were handed"
            " out to whoever did not ask for such."
        ),
    ),
    MANUAL_CORRECTION: (
        msg("Corrections by hand"),
        msg("Fields that a person edited, of those of the outputs whose fields were counted."),
    ),
}


def share(part: int, whole: int) -> float | None:
    """0..1, or None where there is nothing to divide by."""
    return part / whole if whole else None


def five_rates(counts: Iterable[Count]) -> tuple[Rate, ...]:
    """The rates of some counts, in the article's order."""
    sums = _sums(counts)
    return tuple(Rate(name, *WORDS[name], *sums[name], share(*sums[name])) for name in RATES)


def weeks_of(
    counts: Sequence[Count], asked_at: Iterable[datetime], first_day: date, last_day: date, zone: tzinfo
) -> tuple[RatesOfWeek, ...]:
    """The rates of each week that a span touches, from Monday on; weeks in which nothing happened are there too.

    Args:
        asked_at: when the requests of the span were made. zone: whose days count.
    """
    requests = Counter(monday_of(moment.astimezone(zone).date()) for moment in asked_at)
    by_week: defaultdict[date, list[Count]] = defaultdict(list)
    for one in counts:
        by_week[monday_of(one.at.astimezone(zone).date())].append(one)
    return tuple(
        RatesOfWeek(
            monday, tuple((rate.name, rate.value) for rate in five_rates(by_week[monday])), requests.get(monday, 0)
        )
        for monday in _mondays(first_day, last_day)
    )


def monday_of(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def _mondays(first_day: date, last_day: date) -> list[date]:
    first = monday_of(first_day)
    return [first + timedelta(days=7 * number) for number in range((monday_of(last_day) - first).days // 7 + 1)]


def _sums(counts: Iterable[Count]) -> dict[str, tuple[int, int]]:
    sums = dict.fromkeys(RATES, (0, 0))
    for one in counts:
        part, whole = sums[one.name]
        sums[one.name] = part + one.part, whole + one.whole
    return sums
