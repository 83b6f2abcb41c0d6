"""`batch retrieve`: ranks the rows of a labelled corpus for every query, through the product's own code (DESIGN 6).

A corpus goes down the one write path into a database of its own, encrypted with a key that nobody else knows and
deleted at the end; it is searched by the same service as a person's own entries. Rows of other users are kept apart by
scope, as a client's would be.
"""

from __future__ import annotations

import secrets
import shutil
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.context.corpus import SHARED, entries_of, read_corpus, scope_of
from app.context.search import FULL, ContextService
from app.context.semantics import vectors_of
from app.domain.collecting import SourceInfo, SyncState
from app.domain.context_item import SearchRequest, Viewer
from app.domain.errors import BadInput
from app.domain.labels import Sensitivity, Trust
from app.domain.text import msg
from app.govern.indexing import Indexer
from app.govern.pipeline import Pipeline
from app.runtime import clock
from app.runtime.paths import create_private
from app.runtime.tasks import Tasks
from app.sources.contract import Added
from app.store.connection import DatabaseKey
from app.store.database import FILE_NAME
from app.store.source_rows import add_source
from app.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from app.context.ranking import Weights
    from app.govern.chunking import TokenCounter
    from app.inference.embedder import Embedder
    from app.runtime.lanes import Lanes

RANKED = 20
"""How many rows are ranked for a query."""

_OPEN_CORPORA = 8
_ACL = "batch"


@dataclass(frozen=True, slots=True)
class BatchModel:
    """What the batch embeds and counts with; `embedder` is None for words alone."""

    counter: TokenCounter
    embedder: Embedder | None = None


@dataclass(frozen=True, slots=True)
class _Corpus:
    store: Store
    service: ContextService
    folder: Path


class RetrieveBatch:
    """Ranks rows for queries.

    Args:
        scratch: a folder in which databases are made for as long as the batch lasts.
        corpus, corpora: one file for all queries, or a folder where a query's `corpus` names the file.
        mode: words, vectors or full.
    """

    def __init__(  # noqa: PLR0913 - a composition root of its own
        self,
        lanes: Lanes,
        weights: Weights,
        model: BatchModel,
        *,
        scratch: Path,
        corpus: Path | None = None,
        corpora: Path | None = None,
        mode: str = FULL,
    ) -> None:
        self._lanes = lanes
        self._weights = weights
        self._model = model
        self._scratch = scratch
        self._corpus_file = corpus
        self._corpora = corpora
        self._mode = mode
        self._open: OrderedDict[Path, _Corpus] = OrderedDict()

    async def ranked(self, row: Mapping[str, Any]) -> list[str]:
        """The ids of a query's best rows, the best first.

        Raises:
            Expected: the row is no query, its corpus cannot be read, or the search failed.
        """
        query = row.get("query")
        if not isinstance(query, str):
            raise BadInput(msg("The row has no query."), next_step=msg("Give id, query and corpus."))
        return await self._ranked(await self._corpus(self._path_of(row)), query, row.get("user"))

    async def close(self) -> None:
        """Delete the databases."""
        while self._open:
            await self._drop(self._open.popitem()[1])

    async def _ranked(self, corpus: _Corpus, query: str, user: object) -> list[str]:
        scopes = None if user is None else frozenset({SHARED, scope_of(user)})
        viewer = Viewer() if scopes is None else Viewer("batch", scopes, frozenset({_ACL}))
        request = SearchRequest(query, limit=RANKED, mode=self._mode, viewer=viewer)
        found = await corpus.service.search(request)
        return list(dict.fromkeys(item.place.message_id for item in found if item.place.message_id is not None))

    def _path_of(self, row: Mapping[str, Any]) -> Path:
        if self._corpus_file is not None:
            return self._corpus_file
        name = row.get("corpus")
        is_plain = isinstance(name, str) and name not in {"", ".", ".."} and not set(name) & set("/\\:\0")
        if self._corpora is None or not is_plain:
            raise BadInput(msg("The row names no corpus."), next_step=msg("Give id, query and corpus."))
        return self._corpora / f"{name}.jsonl"

    async def _corpus(self, path: Path) -> _Corpus:
        known = self._open.get(path)
        if known is not None:
            self._open.move_to_end(path)
            return known
        rows = await self._lanes.blocking.run(read_corpus, path)
        while len(self._open) >= _OPEN_CORPORA:
            await self._drop(self._open.popitem(last=False)[1])
        corpus = self._open[path] = await self._lanes.writer.run(self._create)
        await self._fill(corpus, rows)
        return corpus

    def _create(self) -> _Corpus:
        folder = self._scratch / f"batch-{secrets.token_hex(8)}"
        create_private(folder)
        key = DatabaseKey(secrets.token_bytes(32), secrets.token_bytes(16))
        store = Store.create(folder / FILE_NAME, key, now=clock.now())
        return _Corpus(store, ContextService(store, self._lanes, self._weights), folder)

    async def _fill(self, corpus: _Corpus, rows: Sequence[Mapping[str, Any]]) -> None:
        pipeline = Pipeline(corpus.store.database, self._lanes, self._model.counter)
        for scope in dict.fromkeys(scope_of(row.get("user")) for row in rows):
            info = _source(scope)
            await self._lanes.writer.run(_add_source, corpus.store, info)
            changes = (Added(entry) for entry in entries_of(rows, info.source_id, scope, clock.now()))
            await pipeline.take_in(info, changes)
        embedder = self._model.embedder
        if embedder is not None:
            indexer = Indexer(corpus.store.database, self._lanes)
            tasks = Tasks()
            indexer.use(embedder)
            tasks.start(indexer.run(), "batch-index")
            try:
                await indexer.wait_until_done()
            finally:
                await tasks.close()
            corpus.service.use(embedder, vectors_of(corpus.store, embedder))

    async def _drop(self, corpus: _Corpus) -> None:
        await self._lanes.writer.run(corpus.store.close)
        await self._lanes.blocking.run(shutil.rmtree, corpus.folder, ignore_errors=True)


def _source(scope: str) -> SourceInfo:
    return SourceInfo(
        source_id=scope,
        kind="corpus",
        location=scope,
        name=scope,
        scope=scope,
        acl=_ACL,
        sensitivity=Sensitivity.INTERNAL,
        trust=Trust.OWN_FILES,
        state=SyncState.IDLE,
        created_at=clock.now(),
    )


def _add_source(store: Store, info: SourceInfo) -> None:
    with store.database.write() as tx:
        add_source(tx, info)
