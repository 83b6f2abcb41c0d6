"""The egress ledger over the writer lane (X7.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Unavailable
from app.domain.outgoing import Egress
from app.famulus.ledger import Ledger
from app.store.database import FILE_NAME
from tests.unit.store.makers import new_database

if TYPE_CHECKING:
    pass


async def test_a_line_is_kept_when_note_returns(basedir, now, lanes):
    database = new_database(basedir / FILE_NAME, now=now)
    ledger = Ledger(database, lanes)
    await lanes.blocking.run(ledger.note, Egress("dav.example.org:443", "collect:caldav", 2, 310))
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM egress") == 1
    (line,) = await ledger.lines(limit=5)
    assert line.egress.recipient == "dav.example.org:443"
    database.close()
    with pytest.raises(Unavailable):
        await lanes.blocking.run(ledger.note, Egress("dav.example.org:443", "collect:caldav", 2, 310))
