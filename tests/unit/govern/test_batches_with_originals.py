"""Originals are written with their entries, and a batch of them stays small (L6.4, L6.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.entries import Original
from app.govern.batches import Batch, BatchLimits, Gatherer, write_batch
from app.inference.tokens import TokenCounter
from app.policy.admission import DEFAULT_RULES
from app.sources.contract import Added
from app.store.database import FILE_NAME, Database
from app.store.source_rows import add_source
from tests.unit.store.makers import make_entry, new_database, source_info

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from app.domain.entries import Entry

KIB = 1024


@pytest.fixture
def database(basedir: Path, now: datetime) -> Iterator[Database]:
    opened = new_database(basedir / FILE_NAME, now=now)
    with opened.write() as tx:
        add_source(tx, source_info())
    yield opened
    opened.close()


def picture(name: str, size: int, content: str = "") -> Entry:
    return replace(make_entry(name, content or name), original=Original(name, "image/png", bytes(size)))


def gathered(*entries: Entry, limit: int = 100 * KIB) -> list[Batch]:
    gatherer = Gatherer(source_info(), DEFAULT_RULES, TokenCounter(), BatchLimits(original_bytes=limit))
    changes = iter([Added(entry) for entry in entries])
    batches = [gatherer.gather(changes)]
    while not batches[-1].is_last:
        batches.append(gatherer.gather(changes))
    return batches


def blobs(database: Database) -> list[tuple[int, int]]:
    with database.reader() as reader:
        return reader.rows("SELECT entry_id, size_bytes FROM blob ORDER BY entry_id")


def test_a_batch_is_full_of_originals_before_it_is_full_of_entries() -> None:
    batches = gathered(*(picture(f"{number}.png", 40 * KIB) for number in range(7)))
    assert [len(batch.steps) for batch in batches] == [3, 3, 1]


def test_a_kill_costs_a_few_pictures_only() -> None:
    batches = gathered(*(picture(f"{number}.png", 1) for number in range(20)))
    assert [len(batch.steps) for batch in batches] == [8, 8, 4]


def test_an_original_is_kept_once(database: Database, now: datetime) -> None:
    for _ in range(2):
        for batch in gathered(picture("a.png", 10)):
            write_batch(database, "notes", batch, now=now)
    assert [size for _, size in blobs(database)] == [10]


def test_a_changed_picture_has_its_own_original(database: Database, now: datetime) -> None:
    for content, size in (("one", 10), ("two", 20)):
        for batch in gathered(picture("a.png", size, content)):
            write_batch(database, "notes", batch, now=now)
    (first, one), (second, two) = blobs(database)
    assert (one, two) == (10, 20)
    assert first < second
