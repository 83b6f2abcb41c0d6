"""`batch classify`: what each text is for, by the person's routing table or by another one (`--routes`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.bootstrap.batches.contract import text_of
from app.bootstrap.batches.models import pack_of
from app.domain.errors import Unavailable
from app.domain.text import msg
from app.inference.embedder import Embedder
from app.inference.intent.opening import open_reader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.cli.wiring import BatchRequest
    from app.inference.intent.reader import IntentReader
    from app.runtime.paths import Paths


def open_task(paths: Paths, request: BatchRequest) -> ClassifyTask:
    """Make the task.

    Raises:
        BadInput: the table is wrong.
        Unavailable, Damaged: there is no embedding model, or it cannot be used.
    """
    pack = pack_of(paths)
    if pack is None:
        raise Unavailable(
            msg("Intents are read with the embedding model, and there is none."),
            next_step=msg("Run `famulus models install`."),
        )
    return ClassifyTask(open_reader(Embedder(pack, threads=1), paths.config, only=request.routes))


class ClassifyTask:
    """Reads one text after the other."""

    def __init__(self, reader: IntentReader) -> None:
        self._reader = reader

    def result(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """`{intent, score, is_certain, acts}`; `parts` where a text has several wishes."""
        reading = self._reader.read(text_of(row))
        found: dict[str, Any] = {
            "intent": reading.intent,
            "score": round(reading.score, 4),
            "is_certain": reading.is_certain,
            "acts": any(self._reader.table.intents[part.intent].acts for part in reading.parts),
        }
        if len(reading.parts) > 1:
            found["parts"] = [
                {"intent": part.intent, "score": round(part.score, 4), "start": part.start, "end": part.end}
                for part in reading.parts
            ]
        return found

    def close(self) -> None:
        """Nothing is held."""
