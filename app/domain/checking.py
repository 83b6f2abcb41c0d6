"""What `famulus check` reports (DESIGN 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class Finding:
    """One subject: how much of it was counted, and what is off."""

    subject: str
    count: int
    problem: Text | None = None
    was_repaired: bool = False


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The proof that pages, rows, words, vectors, cursors and references agree."""

    findings: tuple[Finding, ...]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is off that was not repaired."""
        return all(finding.problem is None or finding.was_repaired for finding in self.findings)
