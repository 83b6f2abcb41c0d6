"""Hundreds of entries of one life, of which none ends another: none may be ended (G2.6).

A rule that is right about a pair of entries alone may still be wrong about every third pair of a diary: an ending that
is false hides what holds. The texts are conversations and diaries of published sets; nobody takes back anything in
them that would still be to come.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from app.runtime import clock
from app.runtime.lanes import Lanes
from app.store.database import FILE_NAME
from app.store.store import Store
from tests.integration.context.makers import world
from tests.integration.govern.supersession_world import Mind, entry_of, moment
from tests.shared_data import shared_data
from tests.unit.store.makers import KEY

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.data

_CHANGES = "SELECT count(*) FROM change WHERE undone_at IS NULL AND actor = 'supersession'"
_AT_ONCE = 40


def told(name: str, kind: str) -> list[dict[str, Any]]:
    """The rows of a set as entries, seven hours apart."""
    lines = shared_data("normalized", "corpora", f"{name}.jsonl").read_text("utf-8").splitlines()
    entries = []
    for number, row in enumerate(map(json.loads, lines)):
        at = datetime(2025, 1, 1, 9) + timedelta(hours=7 * number)  # noqa: DTZ001 - the maker adds the zone
        entry = {"kind": kind, "title": "Note", "at": f"{at:%Y-%m-%d %H:%M}", "text": row["text"]}
        if kind == "mail":
            entry |= {"from": f"{row['speaker'].lower()}@example.com", "thread": str(row["session"]), "title": "Hi"}
        entries.append(entry)
    return entries


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("madial-en", "note"),
        ("madial-zh", "note"),
        ("locomo-conv-26", "mail"),
        ("locomo-conv-30", "mail"),
        ("bfclmem-customer", "note"),
        ("bfclmem-finance", "note"),
        ("bfclmem-healthcare", "note"),
        ("bfclmem-student", "note"),
    ],
)
async def test_nothing_is_ended(tmp_path: Path, name: str, kind: str) -> None:
    entries = told(name, kind)
    now = moment(entries[-1]["at"]) + timedelta(days=1)
    lanes = Lanes()
    store = Store.create(tmp_path / FILE_NAME, KEY, now=now)
    try:
        with clock.use(now):
            mind = Mind(world(store, lanes))
            for start in range(0, len(entries), _AT_ONCE):
                some = enumerate(entries[start : start + _AT_ONCE], start)
                await mind.tell(*(entry_of(entry, f"n{number}") for number, entry in some))
            assert mind.rows(_CHANGES)[0][0] == 0
    finally:
        store.close()
        lanes.close()
