"""People from the command line (G2.4)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from app.domain.errors import BadInput
from app.domain.people import (
    Person,
    PersonCard,
    PersonEntry,
    PersonJob,
    PersonMerge,
    PersonPart,
    PersonSuggestion,
    PersonTask,
)
from app.domain.text import msg

MOMENT = datetime(2025, 5, 12, 9, 30, tzinfo=timezone(timedelta(hours=8)))
ZHANG = Person("p1", "Zhang San", ("张三",), ("zs@example.com",), 2, MOMENT)
OTHER = Person("p7", "张三", (), ("z3@other.example",), 1, None)
CARD = PersonCard(
    ZHANG,
    phones=("138 0013 8000",),
    jobs=(PersonJob("Acme", "", MOMENT, 0.95), PersonJob("", "CTO", None, 0.6)),
    tasks=(PersonTask("finish the report", MOMENT, "file:///a"),),
    entries=(PersonEntry(3, "Launch", "file:///a", "author", MOMENT),),
    parts=(PersonPart("p1", "zs@example.com", "address"), PersonPart("p2", "张三", "name")),
    merges=(PersonMerge(5, "张三", "zs@example.com", msg("A contact card has both"), 0.98, "rules", MOMENT),),
)


@pytest.fixture(autouse=True)
def people(api) -> None:
    api.answers |= {
        "people": [ZHANG],
        "person": CARD,
        "people_suggestions": [PersonSuggestion(ZHANG, OTHER, "zhang san")],
        "merge_people": CARD,
        "split_person": CARD,
        "undo_merge": None,
    }


def test_list(shell, api):
    assert shell("people", "list").strip() == "p1  Zhang San  (张三 · zs@example.com)  2 entries"
    assert shell.json("people", "list")[0]["addresses"] == ["zs@example.com"]


def test_suggestions(shell, api):
    assert "famulus people merge p1 p7" in shell("people", "list", "--suggestions")
    assert shell.json("people", "list", "--suggestions")[0]["name"] == "zhang san"


def test_show(shell, api):
    said = shell("people", "show", "Zhang", "San")
    for line in (
        "Phone: 138 0013 8000",
        "Work: Acme",
        "Work: CTO",
        "Last contact: 2025-05-12",
        "To do: finish the report  2025-05-12",
        "2025-05-12  Launch  (author)",
        "5  张三 = zs@example.com: A contact card has both (0.98)",
    ):
        assert line in said
    assert shell.json("people", "show", "Zhang San")["merges"][0]["merge_id"] == 5


def test_merge_split_and_undo(shell, api):
    assert "Zhang San" in shell("people", "merge", "p1", "p7")
    assert "Zhang San" in shell("people", "split", "p1", "张三")
    assert "No rule puts them together again" in shell("people", "undo", "5")
    assert shell.json("people", "undo", "5") == {"undone": 5}


def test_nobody(shell, api):
    api.answers["person"] = BadInput(msg("Nobody is known as {name}.", name="X"), next_step=msg("Do."))
    shell("people", "show", "X", expect=3)
    assert "Nobody is known as X." in shell.err
