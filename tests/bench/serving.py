"""The whole context service: a client that may see little, a budget of tokens with what stands around, results kept."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.context.ranking import load_weights
from app.context.search import ContextService
from app.context.search_desk import SearchDesk
from app.context.semantics import vectors_of
from app.domain.context_item import SearchRequest, Viewer
from app.domain.labels import EntryKind
from app.runtime import clock
from app.runtime.lanes import Lanes
from app.runtime.paths import resource
from tests.bench import corpus
from tests.bench.measures import Measure, quantile, spaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.inference.embedder import Embedder
    from app.store.store import Store

RESTRICTED = Viewer(name="restricted", scopes=frozenset({"work"}), acls=frozenset({"owner"}), ceiling=1)
_TOKENS = 2_000
_WARM_UP, _QUESTIONS = 40, 150
_MS = 1000


async def serve(store: Store, embedder: Embedder) -> dict[str, list[float]]:
    """Seconds of every request, by what was asked; all of them embed their question, but for those that are kept."""
    lanes = Lanes()
    context = ContextService(store, lanes, load_weights(resource("rules", "ranking.toml")))
    context.use(embedder, vectors_of(store, embedder))
    desk = SearchDesk(store, lanes, context, embedder.counter)
    embedder.counter.count("the tokenizer loads at its first use")
    since = clock.now() - timedelta(days=365)
    taken: dict[str, list[float]] = {"restricted": [], "narrowed": [], "around": [], "kept": []}
    try:
        for number in range(_WARM_UP + _QUESTIONS):
            plain = SearchRequest(corpus.question(number), viewer=RESTRICTED)
            narrow = replace(plain, kinds=(EntryKind.NOTE,), since=since)
            requests = [("restricted", plain), ("narrowed", narrow), ("around", replace(plain, budget_tokens=_TOKENS))]
            # a question's words stay in memory once they were asked for: who comes first must change
            name, request = requests[number % 3]
            for kind in (name, "kept"):
                began = time.perf_counter()
                await desk.gather(request)
                if number >= _WARM_UP:
                    taken[kind].append(time.perf_counter() - began)
    finally:
        lanes.close()
    return taken


def rows(count: int, taken: dict[str, list[float]], embedding: list[float]) -> Iterator[Measure]:
    """The rows for one size."""
    size = spaced(count)
    for name, what in (
        ("restricted", "as a client of one scope"),
        ("narrowed", "and of one kind within a year"),
        ("around", f"with what stands around, {spaced(_TOKENS)} tokens"),
    ):
        for share in (0.5, 0.95):
            yield Measure(
                f"search through the service, {size} passages, {what}, p{round(share * 100)}",
                quantile(taken[name], share) * _MS,
                "ms",
                quantile(embedding, share) * _MS,
                "embedding the question",
            )
    yield Measure(
        f"a result that is kept, {size} passages, p50",
        quantile(taken["kept"], 0.5) * _MS,
        "ms",
        quantile(taken["restricted"], 0.5) * _MS,
        "working it out",
    )
