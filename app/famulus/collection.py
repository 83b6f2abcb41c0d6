"""The sources of an open database: adding, syncing, removing, and taking files in once (G1.1, L6.2)."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.collecting import ImportReport, KindInfo, OptionInfo, SourceInfo, SyncReport, SyncState
from app.domain.context_item import OWNER
from app.domain.errors import BadInput, Cancelled, Expected
from app.domain.events import EntriesChanged, SourceChanged
from app.domain.instants import to_iso
from app.domain.labels import Sensitivity, Trust
from app.domain.progress import Progress
from app.domain.text import msg
from app.famulus.credentials import Credentials
from app.famulus.ledger import Ledger
from app.famulus.senses import LocalSenses
from app.runtime import clock
from app.runtime.stop import StopSwitch
from app.settings.declarations import MAX_DELETED_ITEMS, MAX_DELETED_SHARE, MAX_FILE_MIB, MAX_ORIGINAL_MIB
from app.sources.contract import Added, Capability, PushingSource, SourceContext
from app.sources.deletion_guard import DeletionLimits
from app.sources.files.one_off import Imported, read_once
from app.sources.parsing.limits import ParseLimits
from app.sources.registry import Registry
from app.store import labelling, reading, source_rows, writes

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from app.domain.collecting import SourceChange, SourceDraft
    from app.domain.entries import Entry
    from app.domain.progress import ProgressSink, StopSignal
    from app.famulus.parts import Parts
    from app.govern.pipeline import Pipeline
    from app.sources.contract import Change, Source
    from app.sources.registry import SourceKind
    from app.store.database import Database

    OnTaken = Callable[[str, Sequence[ImportReport], Sequence[Sequence[str]]], Awaitable[Sequence[ImportReport]]]

IMPORTS = "imports"
BUILT_IN = frozenset({IMPORTS, "clips"})
"""Sources that nothing is collected from: what is in them was handed over."""
_MIB = 1 << 20


class Collection:
    """See the module docstring. Methods are called on the loop.

    Attributes:
        on_taken: adds to the reports of an import what its entries state; gets the source, and the entries' native ids.
    """

    def __init__(self, parts: Parts, database: Database, pipeline: Pipeline) -> None:
        self._parts = parts
        self.on_taken: OnTaken | None = None
        self._database = database
        self._pipeline = pipeline
        self._registry = Registry()
        self._registry.load()
        self.senses = LocalSenses(parts)
        self._credentials = Credentials(parts.keychain)
        self._ledger = Ledger(database, parts.lanes)

    async def list(self) -> Sequence[SourceInfo]:
        """Every source; one-off imports count as one, once there are any."""

        def read() -> Sequence[SourceInfo]:
            with self._database.reader() as reader:
                return source_rows.sources(reader)

        return [self._as_it_stands(info) for info in await self._parts.lanes.readers.run(read)]

    def _as_it_stands(self, info: SourceInfo) -> SourceInfo:
        """Nothing syncs for ever: the end of a sync that a full disk did not let be written is an end all the same."""
        if info.state is not SyncState.SYNCING or self._pipeline.is_under_way(info.source_id):
            return info
        return replace(info, state=SyncState.IDLE)

    def kinds(self) -> Sequence[KindInfo]:
        """The kinds of sources that can be added, by name."""
        return [
            KindInfo(
                name=kind.name,
                meaning=kind.meaning,
                location=kind.location,
                needs_secret=kind.needs_secret,
                options=tuple(OptionInfo(one.name, one.meaning, one.default) for one in kind.options),
                capabilities=tuple(sorted(kind.capabilities)),
            )
            for kind in self._registry.kinds()
        ]

    async def add(self, draft: SourceDraft) -> SourceInfo:
        """Record a source, and keep its secret.

        Raises:
            BadInput: an unknown kind or option, a place that is not there, a missing password, one known already.
            Unavailable: its password cannot be kept.
        """
        scope = _scope(draft.scope)
        source_kind = self._registry.kind(draft.kind)
        kind = source_kind.name
        options = _options(source_kind, draft.options)
        if source_kind.needs_secret and not draft.secret:
            raise BadInput(
                msg("This source needs a password."),
                next_step=msg("Give it when asked in a terminal, or by --password-fd; it goes into the keychain."),
            )
        place = await self._parts.lanes.blocking.run(source_kind.canonical, draft.location)
        info = SourceInfo(
            source_id=f"{kind}-{secrets.token_hex(3)}",
            kind=kind,
            location=place,
            name=draft.name or Path(place).name or place,
            scope=scope,
            acl=OWNER,
            sensitivity=Sensitivity.INTERNAL if draft.sensitivity is None else draft.sensitivity,
            trust=source_kind.trust_of(place) if source_kind.trust_of is not None else Trust.OWN_FILES,
            state=SyncState.IDLE,
            created_at=clock.now(),
            options=options,
        )
        if draft.secret:
            await self._parts.lanes.blocking.run(self._credentials.keep, info.source_id, draft.secret)
        try:
            await self._record(info)
        except Expected:
            await self._parts.lanes.blocking.run(self._credentials.forget, info.source_id)
            raise
        return info

    async def change(self, source_id: str, change: SourceChange) -> SourceInfo:
        """Change what a person chose for a source; its next sync goes by it. Raises `BadInput`, `Unavailable`.

        A sensitivity holds at once for all that came from it; another scope is written by `RuleHost.catch_up`.
        """
        info = await self._known(source_id)
        if change.sensitivity is not None and change.sensitivity < info.sensitivity:
            raise BadInput(
                msg("The sensitivity of a source can only be raised."),
                next_step=msg("Remove the source and add it again, if all of it may be shown to more."),
            )
        if change.scope is not None:
            change = replace(change, scope=_scope(change.scope))
        if change.options is not None:
            change = replace(
                change, options=_options(self._registry.kind(info.kind), {**info.options, **change.options})
            )
        if change.secret:
            await self._parts.lanes.blocking.run(self._credentials.keep, source_id, change.secret)

        def write() -> None:
            with self._database.write() as tx:
                source_rows.change_source(tx, source_id, change)
                if change.sensitivity is not None:
                    labelling.raise_source(tx, source_id, int(change.sensitivity))
                if change.scope is not None:
                    labelling.let_labels_wait(tx, secrets.token_hex(8))

        await self._parts.lanes.writer.run(write)
        changed = await self._known(source_id)
        self._parts.bus.publish(SourceChanged(source_id, changed.state))
        return changed

    async def remove(self, source_id: str) -> int:
        """Remove a source and all that came from it; returns the number of entries removed."""
        await self._known(source_id)

        def write() -> int:
            with self._database.write() as tx:
                count = writes.remove_source(tx, source_id, now=clock.now())
            self._database.checkpoint()
            return count

        count = await self._parts.lanes.writer.run(write)
        await self._parts.lanes.blocking.run(self._credentials.forget, source_id)
        self._parts.bus.publish(EntriesChanged(source_id, count))
        self._parts.bus.publish(SourceChanged(source_id, None))
        return count

    async def sync(
        self,
        source_id: str | None,
        *,
        confirm_deletions: bool,
        progress: ProgressSink,
        stop: StopSignal | None,
    ) -> Sequence[SyncReport]:
        """Collect the changes of one source or of all.

        Of all, one that fails does not keep the others from being collected: its report says why it failed.
        """
        infos = [await self._known(source_id)] if source_id is not None else await self.list()
        reports: list[SyncReport] = []
        for info in infos:
            if info.source_id in BUILT_IN or (source_id is None and info.is_paused):
                continue
            source = self._open(info, is_confirmed=confirm_deletions)
            try:
                reports.append(await self._pipeline.sync(source, info, progress=progress, stop=stop))
            except Cancelled:
                raise
            except Expected as problem:
                if source_id is not None:
                    raise
                failed = SyncReport(
                    info.source_id, problem=problem.what, lost=problem.lost, next_step=problem.next_step
                )
                reports.append(failed)
        return reports

    async def take_in(
        self, paths: Sequence[str], *, progress: ProgressSink, stop: StopSignal | None
    ) -> Sequence[ImportReport]:
        """Take files in once; a report for each, in the order in which they were read."""
        info = await self._imports()
        taken = _Taken(self._database, progress)
        context = self._context(info, is_confirmed=False)
        changes = taken.changes(read_once(paths, context, stop or StopSwitch()))
        await self._pipeline.take_in(info, changes)
        if self.on_taken is not None:
            return await self.on_taken(IMPORTS, taken.reports, taken.native_ids)
        return taken.reports

    def watched(self, infos: Sequence[SourceInfo]) -> dict[str, Sequence[Path]]:
        """The folders and files whose changes mean that a sync is due, by source id."""
        return {
            info.source_id: self._open(info, is_confirmed=False).watched()
            for info in infos
            if info.source_id not in BUILT_IN and not info.is_paused
        }

    async def pushing(self) -> Sequence[tuple[SourceInfo, PushingSource]]:
        """The sources whose servers tell their changes."""
        found = []
        for info in await self.list():
            if info.source_id in BUILT_IN or info.is_paused or not self._can_push(info):
                continue
            source = self._open(info, is_confirmed=False)
            if isinstance(source, PushingSource):
                found.append((info, source))
        return found

    def _can_push(self, info: SourceInfo) -> bool:
        return Capability.PUSH in self._registry.kind(info.kind).capabilities

    def is_remote(self, info: SourceInfo) -> bool:
        """Whether a source lies on a server."""
        return "://" in info.location

    @property
    def excluded(self) -> tuple[Path, ...]:
        """Our own folders: never collected, and their changes mean nothing."""
        paths = self._parts.paths
        return (paths.data, paths.config, paths.cache, *((paths.basedir,) if paths.basedir is not None else ()))

    async def _found(self, source_id: str) -> SourceInfo | None:
        def read() -> SourceInfo | None:
            with self._database.reader() as reader:
                return source_rows.source(reader, source_id)

        return await self._parts.lanes.readers.run(read)

    async def _known(self, source_id: str) -> SourceInfo:
        info = await self._found(source_id)
        if info is not None:
            return info
        raise BadInput(
            msg("There is no source {source}.", source=source_id),
            next_step=msg("`famulus sources list` shows those that exist."),
        )

    async def _imports(self) -> SourceInfo:
        """The source that one-off imports belong to; made with the first of them."""
        found = await self._found(IMPORTS)
        if found is not None:
            return found
        info = SourceInfo(
            source_id=IMPORTS,
            kind=IMPORTS,
            location="",
            name="Imported files",
            scope="personal",
            acl=OWNER,
            sensitivity=Sensitivity.INTERNAL,
            trust=Trust.OWN_FILES,
            state=SyncState.IDLE,
            created_at=clock.now(),
        )
        try:
            await self._record(info)
        except BadInput:
            # another import was faster
            return await self._known(IMPORTS)
        return info

    async def _record(self, info: SourceInfo) -> None:
        def write() -> None:
            with self._database.write() as tx:
                source_rows.add_source(tx, info)

        await self._parts.lanes.writer.run(write)
        self._parts.bus.publish(SourceChanged(info.source_id, SyncState.IDLE))

    def _open(self, info: SourceInfo, *, is_confirmed: bool) -> Source:
        return self._registry.open(self._context(info, is_confirmed=is_confirmed))

    def _context(self, info: SourceInfo, *, is_confirmed: bool) -> SourceContext:
        settings = self._parts.settings
        return SourceContext(
            source=info,
            parse=self._parts.parse.call,
            limits=ParseLimits(file_bytes=settings.get(MAX_FILE_MIB) * _MIB),
            deletions=DeletionLimits(settings.get(MAX_DELETED_SHARE), settings.get(MAX_DELETED_ITEMS)),
            zone=clock.zone(),
            excluded=self.excluded,
            is_deletion_confirmed=is_confirmed,
            secret=self._credentials.reader(info.source_id),
            ledger=self._ledger,
            senses=self.senses,
            original_bytes=settings.get(MAX_ORIGINAL_MIB) * _MIB,
        )


def _moment(entries: Sequence[Entry]) -> dict[str, str]:
    """When what a file says happened or was written, where it is one thing."""
    moment = entries[0].event_time if len(entries) == 1 else None
    return {} if moment is None else {"event_time": to_iso(moment)}


def _scope(word: str) -> str:
    """A scope's name; raises `BadInput` for an empty one."""
    if not word.strip():
        raise BadInput(msg("A scope needs a name."), next_step=msg("Give one word, such as work or personal."))
    return word.strip()


