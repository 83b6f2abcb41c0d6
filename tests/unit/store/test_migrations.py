"""A stored database of every released version opens, and has all that was in it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.store import migrations
from app.store.check import check
from app.store.connection import connect
from app.store.database import Database
from app.store.store import Store
from tests.unit.store.makers import KEY, OWNER
from tests.unit.store.worlds import MODEL, clustered

if TYPE_CHECKING:
    from datetime import datetime

STORED = Path(__file__).parents[2] / "data" / "databases"
VERSIONS = range(1, len(migrations.MIGRATIONS) + 1)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_database_opens_whole(path: Path, now: datetime, version: int) -> None:
    shutil.copy(STORED / f"v{version}.db", path)
    store = Store.open(path, KEY, now=now)
    report = check(store)
    assert report.is_clean, [str(finding.problem) for finding in report.findings if finding.problem]
    assert (store.vectors(MODEL).vectors(np.arange(1, 5)) == clustered(4, seed=1)).all()
    view = store.visibility.view(OWNER, now)
    for question, chunk_id in (("settled", 2), ("预算", 3), ("report", 6)):
        assert store.lexical.search(question, view, 1, is_unrestricted=True).chunk_ids.tolist() == [chunk_id]
    with store.database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entry") == 6
        assert reader.value("SELECT superseded_by FROM entry WHERE entry_id = 1") == 2
        assert {row[0] for row in reader.rows("SELECT name FROM entity")} == {"Zhang San", "李四"}
    store.close()


def test_old_databases_come_out_as_new_ones_are_made(basedir: Path, now: datetime) -> None:
    Database.create(basedir / "new.db", KEY, now=now).close()
    wanted = schema(basedir / "new.db")
    for version in VERSIONS:
        path = basedir / f"v{version}.db"
        shutil.copy(STORED / f"v{version}.db", path)
        Database.open(path, KEY, now=now).close()
        assert schema(path) == wanted


def schema(path: Path) -> dict[str, str]:
    raw = connect(path, KEY, is_writer=True)
    rows = raw.execute("SELECT name, sql FROM sqlite_master").fetchall()
    raw.close()
    return {name: " ".join((sql or "").split()) for name, sql in rows}
