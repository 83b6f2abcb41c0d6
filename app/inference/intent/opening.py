"""Makes the readers for a model, with the tables and the vectors that come with Famulus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.inference.intent.mood import MoodReader
from app.inference.intent.reader import IntentReader
from app.inference.intent.table import FILE, load_table
from app.inference.intent.vectors import KnownVectors, space_of
from app.runtime.paths import resource

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.embedder import Embedder
    from app.inference.intent.table import RouteTable


def own_table(config: Path) -> RouteTable:
    """The shipped table with the additions in the folder of the settings; raises `BadInput`."""
    return load_table(resource("rules", FILE), config / FILE)


def open_reader(embedder: Embedder, config: Path, *, only: Path | None = None) -> IntentReader:
    """A reader by the person's table, or by the table in the file `only`.

    Raises:
        BadInput: the table is wrong.
        Damaged, Unavailable: the embedding model cannot be used.
    """
    table = load_table(only) if only is not None else own_table(config)
    return IntentReader(table, embedder, _known(embedder))


def open_mood_reader(embedder: Embedder) -> MoodReader:
    """Raises `Damaged` or `Unavailable`: the embedding model cannot be used."""
    return MoodReader(embedder, _known(embedder))


def _known(embedder: Embedder) -> KnownVectors:
    return KnownVectors.read(resource("models", "examples.npz"), space_of(embedder.model_id, embedder.version))
