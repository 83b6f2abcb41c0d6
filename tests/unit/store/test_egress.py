"""The ledger of what left the device (X7.1)."""

from __future__ import annotations

from datetime import timedelta

from app.domain.outgoing import Egress
from app.store.egress import egress_lines, note_egress


def test_lines_are_kept_and_read_newest_first(database, now):
    with database.write() as tx:
        note_egress(tx, Egress("dav.example.org:443", "collect:caldav", 2, 310), now=now)
        note_egress(
            tx, Egress("dav.example.org:443", "write:caldav", 1, 900, {"phone": 2}), now=now + timedelta(hours=1)
        )
    with database.reader() as reader:
        lines = egress_lines(reader, limit=10)
        later = egress_lines(reader, limit=10, since=now + timedelta(minutes=1))
        one = egress_lines(reader, limit=1)
    assert [line.egress.purpose for line in lines] == ["write:caldav", "collect:caldav"]
    assert lines[1].at == now
    assert lines[1].at.utcoffset() == now.utcoffset()
    assert dict(lines[0].egress.replaced) == {"phone": 2}
    assert later == one == lines[:1]
