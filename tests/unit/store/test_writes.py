from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.domain.entries import PersonRef
from app.domain.errors import BadInput
from app.domain.labels import Sensitivity, Status
from app.store import reading, source_rows, writes
from app.store.vector_rows import EmbeddingModel, chunks_without_vectors, put_vectors, waiting_count
from app.store.writes import Written, invalidate_missing, remove_source, upsert_entry
from tests.unit.store.makers import OWNER, WRITTEN_AT, admit, make_chunk, make_entry, source_info, store_text

if TYPE_CHECKING:
    from datetime import datetime

    from app.store.connection import Reader
    from app.store.database import Database

MODEL = EmbeddingModel("e5", "1", 4)


def write(database: Database, native_id: str, text: str, now: datetime, **entry: object) -> writes.WriteOutcome:
    with database.write() as tx:
        return upsert_entry(tx, admit(make_entry(native_id, text, **entry)), [make_chunk(text)], now=now)


def passages(database: Database, entry_id: int) -> list[reading.Passage]:
    with database.reader() as reader:
        return reading.entry_passages(reader, entry_id, OWNER)


def stored(reader: Reader, chunk_id: int) -> list[float]:
    return np.frombuffer(reader.value("SELECT data FROM vector WHERE chunk_id = ?", chunk_id), np.float16).tolist()


def test_a_new_entry_is_added_with_all_its_fields(database: Database, now: datetime) -> None:
    outcome = write(database, "a.md", "Tea with Li Si", now, event_time=WRITTEN_AT, metadata={"author": "李四"})
    (passage,) = passages(database, outcome.entry_id)
    assert outcome.written is Written.ADDED
    assert (passage.text, passage.title, passage.native_id, passage.version) == ("Tea with Li Si", "a.md", "a.md", 1)
    assert (passage.event_time, passage.ingested_at) == (WRITTEN_AT, now)
    assert (passage.scope, passage.acl, passage.sensitivity) == ("personal", "owner", Sensitivity.INTERNAL)
    assert dict(passage.metadata) == {"author": "李四"}


def test_the_same_content_is_written_once(database: Database, now: datetime) -> None:
    first = write(database, "a.md", "one", now)
    assert write(database, "a.md", "one", now + timedelta(days=1)) == writes.WriteOutcome(
        Written.UNCHANGED, first.entry_id
    )
    with database.reader() as reader:
        assert reading.counts(reader) == reading.StoreCounts(sources=1, entries=1, chunks=1)


def test_a_newer_version_supersedes_the_older_one(database: Database, now: datetime) -> None:
    first = write(database, "a.md", "one", now)
    edited_at = now - timedelta(hours=1)
    second = write(database, "a.md", "two", now, updated_at=edited_at)
    (old,), (new,) = passages(database, first.entry_id), passages(database, second.entry_id)
    assert second.written is Written.CHANGED
    assert (old.status, old.superseded_by, old.valid_to) == (Status.SUPERSEDED, second.entry_id, edited_at)
    assert str(old.stale_reason) == "Replaced by the version of 12 May 2025"
    assert (new.version, new.stale_reason, new.superseded_by) == (2, None, None)


def test_what_is_deleted_at_its_source_stays_findable_as_stale(database: Database, now: datetime) -> None:
    outcome = write(database, "a.md", "one", now)
    with database.write() as tx:
        assert invalidate_missing(tx, "notes", ["a.md", "never.md"], now=now) == 1
        assert invalidate_missing(tx, "notes", ["a.md"], now=now) == 0
    (passage,) = passages(database, outcome.entry_id)
    assert (str(passage.stale_reason), passage.valid_to) == ("Deleted at its source", now)
    with database.reader() as reader:
        assert reading.counts(reader).entries == 0


def test_what_comes_back_unchanged_is_valid_again(database: Database, now: datetime) -> None:
    first = write(database, "a.md", "one", now)
    with database.write() as tx:
        invalidate_missing(tx, "notes", ["a.md"], now=now)
    assert write(database, "a.md", "one", now) == writes.WriteOutcome(Written.ADDED, first.entry_id)
    (passage,) = passages(database, first.entry_id)
    assert (passage.stale_reason, passage.valid_to) == (None, None)


