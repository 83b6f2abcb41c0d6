from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.entries import AdmittedEntry, EventFacts, Occurrence, PersonRef, Place, TaskFacts
from app.domain.instants import day_span
from app.domain.labels import EntryKind, Sensitivity, Status
from app.store import reading
from app.store.agenda import AgendaRow, agenda
from app.store.rows import packed, unpacked
from app.store.writes import invalidate_missing, upsert_entry
from tests.unit.store.makers import OWNER, admit, limited_to, make_chunk, make_entry, store_text

if TYPE_CHECKING:
    from app.domain.visibility import VisibilityFilter
    from app.store.database import Database

BEIJING = timezone(timedelta(hours=8))
NEW_YORK = timezone(timedelta(hours=-4))
DAY = date(2025, 5, 14)


def put(database: Database, admitted: AdmittedEntry, now: datetime) -> int:
    with database.write() as tx:
        return upsert_entry(tx, admitted, [make_chunk("x")], now=now).entry_id


def event(native_id: str, *occurrences: Occurrence, until: datetime | None = None, **entry: object) -> AdmittedEntry:
    rights = {name: entry.pop(name) for name in ("scope", "sensitivity") if name in entry}
    facts = EventFacts("Room 5", occurrences, is_recurring=len(occurrences) > 1, expanded_until=until)
    return admit(make_entry(native_id, kind=EntryKind.EVENT, event=facts, **entry), **rights)


def at(hour: int, minutes: int = 60, *, day: date = DAY, **facts: object) -> Occurrence:
    start = datetime(day.year, day.month, day.day, hour, tzinfo=BEIJING)
    return Occurrence(start, start + timedelta(minutes=minutes), is_all_day=False, **facts)


def all_day(first: date, days: int = 1, zone: timezone = BEIJING) -> Occurrence:
    start = datetime(first.year, first.month, first.day, tzinfo=zone)
    return Occurrence(start, start + timedelta(days=days), is_all_day=True)


def on(database: Database, day: date, zone: timezone = BEIJING, visible: VisibilityFilter = OWNER) -> list[AgendaRow]:
    with database.reader() as reader:
        return agenda(reader, *day_span(day, zone), visible)


def titles(rows: list[AgendaRow]) -> list[str]:
    return [row.title for row in rows]


def test_passages_come_in_the_order_asked_for(database: Database) -> None:
    store_text(database, "a", "one", "two", "three")
    with database.reader() as reader:
        found = reading.passages(reader, [3, 99, 1], OWNER)
    assert [passage.text for passage in found] == ["three", "one"]


def test_a_place_is_kept(database: Database, now: datetime) -> None:
    chunk = make_chunk("text")
    place = Place(("Chapter", "第二节"), 3, 10, 12, "<id@host>", 754)
    with database.write() as tx:
        chunk = type(chunk)(0, "text", "text", place, 1, "en")
        entry_id = upsert_entry(tx, admit(make_entry("a")), [chunk], now=now).entry_id
    with database.reader() as reader:
        assert reading.entry_passages(reader, entry_id, OWNER)[0].place == place


def test_the_first_passage_is_the_one_that_the_entry_begins_with(database: Database) -> None:
    store_text(database, "a", "one", "two", "three")
    with database.reader() as reader:
        whole = reading.entry_passages(reader, 1, OWNER)
        assert [passage.text for passage in whole] == ["one", "two", "three"]
        assert reading.first_passage(reader, 1, OWNER) == whole[0]
        assert reading.first_passage(reader, 2, OWNER) is None


def test_neighbours_stay_within_the_entry(database: Database) -> None:
    store_text(database, "a", "one", "two", "three")
    store_text(database, "b", "other")
    with database.reader() as reader:
        assert [passage.text for passage in reading.neighbours(reader, 2, OWNER)] == ["one", "three"]
        assert [passage.text for passage in reading.neighbours(reader, 3, OWNER, before=2)] == ["one", "two"]
        assert reading.neighbours(reader, 99, OWNER) == []


def test_a_task_gives_its_status_to_its_passage(database: Database, now: datetime) -> None:
    entry = make_entry("t", kind=EntryKind.TASK, status=Status.ACTIVE, task=TaskFacts(Status.DONE))
    entry_id = put(database, admit(entry), now)
    with database.reader() as reader:
        assert reading.entry_passages(reader, entry_id, OWNER)[0].status is Status.DONE


@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_a_packed_text_is_the_same_text(text: str) -> None:
    assert unpacked(packed(text)) == text
    assert len(packed(text)) <= len(text.encode()) + 1


def test_a_day_has_its_events_in_order(database: Database, now: datetime) -> None:
    put(database, event("late", at(16)), now)
    put(database, event("early", at(9)), now)
    put(database, event("holiday", all_day(DAY)), now)
    put(database, event("other day", at(9, day=date(2025, 5, 15))), now)
    assert titles(on(database, DAY)) == ["holiday", "early", "late"]


def test_what_touches_the_day_belongs_to_it(database: Database, now: datetime) -> None:
    yesterday = DAY - timedelta(days=1)
    put(database, event("ends at midnight", at(23, 60, day=yesterday)), now)
    put(database, event("over midnight", at(23, 120, day=yesterday)), now)
    put(database, event("no length at midnight", at(0, 0)), now)
    put(database, event("begins at the next midnight", at(0, 60, day=DAY + timedelta(days=1))), now)
    put(database, event("around it", all_day(yesterday, 3)), now)
    put(database, event("ended yesterday", all_day(yesterday, 1)), now)
    assert set(titles(on(database, DAY))) == {"over midnight", "no length at midnight", "around it"}


