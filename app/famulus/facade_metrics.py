"""The facade's part for metrics, marks and tuning; see `api_metrics.MetricsApi` for the methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.progress import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from app.domain.metrics import AskedQuestion, MarkedItem, MetricsReport, Review, ReviewKind, TuningProposal
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.serving import Outcome
    from app.famulus.reception import Reception
    from app.famulus.vault import Vault


class MetricsFacade:
    """Hands each question to the desk that knows; a closed database raises why it is closed."""

    _vault: Vault

    async def report_outcome(self, outcome: Outcome) -> None:
        """See `MetricsApi`."""
        await (await self._reception()).metrics.report_outcome(outcome)

    async def metrics(self, *, first_day: date | None = None, last_day: date | None = None) -> MetricsReport:
        """See `MetricsApi`."""
        return await (await self._reception()).metrics.report(first_day, last_day)

    async def reviews(self) -> Sequence[Review]:
        """See `MetricsApi`."""
        return await (await self._reception()).reviews.list()

    async def review(self, review_id: int) -> Review:
        """See `MetricsApi`."""
        return await (await self._reception()).reviews.show(review_id)

    async def write_review(self, kind: ReviewKind, *, day: date | None = None) -> Review:
        """See `MetricsApi`."""
        return await (await self._reception()).reviews.write(kind, day)

    async def asked_questions(self, *, limit: int = 50) -> Sequence[AskedQuestion]:
        """See `MetricsApi`."""
        return await (await self._reception()).marks.asked_questions(limit)

    async def items_to_mark(self, query: str, *, more: str | None = None) -> Sequence[MarkedItem]:
        """See `MetricsApi`."""
        return await (await self._reception()).marks.items_to_mark(query, more)

    async def mark(self, query: str, entry_id: int, *, is_wanted: bool | None) -> None:
        """See `MetricsApi`."""
        await (await self._reception()).marks.mark(query, entry_id, is_wanted=is_wanted)

    async def propose_tuning(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> TuningProposal:
        """See `MetricsApi`."""
        return await (await self._reception()).tuning.propose(progress=progress, stop=stop)

    async def apply_tuning(self, proposal_id: str) -> str:
        """See `MetricsApi`."""
        return await (await self._reception()).tuning.apply(proposal_id)

    async def reset_tuning(self) -> str:
        """See `MetricsApi`."""
        return await (await self._reception()).tuning.reset()

    async def _reception(self) -> Reception:
        return (await self._vault.offices()).reception
