"""One sync: a source tells its changes, and batch after batch of them goes down the one write path (L5.2, L6.2, G1.3).

While one batch is written the next one is read. Stop and errors keep what was read before them; the next sync goes on
from there. Deletions are guarded in the source itself, which refuses to tell too many of them (DESIGN 5.7).
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.collecting import SkippedItem, SyncReport, SyncState
from app.domain.errors import Cancelled, Expected, RateLimited, Unavailable
from app.domain.events import EntriesChanged, SourceChanged, SyncFinished
from app.domain.progress import Progress, ignore_progress
from app.domain.text import msg
from app.govern.batches import BatchLimits, Gatherer, Tally, write_batch
from app.govern.schedule import next_attempt
from app.policy.admission import DEFAULT_RULES, NOBODY
from app.runtime import clock
from app.runtime.stop import StopSwitch
from app.sources.contract import CursorRows
from app.store.source_rows import cursor_rows, mark_failed, mark_synced, set_source_state

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from app.domain.collecting import SourceInfo
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.text import Text
    from app.govern.batches import Batch
    from app.govern.chunking import TokenCounter
    from app.policy.admission import Acquaintance, AdmissionRules
    from app.runtime.bus import Bus
    from app.runtime.lanes import Lanes
    from app.sources.contract import Change, Source
    from app.store.database import Database


FIRST_WAIT = timedelta(minutes=30)
"""After one failure, before a source is tried again without being asked."""


@dataclass(slots=True)
class _Course:
    """How far one sync is."""

    info: SourceInfo
    progress: ProgressSink
    tally: Tally = field(default_factory=Tally)
    skipped: list[SkippedItem] = field(default_factory=list)
    warnings: list[Text] = field(default_factory=list)

    def advance(self, batch: Batch, tally: Tally) -> None:
        self.tally += tally
        self.skipped += batch.skipped
        self.warnings += batch.warnings
        total = self.tally
        done = total.added + total.changed + total.unchanged + total.deleted + len(self.skipped)
        label = msg("Collecting {name}", name=self.info.name)
        self.progress(Progress(task=f"sync:{self.info.source_id}", label=label, done=done))

    def report(self) -> SyncReport:
        return SyncReport(
            source_id=self.info.source_id,
            added=self.tally.added,
            changed=self.tally.changed,
            deleted=self.tally.deleted,
            unchanged=self.tally.unchanged,
            skipped=tuple(self.skipped),
            warnings=tuple(self.warnings),
        )


class Pipeline:
    """Syncs sources, one sync of a source at a time."""

    def __init__(
        self,
        database: Database,
        lanes: Lanes,
        counter: TokenCounter,
        *,
        bus: Bus | None = None,
        rules: AdmissionRules = DEFAULT_RULES,
        limits: BatchLimits | None = None,
    ) -> None:
        self._database = database
        self._lanes = lanes
        self._counter = counter
        self._bus = bus
        self._rules = rules
        self._people = NOBODY
        self._limits = limits or BatchLimits()
        self._ready: Callable[[], Awaitable[None]] | None = None
        self._turns: dict[str, asyncio.Lock] = {}

    def wait_for(self, ready: Callable[[], Awaitable[None]]) -> None:
        """Await this before a source is read: a program that has just started may not know yet what to count with."""
        self._ready = ready

    def count_with(self, counter: TokenCounter) -> None:
        """Measure passages with another tokenizer from now on: the model's own, once it is there."""
        self._counter = counter

    def admit_by(self, rules: AdmissionRules, people: Acquaintance) -> None:
        """Let entries in by other rules from the next sync on."""
        self._rules = rules
        self._people = people

    def is_under_way(self, source_id: str) -> bool:
        """Whether something is taken in from a source now, whatever the database says of it."""
        turn = self._turns.get(source_id)
        return turn is not None and turn.locked()

    async def sync(
        self,
        source: Source,
        info: SourceInfo,
        *,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> SyncReport:
        """Collect what is new at a source since its cursor.

        Raises:
            Unavailable: the source cannot be reached; nothing was deleted.
            Refused: too much would be deleted at once; the rest was taken in.
            Cancelled: from `stop`; what was read before is kept.
            DiskFull, ReadOnly, Damaged: the last batch was not written; those before it are kept.
        """
        signal = stop or StopSwitch()

        def changes(rows: CursorRows) -> Iterator[Change]:
            if info.last_sync_at is None or info.failures:
                source.authenticate()
            yield from source.changes(rows, signal)

        async with self._turns.setdefault(info.source_id, asyncio.Lock()):
            rows = await self._lanes.readers.run(self._cursor, info.source_id)
            return await self._run(info, changes(rows), progress)

    async def take_in(
        self, info: SourceInfo, changes: Iterator[Change], *, progress: ProgressSink = ignore_progress
    ) -> SyncReport:
        """Take changes in that come from elsewhere than a source's own sync, such as a one-off import; see `sync`."""
        async with self._turns.setdefault(info.source_id, asyncio.Lock()):
            return await self._run(info, changes, progress)

    async def _run(self, info: SourceInfo, changes: Iterator[Change], progress: ProgressSink) -> SyncReport:
        course = _Course(info, progress)
        await self._set_state(info.source_id, SyncState.SYNCING)
        try:
            await self._flow(course, changes)
            await self._lanes.writer.run(self._mark_synced, course.report())
        except Cancelled:
            await self._set_state(info.source_id, SyncState.IDLE)
            raise
        except Expected as problem:
            await self._fail(info, problem)
            raise
        except Exception:
            await self._fail(info, _broken_off())  # and not syncing for ever
            raise
        report = course.report()
        self._tell(SourceChanged(info.source_id, SyncState.IDLE), SyncFinished(report))
        return report

    async def _flow(self, course: _Course, changes: Iterator[Change]) -> None:
        """Read a batch while the one before it is written."""
        if self._ready is not None:
            await self._ready()
        gatherer = Gatherer(course.info, self._rules, self._counter, self._limits, self._people)
        reading = self._lanes.blocking.submit(gatherer.gather, changes)
        try:
            while True:
                batch = await asyncio.wrap_future(reading)
                if not batch.is_last:
                    reading = self._lanes.blocking.submit(gatherer.gather, changes)
                await self._write(course, batch)
                if batch.problem is not None:
                    raise batch.problem
                if batch.is_last:
                    return
        finally:
            # a generator cannot be left while a thread is inside it
            await asyncio.gather(asyncio.wrap_future(reading), return_exceptions=True)

    async def _write(self, course: _Course, batch: Batch) -> None:
        source_id = course.info.source_id
        tally = await self._lanes.writer.run(write_batch, self._database, source_id, batch, now=clock.now())
        course.advance(batch, tally)
        if tally.written:
            self._tell(EntriesChanged(source_id, tally.written))

    async def _set_state(self, source_id: str, state: SyncState) -> None:
        def write() -> None:
            with self._database.write() as tx:
                set_source_state(tx, source_id, state)

        await self._lanes.writer.run(write)
        self._tell(SourceChanged(source_id, state))

    async def _fail(self, info: SourceInfo, problem: Expected) -> None:
        failures = info.failures + 1
        retry_at = problem.retry_at if isinstance(problem, RateLimited) else None
        again = next_attempt(clock.now(), failures, FIRST_WAIT, retry_at)

        def write() -> None:
            with self._database.write() as tx:
                mark_failed(tx, info.source_id, problem, failures=failures, next_sync_at=again)

        # a full disk must not hide the error that is being told
        with contextlib.suppress(Expected):
            await self._lanes.writer.run(write)
        self._tell(SourceChanged(info.source_id, SyncState.FAILED))

    def _cursor(self, source_id: str) -> CursorRows:
        with self._database.reader() as reader:
            return CursorRows(cursor_rows(reader, source_id))

    def _mark_synced(self, report: SyncReport) -> None:
        counts = {
            "added": report.added,
            "changed": report.changed,
            "deleted": report.deleted,
            "unchanged": report.unchanged,
            "skipped": len(report.skipped),
        }
        with self._database.write() as tx:
            mark_synced(tx, report.source_id, now=clock.now(), counts=counts)

    def _tell(self, *events: SourceChanged | SyncFinished | EntriesChanged) -> None:
        if self._bus is not None:
            for event in events:
                self._bus.publish(event)


def _broken_off() -> Unavailable:
    """What a source shows after our own fault, whose words may hold a person's data."""
    return Unavailable(
        msg("The last sync broke off through a fault of Famulus."),
        next_step=msg("Sync again; if it happens again, please report it with what the log says."),
    )
