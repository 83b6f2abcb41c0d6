"""The facade's part for rules, people, and what governance changed; see `api.FamulusApi` for the methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.progress import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.changes import ChangeInfo
    from app.domain.context_item import AgendaItem
    from app.domain.people import Person, PersonCard, PersonSuggestion
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.rules import RuleFile, RulePreview
    from app.famulus.parts import Parts
    from app.famulus.people_desk import PeopleDesk
    from app.famulus.vault import Vault


class GoverningFacade:
    """Hands each question to the part that knows; a closed database raises why it is closed."""

    _vault: Vault
    _parts: Parts

    async def rules(self) -> Sequence[RuleFile]:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).rules.list()

    async def preview_rules(
        self, name: str = "labels", *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> RulePreview:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).rules.preview(name, progress=progress, stop=stop)

    async def apply_rules(self, name: str = "labels", *, progress: ProgressSink = ignore_progress) -> int:
        """See `FamulusApi`."""
        offices = await self._vault.offices()
        return await offices.rules.apply(name, await offices.collection.list(), progress=progress)

    async def people(self, limit: int = 50) -> Sequence[Person]:
        """See `FamulusApi`."""
        return await (await self._people()).list(limit)

    async def person(self, name: str) -> PersonCard:
        """See `FamulusApi`."""
        return await (await self._people()).show(name)

    async def people_suggestions(self) -> Sequence[PersonSuggestion]:
        """See `FamulusApi`."""
        return await (await self._people()).suggestions()

    async def merge_people(self, one: str, other: str) -> PersonCard:
        """See `FamulusApi`."""
        return await (await self._people()).merge(one, other)

    async def split_person(self, name: str, part: str) -> PersonCard:
        """See `FamulusApi`."""
        return await (await self._people()).split(name, part)

    async def undo_merge(self, merge_id: int) -> None:
        """See `FamulusApi`."""
        await (await self._people()).undo(merge_id)

    async def mark_task(self, item_id: str, *, is_done: bool) -> AgendaItem:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).governing.mark_task(item_id, is_done=is_done)

    async def changes(self, *, limit: int = 100, include_undone: bool = False) -> Sequence[ChangeInfo]:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).change_desk.list(limit=limit, include_undone=include_undone)

    async def change(self, change_id: int) -> ChangeInfo:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).change_desk.show(change_id)

    async def undo_change(self, change_id: int) -> ChangeInfo:
        """See `FamulusApi`."""
        return await (await self._vault.offices()).change_desk.undo(change_id)

    async def _people(self) -> PeopleDesk:
        return (await self._vault.offices()).people
