"""The background work of governance, and what a person does to what it found: tasks done, and opened again (G2.7)."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from app.context.stated import task_item
from app.domain.collecting import EntityLine
from app.domain.context_item import Viewer
from app.domain.errors import BadInput, Expected
from app.domain.labels import Status
from app.domain.records import RecordKind, RecordLine, Subject
from app.domain.text import msg
from app.famulus.span_host import SpanHost
from app.govern.freshness.engine import Freshness
from app.govern.freshness.firing import reconsider
from app.govern.freshness.view import as_of
from app.govern.likeness.samples import forget_words
from app.govern.people.names import forget_names
from app.govern.understanding.queue import Understanding
from app.govern.understanding.rules import freshness_rules
from app.govern.understanding.steps import all_steps
from app.policy.disclosure import visible_to
from app.runtime import clock
from app.store import change_chain, freshness_rows, records
from app.store.change_rows import OWNER, NewChange
from app.store.people import named_in
from app.store.record_agenda import current_entry_ids
from app.store.rows import stamp
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.collecting import ImportReport
    from app.domain.context_item import AgendaItem
    from app.domain.text import Text
    from app.famulus.parts import Parts
    from app.store.connection import Reader, Writer
    from app.store.database import Database
    from app.store.freshness_rows import StoredRule
    from app.store.records import StoredRecord

LONGEST_WAIT_S = 5.0
"""How long whoever brings something in waits until it is understood; the rest goes on in the background."""


class Governing:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, database: Database) -> None:
        self._parts = parts
        self._database = database
        self.spans = SpanHost(parts)
        self.freshness = Freshness(database, parts.lanes, parts.bus)
        self.queue = Understanding(
            database, parts.lanes, self.spans, all_steps(), bus=parts.bus, on_written=self.freshness.wake
        )
        self._tasks: list[asyncio.Task[Any]] = []

    def start(self) -> None:
        """Begin: what waits is understood, what is due takes effect."""
        for work, name in (
            (self.queue.run(), "understand"),
            (self.freshness.run(), "run the rules"),
            (self.spans.watch_idleness(), "span model idleness"),
        ):
            self._tasks.append(self._parts.tasks.start(work, name))
        self.queue.wake()

    def wake(self) -> None:
        """Entries were written."""
        self.queue.wake()

    async def rest(self) -> None:
        """Nothing waits: give back what the next entry finds anew."""
        forget_words()
        forget_names()
        await self.spans.rest()

    def follow_model(self) -> None:
        """A pack came or went."""
        self.spans.look_again()
        self.queue.wake()

    async def close(self) -> None:
        """End the work; what is being written is finished first."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.spans.unload()

    async def settle(self) -> None:
        """Wait a moment until what was written is understood; the rest goes on in the background."""
        self.queue.wake()
        with contextlib.suppress(TimeoutError, Expected):
            await asyncio.wait_for(self.queue.wait_until_done(), LONGEST_WAIT_S)

    async def with_records(
        self, source_id: str, reports: Sequence[ImportReport], native_ids: Sequence[Sequence[str]]
    ) -> Sequence[ImportReport]:
        """The reports of an import with what its entries state, as far as that is known after a short wait."""
        entry_ids = [await self._parts.lanes.readers.run(self._entry_ids, source_id, list(some)) for some in native_ids]
        self.queue.wake()
        await self.queue.wait_for([one for some in entry_ids for one in some], LONGEST_WAIT_S)
        now = clock.now()
        found: list[ImportReport] = []
        for report, some in zip(reports, entry_ids, strict=True):
            left = await self.queue.wait_for(some, 0.0) if some else 0
            told = await self._parts.lanes.readers.run(self._told, report, some, now) if some else report
            found.append(replace(told, is_understood=left == 0))
        return found

    async def mark_task(self, item_id: str, *, is_done: bool) -> AgendaItem:
        """A person says that a task is done, or that it is not.

        Raises:
            BadInput: there is no such task, or it stands so already.
        """
        now = clock.now()

        def write() -> AgendaItem:
            with self._database.write() as tx:
                return _marked(tx, item_id, now, is_done=is_done)

        item = await self._parts.lanes.writer.run(write)
        self.freshness.wake()
        return item

    def _entry_ids(self, source_id: str, native_ids: list[str]) -> list[int]:
        with self._database.reader() as reader:
            return current_entry_ids(reader, source_id, native_ids)

    def _told(self, report: ImportReport, entry_ids: Sequence[int], now: datetime) -> ImportReport:
        with self._database.reader() as reader:
            found = [one for entry_id in entry_ids for one in records.records_of(reader, entry_id)]
            named = named_in(reader, entry_ids)
            lines = tuple(_lines(reader, found, now))
        return replace(report, records=lines, entities=tuple(EntityLine(kind, name) for kind, name in named))


