"""The figures of each layer (G7.2)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.metrics.layers import LayerRows, layer_figures
from app.metrics.rates import five_rates
from app.store.layer_rows import ChangeCount, Holdings, MergeCount, SourceRow
from app.store.metric_rows import RequestRow

NOW = datetime(2025, 5, 12, 9, 30, tzinfo=UTC)


def figures(**changes):
    values = {
        "sources": [],
        "holdings": Holdings(0, 0, 0),
        "waiting": 0,
        "changes": [],
        "merges": MergeCount(0, 0),
        "requests": [],
        "delays_s": [],
    }
    found = layer_figures(LayerRows(**(values | changes)), five_rates([]), NOW)
    return {figure.name: figure.value for figure in found}


def test_nothing_counted_is_unknown():
    found = figures()
    assert set(found.values()) == {None}
    assert list(found) == [
        "source_coverage", "passage_coverage", "understood", "dedup_rate", "sync_latency", "dedup_accuracy",
        "freshness_accuracy", "hit_rate", "update_latency", "context_hit", "task_success",
    ]  # fmt: skip


def test_collection():
    sources = [
        SourceRow(False, False, NOW - timedelta(minutes=2)),
        SourceRow(True, False, NOW - timedelta(minutes=6)),
        SourceRow(True, True, NOW - timedelta(days=90)),
        SourceRow(False, False, None),
    ]
    found = figures(sources=sources, holdings=Holdings(10, 8, 3), waiting=4)
    assert found["source_coverage"] == 2 / 3
    assert (found["passage_coverage"], found["dedup_rate"], found["understood"]) == (0.8, 0.3, 0.6)
    assert found["sync_latency"] == 240.0


def test_more_may_wait_than_there_is_for_a_moment():
    assert figures(holdings=Holdings(2, 2, 0), waiting=3)["understood"] == 0.0


def test_governance():
    changes = [ChangeCount("supersession", "s-1", "move", 6, 1), ChangeCount("freshness", "f-1", "overdue", 4, 1)]
    found = figures(changes=changes, merges=MergeCount(8, 2))
    assert (found["freshness_accuracy"], found["dedup_accuracy"]) == (0.8, 0.75)


def test_database():
    requests = [
        RequestRow(str(number), NOW, "owner", action, "x", is_refused, items, "ranking-2")
        for number, (action, is_refused, items) in enumerate(
            [("ask", False, 2), ("search", False, 0), ("prepare", False, 1), ("agenda", False, 0), ("search", True, 0)]
        )
    ]
    found = figures(requests=requests, delays_s=[10.0, 30.0, 600.0])
    assert (found["hit_rate"], found["update_latency"]) == (2 / 3, 30.0)
