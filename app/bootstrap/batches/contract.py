"""What a batch task is: it turns labelled rows into results, one by one, through the product's own code (DESIGN 6)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from app.domain.errors import BadInput
from app.domain.text import msg
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Mapping


class BatchTask(Protocol):
    """One task for the rows of one run."""

    def result(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """What comes of a row, without its id.

        Raises:
            Expected: this row cannot be answered; the rest goes on.
        """

    def close(self) -> None:
        """Give back what the task holds."""


def text_of(row: Mapping[str, Any], field: str = "text") -> str:
    """A row's text; raises `BadInput` where there is none."""
    text = row.get(field)
    if not isinstance(text, str):
        raise BadInput(
            msg("The row has no “{field}”.", field=field), next_step=msg("Give it as a string, beside the id.")
        )
    return text


def reference_of(row: Mapping[str, Any]) -> datetime:
    """A row's `ref`, aware, or now; raises `BadInput`."""
    ref = row.get("ref")
    if ref is None:
        return clock.now()
    try:
        read = datetime.fromisoformat(ref)
    except (ValueError, TypeError) as error:
        raise BadInput(
            msg("The row's “ref” is no time."), next_step=msg("Give it as ISO 8601, such as 2025-05-10T09:00.")
        ) from error
    return read if read.tzinfo is not None else read.replace(tzinfo=clock.zone())
