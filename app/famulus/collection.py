"""The sources of an open database: adding, syncing, removing, and taking files in once (G1.1, L6.2)."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.collecting import ImportReport, SourceInfo, SyncState
from app.domain.context_item import OWNER
from app.domain.errors import BadInput, Cancelled, Expected
from app.domain.events import EntriesChanged, SourceChanged
from app.domain.labels import Sensitivity, Trust
from app.domain.progress import Progress
from app.domain.text import msg
from app.runtime import clock
from app.runtime.stop import StopSwitch
from app.settings.declarations import MAX_DELETED_ITEMS, MAX_DELETED_SHARE, MAX_FILE_MIB
from app.sources.contract import Added, SourceContext
from app.sources.deletion_guard import DeletionLimits
from app.sources.files.one_off import Imported, read_once
from app.sources.parsing.limits import ParseLimits
from app.sources.registry import Registry
from app.store import reading, source_rows, writes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.collecting import SyncReport
    from app.domain.progress import ProgressSink, StopSignal
    from app.famulus.parts import Parts
    from app.govern.pipeline import Pipeline
    from app.sources.contract import Change, Source
    from app.store.database import Database

IMPORTS = "imports"
_MIB = 1 << 20


class Collection:
    """See the module docstring. Methods are called on the loop."""

    def __init__(self, parts: Parts, database: Database, pipeline: Pipeline) -> None:
        self._parts = parts
        self._database = database
        self._pipeline = pipeline
        self._registry = Registry()
        self._registry.load()

    async def list(self) -> Sequence[SourceInfo]:
        """Every source; one-off imports count as one, once there are any."""

        def read() -> Sequence[SourceInfo]:
            with self._database.reader() as reader:
                return source_rows.sources(reader)

        return await self._parts.lanes.readers.run(read)

    async def add(self, kind: str, location: str, *, scope: str, sensitivity: Sensitivity | None) -> SourceInfo:
        """Record a source; raises `BadInput` for an unknown kind, a place that is not there, or one known already."""
        if not scope.strip():
            raise BadInput(msg("A scope needs a name."), next_step=msg("Give one word, such as work or personal."))
        source_kind = self._registry.kind(kind)
        place = await self._parts.lanes.blocking.run(source_kind.canonical, location)
        info = SourceInfo(
            source_id=f"{kind}-{secrets.token_hex(3)}",
            kind=kind,
            location=place,
            name=Path(place).name or place,
            scope=scope.strip(),
            acl=OWNER,
            sensitivity=Sensitivity.INTERNAL if sensitivity is None else sensitivity,
            trust=Trust.OWN_FILES,
            state=SyncState.IDLE,
            created_at=clock.now(),
        )
        await self._record(info)
        return info

    async def remove(self, source_id: str) -> int:
        """Remove a source and all that came from it; returns the number of entries removed."""
        await self._known(source_id)

        def write() -> int:
            with self._database.write() as tx:
                count = writes.remove_source(tx, source_id, now=clock.now())
            self._database.checkpoint()
            return count

        count = await self._parts.lanes.writer.run(write)
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

        A source that fails does not keep the others from being collected; the first failure is raised at the end.
        """
        infos = [await self._known(source_id)] if source_id is not None else await self.list()
        reports: list[SyncReport] = []
        problems: list[Expected] = []
        for info in infos:
            if info.kind == IMPORTS:
                continue
            source = self._open(info, is_confirmed=confirm_deletions)
            try:
                reports.append(await self._pipeline.sync(source, info, progress=progress, stop=stop))
            except Cancelled:
                raise
            except Expected as problem:
                problems.append(problem)
        if problems:
            raise problems[0]
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
        return taken.reports

    def watched(self, infos: Sequence[SourceInfo]) -> dict[str, Sequence[Path]]:
        """The folders and files whose changes mean that a sync is due, by source id."""
        return {
            info.source_id: self._open(info, is_confirmed=False).watched() for info in infos if info.kind != IMPORTS
        }

    @property
    def excluded(self) -> tuple[Path, ...]:
        """Our own folders: never collected, and their changes mean nothing."""
        paths = self._parts.paths
        return (paths.data, paths.config, paths.cache, *((paths.basedir,) if paths.basedir is not None else ()))

    async def _known(self, source_id: str) -> SourceInfo:
        for info in await self.list():
            if info.source_id == source_id:
                return info
        raise BadInput(
            msg("There is no source {source}.", source=source_id),
            next_step=msg("`famulus sources list` shows those that exist."),
        )

    async def _imports(self) -> SourceInfo:
        """The source that one-off imports belong to; made with the first of them."""
        for info in await self.list():
            if info.source_id == IMPORTS:
                return info
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
        )


class _Taken:
    """Turns imported files into changes, and notes what becomes of each. Runs on a lane for blocking work."""

    def __init__(self, database: Database, progress: ProgressSink) -> None:
        self._database = database
        self._progress = progress
        self.reports: list[ImportReport] = []

    def changes(self, files: Iterator[Imported]) -> Iterator[Change]:
        """The entries of the files, in order."""
        for imported in files:
            known = self._known(imported)
            for entry in imported.read.entries:
                yield Added(entry)
            self.reports.append(_report(imported, known))
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
        understood=read.facts,
    )
