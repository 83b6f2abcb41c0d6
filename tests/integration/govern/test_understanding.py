"""The queue in which entries are understood, the rules that run on time, and what a person does to both (G2.4-G2.8)."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from app.context.agenda import agenda_of, read_span
from app.context.stated import tasks_of
from app.domain.errors import Bug, Damaged
from app.domain.labels import EntryKind, Status, Trust
from app.domain.records import RuleState
from app.domain.text import msg
from app.domain.visibility import VisibilityFilter
from app.govern.extraction import Extractor
from app.govern.freshness.engine import Freshness
from app.govern.freshness.firing import note_undone
from app.govern.freshness.view import as_of
from app.govern.understanding.queue import Understanding
from app.runtime import clock
from app.runtime.tasks import Tasks
from app.store import change_chain, change_rows, freshness_rows, records
from app.store.change_rows import OWNER, Which
from app.store.understanding_rows import ByModel
from tests.integration.context.makers import World
from tests.unit.govern.makers import entry, paragraph
from tests.unit.store.makers import OWNER as EVERYTHING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from app.domain.context_item import AgendaItem
    from app.domain.entries import Block
    from app.domain.errors import Expected
    from app.govern.understanding.contract import Understood
    from app.store.connection import Reader, Writer
    from app.store.records import StoredRecord

BEIJING = timezone(timedelta(hours=8))
SATURDAY = datetime(2025, 5, 10, 12, 0, tzinfo=BEIJING)
THURSDAY = datetime(2025, 5, 15, 12, 0, tzinfo=BEIJING)
MINUTES = (
    "2025-05-10 weekly meeting: Project A launch is tentatively set for next Friday; Zhang San must finish the test "
    "report by Wednesday; if the test report is not finished, the launch is postponed by one week; Li Si is "
    "responsible for notifying operations."
)


class Extractors:
    """Rules alone, or also a model that counts what it reads; `broken` is what it raises."""

    def __init__(self, *, has_model: bool = False, broken: Expected | Exception | None = None) -> None:
        self.by_rules = Extractor()
        self.has_model = has_model
        self.broken = broken
        self.read_texts: list[str] = []

    async def extractor(self) -> Extractor | None:
        return self._Counting(self) if self.has_model else None

    def give_up(self, problem: Expected) -> None:
        self.has_model = False

    class _Counting(Extractor):
        def __init__(self, host: Extractors) -> None:
            super().__init__()
            self._host = host

        def read(self, text, reference, **options):
            if self._host.broken is not None:
                raise self._host.broken
            self._host.read_texts.append(text)
            return super().read(text, reference, **options)


class Noting:
    """A step that notes what it was given."""

    version = "noting-1"

    def __init__(self, fails_for: str = "") -> None:
        self.seen: list[Understood] = []
        self._fails_for = fails_for

    def look(self, reader: Reader, understood: Understood) -> object:
        if self._fails_for and self._fails_for in understood.entry.text:
            raise Bug("a step that fails")
        return understood.entry.entry_id

    def apply(self, tx: Writer, understood: Understood, found: object, now: datetime) -> None:
        assert found == understood.entry.entry_id
        self.seen.append(understood)


@asynccontextmanager
async def queue(world: World, extractors: Extractors | None = None, *steps: Noting) -> AsyncIterator[Understanding]:
    made = Understanding(world.store.database, world.lanes, extractors or Extractors(), steps)
    tasks = Tasks()
    tasks.start(made.run(), "understand")
    yield made
    await tasks.close()


async def understand(world: World, *texts: str, kind: EntryKind = EntryKind.NOTE, step: Noting | None = None) -> None:
    await world.add(*(note(f"n{number}.md", paragraph(text), kind=kind) for number, text in enumerate(texts)))
    async with queue(world, None, *([step] if step else [])) as made:
        made.wake()
        await made.wait_until_done()


def note(name: str, *blocks: Block, kind: EntryKind = EntryKind.NOTE, at: datetime = SATURDAY):
    return entry(blocks, source_id="notes", native_id=name, title=name, kind=kind, updated_at=at)


def all_records(world: World) -> list[StoredRecord]:
    with world.store.database.reader() as reader:
        ids = [row[0] for row in reader.rows("SELECT record_id FROM record ORDER BY entry_id, ordinal")]
        return records.records_with(reader, ids)


def the(world: World, title: str) -> StoredRecord:
    (found,) = [one for one in all_records(world) if one.title == title and one.superseded_by is None]
    return found


def seen_at(world: World, title: str, moment: datetime) -> StoredRecord:
    with world.store.database.reader() as reader:
        return as_of(reader, [the(world, title)], moment, EVERYTHING)[0]


def agenda(world: World, when: str, now: datetime) -> list[AgendaItem]:
    with world.store.database.reader() as reader, clock.use(now):
        return agenda_of(reader, read_span(when, now), EVERYTHING)


def mark_done(world: World, title: str, at: datetime) -> None:
    one = the(world, title)
    with world.store.database.write() as tx:
        change_chain.put_change(
            tx,
            change_rows.NewChange(
                change_rows.Subject.RECORD,
                one.record_id,
                one.entry_id,
                after={"status": "done", "completed_at": change_rows.stamp(at)},
                reason=msg("You marked it as done"),
                actor=OWNER,
                rule_version="freshness-1",
                at=at,
                effective_at=at,
            ),
        )


async def test_the_meeting_is_governed(empty: World) -> None:
    step = Noting()
    await understand(empty, MINUTES, step=step)
    plan, task, condition, duty = all_records(empty)
    assert (task.owner, task.status, duty.owner, duty.due_at) == ("Zhang San", Status.ACTIVE, "Li Si", None)
    assert condition.condition_of == task.record_id
    assert plan.confidence < task.confidence
    (understood,) = step.seen
    assert list(understood.record_ids) == [one.record_id for one in (plan, task, condition, duty)]
    assert [one.title for one in understood.records] == [one.title for one in (plan, task, condition, duty)]
    assert len(understood.extraction.records) == 4
    assert understood.entry.written_at.date().isoformat() == "2025-05-10"


async def test_the_agenda_shows_it_as_of_a_moment(empty: World) -> None:
    await understand(empty, MINUTES)
    (due,) = agenda(empty, "2025-05-14", SATURDAY)
    assert (due.title, due.owner, due.status) == ("Zhang San: finish the test report", "Zhang San", Status.ACTIVE)
    assert due.condition == "if the test report is not finished, the launch is postponed by one week"
    (before,), (after,) = agenda(empty, "2025-05-16", SATURDAY), agenda(empty, "2025-05-16", THURSDAY)
    assert (before.status, after.status) == (Status.ACTIVE, Status.PENDING)
    assert str(after.reason) == "The test report was not marked done by 2025-05-14"
    (late,) = agenda(empty, "2025-05-14", THURSDAY)
    assert late.is_overdue and late.status is Status.ACTIVE  # noqa: PT018
    assert str(late.reason) == "Overdue since 2025-05-15"


async def test_the_engine_catches_up_and_each_view_stays_true(empty: World) -> None:
    await understand(empty, MINUTES)
    engine = Freshness(empty.store.database, empty.lanes)
    await engine.catch_up()  # the real present is years later
    assert the(empty, "Project A launch").status is Status.PENDING
    assert seen_at(empty, "Project A launch", SATURDAY).status is Status.ACTIVE
    assert seen_at(empty, "Project A launch", THURSDAY).status is Status.PENDING
    with empty.store.database.reader() as reader:
        (change,) = change_rows.changes(reader, Which(actor="freshness"))
        assert freshness_rows.next_due(reader) is None
    assert (change.before["status"], change.after["status"]) == ("active", "pending")
    assert change.rule_version == "freshness-1"
    assert change.effective_at == datetime(2025, 5, 15, tzinfo=BEIJING)


@pytest.mark.parametrize("is_fired_first", [False, True])
async def test_what_was_done_in_time_never_fires(empty: World, is_fired_first: bool) -> None:
    from app.govern.freshness.firing import reconsider

    await understand(empty, MINUTES)
    if is_fired_first:
        await Freshness(empty.store.database, empty.lanes).catch_up()
    mark_done(empty, "finish the test report", datetime(2025, 5, 13, 10, tzinfo=BEIJING))
    with empty.store.database.write() as tx:
        reconsider(tx, [the(empty, "finish the test report").record_id], clock.present())
    await Freshness(empty.store.database, empty.lanes).catch_up()
    assert the(empty, "Project A launch").status is Status.ACTIVE
    assert seen_at(empty, "Project A launch", THURSDAY).status is Status.ACTIVE
    assert seen_at(empty, "finish the test report", SATURDAY).status is Status.ACTIVE
    assert agenda(empty, "2025-05-14", THURSDAY)[0].status is Status.DONE


async def test_what_was_done_too_late_leaves_it_pending(empty: World) -> None:
    from app.govern.freshness.firing import reconsider

    await understand(empty, MINUTES)
    mark_done(empty, "finish the test report", datetime(2025, 5, 16, 10, tzinfo=BEIJING))
    with empty.store.database.write() as tx:
        reconsider(tx, [the(empty, "finish the test report").record_id], clock.present())
    await Freshness(empty.store.database, empty.lanes).catch_up()
    assert the(empty, "Project A launch").status is Status.PENDING


async def test_a_firing_that_a_person_takes_back_stays_so(empty: World) -> None:
    await understand(empty, MINUTES)
    await Freshness(empty.store.database, empty.lanes).catch_up()
    with empty.store.database.write() as tx:
        (change,) = change_rows.changes(tx, Which(actor="freshness", is_standing=True))
        change_chain.take_out(tx, [change.change_id], now=clock.present(), by=OWNER)
        note_undone(tx, change.change_id)
    await Freshness(empty.store.database, empty.lanes).catch_up()
    assert the(empty, "Project A launch").status is Status.ACTIVE
    assert seen_at(empty, "Project A launch", THURSDAY).status is Status.ACTIVE
    with empty.store.database.reader() as reader:
        (rule,) = freshness_rows.rules_of(reader, [the(empty, "Project A launch").record_id])
    assert rule.state is RuleState.UNDONE


@pytest.mark.parametrize("is_new_version", [True, False])
async def test_what_a_person_took_back_stays_so_when_it_is_read_anew(empty: World, *, is_new_version: bool) -> None:
    await understand(empty, MINUTES)
    await Freshness(empty.store.database, empty.lanes).catch_up()
    with empty.store.database.write() as tx:
        (change,) = change_rows.changes(tx, Which(actor="freshness", is_standing=True))
        change_chain.take_out(tx, [change.change_id], now=clock.present(), by=OWNER)
        note_undone(tx, change.change_id)
    if is_new_version:
        await empty.add(note("n0.md", paragraph(MINUTES + " Bob must book the room by Monday."), at=THURSDAY))
    else:
        with empty.store.database.write() as tx:
            tx.run("DELETE FROM understanding")
    async with queue(empty) as made:
        made.wake()
        await made.wait_until_done()
    await Freshness(empty.store.database, empty.lanes).catch_up()
    assert the(empty, "Project A launch").status is Status.ACTIVE
    assert seen_at(empty, "Project A launch", THURSDAY).status is Status.ACTIVE


async def test_a_new_version_takes_over_what_was_done(empty: World) -> None:
    await understand(empty, MINUTES)
    old = the(empty, "finish the test report")
    mark_done(empty, "finish the test report", datetime(2025, 5, 13, 10, tzinfo=BEIJING))
    await empty.add(note("n0.md", paragraph(MINUTES + " Bob must book the room by Monday."), at=THURSDAY))
    async with queue(empty) as made:
        made.wake()
        await made.wait_until_done()
    new = the(empty, "finish the test report")
    assert new.record_id != old.record_id
    assert new.status is Status.DONE
    with empty.store.database.reader() as reader:
        replaced = records.record(reader, old.record_id)
    assert replaced is not None
    assert (replaced.superseded_by, replaced.status) == (new.record_id, Status.SUPERSEDED)
    # the rules of the old version are asleep, those of the new one know that it is done
    await Freshness(empty.store.database, empty.lanes).catch_up()
    assert the(empty, "Project A launch").status is Status.ACTIVE


async def test_new_rules_keep_what_a_person_did(empty: World) -> None:
    await understand(empty, MINUTES)
    mark_done(empty, "finish the test report", datetime(2025, 5, 13, 10, tzinfo=BEIJING))
    await understand(empty, step=Noting())  # another version of the rules: everything is read anew
    task = the(empty, "finish the test report")
    assert (task.status, task.completed_at) == (Status.DONE, datetime(2025, 5, 13, 10, tzinfo=BEIJING))
    assert len(all_records(empty)) == 4
    await Freshness(empty.store.database, empty.lanes).catch_up()
    assert the(empty, "Project A launch").status is Status.ACTIVE


async def test_the_newest_comes_first_and_nothing_is_read_twice(empty: World) -> None:
    step = Noting()
    await understand(empty, "one", "two", "three", step=step)
    assert [one.entry.text for one in step.seen] == ["three", "two", "one"]
    async with queue(empty, None, step) as made:
        made.wake()
        await made.wait_until_done()
        assert await made.waiting() == 0
    assert len(step.seen) == 3


async def test_a_pause_holds_it_and_whoever_waits_is_told(empty: World) -> None:
    await empty.add(*(note(f"{number}.md", paragraph(f"text {number}")) for number in range(3)))
    async with queue(empty) as made:
        made.pause()
        made.wake()
        assert await made.wait_for([1, 2, 3], 5.0) == 3
        made.resume()
        await made.wait_until_done()
        assert await made.wait_for([1, 2, 3], 5.0) == 0


async def test_a_step_that_fails_costs_its_entry_alone(empty: World, caplog: pytest.LogCaptureFixture) -> None:
    step = Noting(fails_for="poison")
    await understand(empty, "good", "poison", "fine", step=step)
    assert [one.entry.text for one in step.seen] == ["fine", "good"]
    with empty.store.database.reader() as reader:
        assert reader.rows("SELECT problem FROM understanding WHERE problem IS NOT NULL") == [("bug",)]
    caplog.clear()


async def test_a_model_that_cannot_be_used_is_done_without(empty: World) -> None:
    broken = Damaged(msg("broken"), next_step=msg("mend it"))
    await empty.add(note("a.md", paragraph(MINUTES)))
    async with queue(empty, Extractors(has_model=True, broken=broken)) as made:
        made.wake()
        await made.wait_until_done()
    assert [one.owner for one in all_records(empty)] == [None, "Zhang San", None, "Li Si"]


async def test_a_model_that_comes_later_reads_what_it_would_have_read(empty: World) -> None:
    await understand(empty, MINUTES)
    extractors = Extractors(has_model=True)
    async with queue(empty, extractors) as made:
        made.wake()
        await made.wait_until_done()
    assert extractors.read_texts == [MINUTES]
    with empty.store.database.reader() as reader:
        assert reader.value("SELECT is_by_model FROM understanding") == ByModel.READ


async def test_of_a_document_the_model_reads_the_passages_with_a_cue(empty: World) -> None:
    plain = "It was a quiet morning by the sea. " * 60
    cued = "Ann is responsible for the boat. " * 60
    await empty.add(note("book.txt", paragraph(plain), paragraph(cued), kind=EntryKind.DOCUMENT))
    extractors = Extractors(has_model=True)
    async with queue(empty, extractors) as made:
        made.wake()
        await made.wait_until_done()
    assert extractors.read_texts
    assert all("responsible" in text for text in extractors.read_texts)


@pytest.mark.parametrize("kind", [EntryKind.EVENT, EntryKind.BOOKMARK, EntryKind.VISIT, EntryKind.CONTACT])
async def test_what_is_structure_already_states_nothing(empty: World, kind: EntryKind) -> None:
    await understand(empty, MINUTES, kind=kind)
    assert all_records(empty) == []


async def test_a_viewer_sees_no_task_of_what_they_may_not_see(empty: World) -> None:
    await understand(empty, MINUTES)
    nobody = VisibilityFilter(frozenset({"work"}), None, EVERYTHING.ceiling, include_stale=False, is_unrestricted=False)
    with empty.store.database.reader() as reader, clock.use(SATURDAY):
        assert tasks_of(reader, SATURDAY, nobody) == []
        assert [one.title for one in tasks_of(reader, SATURDAY, EVERYTHING)] == [
            "Zhang San: finish the test report",
            "Li Si: notifying operations",
        ]
        assert len(tasks_of(reader, SATURDAY, EVERYTHING, owner="li si")) == 1


async def test_an_offer_ends_when_it_says_so(empty: World) -> None:
    await understand(empty, "The offer is valid until Friday.")
    with empty.store.database.reader() as reader:
        assert reader.value("SELECT valid_to FROM entry") == "2025-05-16T16:00:00.000000Z[+08:00]"
        (change,) = change_rows.changes(reader, Which(entry_id=1))
    assert change.kind == "valid_until"


async def test_entries_that_come_while_it_reads_are_read_too(empty: World) -> None:
    step = Noting()
    async with queue(empty, None, step) as made:
        for number in range(5):
            await empty.add(note(f"{number}.md", paragraph(f"text {number}")))
            made.wake()
            await asyncio.sleep(0)
        await made.wait_until_done()
    assert {one.entry.text for one in step.seen} == {f"text {number}" for number in range(5)}


async def test_what_was_broken_off_goes_on_where_it_stopped(empty: World) -> None:
    await empty.add(*(note(f"{number}.md", paragraph(f"Ann must write page {number}.")) for number in range(20)))
    first, second = Noting(), Noting()
    made = Understanding(empty.store.database, empty.lanes, Extractors(), [first])
    tasks = Tasks()
    tasks.start(made.run(), "understand")
    made.wake()
    while not first.seen:
        await asyncio.sleep(0.001)
    await tasks.close()
    await empty.lanes.writer.run(lambda: None)  # what is being written is finished
    async with queue(empty, None, second) as again:
        again.wake()
        await again.wait_until_done()
    texts = [one.entry.text for one in (*first.seen, *second.seen)]
    assert len(texts) == len(set(texts)) == 20
    assert len(all_records(empty)) == 20


@pytest.mark.parametrize(("trust", "armed"), [(Trust.OWN_FILES, 1), (Trust.STRANGER, 0)])
async def test_a_message_says_nothing_of_what_is_trusted_more(empty: World, trust: Trust, armed: int) -> None:
    mails = [
        replace(note(f"{number}.eml", paragraph(text), kind=EntryKind.NOTE), thread="t1")
        for number, text in enumerate(
            (
                "The launch is planned for 16 May. Ann must finish the test report by Wednesday.",
                "If the test report is not finished, the launch is postponed.",
            )
        )
    ]
    for one in mails:
        await empty.add(one)
        with empty.store.database.write() as tx:
            tx.run("UPDATE entry SET trust = ? WHERE native_id = '1.eml'", int(trust))
        async with queue(empty) as made:
            made.wake()
            await made.wait_until_done()
    with empty.store.database.reader() as reader:
        assert reader.value("SELECT count(*) FROM freshness_rule") == armed


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (2, 0, 1)])
@pytest.mark.parametrize("is_together", [True, False])
async def test_a_conversation_arms_its_rule_in_every_order(
    empty: World, order: tuple[int, ...], *, is_together: bool
) -> None:
    texts = (
        "The launch is planned for 16 May.",
        "Ann must finish the test report by Wednesday.",
        "If the test report is not finished, the launch is postponed.",
    )
    async with queue(empty) as made:
        for number in order:
            await empty.add(replace(note(f"{number}.eml", paragraph(texts[number]), kind=EntryKind.NOTE), thread="t1"))
            if not is_together:
                made.wake()
                await made.wait_until_done()
        made.wake()
        await made.wait_until_done()
    with empty.store.database.reader() as reader:
        assert reader.value("SELECT count(*) FROM freshness_rule") == 1
        (rule,) = freshness_rows.rules_due(reader, THURSDAY)
        assert [one.title for one in records.records_with(reader, [rule.record_id])] == ["launch"]
