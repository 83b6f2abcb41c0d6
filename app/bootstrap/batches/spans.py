"""`batch spans`: the names in a text, with their places (G2.4)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from app.bootstrap.batches.contract import text_of
from app.bootstrap.batches.models import LONGEST_READING_S, span_reader
from app.domain.errors import Unavailable
from app.domain.text import msg
from app.govern.extraction import Extractor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.cli.wiring import BatchRequest
    from app.runtime.paths import Paths


def open_task(paths: Paths, request: BatchRequest) -> SpansTask:
    """Make the task; raises `Unavailable` where there is no span model."""
    reader = span_reader(paths)
    if reader is None:
        raise Unavailable(
            msg("The model that finds names is not installed."),
            next_step=msg("Install it with: famulus models install"),
        )
    return SpansTask(Extractor(reader), request.labels)


class SpansTask:
    """Finds names.

    Args:
        labels: those to give; empty for all.
    """

    def __init__(self, extractor: Extractor, labels: frozenset[str]) -> None:
        self._extractor = extractor
        self._labels = labels

    def result(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """`{spans: [{start, end, label, confidence}]}`; raises `BadInput` for a text that is too long."""
        names = self._extractor.names(text_of(row), limit_s=LONGEST_READING_S)
        return {"spans": [asdict(name) for name in names if not self._labels or name.label in self._labels]}

    def close(self) -> None:
        """Nothing is held."""
