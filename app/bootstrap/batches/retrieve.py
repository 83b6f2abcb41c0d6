"""`batch retrieve`: a corpus goes down the one write path, and every query is ranked by the one search."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from app.bootstrap.batches.models import pack_of
from app.context.batch import BatchModel, RetrieveBatch
from app.context.ranking import load_weights
from app.context.search import WORDS
from app.inference.embedder import Embedder
from app.inference.tokens import TokenCounter
from app.runtime.lanes import Lanes
from app.runtime.paths import create_private, resource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.cli.wiring import BatchRequest
    from app.runtime.paths import Paths


def open_task(paths: Paths, request: BatchRequest) -> RetrieveTask:
    """Make the task; raises `Expected`: the model is needed and damaged, or the cache folder cannot be written."""
    scratch = paths.cache / "batch"
    create_private(scratch)
    lanes = Lanes()
    batch = RetrieveBatch(
        lanes,
        load_weights(resource("rules", "ranking.toml"), paths.config / "ranking.toml"),
        _model(paths, request.mode),
        scratch=scratch,
        corpus=request.corpus,
        corpora=request.corpora,
        mode=request.mode,
    )
    return RetrieveTask(batch, lanes)


class RetrieveTask:
    """Runs the service of layer four on a loop of its own."""

    def __init__(self, batch: RetrieveBatch, lanes: Lanes) -> None:
        self._batch = batch
        self._lanes = lanes
        self._runner = asyncio.Runner()

    def result(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """`{ranked}` for a query and its corpus."""
        return {"ranked": self._runner.run(self._batch.ranked(row))}

    def close(self) -> None:
        """Delete the databases."""
        try:
            self._runner.run(self._batch.close())
        finally:
            self._runner.close()
            self._lanes.close()


def _model(paths: Paths, mode: str) -> BatchModel:
    pack = pack_of(paths)
    if pack is None:
        return BatchModel(TokenCounter())
    if mode == WORDS:
        return BatchModel(TokenCounter.of(pack))
    embedder = Embedder(pack, threads=os.cpu_count() or 1)
    return BatchModel(embedder.counter, embedder)
