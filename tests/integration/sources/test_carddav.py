"""CardDAV against a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Refused
from app.domain.labels import EntryKind
from app.sources.contract import Added, Changed, CursorRows, Deleted
from tests.integration.sources.radicale import Radicale
from tests.integration.sources.test_caldav import entry_of, ids, opened
from tests.unit.sources.makers import drain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FRIENDS = "/bob/friends/"


def card(uid: str, name: str, *lines: str) -> str:
    return "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", f"UID:{uid}", f"FN:{name}", *lines, "END:VCARD", ""])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    running = Radicale(tmp_path / "radicale").start()
    running.make("carddav", FRIENDS, "朋友")
    running.make("caldav", "/bob/work/", "Work")
    running.put(f"{FRIENDS}1.vcf", card("1", "王伟", "EMAIL:ww@example.cn", "TEL;TYPE=CELL:13800001111"))
    running.put(f"{FRIENDS}2.vcf", card("2", "Ann Lee", "EMAIL:ann@example.org", "ORG:Acme"))
    yield running
    running.close()


def test_contacts_are_told_changed_and_deleted(server):
    rows = CursorRows()
    changes = drain(opened(server, kind="carddav")[0], rows)
    assert ids(changes, Added) == ["bob/friends/1.vcf#1", "bob/friends/2.vcf#2"]
    first = next(one.entry for one in changes if isinstance(one, Added) and one.entry.title == "王伟")
    assert first.kind is EntryKind.CONTACT
    assert first.contact.addresses == ("ww@example.cn",)
    assert [(one.name, one.role) for one in first.people] == [("王伟", "self")]
    assert first.metadata["address_book"] == "朋友"
    server.put(f"{FRIENDS}2.vcf", card("2", "Ann Lee", "EMAIL:ann@new.example", "ORG:Acme"))
    server.delete(f"{FRIENDS}1.vcf")
    source, parse, ledger = opened(server, kind="carddav")
    again = drain(source, rows)
    assert ids(again, Changed) == ["bob/friends/2.vcf#2"]
    assert ids(again, Deleted) == ["bob/friends/1.vcf#1"]
    assert parse.names == ["2.vcf"]
    assert {line.purpose for line in ledger.lines} == {"collect:carddav"}


def test_search_by_name_and_by_address(server):
    source, *_ = opened(server, kind="carddav")
    assert [entry.title for entry in source.search("王", 5)] == ["王伟"]
    assert [entry.title for entry in source.search("ann@example", 5)] == ["Ann Lee"]


def test_contacts_are_not_written(server):
    with pytest.raises(Refused):
        opened(server, kind="carddav")[0].write(entry_of(EntryKind.CONTACT, "x"))
