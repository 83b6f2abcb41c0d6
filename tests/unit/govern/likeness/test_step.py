from __future__ import annotations

from datetime import datetime, timedelta

from app.domain.entries import Place
from app.domain.labels import EntryKind, Sensitivity, Trust
from app.govern.extraction import Extraction
from app.govern.likeness.rules import rules
from app.govern.likeness.step import LikenessStep
from app.govern.understanding.contract import Passage, StoredEntry, Understood
from app.store.database import Database
from app.store.likenesses import likenesses_among, likenesses_of
from app.store.source_rows import add_source
from app.store.writes import invalidate_missing, remove_source
from tests.unit.store.makers import source_info, store_text

NOTICE = "The water in the allotment gardens will be turned on again on 4 April. Please close all taps before that day."
OTHER = "The choir sings in the old church on Sunday, and the tickets are sold at the door from six in the evening on."


def understood(entry_id: int, text: str, now: datetime) -> Understood:
    stored = StoredEntry(
        entry_id, "notes", str(entry_id), EntryKind.NOTE, "", text, [Passage(entry_id, 0, len(text), Place())], now,
        None, None, None, (), None, {}, "personal", "owner", Sensitivity.INTERNAL, Trust.OWN_FILES, 1,
    )  # fmt: skip
    return Understood(stored, Extraction((), (), ()))


def take_in(database: Database, name: str, text: str, now: datetime, **rights: object) -> int:
    entry_id = store_text(database, name, text, **rights)
    step = LikenessStep()
    reading = understood(entry_id, text, now)
    with database.reader() as reader:
        found = step.look(reader, reading)
    with database.write() as tx:
        step.apply(tx, reading, found, now)
    return entry_id


def test_a_copy_finds_its_original(database: Database, now: datetime) -> None:
    first = take_in(database, "a.md", NOTICE, now)
    take_in(database, "other.md", OTHER, now)
    second = take_in(database, "b.txt", NOTICE.replace(". ", ".\n"), now)
    with database.reader() as reader:
        (likeness,) = likenesses_of(reader, second)
        assert (likeness.other_id, likeness.kind, likeness.score) == (first, "copy", 1.0)
        assert [found.other_id for found in likenesses_of(reader, first)] == [second]
        assert len(likenesses_among(reader, [first, second])) == 1
        assert likenesses_among(reader, [first]) == []


def test_understanding_again_changes_nothing(database: Database, now: datetime) -> None:
    first = take_in(database, "a.md", NOTICE, now)
    second = take_in(database, "b.txt", NOTICE, now)
    step = LikenessStep()
    with database.write() as tx:
        before = tx.rows("SELECT * FROM sample"), tx.rows("SELECT * FROM likeness")
        for entry_id in (first, second):
            reading = understood(entry_id, NOTICE, now)
            step.apply(tx, reading, step.look(tx, reading), now)
        assert (tx.rows("SELECT * FROM sample"), tx.rows("SELECT * FROM likeness")) == before


def test_an_older_version_of_itself_is_no_copy(database: Database, now: datetime) -> None:
    take_in(database, "a.md", NOTICE, now)
    second = take_in(database, "a.md", NOTICE + " And bring a bucket.", now)
    with database.reader() as reader:
        assert likenesses_of(reader, second) == []


def test_a_text_that_was_saved_often_is_still_found(database: Database, now: datetime) -> None:
    for number in range(70):
        first = take_in(database, "plan v1.md", f"{NOTICE} Revision number {number}.", now + timedelta(minutes=number))
    second = take_in(database, "plan v2.md", f"{NOTICE} Whoever cannot come tells the office.", now + timedelta(days=1))
    with database.reader() as reader:
        assert [(found.other_id, found.kind) for found in likenesses_of(reader, second)] == [(first, "version")]


def test_what_is_gone_is_like_nothing(database: Database, now: datetime) -> None:
    take_in(database, "a.md", NOTICE, now)
    with database.write() as tx:
        invalidate_missing(tx, "notes", ["a.md"], now=now)
    second = take_in(database, "b.md", NOTICE, now + timedelta(days=1))
    with database.reader() as reader:
        assert likenesses_of(reader, second) == []


def test_a_removed_source_leaves_no_samples(database: Database, now: datetime) -> None:
    with database.write() as tx:
        add_source(tx, source_info("letters"))
    first = take_in(database, "a.md", NOTICE, now)
    take_in(database, "b.md", NOTICE, now, source_id="letters")
    with database.write() as tx:
        remove_source(tx, "letters", now=now)
        assert {row[0] for row in tx.rows("SELECT entry_id FROM sample")} == {first}
        assert tx.value("SELECT count(*) FROM likeness") == 0


def test_a_form_that_everybody_has_says_nothing(database: Database, now: datetime) -> None:
    form = " This mail is confidential and meant for its addressee alone, please delete it if you are somebody else. "
    for number in range(rules().holders + 5):
        take_in(database, f"{number}.md", f"{form} {number} {OTHER[number % 60 :]}", now)
    with database.reader() as reader:
        assert reader.value("SELECT max(n) FROM (SELECT count(*) AS n FROM sample GROUP BY value)") > rules().holders
    last = take_in(database, "last.md", form + NOTICE, now)
    with database.reader() as reader:
        assert likenesses_of(reader, last) == []
