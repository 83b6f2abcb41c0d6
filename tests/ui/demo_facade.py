"""A facade for the window alone: it answers from `demo_world`, remembers what it was asked, and can be made to fail."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from app.domain.checking import CheckReport, Finding
from app.domain.collecting import (
    ImportReport,
    KindInfo,
    OptionInfo,
    SourceChange,
    SourceDraft,
    SourceInfo,
    SyncReport,
    SyncState,
)
from app.domain.errors import BadInput, Expected
from app.domain.events import LockStateChanged, SettingChanged, SourceChanged
from app.domain.labels import EntryKind, Status
from app.domain.progress import Progress, ProgressSink, StopSignal, ignore_progress
from app.domain.text import msg
from app.famulus.api import Counts, LockState, ModelInfo, ModelState, StatusReport
from app.settings.declarations import BY_NAME
from tests.ui.demo_serving import DemoServing
from tests.ui.demo_world import ENGLISH, NOW, World, source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.changes import ChangeInfo
    from app.domain.context_item import AgendaItem, Answer, ContextItem, SearchRequest
    from app.runtime.bus import Bus

RECOVERY_KEY = "7QK2-M9XP-4TGH-WD3N-8RVC-J5ZB-Y6FA-K2HS"
MODEL = ModelInfo("multilingual-e5-small", "1", "embedding", ("en", "zh"), 49_000_000, "MIT", True, True)

KINDS = (
    KindInfo("files", msg("A folder of documents."), msg("The folder or file."), False, (), ("watch",)),
    KindInfo(
        "imap",
        msg("A mailbox on a server."),
        msg("imaps://name@server"),
        True,
        (OptionInfo("folders", msg("Which folders."), ""),),
        ("push", "search"),
    ),
)


class DemoFacade(DemoServing):
    """Notes every call in `calls`; `failures[name]` is raised by that method, `gates[name]` holds it back."""

    def __init__(self, bus: Bus, world: World = ENGLISH) -> None:
        self.bus = bus
        self.world = world
        self.calls: list[tuple[str, tuple[object, ...]]] = []
        self.failures: dict[str, Exception] = {}
        self.changed: list[ChangeInfo] = list(world.changes)
        self.drafts: list[SourceDraft] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.lock_state = LockState.OPEN
        self.lock_problem: Expected | None = None
        self.model = ModelState.READY
        self.waiting = 0
        self.is_embedding_paused = False
        self.listed: list[SourceInfo] = list(world.sources)
        self.settings = {name: setting.kind.show(setting.default) for name, setting in BY_NAME.items()}
        self.steps: dict[str, list[Progress]] = defaultdict(list)
        self.is_asked: list[bool] = []
        self.serve(world)

    async def _enter(self, name: str, *details: object) -> None:
        self.calls.append((name, details))
        if name in self.gates:
            await self.gates[name].wait()
        if name in self.failures:
            raise self.failures[name]

    def names(self) -> list[str]:
        """The methods that were called, in order."""
        return [name for name, _ in self.calls]

    async def status(self) -> StatusReport:
        await self._enter("status")
        is_open = self.lock_state is LockState.OPEN
        entries = sum(listed.entry_count for listed in self.listed) if is_open else 0
        return StatusReport(
            version="0.1.0",
            lock=self.lock_state,
            lock_problem=self.lock_problem.what if self.lock_problem else None,
            lock_next_step=self.lock_problem.next_step if self.lock_problem else None,
            has_recovery_key=is_open,
            has_window=True,
            model=self.model,
            model_problem=None,
            counts=Counts(len(self.listed) if is_open else 0, entries, entries * 4, self.waiting),
            is_embedding_paused=self.is_embedding_paused,
        )

    async def create(self, *, passphrase: str | None = None) -> str:
        await self._enter("create", passphrase)
        self._open()
        return RECOVERY_KEY

    async def unlock(self, *, passphrase: str | None = None, recovery_key: str | None = None) -> None:
        await self._enter("unlock", passphrase, recovery_key)
        self._open()

    def _open(self) -> None:
        self.lock_state = LockState.OPEN
        self.bus.publish(LockStateChanged(is_open=True))

    async def lock(self) -> None:
        await self._enter("lock")
        self.lock_state = LockState.PASSPHRASE_NEEDED
        self.bus.publish(LockStateChanged(is_open=False))

    async def set_passphrase(self, passphrase: str | None) -> None:
        await self._enter("set_passphrase", passphrase)

    async def new_recovery_key(self) -> str:
        await self._enter("new_recovery_key")
        return RECOVERY_KEY

    async def sources(self) -> Sequence[SourceInfo]:
        await self._enter("sources")
        return tuple(self.listed)

    async def source_kinds(self) -> Sequence[KindInfo]:
        await self._enter("source_kinds")
        return KINDS

    async def change_source(self, source_id: str, change: SourceChange) -> SourceInfo:
        await self._enter("change_source", source_id, change)
        before = next(listed for listed in self.listed if listed.source_id == source_id)
        after = replace(
            before,
            name=change.name or before.name,
            is_paused=before.is_paused if change.is_paused is None else change.is_paused,
        )
        self.listed = [after if listed.source_id == source_id else listed for listed in self.listed]
        self.bus.publish(SourceChanged(source_id, SyncState.IDLE))
        return after

    async def tasks(
        self, *, owner: str | None = None, include_done: bool = False, is_asked: bool = True
    ) -> Sequence[AgendaItem]:
        await self._enter("tasks")
        return [item for item in self.world.agenda if item.kind is EntryKind.TASK]

    async def mark_task(self, item_id: str, *, is_done: bool) -> AgendaItem:
        await self._enter("mark_task", item_id, is_done)
        task = next(item for item in self.world.agenda if item.item_id == item_id)
        return replace(task, status=Status.DONE if is_done else Status.ACTIVE)

    async def changes(self, *, limit: int = 100, include_undone: bool = False) -> Sequence[ChangeInfo]:
        await self._enter("changes")
        return [change for change in self.changed if include_undone or change.undone_at is None]

    async def undo_change(self, change_id: int) -> ChangeInfo:
        await self._enter("undo_change", change_id)
        undone = {change.change_id: replace(change, undone_at=NOW, undone_by="owner") for change in self.changed}
        self.changed = [undone[one.change_id] if one.change_id == change_id else one for one in self.changed]
        return undone[change_id]

    async def add_source(self, draft: SourceDraft) -> SourceInfo:
        kind, location = draft.kind, draft.location
        self.drafts.append(draft)
        await self._enter("add_source", kind, location)
        name = location.rstrip("/").rpartition("/")[2]
        added = source(f"new{len(self.listed)}", kind, name, location, 0, last_sync_at=None)
        self.listed.append(added)
        self.bus.publish(SourceChanged(added.source_id, SyncState.IDLE))
        return added

    async def remove_source(self, source_id: str) -> int:
        await self._enter("remove_source", source_id)
        gone = [listed for listed in self.listed if listed.source_id == source_id]
        self.listed = [listed for listed in self.listed if listed.source_id != source_id]
        self.bus.publish(SourceChanged(source_id, None))
        return sum(listed.entry_count for listed in gone)

    async def sync(
        self,
        source_id: str | None = None,
        *,
        confirm_deletions: bool = False,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Sequence[SyncReport]:
        for step in self.steps["sync"]:
            progress(step)
        await self._enter("sync", source_id, confirm_deletions, stop)
        self.listed = [
            replace(listed, entry_count=max(listed.entry_count, 42))
            if source_id in {None, listed.source_id}
            else listed
            for listed in self.listed
        ]
        return (SyncReport(source_id or "all", added=42),)

    async def import_paths(
        self, paths: Sequence[str], *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> Sequence[ImportReport]:
        await self._enter("import_paths", *paths)
        return tuple(ImportReport(path, added=1) for path in paths)

    async def wait_until_indexed(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> None:
        for step in self.steps["index"]:
            progress(step)
        await self._enter("wait_until_indexed")

    async def pause_indexing(self, *, is_paused: bool) -> None:
        await self._enter("pause_indexing", is_paused)
        self.is_embedding_paused = is_paused

    async def ask(self, text: str) -> Answer:
        await self._enter("ask", text)
        return self.world.answer

    async def search(
        self, request: SearchRequest, *, as_client: str | None = None, is_asked: bool = True
    ) -> Sequence[ContextItem]:
        self.is_asked.append(is_asked)
        await self._enter("search", request.text, request.mode)
        return self.world.hits[: request.limit]

    async def agenda(self, when: str | None = None, *, is_asked: bool = True) -> Sequence[AgendaItem]:
        self.is_asked.append(is_asked)
        await self._enter("agenda", when)
        day = date.fromisoformat(when) if when else None
        return tuple(item for item in self.world.agenda if item.start and (day is None or item.start.date() == day))

    async def models(self) -> Sequence[ModelInfo]:
        await self._enter("models")
        return (replace(MODEL, is_installed=self.model is ModelState.READY),)

    async def install_model(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> ModelInfo:
        for step in self.steps["model"]:
            progress(step)
        await self._enter("install_model", stop)
        self.model = ModelState.READY
        return MODEL

    async def check(self, *, is_repairing: bool = False, progress: ProgressSink = ignore_progress) -> CheckReport:
        await self._enter("check", is_repairing)
        return CheckReport((Finding("chunks", 1664), Finding("vectors", 1664)))

    async def setting(self, name: str) -> str:
        await self._enter("setting", name)
        return self.settings[name]

    async def change_setting(self, name: str, value: str) -> None:
        await self._enter("change_setting", name, value)
        try:
            BY_NAME[name].kind.parse(value)
        except ValueError:
            raise BadInput(msg("This cannot be."), next_step=msg("Try another value.")) from None
        self.settings[name] = value
        self.bus.publish(SettingChanged(name, value))

    async def shut_down(self) -> None:
        await self._enter("shut_down")
