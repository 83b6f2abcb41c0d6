"""CalDAV against a real server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.entries import Entry, EventFacts, Occurrence, TaskFacts
from app.domain.errors import BadInput, Refused, Unavailable
from app.domain.labels import EntryKind, Status
from app.sources.contract import Added, Changed, CursorMoved, CursorRows, Deleted, Unchanged, Warned
from app.sources.registry import Registry
from tests.integration.sources.radicale import PASSWORD, USER, Radicale
from tests.unit.sources.makers import HonestParse, calendar, context, drain, event, source_info

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.domain.outgoing import Egress

WORK, HOME = "/bob/work/", "/bob/home/"


class PaperLedger:
    def __init__(self) -> None:
        self.lines: list[Egress] = []

    def note(self, egress: Egress) -> None:
        self.lines.append(egress)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    running = Radicale(tmp_path / "radicale").start()
    running.make("caldav", WORK, "工作")
    running.make("caldav", HOME, "Home")
    yield running
    running.close()


def opened(server: Radicale, *, kind: str = "caldav", location: str = "", password: str = PASSWORD, **changes: Any):
    registry = Registry()
    registry.load(["app.sources.dav"])
    options = MappingProxyType({"user": USER, **changes.pop("options", {})})
    place = registry.kind(kind).canonical(location or server.url)
    parse, ledger = HonestParse(), PaperLedger()
    values = {"parse": parse, "ledger": ledger, "secret": lambda: password}
    made = context(place, kind, **(values | changes), source=source_info(place, kind, options=options))
    return registry.open(made), parse, ledger


def fill(server: Radicale, count: int = 4) -> None:
    for number in range(count):
        server.put(f"{WORK}{number}.ics", calendar(event(f"u{number}", f"Meeting {number}")))


def ids(changes: list[Any], kind: type) -> list[str]:
    return sorted(one.native_id if kind is Deleted else one.entry.native_id for one in changes if isinstance(one, kind))


def test_everything_is_found_and_told_once(server):
    fill(server)
    server.put(
        f"{HOME}t.ics",
        calendar("BEGIN:VTODO\r\nUID:t\r\nSUMMARY:买牛奶\r\nDUE:20250514T160000Z\r\nEND:VTODO\r\n"),
    )
    source, _, ledger = opened(server)
    source.authenticate()
    rows = CursorRows()
    changes = drain(source, rows)
    assert ids(changes, Added) == ["bob/home/t.ics#t", *(f"bob/work/{n}.ics#u{n}" for n in range(4))]
    entry = next(one.entry for one in changes if isinstance(one, Added) and "u1" in one.entry.native_id)
    assert (entry.title, entry.metadata["calendar"]) == ("Meeting 1", "工作")
    assert entry.source_uri == f"{server.url}bob/work/1.ics#u1"
    assert entry.event.occurrences[0].start == datetime(2025, 5, 14, 7, tzinfo=UTC)
    assert {line.purpose for line in ledger.lines} == {"collect:caldav"}
    assert {line.recipient for line in ledger.lines} == {f"127.0.0.1:{server.port}"}
    assert {line.data_level for line in ledger.lines} == {2}
    assert all(line.size_bytes > 100 for line in ledger.lines)


def test_unchanged_means_that_next_to_nothing_is_asked_and_nothing_read(server):
    fill(server)
    rows = CursorRows()
    drain(opened(server)[0], rows)
    source, parse, ledger = opened(server)
    changes = drain(source, rows)
    assert parse.names == []
    assert len(ledger.lines) == 1
    assert sum(one.count for one in changes if isinstance(one, Unchanged)) == 4
    assert not any(isinstance(one, Added | Changed | Deleted | CursorMoved) for one in changes)


def test_changes_deletions_and_moves_are_followed(server):
    fill(server, 8)
    rows = CursorRows()
    drain(opened(server)[0], rows)
    server.put(f"{WORK}1.ics", calendar(event("u1", "Moved meeting", "20250515T070000Z")))
    server.put(f"{WORK}9.ics", calendar(event("u9", "New")))
    server.delete(f"{WORK}2.ics")
    server.move(f"{WORK}3.ics", f"{HOME}3.ics")
    source, parse, _ = opened(server)
    changes = drain(source, rows)
    assert ids(changes, Changed) == ["bob/work/1.ics#u1"]
    assert ids(changes, Added) == ["bob/home/3.ics#u3", "bob/work/9.ics#u9"]
    gone = {one.native_id: one.moved_to for one in changes if isinstance(one, Deleted)}
    assert gone == {"bob/work/2.ics#u2": None, "bob/work/3.ics#u3": "bob/home/3.ics#u3"}
    assert sorted(parse.names) == ["1.ics", "3.ics", "9.ics"]
    again = drain(opened(server)[0], rows)
    assert not any(isinstance(one, Added | Changed | Deleted) for one in again)


def test_an_old_token_is_no_reason_to_delete(server):
    fill(server)
    rows = CursorRows()
    drain(opened(server)[0], rows)
    for key, row in list(rows.items()):
        if key.startswith("c:"):
            rows.move(CursorMoved({key: row[:-8] + "00000000"}))
    server.put(f"{WORK}9.ics", calendar(event("u9", "New")))
    source, parse, _ = opened(server)
    changes = drain(source, rows)
    assert ids(changes, Added) == ["bob/work/9.ics#u9"]
    assert ids(changes, Deleted) == []
    assert parse.names == ["9.ics"]


def test_many_deletions_at_once_stop_and_ask(server):
    fill(server, 10)
    rows = CursorRows()
    drain(opened(server)[0], rows)
    for number in range(4):
        server.delete(f"{WORK}{number}.ics")
    server.put(f"{WORK}new.ics", calendar(event("new", "New")))
    told: list[Any] = []
    with pytest.raises(Refused):
        drain(opened(server)[0], rows, into=told)
    assert ids(told, Added) == ["bob/work/new.ics#new"]
    assert ids(told, Deleted) == []
    with pytest.raises(Refused):
        drain(opened(server)[0], rows)
    confirmed = drain(opened(server, is_deletion_confirmed=True)[0], rows)
    assert len(ids(confirmed, Deleted)) == 4


def test_only_the_chosen_calendars(server):
    fill(server)
    server.put(f"{HOME}h.ics", calendar(event("h", "At home")))
    changes = drain(opened(server, options={"calendars": "home，Nowhere"})[0], CursorRows())
    assert ids(changes, Added) == ["bob/home/h.ics#h"]
    assert any("Nowhere" in str(one.text) for one in changes if isinstance(one, Warned))


def test_the_address_may_be_that_of_one_calendar(server):
    fill(server, 2)
    server.put(f"{HOME}h.ics", calendar(event("h", "At home")))
    changes = drain(opened(server, location=f"{server.url}bob/work/")[0], CursorRows())
    assert ids(changes, Added) == ["bob/work/0.ics#u0", "bob/work/1.ics#u1"]


def test_the_user_may_stand_in_the_address(server):
    fill(server, 1)
    location = server.url.replace("http://", f"http://{USER}@")
    changes = drain(opened(server, location=location, options={"user": ""})[0], CursorRows())
    (added,) = [one.entry for one in changes if isinstance(one, Added)]
    assert added.source_uri.startswith(server.url)


def test_without_a_user_it_says_what_is_missing(server):
    with pytest.raises(Unavailable, match="user name"):
        opened(server, options={"user": ""})[0].authenticate()


def test_a_wrong_password_says_so_and_deletes_nothing(server):
    fill(server)
    rows = CursorRows()
    drain(opened(server)[0], rows)
    before = dict(rows.items())
    source, *_ = opened(server, password="wrong")
    with pytest.raises(Unavailable, match="password"):
        source.authenticate()
    with pytest.raises(Unavailable):
        drain(source, rows)
    assert dict(rows.items()) == before


def test_a_server_that_is_gone_deletes_nothing_and_comes_back(server):
    fill(server)
    rows = CursorRows()
    drain(opened(server)[0], rows)
    server.stop()
    source, *_ = opened(server)
    with pytest.raises(Unavailable) as told:
        drain(source, rows)
    assert "othing" in str(told.value.lost)
    server.start()
    assert not any(isinstance(one, Deleted | Added) for one in drain(opened(server)[0], rows))


def test_search_at_the_server(server):
    fill(server)
    server.put(f"{HOME}x.ics", calendar(event("x", "预算评审")))
    source, _, ledger = opened(server)
    assert [entry.title for entry in source.search("预算", 5)] == ["预算评审"]
    assert len(source.search("meeting", 2)) == 2
    assert {line.data_level for line in ledger.lines if line.purpose == "search:caldav"} == {1, 2}


def entry_of(kind: EntryKind, title: str, **changes: Any) -> Entry:
    now = datetime(2025, 5, 1, tzinfo=UTC)
    return Entry("notes", "", kind, title, "", "", (), now, now, **changes)


def test_a_new_event_is_written_and_collected(server):
    start = datetime(2025, 6, 1, 9, tzinfo=UTC)
    facts = EventFacts("Room 5; left", (Occurrence(start, start + timedelta(hours=1), is_all_day=False),), False)
    source, _, ledger = opened(server)
    source.write(entry_of(EntryKind.EVENT, "评审会, 第一轮 " + "长" * 60, event=facts, metadata={"calendar": "Home"}))
    (added,) = [one.entry for one in drain(opened(server)[0], CursorRows()) if isinstance(one, Added)]
    assert added.title.startswith("评审会, 第一轮 长长")
    assert added.metadata["calendar"] == "Home"
    assert added.event.location == "Room 5; left"
    assert added.event.occurrences[0].start == start
    assert [line.data_level for line in ledger.lines][-1] == 1


def test_a_change_keeps_what_it_does_not_know(server):
    server.put(
        f"{WORK}a.ics",
        calendar(event("a", "Old", "20250514T070000Z", "X-SECRET:kept", "ATTENDEE:mailto:x@y.example",
                       "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Old\r\nTRIGGER:-PT5M\r\nEND:VALARM")),
    )  # fmt: skip
    rows = CursorRows()
    (added,) = [one.entry for one in drain(opened(server)[0], rows) if isinstance(one, Added)]
    start = datetime(2025, 5, 16, 7, tzinfo=UTC)
    facts = EventFacts("", (Occurrence(start, start + timedelta(hours=2), is_all_day=False),), False)
    opened(server)[0].write(entry_of_change(added, title="New", event=facts))
    text = server.get(f"{WORK}a.ics")
    assert "X-SECRET:kept" in text
    assert "BEGIN:VALARM" in text
    assert "SUMMARY:New" in text
    (changed,) = [one.entry for one in drain(opened(server)[0], rows) if isinstance(one, Changed)]
    assert (changed.title, changed.event.occurrences[0].start) == ("New", start)


def test_a_todo_is_marked_done(server):
    server.put(
        f"{WORK}t.ics", calendar("BEGIN:VTODO\r\nUID:t\r\nSUMMARY:交报告\r\nSTATUS:NEEDS-ACTION\r\nEND:VTODO\r\n")
    )
    rows = CursorRows()
    (added,) = [one.entry for one in drain(opened(server)[0], rows) if isinstance(one, Added)]
    opened(server)[0].write(entry_of_change(added, task=TaskFacts(Status.DONE)))
    (changed,) = [one.entry for one in drain(opened(server)[0], rows) if isinstance(one, Changed)]
    assert changed.status is Status.DONE


def test_a_change_over_somebody_elses_change_is_refused(server, monkeypatch):
    server.put(f"{WORK}a.ics", calendar(event("a", "Old")))
    (added,) = [one.entry for one in drain(opened(server)[0], CursorRows()) if isinstance(one, Added)]
    from app.sources.dav.client import DavClient

    read = DavClient.text

    def read_then_change(self, path):
        text = read(self, path)
        server.put(f"{WORK}a.ics", calendar(event("a", "Changed by somebody")))
        return text

    monkeypatch.setattr(DavClient, "text", read_then_change)
    with pytest.raises(Refused, match="meanwhile"):
        opened(server)[0].write(entry_of_change(added, title="Mine"))
    assert "Changed by somebody" in server.get(f"{WORK}a.ics")


def test_what_recurs_or_is_a_contact_is_not_written(server):
    server.put(f"{WORK}r.ics", calendar(event("r", "Weekly", "20250514T070000Z", "RRULE:FREQ=WEEKLY")))
    (added,) = [one.entry for one in drain(opened(server)[0], CursorRows()) if isinstance(one, Added)]
    start = datetime(2025, 5, 16, 7, tzinfo=UTC)
    facts = EventFacts("", (Occurrence(start, start, is_all_day=False),), False)
    with pytest.raises(Refused, match="recurs"):
        opened(server)[0].write(entry_of_change(added, event=facts))
    with pytest.raises(Refused):
        opened(server)[0].write(entry_of(EntryKind.CONTACT, "x"))


def entry_of_change(entry: Entry, **changes: Any) -> Entry:
    from dataclasses import replace

    return replace(entry, **changes)


@pytest.mark.parametrize("location", ["ftp://x/", "https://", "nowhere", "https://bob:pw@host/", "https://a b/"])
def test_an_address_that_is_none(location):
    registry = Registry()
    registry.load(["app.sources.dav"])
    with pytest.raises(BadInput):
        registry.kind("caldav").canonical(location)
