"""Who is who, on cases of our own: tests/data/people. The figures stand in docs/entities.md."""

from __future__ import annotations

import pytest

from app.store.database import Database
from tests.unit.govern.people.worlds import Case, cases, entity, write

FILES = ("linking.toml", "fresh.toml")
ALL = [case for file in FILES for case in cases(file)]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_who_is_who(database: Database, case: Case) -> None:
    entries = [write(database, number, row) for number, row in enumerate(case.entries)]
    with database.reader() as reader:
        for one, other in case.same:
            assert entity(reader, entries, one) == entity(reader, entries, other), f"{one} is not {other}"
        for one, other in case.apart:
            assert entity(reader, entries, one) != entity(reader, entries, other), f"{one} is {other}"
