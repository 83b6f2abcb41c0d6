"""`batch redact`: every row as a conversation of its own, through the rules and the span model (L5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.bootstrap.batches.contract import text_of
from app.bootstrap.batches.models import span_reader
from app.govern.redaction import Conversation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.cli.wiring import BatchRequest
    from app.govern.redaction import NameReader
    from app.runtime.paths import Paths


def open_task(paths: Paths, request: BatchRequest) -> RedactTask:  # noqa: ARG001 - every task is opened alike
    """Make the task; it works without the span model, by rules alone. Raises `Damaged` for a broken pack."""
    return RedactTask(span_reader(paths))


class RedactTask:
    """Redacts.

    Args:
        names: the span model, or None.
    """

    def __init__(self, names: NameReader | None) -> None:
        self._names = names

    def result(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """`{text, spans: [{start, end, kind}]}`: the redacted text, and what was kept back; raises `BadInput`."""
        redacted = Conversation(self._names).redact(text_of(row))
        spans = [{"start": one.start, "end": one.end, "kind": one.kind.name.lower()} for one in redacted.findings]
        return {"text": redacted.text, "spans": spans}

    def close(self) -> None:
        """Nothing is held."""
