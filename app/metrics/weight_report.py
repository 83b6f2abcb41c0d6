"""The quarterly report: which weights and index versions answered, how well, and what tuning would do (G7). Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from app.domain.text import msg
from app.metrics.counts import RATES, answered_searches
from app.metrics.markdown import Page, percent
from app.metrics.rates import five_rates, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.metrics import MetricsReport, TuningProposal
    from app.metrics.counts import Count
    from app.metrics.markdown import Say
    from app.store.layer_rows import ModelCount
    from app.store.metric_rows import RequestRow


def weight_report(
    quarter: MetricsReport,
    counts: Sequence[Count],
    requests: Sequence[RequestRow],
    models: Sequence[ModelCount],
    proposal: TuningProposal,
    *,
    say: Say,
) -> str:
    """Markdown.

    Args:
        counts, requests: of the quarter. models: those that there are vectors of.
        proposal: what tuning would do now.
    """
    page = Page(say)
    page.heading(
        msg(
            "Weights and indexes from {first} to {last}",
            first=quarter.first_day.isoformat(),
            last=quarter.last_day.isoformat(),
        ),
        1,
    )
    _rankings(page, counts, requests)
    page.heading(msg("Index versions"))
    if not models:
        page.paragraph(msg("There are no vectors: words alone are searched."))
    page.table(
        (msg("Model"), msg("Version"), msg("Vectors")),
        [(one.model_id, one.version, str(one.vectors)) for one in models],
    )
    page.heading(msg("What tuning would do"))
    _tuning(page, proposal)
    return page.text


def _rankings(page: Page, counts: Sequence[Count], requests: Sequence[RequestRow]) -> None:
    """The rates of each version of the weights, the latest last."""
    page.heading(msg("Rankings that answered"))
    searches = answered_searches(requests)
    versions = Counter(row.ranking for row in searches if row.ranking)
    if not versions:
        page.paragraph(msg("Nothing was searched for."))
        return
    answered = Counter(row.ranking for row in searches if row.items)
    titles = [rate.title for rate in five_rates(())]
    rows = []
    for version, count in versions.items():
        rates = {rate.name: rate for rate in five_rates(one for one in counts if one.ranking == version)}
        found = percent(share(answered[version], count))
        rows.append((version, str(count), found, *(percent(rates[name].value) for name in RATES)))
    page.table((msg("Ranking"), msg("Searches"), msg("Found something"), *titles), rows)


def _tuning(page: Page, proposal: TuningProposal) -> None:
    if proposal.reason is not None:
        page.paragraph(proposal.reason)
    page.table(
        (msg("Weight"), msg("Now"), msg("Proposed")),
        [(one.name, f"{one.before:g}", f"{one.after:g}") for one in proposal.changes],
    )
    if proposal.order_before is not None and proposal.order_after is not None:
        page.paragraph(
            msg(
                "On {count} questions that were held out: hits {hit_before}, then {hit_after}; order (nDCG@10)"
                " {order_before}, then {order_after}.",
                count=proposal.held_out,
                hit_before=percent(proposal.hit_before),
                hit_after=percent(proposal.hit_after),
                order_before=f"{proposal.order_before:.3f}",
                order_after=f"{proposal.order_after:.3f}",
            )
        )
    if proposal.is_better:
        page.paragraph(msg("`famulus tune --apply` puts them in force."))