def _marked(tx: Writer, item_id: str, now: datetime, *, is_done: bool) -> AgendaItem:
    visible = visible_to(Viewer())
    item = task_item(tx, item_id, now, visible)
    if item is None:
        raise BadInput(
            msg("There is no task {id}.", id=item_id), next_step=msg("`famulus tasks list --all` shows their ids.")
        )
    if (item.status is Status.DONE) == is_done:
        what = msg("The task {id} is done already.", id=item_id)
        raise BadInput(
            what if is_done else msg("The task {id} is not done.", id=item_id),
            next_step=msg("`famulus tasks list --all` shows how they stand."),
        )
    version = freshness_rules().version
    note_rules(tx, version, now=now)
    is_record = item_id.startswith("r")
    number = int(item_id[1:])
    after = {
        "status": (Status.DONE if is_done else Status.ACTIVE).value,
        "completed_at": stamp(now) if is_done else None,
    }
    change_chain.put_change(
        tx,
        NewChange(
            Subject.RECORD if is_record else Subject.TASK,
            number,
            item.entry_id,
            after=after,
            reason=msg("You marked it as done") if is_done else msg("You opened it again"),
            actor=OWNER,
            rule_version=version,
            at=now,
            effective_at=now,
            kind="done" if is_done else "reopen",
        ),
    )
    if is_record:
        reconsider(tx, [number], clock.present())
    marked = task_item(tx, item_id, now, visible)
    return marked if marked is not None else item


def _lines(reader: Reader, found: Sequence[StoredRecord], now: datetime) -> list[RecordLine]:
    standing = as_of(reader, found, now, visible_to(Viewer()))
    rules = {rule.record_id: rule for rule in freshness_rows.rules_of(reader, [one.record_id for one in found])}
    titles = {one.record_id: one.title for one in found}
    watching: dict[int | None, StoredRule | None] = {rule.watched_id: rule for rule in rules.values()}
    watching |= {one.record_id: watching.get(one.condition_of) for one in found if one.condition_of is not None}
    return [_line(one, rules.get(one.record_id) or watching.get(one.record_id), titles) for one in standing]


def _line(one: StoredRecord, rule: StoredRule | None, titles: dict[int, str]) -> RecordLine:
    return RecordLine(
        record_id=f"r{one.record_id}",
        kind=one.kind,
        title=one.title,
        text=one.text,
        owner=one.owner,
        due=_day(one),
        status=one.status,
        condition=one.condition,
        consequence=one.consequence,
        rule=None if rule is None else _said(rule, titles),
        reason=one.stale_reason,
        confidence=one.confidence,
    )


def _said(rule: StoredRule, titles: dict[int, str]) -> Text:
    day = (rule.due_at - timedelta(microseconds=1)).date().isoformat()
    return msg(
        "If “{what}” is not marked done by {day}, the status of “{target}” changes to {status}",
        what=titles.get(rule.watched_id or 0, ""),
        day=day,
        target=titles.get(rule.record_id, ""),
        status=rule.effect.status.value,
    )


def _day(one: StoredRecord) -> str | None:
    moment = one.event_at if one.kind is RecordKind.PLAN else one.due_at
    if moment is None:
        return None
    if not one.is_whole_day:
        return moment.isoformat()
    return (moment if one.kind is RecordKind.PLAN else moment - timedelta(microseconds=1)).date().isoformat()
