"""Rules of labels: shown first, applied on demand, resumed after a crash (G2.8, G8.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.collecting import SourceChange
from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.domain.progress import ignore_progress
from app.govern.rule_book import RuleBook
from app.runtime.stop import StopSwitch
from app.store.labelling import let_labels_wait, raise_source
from app.store.source_rows import add_source, change_source
from app.store.store import Store
from app.store.writes import upsert_entry
from tests.unit.store.makers import admit, make_chunk, make_entry, new_database, source_info

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

RULES = '[[rule]]\nid = "falcon"\nwords = ["falcon"]\nscope = "work"\nsensitivity = "confidential"\n'


@pytest.fixture
def store(tmp_path: Path, now: datetime) -> Store:
    store = Store(new_database(tmp_path / "famulus.db", now=now))
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
    book.finish(book.waiting())
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
    assert "falcon" not in {rule.rule_id for rule in book.admission.labels.own}


def test_applying_touches_what_it_must_and_is_resumed(store: Store, tmp_path: Path) -> None:
    own = tmp_path / "labels.toml"
    own.write_text(RULES)
    book = RuleBook(store.database, own)
    book.put_in_force()
    assert RuleBook(store.database, own).waiting()  # as after a crash
    again = RuleBook(store.database, own)
    assert "falcon" in {rule.rule_id for rule in again.admission.labels.own}
    assert finish(again) == 2
    assert not again.waiting()
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
    assert not book.waiting()


def test_an_old_version_can_still_be_found_and_is_labelled_too(store: Store, tmp_path: Path, now: datetime) -> None:
    with store.database.write() as tx:
        upsert_entry(tx, admit(make_entry("a.md", content_hash="2" * 64)), [make_chunk("Nothing in it")], now=now)
    own = tmp_path / "labels.toml"
    own.write_text(RULES)
    book = RuleBook(store.database, own)
    book.put_in_force()
    assert finish(book) == 2
    with store.database.reader() as reader:
        found = reader.rows("SELECT is_current, sensitivity FROM entry WHERE native_id = 'a.md' ORDER BY version")
    assert [row[0] for row in found] == [0, 1]
    assert found[0][1] == int(Sensitivity.CONFIDENTIAL)


def test_rules_that_come_while_others_are_followed_are_not_taken_for_done(store: Store, tmp_path: Path) -> None:
    own = tmp_path / "labels.toml"
    own.write_text(RULES)
    book = RuleBook(store.database, own)
    book.put_in_force()
    first = book.waiting()
    own.write_text(RULES.replace("falcon", "walk"))
    book.put_in_force()
    book.finish(first)
    assert book.waiting() not in {"", first}


def test_a_source_that_is_raised_raises_what_came_from_it(store: Store, tmp_path: Path) -> None:
    with store.database.write() as tx:
        raise_source(tx, source_info().source_id, int(Sensitivity.HIGHLY_SENSITIVE))
    assert {sensitivity for _, sensitivity in labels(store).values()} == {3}
    change = SourceChange(scope="elsewhere")
    with store.database.write() as tx:
        change_source(tx, source_info().source_id, change)
        let_labels_wait(tx, "token")
    book = RuleBook(store.database, tmp_path / "labels.toml")
    assert finish(book) == 3
    assert {scope for scope, _ in labels(store).values()} == {"elsewhere"}
