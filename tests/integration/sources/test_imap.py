"""A mailbox on a real server: followed through arrivals, deletions, moves, flags, new numbers and crashes (L6.2)."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from imapclient import IMAPClient

from app.domain.entries import Block, PersonRef
from app.domain.errors import Cancelled, Refused, Unavailable
from app.domain.labels import BlockKind
from app.sources.contract import (
    Added,
    Changed,
    CursorMoved,
    CursorRows,
    Deleted,
    Marked,
    PushingSource,
    Skipped,
    Unchanged,
    Warned,
)
from app.sources.parsing.limits import ParseLimits
from app.sources.registry import Registry
from tests.integration.sources.mail_server import PASSWORD, USER, MailServer
from tests.unit.sources.makers import After, HonestParse, Never, context, drain

# Two servers: one that can do everything, and one that can do nothing beyond the standard of 2003
BARE = "protocol imap {\n imap_capability = IMAP4rev1\n}\n"


@dataclass
class Ledger:
    notes: list[Any] = field(default_factory=list)

    def note(self, egress: Any) -> None:
        self.notes.append(egress)


@pytest.fixture(scope="module", params=["", BARE], ids=["with all extensions", "without any"])
def running(request: pytest.FixtureRequest) -> Iterator[MailServer]:
    server = MailServer(extra=request.param)
    yield server
    server.close()


@pytest.fixture
def server(running: MailServer) -> MailServer:
    """The server with an empty mailbox."""
    with client(running) as one:
        for _, _, name in one.list_folders():
            if name != "INBOX":
                one.delete_folder(name)
        one.select_folder("INBOX")
        remove(one, one.search())
    return running


def client(server: MailServer) -> IMAPClient:
    one = IMAPClient("127.0.0.1", port=server.port, ssl=False, timeout=20)
    one.login(USER, PASSWORD)
    return one


def remove(one: IMAPClient, uids: list[int]) -> None:
    if uids:
        one.delete_messages(uids)
        one.expunge()


def mail(number: int, text: str = "", *, subject: str = "") -> bytes:
    return (
        f"From: Bo <bo@example.org>\r\nTo: anna@example.com\r\nSubject: {subject or f'mail {number}'}\r\n"
        f"Date: Wed, 14 May 2025 10:00:00 +0800\r\nMessage-ID: <m{number}@example.org>\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text or f'text {number}'}\r\n"
    ).encode()


def fill(server: MailServer, count: int = 6, folder: str = "INBOX") -> None:
    with client(server) as one:
        if folder != "INBOX" and not one.folder_exists(folder):
            one.create_folder(folder)
        for number in range(count):
            one.append(folder, mail(number))


def open_source(server: MailServer, *, parse: Any = None, password: str = PASSWORD, ledger: Any = None, **changes: Any):
    options = {"security": "none"} | changes.pop("options", {})
    registry = Registry()
    registry.load()
    made = context(server.home, "imap", parse=parse or HonestParse(), secret=lambda: password, **changes)
    source = replace(made.source, location=server.location, options=options)
    return registry.open(replace(made, source=source, ledger=ledger or Ledger()))


def titles(changes: list[Any], kind: type = Added) -> list[str]:
    return sorted(change.entry.title for change in changes if isinstance(change, kind))


def count(changes: list[Any]) -> int:
    return sum(change.count for change in changes if isinstance(change, Unchanged))


def deleted(changes: list[Any]) -> list[str]:
    return [change.native_id.partition("@")[0] for change in changes if isinstance(change, Deleted)]


def marks(changes: list[Any]) -> dict[str, dict[str, str]]:
    return {
        change.native_id.partition("@")[0]: dict(change.metadata) for change in changes if isinstance(change, Marked)
    }


def test_a_mail_says_where_it_is_from(server: MailServer) -> None:
    with client(server) as one:
        one.append("INBOX", mail(1, "请周三前交报告。", subject="Report"), flags=("\\Flagged", "\\Seen"))
    ledger = Ledger()
    source = open_source(server, ledger=ledger)
    source.authenticate()
    (entry,) = (change.entry for change in drain(source, CursorRows()) if isinstance(change, Added))
    assert (entry.title, entry.source_uri, entry.thread) == ("Report", "mid:m1@example.org", "m1@example.org")
    assert entry.metadata["folder"] == "INBOX"
    assert entry.metadata["flags"] == "flagged seen"
    assert [block.text for block in entry.blocks] == ["请周三前交报告。"]
    assert entry.event_time is not None
    assert {(note.recipient, note.purpose, note.data_level) for note in ledger.notes} == {
        (f"127.0.0.1:{server.port}", "collect:imap", 2)
    }
    assert sum(note.size_bytes for note in ledger.notes) >= 4096


def test_unchanged_means_that_nothing_is_read(server: MailServer) -> None:
    fill(server)
    rows = CursorRows()
    assert len(titles(drain(open_source(server), rows))) == 6
    parse = HonestParse()
    changes = drain(open_source(server, parse=parse), rows)
    assert parse.names == []
    assert [type(change) for change in changes] == [Unchanged]
    assert count(changes) == 6


def test_arrivals_deletions_moves_and_flags_are_followed(server: MailServer) -> None:
    fill(server, 10)
    rows = CursorRows()
    drain(open_source(server), rows)
    with client(server) as one:
        one.create_folder("Archive")
        one.select_folder("INBOX")
        uids = one.search()
        remove(one, uids[:1])
        one.copy(uids[1], "Archive")
        remove(one, uids[1:2])
        one.copy(uids[2], "Archive")
        one.add_flags(uids[3], ["\\Answered"])
        one.append("INBOX", mail(20, "new"))
    parse = HonestParse()
    changes = drain(open_source(server, parse=parse), rows)
    assert titles(changes) == ["mail 20"]
    assert titles(changes, Changed) == []
    assert deleted(changes) == ["m0"]
    assert marks(changes) == {"m1": {"folder": "Archive", "flags": ""}, "m3": {"folder": "INBOX", "flags": "answered"}}
    assert count(changes) == 7
    assert len(parse.names) == 1
    assert [type(change) for change in drain(open_source(server), rows)] == [Unchanged]


def test_a_mail_that_lies_in_two_folders_is_one_entry(server: MailServer) -> None:
    fill(server, 5)
    fill(server, 5, "Archive")
    rows = CursorRows()
    assert len(titles(drain(open_source(server), rows))) == 5
    with client(server) as one:
        one.select_folder("INBOX")
        remove(one, one.search())
    changes = drain(open_source(server), rows)
    assert deleted(changes) == []
    assert {mark["folder"] for mark in marks(changes).values()} == {"Archive"}


def test_a_borrowed_message_id_replaces_nothing(server: MailServer) -> None:
    fill(server, 1)
    rows = CursorRows()
    drain(open_source(server), rows)
    with client(server) as one:
        one.append("INBOX", mail(0, "pay the bill to somebody else", subject="mail 0"))
    changes = drain(open_source(server), rows)
    assert len(titles(changes)) == 1
    assert titles(changes, Changed) == []
    assert count(changes) == 1


def test_the_cursor_survives_a_crash_in_the_middle(server: MailServer) -> None:
    fill(server, 7)
    for death in range(1, 9):
        rows = CursorRows()
        taken: set[str] = set()
        telling = open_source(server).changes(rows, Never())
        for number, change in enumerate(telling):
            if number == death:
                break
            if isinstance(change, CursorMoved):
                rows.move(change)
            elif isinstance(change, Added):
                taken.add(change.entry.title)
        telling.close()
        rest = drain(open_source(server), rows)
        assert taken | set(titles(rest)) == {f"mail {number}" for number in range(7)}
        assert deleted(rest) == []


def test_stop_is_heard_and_the_next_sync_goes_on(server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(server, 7)
    monkeypatch.setattr("app.sources.imap.sync._FETCHED_AT_ONCE", 2)
    rows = CursorRows()
    told: list[Any] = []
    stops = 0
    for patience in range(10, 60, 3):
        try:
            drain(open_source(server), rows, After(patience), told)
        except Cancelled:
            stops += 1
    drain(open_source(server), rows, None, told)
    assert stops >= 2
    assert titles(told) == [f"mail {number}" for number in range(7)]


def test_a_folder_that_is_numbered_anew_is_the_same(server: MailServer) -> None:
    fill(server)
    rows = CursorRows()
    drain(open_source(server), rows)
    with client(server) as one:
        before = one.select_folder("INBOX")[b"UIDVALIDITY"]
    server.stop()
    for file in server.mail.glob("dovecot*"):
        file.unlink()
    # else it is the present second, which may still be the one of before
    (server.mail / "dovecot-uidvalidity").write_text(f"{before + 1:08x}")
    (server.mail / f"dovecot-uidvalidity.{before + 1:08x}").touch()
    server.start()
    with client(server) as one:
        one.append("INBOX", mail(30))
        assert one.select_folder("INBOX")[b"UIDVALIDITY"] != before
    parse = HonestParse()
    changes = drain(open_source(server, parse=parse), rows)
    assert titles(changes) == ["mail 30"]
    assert deleted(changes) == []
    assert count(changes) == 6
    assert len(parse.names) == 1
    assert [type(change) for change in drain(open_source(server), rows)] == [Unchanged]


def test_folders_with_chinese_names_and_renamed_ones(server: MailServer) -> None:
    fill(server, 4, "项目/测试 & more")
    rows = CursorRows()
    changes = drain(open_source(server, options={"folders": "INBOX, 项目/测试 & more"}), rows)
    assert {change.entry.metadata["folder"] for change in changes if isinstance(change, Added)} == {"项目/测试 & more"}
    with client(server) as one:
        one.rename_folder("项目/测试 & more", "完成")
    changes = drain(open_source(server, options={"folders": "*"}), rows)
    assert titles(changes) == []
    assert deleted(changes) == []
    assert {mark["folder"] for mark in marks(changes).values()} == {"完成"}


def test_drafts_junk_and_trash_are_left_out_and_missing_folders_are_told(server: MailServer) -> None:
    for folder in ("INBOX", "Trash", "Junk", "Drafts", "Sent", "Projects"):
        with client(server) as one:
            if folder != "INBOX":
                one.create_folder(folder)
            one.append(folder, mail(1, subject=folder))
    assert titles(drain(open_source(server), CursorRows())) == ["INBOX", "Projects", "Sent"]
    assert titles(drain(open_source(server, options={"folders": "*"}), CursorRows())) == ["INBOX", "Projects", "Sent"]
    changes = drain(open_source(server, options={"folders": "Projects,Nowhere"}), CursorRows())
    assert titles(changes) == ["Projects"]
    assert ["Nowhere" in str(change.text) for change in changes if isinstance(change, Warned)] == [True]
    with pytest.raises(Unavailable) as none:
        drain(open_source(server, options={"folders": "Nowhere"}), CursorRows())
    assert "folders" in str(none.value.next_step)


def test_many_deletions_at_once_stop_and_ask(server: MailServer) -> None:
    fill(server, 10)
    rows = CursorRows()
    drain(open_source(server), rows)
    with client(server) as one:
        one.select_folder("INBOX")
        remove(one, one.search()[:4])
        one.append("INBOX", mail(40))
    for _ in range(2):
        told: list[Any] = []
        with pytest.raises(Refused) as refused:
            drain(open_source(server), rows, into=told)
        assert "--confirm-deletions" in str(refused.value.next_step)
        assert deleted(told) == []
    confirmed = drain(open_source(server, is_deletion_confirmed=True), rows)
    assert sorted(deleted(confirmed)) == ["m0", "m1", "m2", "m3"]
    assert [type(change) for change in drain(open_source(server), rows)] == [Unchanged]


def test_a_wrong_password_and_a_server_that_is_down_delete_nothing(server: MailServer) -> None:
    fill(server, 3)
    rows = CursorRows()
    drain(open_source(server), rows)
    before = dict(rows.items())
    with pytest.raises(Unavailable) as wrong:
        open_source(server, password="falsch").authenticate()
    assert "password" in str(wrong.value.what)
    assert "othing" in str(wrong.value.lost)
    telling = open_source(server).changes(rows, Never())
    server.stop()
    try:
        with pytest.raises(Unavailable) as down:
            list(telling)
    finally:
        server.start()
    assert "othing" in str(down.value.lost)
    assert dict(rows.items()) == before


def test_a_server_that_dies_in_the_middle_is_gone_on_with(server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(server, 9)
    monkeypatch.setattr("app.sources.imap.sync._FETCHED_AT_ONCE", 3)
    rows = CursorRows()
    told: list[Any] = []
    telling = open_source(server).changes(rows, Never())
    while len(titles(told)) < 4:
        told.append(next(telling))
        if isinstance(told[-1], CursorMoved):
            rows.move(told[-1])
    server.stop(signal.SIGKILL)
    with pytest.raises(Unavailable):
        told.extend(telling)
    server.start()
    rest = drain(open_source(server), rows)
    assert set(titles(told)) | set(titles(rest)) == {f"mail {number}" for number in range(9)}
    assert 3 <= len(titles(rest)) <= 6
    assert deleted(rest) == []


def test_what_cannot_be_read_is_skipped_and_told_again(server: MailServer) -> None:
    fill(server, 2)
    limits = ParseLimits(depth=20)
    rows = CursorRows()

    def parse(job: Any) -> Any:
        answer = HonestParse()(job)
        if b"text 1" in __import__("base64").b64decode(job["data"]):
            text = {"template": "broken", "values": {}}
            return {**answer, "parsed": None, "refusal": [text, text]}
        return answer

    first = drain(open_source(server, parse=parse, limits=limits), rows)
    assert titles(first) == ["mail 0"]
    skipped = [change for change in first if isinstance(change, Skipped)]
    assert [str(change.reason) for change in skipped] == ["broken"]
    honest = HonestParse()
    again = drain(open_source(server, parse=honest), rows)
    assert honest.names == []
    assert [change for change in again if isinstance(change, Skipped)] == skipped
    assert count(again) == 1


def test_of_a_very_big_mail_the_beginning_is_read(server: MailServer) -> None:
    with client(server) as one:
        one.append("INBOX", mail(1, "the beginning\r\n\r\n" + "long line of text\r\n" * 8000))
    changes = drain(open_source(server, limits=ParseLimits(file_bytes=20_000)), CursorRows())
    (entry,) = (change.entry for change in changes if isinstance(change, Added))
    assert entry.blocks[0].text == "the beginning"
    assert any(isinstance(change, Warned) for change in changes)


def test_searching_at_the_server(server: MailServer) -> None:
    with client(server) as one:
        one.append("INBOX", mail(1, "预算会议推迟到周五"))
        one.append("INBOX", mail(2, "the budget is fine"))
        one.append("INBOX", mail(3, 'budget "again"'))
    ledger = Ledger()
    source = open_source(server, ledger=ledger)
    assert [entry.title for entry in source.search("预算会议", 5)] == ["mail 1"]
    assert [entry.title for entry in source.search("budget", 1)] == ["mail 3"]
    assert {entry.title for entry in source.search("budget\r\nA1 DELETE INBOX", 5)} == set()
    assert list(source.search(" ", 5)) == []
    assert {note.purpose for note in ledger.notes} == {"search:imap"}


def test_a_draft_is_put_where_drafts_are(server: MailServer) -> None:
    fill(server, 1)
    source = open_source(server)
    (entry,) = (change.entry for change in drain(source, CursorRows()) if isinstance(change, Added))
    draft = replace(
        entry,
        title="回复：报告\r\nBcc: x@example.org",
        people=(PersonRef("Bo", "bo@example.org", "recipient"), PersonRef("x", "no address", "recipient")),
        blocks=(Block(BlockKind.PARAGRAPH, "好的。"),),
    )
    with pytest.raises(Refused):
        source.write(draft)
    with client(server) as one:
        one.create_folder("Drafts")
    source.write(draft)
    with client(server) as one:
        one.select_folder("Drafts")
        ((_, stored),) = one.fetch(one.search(), ["BODY.PEEK[]", "FLAGS"]).items()
    assert b"To: Bo <bo@example.org>" in stored[b"BODY[]"]
    assert b"\nBcc:" not in stored[b"BODY[]"]
    assert b"\\Draft" in stored[b"FLAGS"]


def test_news_are_pushed_where_the_server_can(running: MailServer, server: MailServer) -> None:
    source = open_source(server)
    assert isinstance(source, PushingSource)
    with client(server) as one:
        if not one.has_capability("IDLE"):
            with pytest.raises(Refused):
                source.wait_for_change(Never())
            return
    told: list[bool] = []
    waiter = threading.Thread(target=lambda: told.append(source.wait_for_change(Never())), daemon=True)
    waiter.start()
    for number in range(60):  # the first may come before the waiting has begun
        with client(server) as one:
            one.append("INBOX", mail(number))
        waiter.join(1)
        if not waiter.is_alive():
            break
    assert told == [True]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_five_thousand_messages(running: MailServer, server: MailServer) -> None:
    for number in range(5000):
        server.put(mail(number))
    rows = CursorRows()
    first: list[Any] = []
    with pytest.raises(Cancelled):
        drain(open_source(server), rows, After(120), first)
    assert 0 < len(titles(first)) < 5000
    drain(open_source(server), rows, into=first)
    assert len(set(titles(first))) == len(titles(first)) == 5000
    parse = HonestParse()
    start = time.perf_counter()
    changes = drain(open_source(server, parse=parse), rows)
    assert time.perf_counter() - start < 2
    assert count(changes) == 5000
    assert parse.names == []
