"""Who is who, on cases of our own: tests/data/people. The figures stand in docs/entities.md."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from app.store.database import FILE_NAME, Database
from app.store.merges import CANONICAL
from app.store.source_rows import add_source
from tests.unit.govern.people.worlds import Case, cases, entity, write
from tests.unit.store.makers import new_database, source_info

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

FILES = ("linking.toml", "fresh.toml")
ALL = [case for file in FILES for case in cases(file)]
VERSIONS = [
    case for case in ALL if len({row.get("id") for row in case.entries}) < sum("id" in row for row in case.entries)
]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_who_is_who(database: Database, case: Case) -> None:
    entries = [write(database, number, row) for number, row in enumerate(case.entries)]
    with database.reader() as reader:
        for one, other in case.same:
            assert entity(reader, entries, one) == entity(reader, entries, other), f"{one} is not {other}"
        for one, other in case.apart:
            assert entity(reader, entries, one) != entity(reader, entries, other), f"{one} is {other}"


@pytest.mark.parametrize("case", [case for case in ALL if case not in VERSIONS], ids=lambda case: case.id)
def test_who_is_who_whichever_comes_first(basedir: Path, now: datetime, case: Case) -> None:
    """Everybody is one with the same others, is called the same, and is meant by the same names (G2.4)."""
    places = list(range(len(case.entries)))
    orders = [places, places[::-1], random.Random(3).sample(places, len(places))]
    known = [world(basedir / str(number), now, case, order) for number, order in enumerate(orders) if order]
    assert known[0] == known[1] == known[2]


def world(folder: Path, now: datetime, case: Case, order: Sequence[int]) -> tuple[object, object]:
    """The groups of the signs that stand for somebody, each with its name; and whom each entry names."""
    folder.mkdir()
    database = new_database(folder / FILE_NAME, now=now)
    with database.write() as tx:
        add_source(tx, source_info())
    for number in order:
        write(database, number, {"id": f"entry {number}"} | case.entries[number])
    with database.reader() as reader:
        signs: dict[int, set[str]] = {}
        rows = reader.rows(
            f"SELECT {CANONICAL}, kind || ' ' || value FROM entity JOIN alias USING (entity_id)"  # noqa: S608 - our own
            " WHERE kind IN ('address', 'bare', 'card')"
        )
        for canonical, sign in rows:
            signs.setdefault(canonical, set()).add(sign)
        names = {one: reader.value("SELECT name FROM entity WHERE entity_id = ?", one) for one in signs}
        said = reader.rows(
            f"SELECT native_id, predicate, object_text, {CANONICAL} FROM relation JOIN entry USING (entry_id)"  # noqa: S608
            " JOIN entity ON entity.entity_id = subject_id"
        )
    database.close()
    people = {(names[one], frozenset(some)) for one, some in signs.items()}
    return people, {(*row[:3], frozenset(signs[row[3]])) for row in said}
