"""`batch rrule`: a start and a recurrence rule become their instances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.bootstrap.batches.contract import text_of
from app.sources.ics.rule_text import unfolded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.cli.wiring import BatchRequest
    from app.runtime.paths import Paths


def open_task(paths: Paths, request: BatchRequest) -> RruleTask:
    """Make the task; it holds nothing."""
    del paths, request
    return RruleTask()


class RruleTask:
    """Unfolds the rule of each row."""

    def result(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """`{instances}` for DTSTART and RRULE; raises `BadInput` when one of them is missing or cannot be used."""
        return {"instances": unfolded(text_of(row, "DTSTART"), text_of(row, "RRULE"))}

    def close(self) -> None:
        """Nothing is held."""
