"""No room left for an original: a clear message, nothing written, and what was there is still there (X9.2, L6.5)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from app.domain.entries import Original
from app.domain.errors import DiskFull
from app.store.blobs import FOLDER_NAME
from app.store.check import check
from app.store.database import FILE_NAME
from app.store.source_rows import add_source
from app.store.store import Store
from app.store.writes import upsert_entry
from tests.faults.store.test_full_disk import mounted, needs_root
from tests.unit.store.makers import KEY, admit, make_chunk, make_entry, source_info

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@needs_root
def test_an_original_that_does_not_fit_leaves_nothing(basedir: Path, now: datetime) -> None:
    with mounted(basedir / "small", "size=6m") as disk:
        store = Store.create(disk / FILE_NAME, KEY, now=now)
        with store.database.write() as tx:
            add_source(tx, source_info())
        small = keep(store, "small.png", 10_000, now)
        with pytest.raises(DiskFull):
            keep(store, "large.png", 8_000_000, now)
        assert [path.name for path in (disk / FOLDER_NAME).iterdir()] == [small]
        assert len(store.blobs.read(small)) == 10_000
        assert check(store).is_clean
        store.close()


def keep(store: Store, name: str, size: int, now: datetime) -> str:
    with store.database.write() as tx:
        entry_id = upsert_entry(tx, admit(make_entry(name)), [make_chunk(name)], now=now).entry_id
        data = random.Random(size).randbytes(size)
        return store.blobs.put(tx, entry_id, Original(name, "image/png", data), now=now)
