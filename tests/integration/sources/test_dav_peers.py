"""CalDAV servers that misbehave: nothing is lost, nothing is deleted, and the sync goes on where it was (L6.2)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.errors import Cancelled, Expected, RateLimited, Refused, Unavailable
from app.runtime import clock
from app.runtime.network import NetworkLimits
from app.sources.contract import Added, Changed, CursorMoved, CursorRows, Deleted, Skipped, Unchanged
from app.sources.dav.requests import CALENDARS
from app.sources.dav.source import DavSource
from tests.integration.sources.paper_dav import WORK, PaperDav
from tests.integration.sources.test_caldav import PaperLedger, ids
from tests.peer import http_answer, peer
from tests.unit.sources.makers import (
    FIRST_OF_MANY,
    After,
    HonestParse,
    calendar,
    context,
    drain,
    event,
    parse_one_of_alike,
    source_info,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.peer import Asked, Peer

BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><d:multistatus xmlns:d="DAV:">&c;</d:multistatus>'
)
OUTSIDE = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    b'<d:multistatus xmlns:d="DAV:">&a;</d:multistatus>'
)
GARBAGE = [
    b"", b"no xml at all", b"<html><body>Login</body></html>", b"\xff\xfe\x00", BOMB, OUTSIDE,
    b'<d:multistatus xmlns:d="DAV:"><d:response><d:href>/cal/', b'<d:multistatus xmlns:d="DAV:"/>',
    b"<a>" * 100_000, b'<?xml version="1.0" encoding="x-none"?><a/>',
]  # fmt: skip


@pytest.fixture
def dav() -> PaperDav:
    return PaperDav({f"{number}.ics": calendar(event(f"u{number}", f"会议 {number}")) for number in range(6)})


@pytest.fixture
def there(dav: PaperDav) -> Iterator[Peer]:
    with peer(dav) as running:
        yield running


def opened(there: Peer, **changes: Any) -> DavSource:
    info = source_info(there.url, "caldav", options=MappingProxyType({"user": "bob"}))
    values = {"source": info, "secret": lambda: "pw", "ledger": PaperLedger()}
    limits = NetworkLimits(connect_s=2, silence_s=1, whole_s=5)
    return DavSource(context(there.url, "caldav", **(values | changes)), CALENDARS, limits)


def collected(there: Peer) -> CursorRows:
    rows = CursorRows()
    drain(opened(there), rows)
    return rows


def unharmed(there: Peer, rows: CursorRows, error: type[Expected] = Unavailable) -> Expected:
    """A sync that fails, deletes nothing, and leaves the cursor alone."""
    before = dict(rows.items())
    told: list[Any] = []
    with pytest.raises(error) as raised:
        drain(opened(there), rows, into=told)
    assert ids(told, Deleted) == []
    assert dict(rows.items()) == before
    assert "othing" in str(raised.value.lost)
    return raised.value


@pytest.mark.parametrize("has_tokens", [True, False])
@pytest.mark.parametrize("has_multiget", [True, False])
def test_servers_of_every_skill(dav, there, has_tokens, has_multiget):
    dav.has_tokens, dav.has_multiget = has_tokens, has_multiget
    rows = CursorRows()
    assert len(ids(drain(opened(there), rows), Added)) == 6
    dav.put("1.ics", calendar(event("u1", "Changed")))
    dav.put("7.ics", calendar(event("u7", "New")))
    dav.remove("2.ics")
    parse = HonestParse()
    changes = drain(opened(there, parse=parse), rows)
    assert ids(changes, Changed) == ["cal/work/1.ics#u1"]
    assert ids(changes, Added) == ["cal/work/7.ics#u7"]
    assert ids(changes, Deleted) == ["cal/work/2.ics#u2"]
    assert sorted(parse.names) == ["1.ics", "7.ics"]
    asked = len(there.asked)
    quiet = drain(opened(there), rows)
    assert len(there.asked) == asked + 1
    assert sum(one.count for one in quiet if isinstance(one, Unchanged)) == 6


def test_changes_told_in_several_parts(dav, there):
    rows = collected(there)
    for number in range(10, 17):
        dav.put(f"{number}.ics", calendar(event(f"u{number}")))
    dav.page = 3
    assert len(ids(drain(opened(there), rows), Added)) == 7


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda one: one[:30].decode("latin-1") or "empty")
@pytest.mark.parametrize("where", ["PROPFIND", "REPORT"])
def test_garbage_is_no_answer(dav, there, garbage, where):
    rows = collected(there)
    dav.put("1.ics", calendar(event("u1", "Changed")))

    def spoil(asked: Asked, answer: bytes) -> bytes:
        return http_answer("207 Multi-Status", garbage) if asked.method == where else answer

    dav.spoil = spoil
    is_empty_but_valid = garbage.endswith(b'"DAV:"/>')
    if is_empty_but_valid and where == "REPORT":
        told = drain(opened(there), rows)
        assert (ids(told, Deleted), ids(told, Changed)) == ([], ["cal/work/1.ics#u1"])
        return
    unharmed(there, rows)
    dav.spoil = None
    assert ids(drain(opened(there), rows), Changed) == ["cal/work/1.ics#u1"]


def test_an_answer_that_breaks_off(dav, there):
    rows = collected(there)
    dav.put("1.ics", calendar(event("u1", "Changed")))
    for kept in (10, 100, 300):
        dav.spoil = lambda _, answer, kept=kept: answer[: -len(answer) + kept]
        unharmed(there, rows)
    # without a length a broken answer shows only by its XML
    dav.spoil = lambda _, answer: (
        b"HTTP/1.1 207 Multi\r\nConnection: close\r\n\r\n" + answer.partition(b"\r\n\r\n")[2][:-40]
    )
    unharmed(there, rows)
    dav.spoil = None
    assert ids(drain(opened(there), rows), Changed) == ["cal/work/1.ics#u1"]


def test_a_listing_that_is_empty_by_mistake_asks_first(dav, there):
    dav.has_tokens = False
    rows = collected(there)
    kept, dav.texts = dav.texts, {}
    dav.log.append("x")
    unharmed(there, rows, Refused)
    dav.texts = kept
    assert not any(isinstance(one, Deleted | Added) for one in drain(opened(there), rows))


@pytest.mark.parametrize("status", ["500 Oops", "502 Bad Gateway", "401 No", "403 Forbidden", "302 Found"])
def test_errors_of_the_server(dav, there, status):
    rows = collected(there)
    dav.spoil = lambda *_: http_answer(status)
    unharmed(there, rows)


def test_a_limit_of_the_rate_is_told_with_its_time(dav, there, now):
    rows = collected(there)
    dav.spoil = lambda *_: http_answer("429 Slow down", b"", "Retry-After: 90")
    with clock.use(now):
        problem = unharmed(there, rows, RateLimited)
    assert problem.retry_at == now + timedelta(seconds=90)


def test_a_server_that_does_not_answer_in_time(dav, there):
    rows = collected(there)
    source = DavSource(opened(there)._context, CALENDARS, NetworkLimits(silence_s=0.2, whole_s=0.5))

    def spoil(*_: Any) -> bytes:
        there.ending.wait(2)
        return b""

    dav.spoil = spoil
    with pytest.raises(Unavailable, match="in time"):
        drain(source, rows)
    there.ending.set()


def test_a_server_that_dies_in_the_middle_goes_on_where_it_was(dav, there):
    for number in range(6, 120):
        dav.put(f"{number}.ics", calendar(event(f"u{number}")))
    reports = []

    def spoil(asked: Asked, answer: bytes) -> bytes:
        reports.append(asked) if asked.method == "REPORT" else None
        return b"" if len(reports) > 1 and asked.method == "REPORT" else answer

    dav.spoil = spoil
    rows = CursorRows()
    told: list[Any] = []
    with pytest.raises(Unavailable):
        drain(opened(there), rows, into=told)
    assert len(ids(told, Added)) == 50
    dav.spoil = None
    parse = HonestParse()
    rest = drain(opened(there, parse=parse), rows)
    assert len(parse.names) == 70
    assert len({*ids(told, Added), *ids(rest, Added)}) == 120
    assert ids(rest, Deleted) == []


def test_the_cursor_survives_a_crash_at_any_change(dav, there):
    wanted = {f"cal/work/{number}.ics#u{number}" for number in range(6)}
    for death in range(1, 16):
        rows, taken = CursorRows(), set()
        for number, change in enumerate(opened(there).changes(rows, After(1000))):
            if number == death:
                break
            if isinstance(change, CursorMoved):
                rows.move(change)
            elif isinstance(change, Added):
                taken.add(change.entry.native_id)
        rest = drain(opened(there), rows)
        assert taken | set(ids(rest, Added)) == wanted
        assert ids(rest, Deleted) == []


def test_stop_in_the_middle_and_resume(dav, there):
    for number in range(6, 120):
        dav.put(f"{number}.ics", calendar(event(f"u{number}")))
    rows, first = CursorRows(), []
    with pytest.raises(Cancelled):
        drain(opened(there), rows, After(2), first)
    second = drain(opened(there), rows)
    assert len(ids(first, Added)) + len(ids(second, Added)) == 120


def test_one_resource_of_nonsense_costs_itself_alone(dav, there):
    dav.put("bad.ics", "BEGIN:VCALENDAR\r\nnothing")
    rows = CursorRows()
    changes = drain(opened(there), rows)
    assert len(ids(changes, Added)) == 6
    assert [one.native_id for one in changes if isinstance(one, Skipped)] == ["cal/work/bad.ics"]
    parse = HonestParse()
    again = drain(opened(there, parse=parse), rows)
    assert [one.native_id for one in again if isinstance(one, Skipped)] == ["cal/work/bad.ics"]
    assert parse.names == []


def test_resources_that_are_too_big_together_are_read_and_one_that_is_alone_is_skipped(dav, there):
    for number in range(6):
        dav.put(f"{number}.ics", calendar(event(f"u{number}", "x" * 30_000)))
    dav.put("huge.ics", calendar(event("huge", "x" * 120_000)))
    info = source_info(there.url, "caldav", options=MappingProxyType({"user": "bob"}))
    made = context(there.url, "caldav", source=info, secret=lambda: "pw", ledger=PaperLedger())
    rows = CursorRows()
    for _ in range(2):
        source = DavSource(made, CALENDARS, NetworkLimits(answer_bytes=100_000))
        there.asked.clear()
        changes = drain(source, rows)
        assert [one.native_id for one in changes if isinstance(one, Skipped)] == ["cal/work/huge.ics"]
    assert sum(one.count for one in changes if isinstance(one, Unchanged)) == 6
    assert len(there.asked) == 1


def test_a_page_is_no_event(dav, there):
    rows = collected(there)
    dav.put("1.ics", "<html><body><p>Sorry</p></body></html>")
    changes = drain(opened(there), rows)
    assert [one.native_id for one in changes if isinstance(one, Skipped)] == ["cal/work/1.ics"]
    assert not any(isinstance(one, Added | Changed | Deleted) for one in changes)


def test_an_event_that_leaves_its_resource_is_deleted(dav, there):
    dav.put("two.ics", calendar(event("a"), event("b")))
    rows = collected(there)
    dav.put("two.ics", calendar(event("a")))
    assert ids(drain(opened(there), rows), Deleted) == ["cal/work/two.ics#b"]


def test_a_server_whose_clock_is_years_off(dav, there, now):
    dav.put("new.ics", calendar("BEGIN:VEVENT\r\nUID:n\r\nDTSTART:20250601T080000Z\r\nSUMMARY:x\r\nEND:VEVENT\r\n"))

    def spoil(_: Asked, answer: bytes) -> bytes:
        later = b"<d:getlastmodified>Tue, 01 Jan 2041 00:00:00 GMT</d:getlastmodified><d:getetag>"
        body = answer.partition(b"\r\n\r\n")[2].replace(b"<d:getetag>", later)
        return http_answer("207 Multi", body, "Date: Tue, 01 Jan 2041 00:00:00 GMT")

    dav.spoil = spoil
    with clock.use(now):
        changes = drain(opened(there), CursorRows())
    entry = next(one.entry for one in changes if isinstance(one, Added) and one.entry.native_id.endswith("#n"))
    assert entry.updated_at == now
    assert entry.event.occurrences[0].start == datetime(2025, 6, 1, 8, tzinfo=UTC)


def test_collections_that_lie_at_another_host_get_no_password(dav, there):
    def spoil(_: Asked, answer: bytes) -> bytes:
        body = answer.partition(b"\r\n\r\n")[2].replace(
            b"<d:href>/cal/</d:href>", b"<d:href>https://x.example/</d:href>"
        )
        return http_answer("207 Multi", body)

    dav.spoil = spoil
    with pytest.raises(Unavailable, match=r"x\.example"):
        drain(opened(there), CursorRows())
    assert len({asked.headers["host"] for asked in there.asked}) == 1


def test_addresses_in_other_spellings_are_the_same(dav, there):
    dav.put("a%20b%2Cc.ics", calendar(event("s")))
    rows = collected(there)
    dav.spoil = lambda _, answer: http_answer(
        "207 Multi",
        answer.partition(b"\r\n\r\n")[2]
        .replace(b"a%20b%2Cc.ics", f"{there.url}cal/work/a%20b,c.ics".encode())
        .replace(f"{WORK}http:".encode(), b"http:"),
    )
    dav.has_tokens = False
    dav.log.append("x")
    assert not any(isinstance(one, Added | Deleted) for one in drain(opened(there), rows))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_ten_thousand_resources(there, dav, monkeypatch):
    parse_one_of_alike(monkeypatch)
    for number in range(FIRST_OF_MANY + 6, FIRST_OF_MANY + 10_000):
        dav.put(f"{number}.ics", calendar(event(f"u{number}")))
    rows = CursorRows()
    changes = drain(opened(there), rows)
    assert len(ids(changes, Added)) == 10_000
    asked = len(there.asked)
    quiet = drain(opened(there), rows)
    assert len(there.asked) == asked + 1
    assert sum(one.count for one in quiet if isinstance(one, Unchanged)) == 10_000