def test_what_comes_back_changed_keeps_the_reason_of_its_deletion(database: Database, now: datetime) -> None:
    first = write(database, "a.md", "one", now)
    with database.write() as tx:
        invalidate_missing(tx, "notes", ["a.md"], now=now)
    second = write(database, "a.md", "two", now)
    assert second.written is Written.ADDED
    (old,) = passages(database, first.entry_id)
    assert (str(old.stale_reason), old.superseded_by) == ("Deleted at its source", second.entry_id)


def test_rights_follow_the_rules_but_sensitivity_is_never_lowered(database: Database, now: datetime) -> None:
    entry, chunk = make_entry("a.md", "one"), make_chunk("one")
    for rights in ({"sensitivity": Sensitivity.CONFIDENTIAL}, {"scope": "work", "sensitivity": Sensitivity.PUBLIC}):
        with database.write() as tx:
            outcome = upsert_entry(tx, admit(entry, **rights), [chunk], now=now)
    (passage,) = passages(database, outcome.entry_id)
    assert (passage.scope, passage.sensitivity) == ("work", Sensitivity.CONFIDENTIAL)


def test_a_failed_transaction_leaves_nothing(database: Database, now: datetime) -> None:
    class Interrupted(Exception):
        pass

    def interrupted() -> None:
        with database.write() as tx:
            upsert_entry(tx, admit(make_entry("a.md", "one")), [make_chunk("one")], now=now)
            source_rows.move_cursor(tx, "notes", {"a.md": "7"}, now=now)
            raise Interrupted

    with pytest.raises(Interrupted):
        interrupted()
    with database.reader() as reader:
        assert reading.counts(reader) == reading.StoreCounts(sources=1, entries=0, chunks=0)
        assert source_rows.cursor_rows(reader, "notes") == {}


def test_the_cursor_moves_row_by_row(database: Database, now: datetime) -> None:
    moves: list[dict[str, str | None]] = [{"a": "1", "b": "1"}, {"a": "2"}, {"a": None}]
    for rows in moves:
        with database.write() as tx:
            source_rows.move_cursor(tx, "notes", rows, now=now)
    with database.reader() as reader:
        assert source_rows.cursor_rows(reader, "notes") == {"b": "1"}


def test_a_source_is_known_by_its_id_and_its_place(database: Database) -> None:
    for info in (source_info(), source_info("other", location="/home/me/notes")):
        with database.write() as tx, pytest.raises(BadInput):
            source_rows.add_source(tx, info)
    with database.reader() as reader:
        assert [info.source_id for info in source_rows.sources(reader)] == ["notes"]


def test_the_embedding_text_is_kept_without_being_stored_twice(database: Database, now: datetime) -> None:
    with database.write() as tx:
        chunk = make_chunk("The body of the note", title="A title")
        upsert_entry(tx, admit(make_entry("a.md", "x")), [chunk], now=now)
        (pending,) = chunks_without_vectors(tx, MODEL, 10)
        assert pending.embed_text == "A title\nThe body of the note"
        assert tx.value("SELECT embed_frame FROM chunk") == "A title\n\0"


def test_text_that_no_database_can_hold_is_mended(database: Database, now: datetime) -> None:
    outcome = write(database, "a.md", "half \ud83d and nul \0.", now, title="\udcff")
    (passage,) = passages(database, outcome.entry_id)
    assert (passage.text, passage.title) == ("half � and nul �.", "�")


