"""The facade's part for sources and what is taken in from them; see `api.FamulusApi` for the methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.progress import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.collecting import ImportReport, KindInfo, SourceChange, SourceDraft, SourceInfo, SyncReport
    from app.domain.progress import ProgressSink, StopSignal
    from app.famulus.model_host import ModelHost
    from app.famulus.vault import Vault


class SourcesFacade:
    """Hands each question to the part that knows; a closed database raises why it is closed."""

    _vault: Vault
    _model: ModelHost

    async def sources(self) -> Sequence[SourceInfo]:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).collection.list()

    async def source_kinds(self) -> Sequence[KindInfo]:
        """See `FamulusApi`."""
        return (await self._vault.offices()).collection.kinds()

    async def add_source(self, draft: SourceDraft) -> SourceInfo:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).collection.add(draft)

    async def change_source(self, source_id: str, change: SourceChange) -> SourceInfo:
        """See `FamulusApi`."""
        offices = await self._vault.offices()
        info = await offices.collection.change(source_id, change)
        if change.scope is not None:
            offices.label_anew()
        return info

    async def remove_source(self, source_id: str) -> int:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).collection.remove(source_id)

    async def sync(
        self,
        source_id: str | None = None,
        *,
        confirm_deletions: bool = False,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Sequence[SyncReport]:
        """See `FamulusApi`."""
        offices = await self._vault.offices()
        reports = await offices.collection.sync(
            source_id, confirm_deletions=confirm_deletions, progress=progress, stop=stop
        )
        if any(report.added or report.changed or report.deleted for report in reports):
            await offices.governing.settle()
        return reports

    async def import_paths(
        self, paths: Sequence[str], *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> Sequence[ImportReport]:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).collection.take_in(paths, progress=progress, stop=stop)

    async def clip(self, text: str, *, title: str = "", url: str = "") -> ImportReport:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).clips.take(text, title=title, url=url)

    async def wait_until_indexed(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> None:
        """See `FamulusApi`."""
        house, offices = self._vault.house, await self._vault.offices()
        await self._model.settled()
        await house.follow_model()
        await offices.governing.queue.wait_until_done(progress=progress, stop=stop)
        await house.indexer.wait_until_done(progress=progress, stop=stop)

    async def pause_indexing(self, *, is_paused: bool) -> None:
        """See `FamulusApi`."""
        indexer = self._vault.house.indexer
        (indexer.pause if is_paused else indexer.resume)()
