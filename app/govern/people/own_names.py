"""By what an entity's names are compared: made anew from all that it is called, whichever came first (G2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.govern.people.addresses import is_of_a_person
from app.govern.people.groups import may_share_an_address
from app.govern.people.names import names_in
from app.store import entities
from app.store.merges import RULES
from app.store.rows import text_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.text import Text
    from app.govern.people.names import Name
    from app.store.connection import Reader, Writer

_MOST_NAMES = 40
"""An address with more of them is a list or a machine."""
_COMPARED = ("key", "reading", "turned")


def learn_names(tx: Writer, entity_id: int, card: Text) -> list[Name] | None:
    """Write down by what an entity's names are compared; those that were and that are, or None where all is as it was.

    An office's address has no name of its own, whoever writes from it; nor has one from which several people write,
    unless a contact card of one's own says whose it is.

    Args:
        card: the evidence of merges by cards.
    """
    rows = tx.rows("SELECT kind, value, origin FROM alias WHERE entity_id = ?", entity_id)
    written = sorted(value for kind, value, _ in rows if kind == "name")
    known = {(kind, value) for kind, value, _ in rows if kind in _COMPARED}
    read = {value for kind, value, _ in rows if kind == "read"}
    full = [(text, name) for text in written[: _MOST_NAMES + 1] for name in names_in(text) if name.is_full]
    own = full if _are_own(tx, entity_id, rows, [name for _, name in full], card) else []
    compared = {pair: text for text, name in own for pair in _values(name)}
    if compared.keys() == known and read >= set(written):
        return None
    before = names_of(tx, entity_id)
    marks = ", ".join("?" * len(_COMPARED))
    tx.run(f"DELETE FROM alias WHERE entity_id = ? AND kind IN ({marks})", entity_id, *_COMPARED)  # noqa: S608 - places
    for text in written:
        entities.add_alias(tx, entity_id, "read", text, text)
    for (kind, value), text in compared.items():
        entities.add_alias(tx, entity_id, kind, value, text)
    return list({name.key: name for name in (*before, *(name for _, name in own))}.values())


def names_of(reader: Reader, entity_id: int) -> list[Name]:
    """The full names that are an entity's own, by their keys."""
    rows = reader.rows("SELECT DISTINCT origin FROM alias WHERE entity_id = ? AND kind = 'key'", entity_id)
    found = {name.key: name for (text,) in rows for name in names_in(text or "") if name.is_full}
    return [found[key] for key in sorted(found)]


def _values(name: Name) -> list[tuple[str, str]]:
    return [
        ("key", name.key),
        *(("reading", reading) for reading in name.readings),
        *(("turned", reading) for reading in name.turned),
    ]


def _are_own(
    reader: Reader, entity_id: int, rows: Sequence[tuple[str, str, str | None]], full: Sequence[Name], card: Text
) -> bool:
    """Whether an entity's names are one person's."""
    values = {kind: [value for its, value, _ in rows if its == kind] for kind in ("address", "card", "name")}
    if not all(map(is_of_a_person, values["address"])):
        return False
    if values["card"] or _is_of_card(reader, entity_id, card):
        return True
    is_one = all(may_share_an_address(one, other) for at, one in enumerate(full) for other in full[at + 1 :])
    return len(values["name"]) <= _MOST_NAMES and is_one


def _is_of_card(reader: Reader, entity_id: int, card: Text) -> bool:
    sql = "SELECT 1 FROM entity_merge WHERE undone_at IS NULL AND actor = ? AND evidence = ? AND entity_id = ? LIMIT 1"
    return reader.value(sql, RULES, text_column(card), entity_id) is not None