def _options(kind: SourceKind, given: Mapping[str, str]) -> dict[str, str]:
    """The options of a source of this kind, defaults left out; raises `BadInput` for an unknown name or a bad value."""
    known = {option.name: option for option in kind.options}
    for name, value in given.items():
        if name not in known:
            names = ", ".join(known) or "-"
            raise BadInput(
                msg("A source of kind {kind} has no option {name}.", kind=kind.name, name=name),
                next_step=msg("It has: {names}.", names=names),
            )
        check = known[name].check
        if check is not None:
            check(value)
    return {name: value for name, value in given.items() if value != known[name].default}


class _Taken:
    """Turns imported files into changes, and notes what becomes of each. Runs on a lane for blocking work."""

    def __init__(self, database: Database, progress: ProgressSink) -> None:
        self._database = database
        self._progress = progress
        self.reports: list[ImportReport] = []
        self.native_ids: list[Sequence[str]] = []

    def changes(self, files: Iterator[Imported]) -> Iterator[Change]:
        """The entries of the files, in order."""
        for imported in files:
            known = self._known(imported)
            for entry in imported.read.entries:
                yield Added(entry)
            self.reports.append(_report(imported, known))
            self.native_ids.append([entry.native_id for entry in imported.read.entries])
            self._progress(Progress(task="import", label=msg("Importing files"), done=len(self.reports)))

    def _known(self, imported: Imported) -> dict[str, str]:
        with self._database.reader() as reader:
            return reading.current_hashes(reader, IMPORTS, [entry.native_id for entry in imported.read.entries])


def _report(imported: Imported, known: dict[str, str]) -> ImportReport:
    read = imported.read
    hashes = {entry.native_id: entry.content_hash for entry in read.entries}
    unchanged = sum(known.get(native_id) == content_hash for native_id, content_hash in hashes.items())
    changed = sum(native_id in known for native_id in hashes) - unchanged
    return ImportReport(
        path=str(imported.path),
        added=len(hashes) - changed - unchanged,
        unchanged=unchanged,
        changed=changed,
        warnings=read.warnings,
        refusal=read.refusal.reason if read.refusal is not None else None,
        understood={**read.facts, **_moment(read.entries)},
    )
