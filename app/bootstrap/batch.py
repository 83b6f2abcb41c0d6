"""`famulus batch`: labelled rows through the product's own code, in this process, without the person's data."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from app.domain.errors import BadInput, Expected
from app.domain.text import msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.bootstrap.batches.contract import BatchTask
    from app.cli.wiring import BatchRequest
    from app.runtime.paths import Paths

LONGEST_ROW = 20_000_000
"""Characters of a row's text; a longer one is refused."""


def run(paths: Paths, request: BatchRequest) -> Iterator[Mapping[str, Any]]:
    """Answer the rows of a request, one after the other and in their order: `{id, ...}`, or `{id, error}`.

    Raises:
        Expected: the task itself cannot begin.
    """
    # Each task loads a part of the house of its own: only that of the request is imported.
    module = importlib.import_module(f"app.bootstrap.batches.{request.task}")
    task: BatchTask = module.open_task(paths, request)
    try:
        for row in request.rows:
            yield {**_result(task, row), "id": row.get("id")}
    finally:
        task.close()


def _result(task: BatchTask, row: Mapping[str, Any]) -> Mapping[str, Any]:
    if "error" in row:
        return {"error": row["error"]}
    try:
        if any(isinstance(value, str) and len(value) > LONGEST_ROW for value in row.values()):
            raise BadInput(msg("The row is too long."), next_step=msg("Cut it into parts."))
        return task.result(row)
    except Expected as error:
        return {"error": translate(error.what)}
