from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.labels import Sensitivity
from app.domain.visibility import VisibilityFilter
from app.store import lexical, words
from app.store.database import Database
from app.store.source_rows import add_source
from app.store.store import Store
from app.store.writes import invalidate_missing, remove_source, upsert_entry
from tests.unit.store.makers import (
    OWNER,
    OWNER_WITH_STALE,
    WRITTEN_AT,
    admit,
    limited_to,
    make_chunk,
    make_entry,
    new_database,
    source_info,
    store_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database)


def search(store: Store, text: str, now: datetime, visible: VisibilityFilter = OWNER) -> lexical.WordHits:
    view = store.visibility.view(visible, now)
    return store.lexical.search(text, view, 10, is_unrestricted=visible.is_unrestricted)


def found(store: Store, text: str, now: datetime, visible: VisibilityFilter = OWNER) -> list[str]:
    ids = search(store, text, now, visible).chunk_ids.tolist()
    with store.database.reader() as reader:
        rows = dict(reader.rows("SELECT chunk_id, native_id FROM chunk JOIN entry USING (entry_id)"))
    return [rows[chunk_id] for chunk_id in ids]


@pytest.mark.parametrize("question", ["预算", "款", "会议", "會議", "王伟", "MU5137", "5137", "ＭＵ５１３７", "python"])
def test_each_finds_its_text(store: Store, now: datetime, question: str) -> None:
    texts = {
        "a": "明天下午三点在上海和王伟讨论项目预算",
        "b": "航班MU5137从北京飞往深圳",
        "c": "昨天的发票已经付款了",
        "d": "會議記錄：下週一發布新版本",
        "e": "用Python写",
    }
    for name, text in texts.items():
        store_text(store.database, name, text)
    wanted = {"预": "a", "王": "a", "款": "c", "会": "d", "會": "d", "p": "e"}.get(question[0], "b")
    assert found(store, question, now) == [wanted]


def test_rare_words_and_whole_answers_come_first(store: Store, now: datetime) -> None:
    for number in range(40):
        store_text(store.database, f"n{number}", ("a project" if number % 4 == 0 else "a talk") + f" of day {number}")
    store_text(store.database, "rare", "the quarterly zebra report")
    store_text(store.database, "both", "the project meeting about the zebra")
    assert found(store, "project zebra", now)[:2] == ["both", "rare"]


def test_scores_are_within_bounds_and_say_how_much_was_covered(store: Store, now: datetime) -> None:
    store_text(store.database, "all", "passport number")
    store_text(store.database, "half", "passport photo and much more besides that nobody asked for")
    hits = search(store, "passport number unheard", now)
    assert hits.term_count == 3
    assert ((hits.scores > 0) & (hits.scores <= 1)).all()
    assert ((hits.coverage > 0) & (hits.coverage < 1)).all()
    assert hits.coverage[0] > hits.coverage[1]
    assert search(store, "passport number", now).coverage[0] == pytest.approx(1)


def test_a_question_without_words_finds_nothing(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "text")
    for question in ("", "?!", "unheard"):
        assert len(search(store, question, now).chunk_ids) == 0


def test_an_empty_store_finds_nothing(store: Store, now: datetime) -> None:
    assert len(search(store, "anything", now).chunk_ids) == 0


def test_what_is_written_later_is_found_at_once(store: Store, now: datetime) -> None:
    store_text(store.database, "first", "zebra crossing 斑马")
    for question in ("zebra", "斑马", "斑"):
        assert found(store, question, now) == ["first"]
    store_text(store.database, "second", "another zebra zebra 斑马")
    for question in ("zebra", "斑马", "斑"):
        assert set(found(store, question, now)) == {"first", "second"}


def test_a_list_in_memory_equals_one_from_the_database(store: Store, now: datetime) -> None:
    store_text(store.database, "first", "zebra")
    search(store, "zebra", now)
    for number in range(30):
        store_text(store.database, f"more{number}", "zebra " * (1 + number % 2))
    warm = search(store, "zebra", now)
    cold = search(Store(store.database), "zebra", now)
    assert warm.chunk_ids.tolist() == cold.chunk_ids.tolist()
    assert warm.scores.tolist() == cold.scores.tolist()


