"""Small worlds of entries in which somebody is to be found: written, understood, and asked who is who."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.domain.entries import ContactFacts, PersonRef, Place
from app.domain.labels import EntryKind, Sensitivity, Trust
from app.domain.readings import TextSpan
from app.govern.extraction import Extraction
from app.govern.people.step import PeopleStep
from app.govern.understanding.contract import Passage, StoredEntry, Understood
from app.store.connection import Reader, Writer
from app.store.database import Database
from app.store.merges import canonical_of
from app.store.writes import upsert_entry
from tests.unit.store.makers import admit, make_chunk, make_entry

DATA = Path(__file__).parents[3] / "data" / "people"
START = datetime(2025, 5, 10, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Case:
    """Entries, and which of the people in them are one and which are not; see tests/data/people."""

    id: str
    entries: list[dict[str, Any]]
    same: list[list[str]]
    apart: list[list[str]]


def cases(file: str) -> list[Case]:
    tables = tomllib.loads((DATA / file).read_text("utf-8"))["case"]
    return [Case(row["id"], row["entries"], row.get("same", []), row.get("apart", [])) for row in tables]


def write(database: Database, number: int, row: dict[str, Any]) -> int:
    """Write one entry of a case and let it be understood; returns its id.

    Keys: people ([name, address, role]), text, person, organisation, project, place, role (names in the text), thread,
    card, trust, id, source.
    """
    text = row.get("text", "")
    at = START + timedelta(hours=number)
    trust = Trust[row.get("trust", "OWN_FILES")]
    people = tuple(PersonRef(*person) for person in row.get("people", ()))
    card = {key: tuple(value) if isinstance(value, list) else value for key, value in row.get("card", {}).items()}
    entry = make_entry(
        row.get("id", f"entry {number}"),
        f"{number} {text} {row}",
        source_id=row.get("source", "notes"),
        kind=EntryKind(row.get("kind", "contact" if card else "mail")),
        people=people,
        contact=ContactFacts(**card) if card else None,
        thread=row.get("thread"),
        event_time=at,
    )
    with database.write() as tx:
        outcome = upsert_entry(tx, admit(entry, trust=trust), [make_chunk(text)] if text else [], now=at)
    understand(database, outcome.entry_id, row, at)
    return outcome.entry_id


def understand(database: Database, entry_id: int, row: dict[str, Any], at: datetime) -> None:
    text, trust = row.get("text", ""), Trust[row.get("trust", "OWN_FILES")]
    spans: list[TextSpan] = []
    for label in ("person", "organisation", "project", "place", "role"):
        for name in row.get(label, ()):
            start = text.index(name)
            spans.append(TextSpan(start, start + len(name), label, 0.9))
    step = PeopleStep()
    with database.write() as tx:
        chunk = tx.value("SELECT chunk_id FROM chunk WHERE entry_id = ?", entry_id)
        passages = [Passage(chunk, 0, len(text), Place())] if chunk is not None else []
        stored = StoredEntry(
            entry_id, "notes", "x", EntryKind.MAIL, "", text, passages, at, at, None, None, (), row.get("thread"), {},
            "personal", "owner", Sensitivity.INTERNAL, trust, 1,
        )  # fmt: skip
        understood = Understood(stored, Extraction(tuple(sorted(spans, key=lambda span: span.start)), (), ()))
        step.apply(tx, understood, step.look(tx, understood), at)


def entity(reader: Reader | Writer, entries: list[int], handle: str) -> int:
    """The canonical entity behind a handle: "2:张三" is whom entry 2 (from 1) calls that, or has that address."""
    number, _, text = handle.partition(":")
    entry_id = entries[int(number) - 1]
    named = "SELECT subject_id FROM relation JOIN alias ON subject_id = entity_id WHERE entry_id = ?1"
    found = reader.value(f"{named} AND kind = 'address' AND value = ?2 LIMIT 1", entry_id, text)
    if found is None:
        sql = "SELECT subject_id FROM relation WHERE entry_id = ? AND object_text = ? ORDER BY relation_id LIMIT 1"
        found = reader.value(sql, entry_id, text)
    assert found is not None, f"nobody is {handle}"
    return canonical_of(reader, found)
