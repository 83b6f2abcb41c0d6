"""`batch dates`: the dates and times in a text, as seen from a row's `ref` (G2.2, X9.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.bootstrap.batches.contract import reference_of, text_of
from app.inference.dates import batch_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.cli.wiring import BatchRequest
    from app.runtime.paths import Paths


def open_task(paths: Paths, request: BatchRequest) -> DatesTask:  # noqa: ARG001 - every task is opened alike
    """Make the task."""
    return DatesTask()


class DatesTask:
    """Reads dates."""

    def result(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """`{values: [{start, end}]}`, every candidate of every reading; raises `BadInput`."""
        if row.get("ref") is not None:
            reference_of(row)
        return batch_values.result({**row, "id": None, "text": text_of(row)})

    def close(self) -> None:
        """Nothing is held."""