def test_a_list_read_while_a_commit_came_in_is_not_kept(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_text(store.database, "first", "zebra")
    plain = words._read

    def slow(*arguments: object) -> words.Postings:
        result = plain(*arguments)
        monkeypatch.setattr(words, "_read", plain)
        store_text(store.database, "second", "zebra")
        return result

    monkeypatch.setattr(words, "_read", slow)
    found(store, "zebra", now)
    assert set(found(store, "zebra", now)) == {"first", "second"}


def test_memory_for_lists_is_bounded(database: Database, now: datetime) -> None:
    index = words.WordIndex(database, memory_bytes=2_000)
    database.subscribe(index)
    for number in range(30):
        store_text(database, f"n{number}", f"word{number} common")
    from app.store.analyser import QueryTerm

    for number in range(30):
        assert len(index.postings(QueryTerm(f"word{number}")).chunk_ids) == 1
        assert len(index.postings(QueryTerm("common")).chunk_ids) == 30
    assert index._used_bytes <= 2_000
    assert index._used_bytes == sum(known.size_bytes for known in index._lists.values())


def test_stale_text_is_found_by_who_asks_for_it(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "the old plan")
    store_text(store.database, "a", "the new idea")
    assert found(store, "plan", now) == []
    assert found(store, "plan", now, OWNER_WITH_STALE) == ["a"]


def test_removed_text_is_found_by_nobody(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "zebra")
    found(store, "zebra", now)
    with store.database.write() as tx:
        invalidate_missing(tx, "notes", ["a"], now=now)
    assert found(store, "zebra", now, OWNER_WITH_STALE) == ["a"]
    with store.database.write() as tx:
        remove_source(tx, "notes", now=now)
    assert found(store, "zebra", now, OWNER_WITH_STALE) == []


def test_a_long_question_keeps_its_rarest_words(store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        store_text(store.database, f"n{number}", "common usual frequent" + (" zebra" if number == 7 else ""))
    monkeypatch.setattr(lexical, "_BUDGET", 10)
    asked: list[str] = []
    plain = store.lexical._index.postings
    monkeypatch.setattr(store.lexical._index, "postings", lambda term: asked.append(term.term) or plain(term))
    assert found(store, "common usual frequent zebra", now)[0] == "n7"
    assert asked[0] == "zebra"
    assert len(asked) == 2
    asked.clear()
    search(store, "common usual frequent zebra", now, limited_to("personal"))
    assert len(asked) == 4


@pytest.mark.parametrize("visible", [OWNER, limited_to("work")])
def test_a_term_that_is_looked_at_in_all_chunks_gives_the_same_numbers(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch, visible: VisibilityFilter
) -> None:
    for number in range(60):
        text = " ".join(["tea" * (number % 3 > 0), "tea" * (number % 5 == 0), "milk" * (number % 2), "and cake"])
        store_text(store.database, f"n{number}", text, scope="work" if number % 4 else "personal")
    monkeypatch.setattr(lexical, "_SPREAD_AT_MOST", 8)
    picked = search(store, "tea with milk", now, visible)
    monkeypatch.setattr(lexical, "_A_LONG_LIST_OF", 1_000_000)
    looked: list[str] = []
    plain = lexical._Sums.add_of_all
    monkeypatch.setattr(lexical._Sums, "add_of_all", lambda *values: looked.append(values[3]) or plain(*values))
    through = search(store, "tea with milk", now, visible)
    assert set(looked) == {"tea", "milk"}
    assert through.chunk_ids.tolist() == picked.chunk_ids.tolist()
    assert through.scores.tolist() == picked.scores.tolist()
    assert through.coverage.tolist() == picked.coverage.tolist()
    assert through.weights == picked.weights


def test_the_most_frequent_terms_are_so_by_what_is_visible_alone(store: Store, now: datetime) -> None:
    for number in range(30):
        store_text(store.database, f"h{number}", "tea sugar cream")
    for number in range(6):
        text = "milk" + " tea" * (number < 2) + " cream" * (number < 4)
        store_text(store.database, f"v{number}", text, scope="work")
    terms = lexical.query_terms("tea milk cream sugar")

    def often(visible: VisibilityFilter, least: int) -> list[str]:
        view = store.visibility.view(visible, now)
        return store.lexical.frequent_terms(terms, view, least, 2, is_unrestricted=visible.is_unrestricted)

    assert often(OWNER, 1) == ["cream", "tea"]
    assert often(limited_to("work"), 1) == ["milk", "cream"]
    assert often(limited_to("work"), 5) == ["milk"]
    assert often(limited_to("work"), 7) == []


ONLY_WORK = VisibilityFilter(
    frozenset({"work"}), frozenset({"owner"}), Sensitivity.CONFIDENTIAL, include_stale=False, is_unrestricted=False
)
WORD = st.sampled_from(["tea", "milk", "zebra", "预算", "会议", "款", "mu5137", "running"])
TEXT = st.lists(WORD, min_size=1, max_size=6).map(" ".join)
VISIBLE = st.lists(TEXT, min_size=1, max_size=5)
HIDDEN = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["scope", "acl", "level", "stale"]), TEXT), max_size=6)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VISIBLE, HIDDEN, st.lists(WORD, min_size=1, max_size=4).map(" ".join))
def test_hidden_chunks_change_nothing_that_a_viewer_gets(
    basedir: Path, now: datetime, visible: Sequence[str], hidden: Sequence[tuple[int, str, str]], question: str
) -> None:
    """Not the order, not a score, not the last digit, whether or not hidden rows exist (G4.3)."""
    outcomes = []
    for name, extra in (("alone", []), ("mixed", hidden)):
        path = basedir / f"{name}.db"
        path.unlink(missing_ok=True)
        store = Store(new_database(path, now=now))
        _write_both(store, visible, extra, now)
        hits = search(store, question, now, ONLY_WORK)
        with store.database.reader() as reader:
            names = [
                reader.value("SELECT native_id FROM chunk JOIN entry USING (entry_id) WHERE chunk_id = ?", chunk_id)
                for chunk_id in hits.chunk_ids.tolist()
            ]
        outcomes.append((names, hits.scores.tolist(), hits.coverage.tolist()))
        store.close()
    assert outcomes[0] == outcomes[1]


def _write_both(store: Store, visible: Sequence[str], hidden: Sequence[tuple[int, str, str]], now: datetime) -> None:
    level = {"sensitivity": Sensitivity.HIGHLY_SENSITIVE}
    rights = {"scope": {"scope": "secret"}, "acl": {"acl": "doctor"}, "level": level, "stale": {}}
    with store.database.write() as tx:
        add_source(tx, source_info())
        for number, text in enumerate(visible):
            for place, (before, kind, secret) in enumerate(hidden):
                if before == number:
                    facts = {"valid_to": WRITTEN_AT} if kind == "stale" else {}
                    entry = make_entry(f"hidden{place}", secret, **facts)
                    upsert_entry(tx, admit(entry, **({"scope": "work"} | rights[kind])), [make_chunk(secret)], now=now)
            entry = make_entry(f"visible{number}", text)
            upsert_entry(tx, admit(entry, scope="work"), [make_chunk(text)], now=now)