def test_vectors_are_stored_once_and_never_mixed(database: Database, now: datetime) -> None:
    store_text(database, "a.md", "one", "two")
    other = EmbeddingModel("e5", "2", 4)
    vector = np.array([1, 0, 0, 0], np.float16)
    with database.write() as tx:
        ids = [pending.chunk_id for pending in chunks_without_vectors(tx, MODEL, 10)]
        assert put_vectors(tx, MODEL, [(ids[0], vector), (999, vector)], now=now) == 1
        assert put_vectors(tx, MODEL, [(ids[0], -vector)], now=now) == 1
        assert [pending.chunk_id for pending in chunks_without_vectors(tx, MODEL, 10)] == [ids[1]]
        assert (waiting_count(tx, MODEL), waiting_count(tx, other)) == (1, 2)
        assert stored(tx, ids[0]) == [-1, 0, 0, 0]
        record = tx.row("SELECT doc_id, chunk_id, embedding_model, embedding_version, language FROM vector_record")
        assert record == (1, ids[0], "e5", "1", "en")


def test_an_unchanged_chunk_of_a_changed_entry_keeps_its_vector(database: Database, now: datetime) -> None:
    store_text(database, "a.md", "stays", "goes")
    with database.write() as tx:
        vectors = [(p.chunk_id, np.full(4, p.chunk_id, np.float16)) for p in chunks_without_vectors(tx, MODEL, 10)]
        put_vectors(tx, MODEL, vectors, now=now)
    store_text(database, "a.md", "stays", "comes")
    with database.reader() as reader:
        (pending,) = chunks_without_vectors(reader, MODEL, 10)
        assert pending.embed_text == "comes"
        assert stored(reader, 3) == [1, 1, 1, 1]


def test_a_moved_file_is_not_embedded_again(database: Database, now: datetime) -> None:
    store_text(database, "old/a.md", "text")
    with database.write() as tx:
        put_vectors(tx, MODEL, [(1, np.ones(4, np.float16))], now=now)
        invalidate_missing(tx, "notes", ["old/a.md"], now=now)
    store_text(database, "new/a.md", "text")
    with database.reader() as reader:
        assert waiting_count(reader, MODEL) == 0


def test_people_with_one_address_are_one_entity(database: Database, now: datetime) -> None:
    people = (PersonRef("Zhang San", "zs@example.com", "author"), PersonRef("张三", "ZS@example.com", "recipient"))
    write(database, "a.eml", "one", now, people=people)
    write(database, "b.eml", "two", now, people=(PersonRef("张三", "", "attendee"),))
    with database.reader() as reader:
        # whose the name without an address is, understanding finds out (`app.govern.people`)
        assert reader.value("SELECT count(*) FROM entity") == 2
        names = "SELECT value FROM alias JOIN relation ON subject_id = entity_id WHERE predicate = 'author'"
        assert {row[0] for row in reader.rows(names)} == {"zs@example.com", "zhang san", "张三"}
        assert reader.value("SELECT count(*) FROM relation") == 3


def test_two_people_with_one_name_stay_two(database: Database, now: datetime) -> None:
    people = (PersonRef("Li", "a@example.com", "author"), PersonRef("Li", "b@example.com", "recipient"))
    write(database, "a.eml", "one", now, people=people)
    write(database, "b.eml", "two", now, people=(PersonRef("Li", "", "attendee"),))
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entity") == 3


def test_removing_a_source_leaves_nothing_but_counts(database: Database, now: datetime) -> None:
    with database.write() as tx:
        source_rows.add_source(tx, source_info("other"))
    kept = store_text(database, "kept.md", "kept words", source_id="other")
    store_text(database, "a.md", "one", "two", entry={"people": (PersonRef("Li", "li@example.com", "author"),)})
    with database.write() as tx:
        put_vectors(tx, MODEL, [(2, np.ones(4, np.float16))], now=now)
        assert remove_source(tx, "notes", now=now) == 1
    with database.reader() as reader:
        for table in ("vector", "entity", "alias", "relation", "cursor"):
            assert reader.value(f"SELECT count(*) FROM {table}") == 0  # noqa: S608
        assert [row[0] for row in reader.rows("SELECT rowid FROM words")] == [1]
        assert {row[0] for row in reader.rows("SELECT term FROM word_stats")} == {"kept", "word"}
        assert reader.value("SELECT counts FROM audit") == '{"entries": 1, "chunks": 2}'
    assert [passage.text for passage in passages(database, kept)] == ["kept words"]
