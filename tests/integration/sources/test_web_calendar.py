"""A calendar on the web that is subscribed to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.domain.errors import BadInput, Refused, Unavailable
from app.domain.labels import Trust
from app.runtime.network import NetworkLimits
from app.sources.contract import Added, Changed, CursorRows, Deleted, Unchanged
from app.sources.ics import canonical, trust_of
from app.sources.ics.web import WebCalendar
from tests.integration.sources.test_caldav import PaperLedger, ids
from tests.peer import http_answer, peer
from tests.unit.sources.makers import HonestParse, calendar, context, drain, event

if TYPE_CHECKING:
    from tests.peer import Asked, Peer


class Feed:
    def __init__(self, *uids: str) -> None:
        self.uids = list(uids)
        self.answer: bytes | None = None

    def __call__(self, asked: Asked) -> bytes:
        if self.answer is not None:
            return self.answer
        etag = f'"{len(self.uids)}-{self.uids[-1]}"'
        if asked.headers.get("if-none-match") == etag:
            return http_answer("304 Not Modified")
        text = calendar(*(event(uid, f"放假 {uid}") for uid in self.uids))
        return http_answer("200 OK", text.encode(), f"ETag: {etag}")


def opened(there: Peer, **changes: Any) -> WebCalendar:
    values = {"ledger": PaperLedger(), "parse": HonestParse()} | changes
    return WebCalendar(context(f"{there.url}secret-key/basic.ics", "ics", **values), NetworkLimits(silence_s=1))


def test_it_is_read_once_and_again_when_it_changed():
    feed, rows = Feed("a", "b", "c"), CursorRows()
    with peer(feed) as there:
        first = drain(opened(there), rows)
        assert ids(first, Added) == ["calendar#a", "calendar#b", "calendar#c"]
        uris = {one.entry.source_uri for one in first if isinstance(one, Added)}
        assert all("secret-key" not in uri for uri in uris)
        parse, ledger = HonestParse(), PaperLedger()
        quiet = drain(opened(there, parse=parse, ledger=ledger), rows)
        assert parse.names == []
        assert sum(one.count for one in quiet if isinstance(one, Unchanged)) == 3
        assert [line.purpose for line in ledger.lines] == ["collect:ics"]
        feed.uids[1] = "d"
        feed.uids.append("e")
        again = drain(opened(there), rows)
    assert ids(again, Added) == ["calendar#d", "calendar#e"]
    assert ids(again, Deleted) == ["calendar#b"]
    assert ids(again, Changed) == []


@pytest.mark.parametrize(
    "answer",
    [
        http_answer("404 Not Found"),
        http_answer("500 Oops"),
        http_answer("401 No"),
        http_answer("200 OK", b"<html><body>Log in</body></html>"),
        http_answer("200 OK"),
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nBEGIN",
    ],
)
def test_what_is_no_calendar_deletes_nothing(answer):
    feed, rows = Feed("a", "b", "c"), CursorRows()
    with peer(feed) as there:
        drain(opened(there), rows)
        before = dict(rows.items())
        feed.answer, feed.uids = answer, ["x"]
        with pytest.raises(Unavailable) as told:
            drain(opened(there), rows)
    assert "othing" in str(told.value.lost)
    assert dict(rows.items()) == before


def test_a_feed_that_lost_most_of_it_asks():
    feed, rows = Feed(*"abcdefgh"), CursorRows()
    with peer(feed) as there:
        drain(opened(there), rows)
        feed.uids = ["a"]
        for _ in range(2):
            with pytest.raises(Refused):
                drain(opened(there), rows)
        assert len(ids(drain(opened(there, is_deletion_confirmed=True), rows), Deleted)) == 7


def test_addresses():
    assert canonical("webcal://Example.org/a.ics?x=1") == "https://example.org/a.ics?x=1"
    assert trust_of("webcal://example.org/a.ics") is Trust.WEB
    assert trust_of("/home/me/a.ics") is Trust.OWN_FILES
    with pytest.raises(BadInput):
        canonical("https://bob:secret@example.org/a.ics")
