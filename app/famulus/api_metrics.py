"""What a shell may ask of Famulus about how well it works (G7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from app.domain.progress import ProgressSink, StopSignal, ignore_progress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from app.domain.metrics import AskedQuestion, MarkedItem, MetricsReport, Review, ReviewKind, TuningProposal
    from app.domain.serving import Outcome


class MetricsApi(Protocol):
    """See the module docstring."""

    async def report_outcome(self, outcome: Outcome) -> None:
        """What the person did with an answer: used it, corrected it, or found it wrong. Raises `BadInput`."""

    async def metrics(self, *, first_day: date | None = None, last_day: date | None = None) -> MetricsReport:
        """The five rates and the layers' figures; of the last four weeks without days."""

    async def reviews(self) -> Sequence[Review]:
        """The reviews that were written, newest first, without their texts."""

    async def review(self, review_id: int) -> Review:
        """One review with its text. Raises `BadInput`."""

    async def write_review(self, kind: ReviewKind, *, day: date | None = None) -> Review:
        """Write the review of the period that holds `day` (today), or write it anew."""

    async def asked_questions(self, *, limit: int = 50) -> Sequence[AskedQuestion]:
        """Questions that were asked lately, newest first, and those that are marked."""

    async def items_to_mark(self, query: str, *, more: str | None = None) -> Sequence[MarkedItem]:
        """What a question finds, and what is marked for it; with `more` also what that text finds."""

    async def mark(self, query: str, entry_id: int, *, is_wanted: bool | None) -> None:
        """Say that a question should find an entry, or should not; None takes it back. Raises `BadInput`."""

    async def propose_tuning(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> TuningProposal:
        """New weights from the marks, measured on marks that they were not made from. Raises `Cancelled`."""

    async def apply_tuning(self, proposal_id: str) -> str:
        """Put proposed weights in force; returns the version of the ranking. Raises `BadInput` for another proposal."""

    async def reset_tuning(self) -> str:
        """Put the weights back that hold without any proposal; returns the version of the ranking."""
