"""Facts that people say of themselves, as relations with validity: where they live, their number and address (A2.4).

Where somebody works is read elsewhere (`app.govern.people`); here it only ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.entities import EMAIL_IS, LIVES_IN, PHONE_IS, WORKS_AT
from app.store.name_keys import name_key
from app.store.rows import stamp, storable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from app.store.connection import Reader, Writer

PREDICATES = {"lives_in": LIVES_IN, "phone": PHONE_IS, "email": EMAIL_IS, "works_at": WORKS_AT}
"""Of a fact as it is read the predicate of its relation."""
_WRITTEN = (LIVES_IN, PHONE_IS, EMAIL_IS)
_AUTHORS = "predicate IN ('author', 'owner', 'organizer')"


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to be written. `who`: a name, or empty for the author of the entry."""

    who: str
    predicate: str
    value: str
    chunk_id: int | None


def put_facts(tx: Writer, entry_id: int, facts: Iterable[NewFact], *, said_at: datetime, rule_version: str) -> None:
    """Replace the facts of an entry; one of nobody who is known is left out, as is where somebody works."""
    places = ", ".join("?" * len(_WRITTEN))
    tx.run(f"DELETE FROM relation WHERE entry_id = ? AND predicate IN ({places})", entry_id, *_WRITTEN)  # noqa: S608
    for fact in facts:
        predicate, subject = PREDICATES.get(fact.predicate), _person(tx, entry_id, fact.who)
        if predicate not in _WRITTEN or subject is None:
            continue
        tx.insert(
            "INSERT INTO relation (subject_id, predicate, object_text, entry_id, chunk_id, valid_from, confidence,"
            " trust, rule_version) SELECT ?, ?, ?, entry_id, ?, ?, confidence, trust, ? FROM entry WHERE entry_id = ?",
            subject,
            predicate,
            storable(fact.value),
            fact.chunk_id,
            stamp(said_at),
            rule_version,
            entry_id,
        )


def fact_of(reader: Reader, entry_id: int, predicate: str) -> int | None:
    """The relation in which an entry says a fact of some kind; None where there is none, or more than one."""
    rows = reader.rows(
        "SELECT relation_id FROM relation WHERE entry_id = ? AND predicate = ? LIMIT 2",
        entry_id,
        PREDICATES.get(predicate, ""),
    )
    return rows[0][0] if len(rows) == 1 else None


def _person(reader: Reader, entry_id: int, who: str) -> int | None:
    """The one person who is meant; in doubt nobody."""
    if who:
        rows = reader.rows(
            "SELECT DISTINCT entity_id FROM alias WHERE kind = 'name' AND value = ? LIMIT 2", name_key(who)
        )
    else:
        rows = reader.rows(
            f"SELECT DISTINCT subject_id FROM relation WHERE entry_id = ? AND {_AUTHORS} LIMIT 2",  # noqa: S608 - ours
            entry_id,
        )
    return rows[0][0] if len(rows) == 1 else None
