"""`famulus batch`: labelled rows through the product's own code, in this process, without the person's data."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from app.context.batch import BatchModel, RetrieveBatch
from app.context.ranking import load_weights
from app.context.search import WORDS
from app.inference.embedder import Embedder
from app.inference.packs import find_pack
from app.inference.tokens import TokenCounter
from app.runtime.lanes import Lanes
from app.runtime.paths import create_private, resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.cli.wiring import BatchRequest
    from app.runtime.paths import Paths


def run(paths: Paths, request: BatchRequest) -> Iterator[Mapping[str, Any]]:
    """Answer the rows of a request, one after the other and in their order.

    Raises:
        Expected: the model is needed and damaged, or the cache folder cannot be written.
    """
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
    with asyncio.Runner() as runner:
        try:
            for row in request.rows:
                yield runner.run(batch.result(row))
        finally:
            runner.run(batch.close())
            lanes.close()


def _model(paths: Paths, mode: str) -> BatchModel:
    for folder in paths.model_folders:
        pack = find_pack(folder)
        if pack is not None:
            break
    else:
        return BatchModel(TokenCounter())
    if mode == WORDS:
        return BatchModel(TokenCounter.of(pack))
    embedder = Embedder(pack, threads=os.cpu_count() or 1)
    return BatchModel(embedder.counter, embedder)
