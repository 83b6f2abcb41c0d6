"""All figures of a span of days, from the rows of it (G7, G7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.instants import day_span
from app.domain.metrics import MetricsReport
from app.metrics.counts import hit_counts, injection_counts, marked_requests, outcome_counts
from app.metrics.layers import layer_figures
from app.metrics.rates import five_rates, weeks_of
from app.store.metric_rows import Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime, tzinfo

    from app.metrics.counts import Count
    from app.metrics.layers import LayerRows
    from app.store.mark_rows import MarkRow
    from app.store.metric_rows import GrantRow, HandedOut, InjectionRow, OutcomeRow, RequestRow


@dataclass(frozen=True, slots=True)
class Days:
    """A span of days, both included, in the person's zone."""

    first: date
    last: date
    zone: tzinfo

    @property
    def span(self) -> Span:
        """The instants of it."""
        return Span(day_span(self.first, self.zone)[0], day_span(self.last, self.zone)[1])

    @property
    def before(self) -> Days:
        """As many days, right before it."""
        count = (self.last - self.first).days + 1
        return Days(self.first - timedelta(days=count), self.first - timedelta(days=1), self.zone)


@dataclass(frozen=True, slots=True)
class RateRows:
    """What the five rates of a span are counted from.

    Attributes:
        handed: what those of `requests` handed out that `marked_requests` gives.
    """

    requests: Sequence[RequestRow]
    outcomes: Sequence[OutcomeRow]
    injections: Sequence[InjectionRow]
    marks: Sequence[MarkRow]
    handed: Sequence[HandedOut]
    grants: Mapping[str, GrantRow]


def counts_of(rows: RateRows, span: Span) -> list[Count]:
    """All counts of a span; an outcome counts in the one in which the last word of it was said."""
    searches = marked_requests(rows.requests, rows.marks)
    return [
        *(one for one in outcome_counts(rows.outcomes) if span.since <= one.at < span.until),
        *hit_counts(searches, rows.marks, rows.handed, rows.grants),
        *injection_counts(rows.injections),
    ]


def metrics_report(days: Days, rows: RateRows, layers: LayerRows, now: datetime) -> MetricsReport:
    """The report of a span."""
    counts = counts_of(rows, days.span)
    rates = five_rates(counts)
    return MetricsReport(
        days.first,
        days.last,
        rates,
        layer_figures(layers, rates, now),
        weeks_of(counts, (row.at for row in rows.requests), days.first, days.last, days.zone),
        len(rows.requests),
    )
