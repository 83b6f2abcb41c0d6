"""The weekly review: the rates against those of the week before, and what is worth a look (G7). Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from app.domain.text import counted, msg
from app.metrics.counts import CONTEXT_HIT, EXPIRED_CONTEXT, MANUAL_CORRECTION, answered_searches
from app.metrics.markdown import Page, percent, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.metrics import MetricsReport, Rate
    from app.domain.text import Text
    from app.metrics.markdown import Say
    from app.store.metric_rows import RequestRow

_NOTABLE = 0.05
"""A change of a rate that is told, where both weeks counted enough."""
_ENOUGH = 10
_LESS_IS_BETTER = frozenset({EXPIRED_CONTEXT, MANUAL_CORRECTION})


def weekly_review(week: MetricsReport, before: MetricsReport, requests: Sequence[RequestRow], say: Say) -> str:
    """Markdown.

    Args:
        week, before: the figures of the week, and of the one before it. requests: of the week.
    """
    page = Page(say)
    page.heading(
        msg("Week from {first} to {last}", first=week.first_day.isoformat(), last=week.last_day.isoformat()), 1
    )
    page.paragraph(msg("Requests: {count}; in the week before: {before}.", count=week.requests, before=before.requests))
    _rates(page, week.rates, before.rates)
    page.points(worth_a_look(week, before, requests))
    _askers(page, requests)
    page.heading(msg("What each layer is measured by"))
    page.table((msg("Figure"), msg("Value")), [(figure.title, shown(figure)) for figure in week.layers])
    return page.text


def worth_a_look(week: MetricsReport, before: MetricsReport, requests: Sequence[RequestRow]) -> list[Text]:
    """What got clearly worse, what is expired, what found nothing, and what cannot be told yet."""
    found = [
        msg(
            "{title} got worse: {before}, now {now}.",
            title=now.title,
            before=percent(old.value),
            now=percent(now.value),
        )
        for now, old in zip(week.rates, before.rates, strict=True)
        if _is_worse(now, old)
    ]
    named = {rate.name: rate for rate in week.rates}
    if named[EXPIRED_CONTEXT].part:
        found.append(
            counted(
                "{count} item was handed out that was no longer so: `famulus changes list` shows what made it so.",
                "{count} items were handed out that were no longer so: `famulus changes list` shows what made them so.",
                count=named[EXPIRED_CONTEXT].part,
            )
        )
    empty = sum(not row.items for row in answered_searches(requests))
    if empty:
        found.append(counted("{count} search found nothing.", "{count} searches found nothing.", count=empty))
    if named[CONTEXT_HIT].value is None and requests:
        found.append(msg("No question of this week is marked, so nothing is known of its hits: mark a few of them."))
    return found


def _rates(page: Page, rates: Sequence[Rate], before: Sequence[Rate]) -> None:
    page.heading(msg("The five rates"))
    page.table(
        (msg("Rate"), msg("This week"), msg("Counted"), msg("Week before")),
        [
            (now.title, percent(now.value), f"{now.part} / {now.whole}", percent(old.value))
            for now, old in zip(rates, before, strict=True)
        ],
    )
    page.points([msg("{title}: {definition}", title=rate.title, definition=rate.definition) for rate in rates])


def _askers(page: Page, requests: Sequence[RequestRow]) -> None:
    counts = Counter(row.client for row in requests)
    if not counts:
        return
    refused = Counter(row.client for row in requests if row.is_refused)
    items: Counter[str] = Counter()
    for row in requests:
        items[row.client] += row.items
    page.heading(msg("Who asked"))
    page.table(
        (msg("Client"), msg("Requests"), msg("Refused"), msg("Items")),
        [(name, str(count), str(refused[name]), str(items[name])) for name, count in counts.most_common()],
    )


def _is_worse(now: Rate, old: Rate) -> bool:
    if now.value is None or old.value is None or min(now.whole, old.whole) < _ENOUGH:
        return False
    change = now.value - old.value
    return (change if now.name in _LESS_IS_BETTER else -change) >= _NOTABLE
