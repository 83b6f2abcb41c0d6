"""The models that batch tasks use, from the same folders as the running program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.inference.chinese_names import ChineseNames
from app.inference.packs import EMBEDDING, SPANS, ModelPack, find_pack
from app.inference.spans import SpanReader

if TYPE_CHECKING:
    from app.runtime.paths import Paths

LONGEST_READING_S = 2.0
"""How long a model may read one row."""


def pack_of(paths: Paths, task: str = EMBEDDING) -> ModelPack | None:
    """The pack of a task, or None; raises `Damaged` or `FromTheFuture`."""
    return next((pack for folder in paths.model_folders if (pack := find_pack(folder, task)) is not None), None)


def span_reader(paths: Paths) -> SpanReader | None:
    """The span model, or None where there is none: names are then found by rules, or not at all."""
    pack = pack_of(paths, SPANS)
    return SpanReader(pack, chinese=ChineseNames.installed()) if pack is not None else None
