from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.checking import CheckReport
from app.store.check import check
from app.store.store import Store
from app.store.vector_rows import put_vectors
from tests.unit.store.makers import KEY, store_text
from tests.unit.store.worlds import MODEL, clustered, filled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path


@pytest.fixture
def store(path: Path, now: datetime) -> Iterator[Store]:
    """Twenty chunks with vectors, and two that wait."""
    made, _ = filled(path, 20, now=now)
    made.vectors(MODEL)
    store_text(made.database, "late", "two words", "用Python写")
    yield made
    made.close()


def problems(report: CheckReport) -> dict[str, str]:
    return {finding.subject: str(finding.problem) for finding in report.findings if finding.problem is not None}


def counts(report: CheckReport) -> dict[str, int]:
    return {finding.subject: finding.count for finding in report.findings}


def spoil(store: Store, *statements: str) -> None:
    """Change the database behind the back of everything."""
    with store.database.write() as tx:
        tx._raw.execute("PRAGMA defer_foreign_keys = ON")
        for statement in statements:
            tx.run(statement)
        tx.changes = type(tx.changes)()


def test_a_whole_database_is_clean(store: Store) -> None:
    report = check(store)
    assert problems(report) == {}
    assert report.is_clean
    found = counts(report)
    assert (found["sources"], found["entries"], found["chunks"], found["words"]) == (1, 21, 22, 22)
    assert (found["vectors test 1"], found["waiting test 1"], found["index test 1"]) == (20, 2, 20)
    assert found["pages"] > 5


def test_progress_is_told(store: Store) -> None:
    steps: list[tuple[int, int | None]] = []
    check(store, progress=lambda step: steps.append((step.done, step.total)))
    assert steps[0] == (0, 11)
    assert steps[-1] == (11, 11)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM words WHERE rowid = 3",
        "INSERT INTO words (rowid, terms) VALUES (99, 'ghost')",
        "INSERT INTO words (words) VALUES ('delete-all')",
        "UPDATE chunk SET embed_frame = 'changed behind our back' WHERE chunk_id = 5",
        "UPDATE chunk SET embed_frame = embed_frame || ' unheard' WHERE chunk_id = 5",
        "UPDATE meta SET value = '0' WHERE name = 'analyser_version'",
    ],
)
def test_words_that_are_off_are_found_and_made_again(store: Store, statement: str) -> None:
    spoil(store, statement)
    assert "words" in problems(check(store))
    report = check(store, is_repairing=True)
    assert report.is_clean
    assert [finding.subject for finding in report.findings if finding.was_repaired] == ["words"]
    assert problems(check(store)) == {}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE vector SET data = x'00' WHERE chunk_id = 3",
        "UPDATE vector SET data = CAST(x'007e' || zeroblob(length(data) - 2) AS BLOB) WHERE chunk_id = 3",
        "UPDATE vector SET norm = 7 WHERE chunk_id = 3",
        "UPDATE vector SET doc_id = 99 WHERE chunk_id = 3",
    ],
)
def test_unusable_vectors_are_dropped_and_wait_again(store: Store, statement: str) -> None:
    spoil(store, statement)
    assert problems(check(store)) == {"vectors test 1": "1 is not usable"}
    assert check(store, is_repairing=True).is_clean
    assert counts(check(store))["waiting test 1"] == 3
    assert store.vectors(MODEL).size == 19


def test_an_index_that_lacks_rows_is_found_and_read_again(store: Store) -> None:
    spoil(store, "DELETE FROM vector WHERE chunk_id = 3")
    assert problems(check(store)) == {"index test 1": "1 differs from the database"}
    assert check(store, is_repairing=True).is_clean
    assert problems(check(store)) == {}


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entry WHERE entry_id = 4",
        "UPDATE entry SET content_hash = 'x' WHERE entry_id = 4",
        "UPDATE source SET entry_count = 7",
    ],
)
def test_a_lost_or_changed_entry_is_found_and_never_repaired(store: Store, statement: str) -> None:
    spoil(store, statement)
    assert problems(check(store))["sources"] == "1 does not have the entries it counted"
    entries = counts(check(store))["entries"]
    report = check(store, is_repairing=True)
    assert not report.is_clean
    assert counts(report)["entries"] == entries


def test_an_entry_without_a_clear_state_is_found(store: Store) -> None:
    spoil(store, "UPDATE entry SET stale_reason = '[\"x\", {}]' WHERE entry_id = 2")
    assert problems(check(store)) == {"versions": "1 does not say whether it is valid"}


def test_double_chunks_are_found(store: Store) -> None:
    spoil(store, "UPDATE chunk SET ordinal = 0 WHERE chunk_id = 22")
    assert problems(check(store)) == {"chunks": "1 is double"}


def test_references_that_point_nowhere_are_found_and_removed(path: Path, now: datetime) -> None:
    store, _ = filled(path, 3, now=now)
    store.database._writer.execute("PRAGMA foreign_keys = OFF")
    with store.database.write() as tx:
        tx.run("INSERT INTO event VALUES (77, '', 0, NULL)")
        tx.run("INSERT INTO alias (kind, value, entity_id) VALUES ('name', 'nobody', 77)")
        tx.run("INSERT INTO cursor VALUES ('gone', 'a', 'b', 'c')")
    assert problems(check(store)) == {"references": "3 point nowhere"}
    assert check(store, is_repairing=True).is_clean
    assert problems(check(store)) == {}
    store.close()


def test_damaged_pages_are_counted_and_nothing_is_changed(store: Store, path: Path, now: datetime) -> None:
    store.close()
    data = bytearray(path.read_bytes())
    for page in (3, 7):
        data[page * 8192 + 500] ^= 0xFF
    path.write_bytes(data)
    reopened = Store.open(path, KEY, now=now)
    report = check(reopened, is_repairing=True)
    assert not report.is_clean
    assert problems(report)["pages"] == "2 pages are damaged"
    reopened.close()


def test_vectors_written_later_are_in_the_index(store: Store, now: datetime) -> None:
    vector = clustered(1, seed=1)[0]
    with store.database.write() as tx:
        put_vectors(tx, MODEL, [(21, vector), (22, vector)], now=now)
    report = check(store)
    assert report.is_clean
    assert (counts(report)["index test 1"], counts(report)["waiting test 1"]) == (22, 0)
