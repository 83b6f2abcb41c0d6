"""Marks are of a thing, whatever version of it is current (G7)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.store import mark_rows
from app.store.writes import invalidate_missing
from tests.unit.store.makers import store_text


def marked(database):
    with database.reader() as reader:
        return [(mark.query, mark.entry_id, mark.is_wanted, mark.is_findable) for mark in mark_rows.marks(reader)]


def put(database, query, entry_id, now, *, is_wanted=True):
    with database.write() as tx:
        mark_rows.put_mark(tx, query, entry_id, is_wanted=is_wanted, now=now)


def test_a_mark_is_kept_replaced_and_taken_back(database, now):
    one = store_text(database, "a.md", "One")
    put(database, "Where?", one, now)
    assert marked(database) == [("Where?", one, True, True)]
    put(database, "Where?", one, now, is_wanted=False)
    assert marked(database) == [("Where?", one, False, True)]
    with database.write() as tx:
        mark_rows.drop_mark(tx, "Where?", one)
    assert marked(database) == []


def test_a_mark_follows_its_entry_to_a_newer_version(database, now):
    old = store_text(database, "a.md", "One")
    put(database, "Where?", old, now)
    new = store_text(database, "a.md", "Two", now=now)
    assert new != old
    assert marked(database) == [("Where?", new, True, True)]
    put(database, "Where?", new, now, is_wanted=False)
    assert marked(database) == [("Where?", new, False, True)]
    with database.reader() as reader:
        assert mark_rows.current_ids(reader, [old, new, 999]) == {old: new, new: new}


def test_an_entry_that_is_gone_at_its_source_cannot_be_found(database, now):
    one = store_text(database, "a.md", "One")
    put(database, "Where?", one, now)
    with database.write() as tx:
        invalidate_missing(tx, "notes", ["a.md"], now=now)
    assert marked(database) == [("Where?", one, True, False)]


def test_the_newest_question_comes_first_and_keeps_its_time(database, now):
    one, other = store_text(database, "a.md", "One"), store_text(database, "b.md", "Two")
    put(database, "First?", one, now)
    put(database, "Second?", one, now + timedelta(hours=1))
    put(database, "First?", other, now + timedelta(hours=2))
    assert [row[:2] for row in marked(database)] == [("Second?", one), ("First?", one), ("First?", other)]


def test_there_is_nothing_to_mark(database, now):
    with pytest.raises(BadInput):
        put(database, "Where?", 999, now)
    assert marked(database) == []


def test_a_question_may_be_anything(database, now):
    one = store_text(database, "a.md", "One")
    put(database, "a\0b\ud800", one, now)
    assert marked(database)[0][0] == "a\ufffdb\ufffd"
    with database.write() as tx:
        mark_rows.drop_mark(tx, "a\0b\ud800", one)
    assert marked(database) == []


def test_chunks_and_entries(database):
    one, two = store_text(database, "a.md", "One", "More"), store_text(database, "b.md")
    with database.reader() as reader:
        first = reader.value("SELECT min(chunk_id) FROM chunk")
        assert mark_rows.entries_of_chunks(reader, [first, first + 1, 999]) == {first: one, first + 1: one}
        assert mark_rows.current_ids(reader, [two]) == {two: two}


@given(st.text())
def test_a_question_is_known_by_its_words(query):
    assert mark_rows.folded(f"  {query.upper()}\n") == mark_rows.folded(query.upper())
    assert mark_rows.folded(mark_rows.folded(query)) == mark_rows.folded(query) or not query.isascii()
