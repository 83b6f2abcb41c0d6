"""Mail in files: what every source must do, and mailbox files, Maildirs and folders of messages (L6.2)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from app.sources.contract import Added, Changed, CursorMoved, CursorRows, Deleted, Marked, Skipped, Unchanged, Warned
from app.sources.parsing.limits import ParseLimits
from app.sources.registry import Registry
from tests.integration.sources.conformance import Conformance
from tests.unit.sources.makers import (
    FIRST_OF_MANY,
    RESTED,
    HonestParse,
    Never,
    context,
    drain,
    parse_one_of_alike,
    write,
)


def mail(number: int, text: str = "", *noted: str) -> str:
    head = [f"From: b{number}@example.org", f"Subject: mail {number}", f"Message-ID: <m{number}@example.org>", *noted]
    return "\n".join([*head, "", text or f"text {number}", ""])


def mailbox(*messages: str) -> str:
    return "\n".join(f"From b@example.org Wed May 14 10:00:00 2025\n{message}" for message in messages)


def native_id(number: int, message: str) -> str:
    return f"m{number}@example.org/{hashlib.sha256(message.encode()).hexdigest()[:24]}"


class TestFolderOfMessages(Conformance):
    """A mail never changes: another text is another mail."""

    kind = "mbox"

    def location(self, world: Path) -> Path:
        return world / "mail"

    def make(self, world: Path, number: int, text: str = "text") -> str:
        write(self.location(world) / f"{number}.eml", mail(number, text), at=RESTED + len(text))
        return native_id(number, mail(number, text))

    def remove(self, world: Path, number: int) -> None:
        (self.location(world) / f"{number}.eml").unlink()

    def spoil(self, world: Path) -> None:
        write(self.location(world) / "broken.eml", "\n\n\n \n")

    def test_changes_and_deletions_are_found(self, world):
        ids = self.fill(world)
        rows = CursorRows()
        drain(self.open(world)[0], rows)
        changed = self.make(world, 1, "another text")
        new = self.make(world, 9, "new")
        self.remove(world, 3)
        changes = drain(self.open(world)[0], rows)
        assert {change.entry.native_id for change in changes if isinstance(change, Added)} == {changed, new}
        assert {change.native_id for change in changes if isinstance(change, Deleted)} == {ids[1], ids[3]}
        assert sum(change.count for change in changes if isinstance(change, Unchanged)) == 4
        assert [type(change) for change in drain(self.open(world)[0], rows)] == [Unchanged]


def sync(place: Path, rows: CursorRows, **changes: Any) -> tuple[list[Any], HonestParse]:
    parse = HonestParse()
    registry = Registry()
    registry.load()
    return drain(registry.open(context(place, "mbox", parse=parse, **changes)), rows), parse


def titles(changes: list[Any], kind: type = Added) -> list[str]:
    return sorted(change.entry.title for change in changes if isinstance(change, kind))


def test_of_a_mailbox_that_grew_only_new_messages_are_parsed(tmp_path):
    place = write(tmp_path / "box", mailbox(*(mail(number) for number in range(5))))
    rows = CursorRows()
    first, _ = sync(place, rows)
    assert titles(first) == [f"mail {number}" for number in range(5)]
    assert [type(change) for change in sync(place, rows)[0]] == [Unchanged]
    noted = mail(1, "", "Status: RO", "X-Mozilla-Status: 0007")  # the mail program has shown it
    expunged = mail(3, "", "X-Mozilla-Status: 0009")  # and deleted this one, without writing the file anew
    write(place, mailbox(mail(0), noted, expunged, *(mail(number) for number in (2, 4, 5))), at=RESTED + 5)
    changes, parse = sync(place, rows)
    assert titles(changes) == ["mail 5"]
    assert len(parse.names) == 1
    assert [change.native_id.partition("@")[0] for change in changes if isinstance(change, Deleted)] == ["m3"]
    (mark,) = (change for change in changes if isinstance(change, Marked))
    assert (mark.native_id.partition("@")[0], mark.metadata["flags"]) == ("m1", "answered flagged seen")
    assert [type(change) for change in sync(place, rows)[0]] == [Unchanged]


def test_what_was_refused_is_tried_again_when_more_can_be_read(tmp_path, monkeypatch):
    write(tmp_path / "broken.eml", " ")
    write(tmp_path / "1.eml", mail(1))
    rows = CursorRows()
    assert any(isinstance(change, Skipped) for change in sync(tmp_path, rows)[0])
    assert sync(tmp_path, rows)[1].names == []
    monkeypatch.setattr("app.sources.imap.following.READERS", 1_000)
    assert len(sync(tmp_path, rows)[1].names) == 1
    changes, parse = sync(tmp_path, rows)
    assert parse.names == []
    assert any(isinstance(change, Skipped) for change in changes)


def test_lines_that_look_like_separators(tmp_path):
    tricky = mail(1, "one\n\nFrom here it is far in 2025\n\n>From there too\n")
    place = write(tmp_path / "box.mbox", mailbox(tricky, mail(2)))
    changes, _ = sync(place, CursorRows())
    assert titles(changes) == ["mail 1", "mail 2"]
    (first,) = (change.entry for change in changes if isinstance(change, Added) and change.entry.title == "mail 1")
    assert first.created_at.timestamp() == RESTED
    assert [block.text for block in first.blocks] == ["one", "From here it is far in 2025", "From there too"]


def test_a_maildir_with_folders_flags_and_moves(tmp_path):
    write(tmp_path / "new" / "1700000001.M1.host", mail(1))
    write(tmp_path / "cur" / "1700000002.M2.host:2,FS", mail(2))
    write(tmp_path / ".项目" / "cur" / "1700000003.M3.host:2,", mail(3))
    write(tmp_path / "tmp" / "half", mail(9))
    write(tmp_path / "dovecot.index.log", "x")
    rows = CursorRows()
    changes, _ = sync(tmp_path, rows)
    told = {change.entry.title: change.entry.metadata for change in changes if isinstance(change, Added)}
    assert {title: (data.get("folder"), data.get("flags")) for title, data in told.items()} == {
        "mail 1": ("INBOX", None),
        "mail 2": ("INBOX", "flagged seen"),
        "mail 3": ("项目", None),
    }
    (tmp_path / "new" / "1700000001.M1.host").rename(tmp_path / "cur" / "1700000001.M1.host:2,RS")
    (tmp_path / "cur" / "1700000002.M2.host:2,FS").rename(tmp_path / ".项目" / "cur" / "1700000002.M2.host:2,S")
    changes, parse = sync(tmp_path, rows)
    marks = {change.native_id.partition("@")[0]: change.metadata for change in changes if isinstance(change, Marked)}
    assert marks == {
        "m1": {"folder": "INBOX", "flags": "answered seen"},
        "m2": {"folder": "项目", "flags": "seen"},
    }
    assert parse.names == []
    assert not any(isinstance(change, Added | Deleted | Changed) for change in changes)


def test_a_profile_with_many_mailboxes_and_other_files(tmp_path):
    write(tmp_path / "Inbox", mailbox(mail(1), mail(2)))
    write(tmp_path / "Inbox.msf", "index")
    write(tmp_path / "Work.sbd" / "报告", mailbox(mail(2), mail(3)))
    write(tmp_path / "notes.txt", "no mail")
    write(tmp_path / "12", mail(4))
    write(tmp_path / "apple.emlx", f"{len(mail(5))}\n{mail(5)}<?xml version='1.0'?><plist/>")
    changes, _ = sync(tmp_path, CursorRows())
    assert titles(changes) == [f"mail {number}" for number in range(1, 6)]
    folders = {
        change.entry.title: change.entry.metadata.get("folder") for change in changes if isinstance(change, Added)
    }
    assert folders["mail 3"] == "Work/报告"
    assert folders["mail 5"] is None
    assert not any(isinstance(change, Skipped) for change in changes)


def test_a_crash_while_a_changed_mailbox_is_read_forgets_no_deletion(tmp_path, monkeypatch):
    monkeypatch.setattr("app.sources.mbox.source._PORTION", 2)
    place = write(tmp_path / "box", mailbox(*(mail(number) for number in range(8))))
    rows = CursorRows()
    sync(place, rows)
    write(place, mailbox(*(mail(number) for number in range(1, 9))), at=RESTED + 1)
    registry = Registry()
    registry.load()
    telling = registry.open(context(place, "mbox")).changes(rows, Never())
    for _ in range(2):
        change = next(telling)
        if isinstance(change, CursorMoved):
            rows.move(change)
    telling.close()
    changes, _ = sync(place, rows)
    assert [change.native_id.partition("@")[0] for change in changes if isinstance(change, Deleted)] == ["m0"]
    assert titles(changes) == ["mail 8"]


def test_a_very_big_message_is_read_in_part(tmp_path):
    place = write(tmp_path / "box", mailbox(mail(1, "begin\n\n" + "line of text\n" * 5000), mail(2)))
    changes, _ = sync(place, CursorRows(), limits=ParseLimits(file_bytes=10_000))
    assert titles(changes) == ["mail 1", "mail 2"]
    assert any(isinstance(change, Warned) for change in changes)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_ten_thousand_messages(tmp_path, monkeypatch):
    parse_one_of_alike(monkeypatch)
    place = write(tmp_path / "box", mailbox(*(mail(FIRST_OF_MANY + number) for number in range(10_000))))
    rows = CursorRows()
    assert len(set(titles(sync(place, rows)[0]))) == 10_000
    write(place, place.read_text() + "\n" + mailbox(mail(10_000)), at=RESTED + 1)
    changes, parse = sync(place, rows)
    assert titles(changes) == ["mail 10000"]
    assert len(parse.names) == 1
