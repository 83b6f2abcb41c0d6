"""Rules of labels: shown first, applied on demand, resumed after a crash (G2.8, G8.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.domain.progress import ignore_progress
from app.govern.rule_book import RuleBook
from app.runtime.stop import StopSwitch
from app.store.source_rows import add_source
from app.store.store import Store
from app.store.writes import upsert_entry
from tests.unit.store.makers import KEY, admit, make_chunk, make_entry, source_info

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

RULES = '[[rule]]\nid = "falcon"\nwords = ["falcon"]\nscope = "work"\nsensitivity = "confidential"\n'


@pytest.fixture
def store(tmp_path: Path, now: datetime) -> Store:
    store = Store.create(tmp_path / "famulus.db", KEY, now=now)
    with store.database.write() as tx:
        add_source(tx, source_info())
        for name, text in (("a.md", "The Falcon budget"), ("b.md", "A walk"), ("猎鹰.md", "Falcon 预算")):
            upsert_entry(tx, admit(make_entry(name)), [make_chunk(text)], now=now)
    yield store
    store.close()


def labels(store: Store) -> dict[str, tuple[str, int]]:
    with store.database.reader() as reader:
        return {row[0]: (row[1], row[2]) for row in reader.rows("SELECT native_id, scope, sensitivity FROM entry")}


def finish(book: RuleBook) -> int:
    count, last = 0, 0
    while last is not None:
        batch, last = book.next_batch(last)
        count += book.relabel(batch)
    book.finish()
    return count


def test_an_edited_file_changes_nothing_until_it_is_applied(store: Store, tmp_path: Path) -> None:
    own = tmp_path / "labels.toml"
    book = RuleBook(store.database, own)
    assert not book.state().is_waiting
    before = labels(store)
    own.write_text(RULES)
    assert book.state().is_waiting
    preview = book.preview(ignore_progress, StopSwitch())
    assert (preview.entries, preview.looked_at) == (2, 3)
    assert {change.scope for change in preview.changes} == {"work"}
    assert labels(store) == before
    assert not book.admission.labels.own


def test_applying_touches_what_it_must_and_is_resumed(store: Store, tmp_path: Path) -> None:
    own = tmp_path / "labels.toml"
    own.write_text(RULES)
    book = RuleBook(store.database, own)
    book.put_in_force()
    assert RuleBook(store.database, own).is_unfinished()  # as after a crash
    again = RuleBook(store.database, own)
    assert again.admission.labels.own
    assert finish(again) == 2
    assert not again.is_unfinished()
    found = labels(store)
    assert found["a.md"] == found["猎鹰.md"] == ("work", int(Sensitivity.CONFIDENTIAL))
    assert found["b.md"][0] != "work"
    assert finish(again) == 0


def test_taking_rules_back_never_lowers_a_sensitivity(store: Store, tmp_path: Path) -> None:
    own = tmp_path / "labels.toml"
    own.write_text(RULES)
    book = RuleBook(store.database, own)
    book.put_in_force()
    finish(book)
    own.unlink()
    assert book.state().is_waiting
    book.put_in_force()
    finish(book)
    scope, sensitivity = labels(store)["a.md"]
    assert scope != "work"
    assert sensitivity == int(Sensitivity.CONFIDENTIAL)


def test_a_wrong_file_is_told_and_changes_nothing(store: Store, tmp_path: Path) -> None:
    own = tmp_path / "labels.toml"
    own.write_text("[[rule]]\n")
    book = RuleBook(store.database, own)
    assert book.state().problem is not None
    with pytest.raises(BadInput):
        book.put_in_force()
    assert not book.is_unfinished()
