"""Long work: how far it is, and how to pause and stop it (D8.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class Progress:
    """One step forward. `total` is None while it is not yet known."""

    task: str
    label: Text
    done: int
    total: int | None = None


ProgressSink = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """For callers that do not show any."""


class StopSignal(Protocol):
    """Asked between two steps of long work, from any thread."""

    def checkpoint(self) -> None:
        """Wait while paused; raise `Cancelled` once stopped."""