def test_an_all_day_event_is_on_its_day_in_every_zone(database: Database, now: datetime) -> None:
    put(database, event("birthday", all_day(DAY, zone=NEW_YORK)), now)
    for zone in (BEIJING, NEW_YORK):
        assert titles(on(database, DAY, zone)) == ["birthday"]
        for other in (DAY - timedelta(days=1), DAY + timedelta(days=1)):
            assert titles(on(database, other, zone)) == []


def test_a_timed_event_moves_with_the_viewer(database: Database, now: datetime) -> None:
    put(database, event("call", at(9)), now)
    assert titles(on(database, DAY - timedelta(days=1), NEW_YORK)) == ["call"]
    assert titles(on(database, DAY, NEW_YORK)) == []


def test_an_occurrence_may_differ_from_its_event(database: Database, now: datetime) -> None:
    moved = at(10, title="Moved meeting", location="Room 9")
    people = (PersonRef("Li Si", "li@example.com", "organizer"), PersonRef("", "wang@example.com", "attendee"))
    put(database, event("meeting", moved, at(12, is_canceled=True), people=people), now)
    first, second = on(database, DAY)
    assert (first.title, first.location, first.people) == ("Moved meeting", "Room 9", ("Li Si", "wang@example.com"))
    assert (second.title, second.location, second.is_canceled) == ("meeting", "Room 5", True)


def test_tasks_stand_at_their_due_time(database: Database, now: datetime) -> None:
    due = datetime(2025, 5, 14, 18, tzinfo=BEIJING)
    task = TaskFacts(Status.ACTIVE, due_at=due, owner="Zhang San")
    put(database, admit(make_entry("report", kind=EntryKind.TASK, task=task)), now)
    put(database, admit(make_entry("done", kind=EntryKind.TASK, task=TaskFacts(Status.DONE, due_at=due))), now)
    assert titles(on(database, DAY)) == ["done", "report"]


def test_a_task_knows_its_parent_whichever_came_first(database: Database, now: datetime) -> None:
    child = TaskFacts(Status.ACTIVE, parent_native_id="parent")
    put(database, admit(make_entry("first", kind=EntryKind.TASK, task=child)), now)
    put(database, admit(make_entry("parent", kind=EntryKind.TASK, task=TaskFacts(Status.ACTIVE))), now)
    put(database, admit(make_entry("second", kind=EntryKind.TASK, task=child)), now)
    with database.reader() as reader:
        assert reader.rows("SELECT title, parent_task_id FROM task ORDER BY task_id") == [
            ("first", 2),
            ("parent", None),
            ("second", 2),
        ]


def test_the_agenda_shows_what_the_viewer_may_see(database: Database, now: datetime) -> None:
    put(database, event("work", at(9), scope="work"), now)
    put(database, event("private", at(10)), now)
    put(database, event("secret", at(11), scope="work", sensitivity=Sensitivity.HIGHLY_SENSITIVE), now)
    assert titles(on(database, DAY, visible=limited_to("work"))) == ["work"]


def test_only_the_current_version_is_on_the_agenda(database: Database, now: datetime) -> None:
    put(database, event("meeting", at(9), content_hash="1"), now)
    put(database, event("meeting", at(15), content_hash="2"), now)
    put(database, event("gone", at(11)), now)
    task = TaskFacts(Status.ACTIVE, due_at=datetime(2025, 5, 14, 18, tzinfo=BEIJING))
    for content_hash in "12":
        put(database, admit(make_entry("report", content_hash=content_hash, kind=EntryKind.TASK, task=task)), now)
    with database.write() as tx:
        invalidate_missing(tx, "notes", ["gone"], now=now)
    assert titles(on(database, DAY)) == ["meeting", "report"]
    assert on(database, DAY)[0].start == datetime(2025, 5, 14, 15, tzinfo=BEIJING)


def test_an_unchanged_event_is_expanded_further(database: Database, now: datetime) -> None:
    later = DAY + timedelta(days=365)
    put(database, event("weekly", at(9), until=now), now)
    put(database, event("weekly", at(9), at(9, day=later), until=now + timedelta(days=400)), now)
    assert titles(on(database, later)) == ["weekly"]
    assert titles(on(database, DAY)) == ["weekly"]
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entry") == 1


@pytest.mark.parametrize("kind", list(EntryKind))
def test_every_kind_of_entry_is_read_back(database: Database, now: datetime, kind: EntryKind) -> None:
    entry_id = put(database, admit(make_entry("a", kind=kind)), now)
    with database.reader() as reader:
        assert reading.entry_passages(reader, entry_id, OWNER)[0].kind is kind


def test_a_task_of_a_list_that_names_a_day_alone_is_due_on_the_whole_of_it(database: Database, now: datetime) -> None:
    for native_id, due in (("day", at(0).start), ("hour", at(9).start)):
        task = TaskFacts(Status.ACTIVE, due_at=due)
        put(database, admit(make_entry(native_id, kind=EntryKind.TASK, task=task)), now)
    assert [(row.title, row.is_all_day) for row in on(database, DAY)] == [("day", True), ("hour", False)]
