"""What each layer is measured by (G7.2): figures of the tables and logs, with their definitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.metrics import LayerFigure
from app.domain.text import msg
from app.metrics.counts import CONTEXT_HIT, TASK_SUCCESS, answered_searches
from app.metrics.rates import share

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.domain.metrics import Rate
    from app.domain.text import Text
    from app.store.layer_rows import ChangeCount, Holdings, MergeCount, SourceRow
    from app.store.metric_rows import RequestRow

COLLECTION, GOVERNANCE, DATABASE, SERVING = "collection", "governance", "database", "serving"
_SHARE, _SECONDS = "share", "seconds"


@dataclass(frozen=True, slots=True)
class LayerRows:
    """What the figures are made of; `waiting`: entries that wait to be understood. The rest is as the rows say."""

    sources: Sequence[SourceRow]
    holdings: Holdings
    waiting: int
    changes: Sequence[ChangeCount]
    merges: MergeCount
    requests: Sequence[RequestRow]
    delays_s: Sequence[float]


def layer_figures(rows: LayerRows, rates: Sequence[Rate], now: datetime) -> tuple[LayerFigure, ...]:
    """All figures, layer by layer; None where there is nothing to count."""
    return (*_collection(rows, now), *_governance(rows), *_database(rows), *_serving(rates))


def _collection(rows: LayerRows, now: datetime) -> tuple[LayerFigure, ...]:
    held, active = rows.holdings, [row for row in rows.sources if not row.is_paused]
    sound = sum(not row.is_failed for row in active)
    ages = [max(0.0, (now - row.last_sync_at).total_seconds()) for row in active if row.last_sync_at is not None]
    layer = COLLECTION
    return (
        _figure(layer, "source_coverage", share(sound, len(active)), msg("Sources that work"),
                msg("Sources whose last sync did not fail, of all that are not paused.")),
        _figure(layer, "passage_coverage", share(held.with_passages, held.entries), msg("Entries with passages"),
                msg("Entries of which at least one passage can be searched, of all that are current.")),
        _figure(layer, "understood", share(max(0, held.entries - rows.waiting), held.entries),
                msg("Entries understood"), msg("Entries that do not wait to be understood, of all that are current.")),
        _figure(layer, "dedup_rate", share(held.repeating, held.entries), msg("Duplicates found"),
                msg("Entries that say what another one says already, of all that are current.")),
        _figure(layer, "sync_latency", _middle(ages), msg("Since the last sync"),
                msg("The median over the sources of the time since their last complete sync."), unit=_SECONDS),
    )  # fmt: skip


def _governance(rows: LayerRows) -> tuple[LayerFigure, ...]:
    made, undone = sum(one.made for one in rows.changes), sum(one.undone for one in rows.changes)
    merges = rows.merges
    return (
        _figure(GOVERNANCE, "dedup_accuracy", share(merges.made - merges.undone, merges.made),
                msg("Merges that stand"),
                msg("Times that rules took two people for one and you did not take it back, of all such times.")),
        _figure(GOVERNANCE, "freshness_accuracy", share(made - undone, made), msg("Changes that stand"),
                msg("Changes that Famulus made by itself and you did not take back, of all that it made.")),
    )  # fmt: skip


def _database(rows: LayerRows) -> tuple[LayerFigure, ...]:
    searches = answered_searches(rows.requests)
    answered = sum(row.items > 0 for row in searches)
    return (
        _figure(DATABASE, "hit_rate", share(answered, len(searches)), msg("Searches that found something"),
                msg("Searches that gave at least one item, of all that were not refused.")),
        _figure(DATABASE, "update_latency", _middle(rows.delays_s), msg("From change to database"),
                msg("The median time from a change at a source to its being taken in, of what changed after its source"
                    " was added."), unit=_SECONDS),
    )  # fmt: skip


def _serving(rates: Sequence[Rate]) -> tuple[LayerFigure, ...]:
    named = {rate.name: rate for rate in rates}
    return tuple(
        _figure(SERVING, name, named[name].value, named[name].title, named[name].definition)
        for name in (CONTEXT_HIT, TASK_SUCCESS)
    )


def _figure(
    layer: str, name: str, value: float | None, title: Text, definition: Text, *, unit: str = _SHARE
) -> LayerFigure:
    return LayerFigure(layer, name, title, definition, value, unit)


def _middle(values: Iterable[float]) -> float | None:
    from statistics import median  # noqa: PLC0415 - with all that it needs, and only for who asks

    found = list(values)
    return median(found) if found else None
