"""Stored entries as the rules of labels see them, and their labels written anew (G8.2, G2.8)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.rows import unpacked
from app.store.structure import RIGHTS_COLUMNS, rights_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from app.store.connection import Reader, Writer

APPLIED = "applied_rules:"
_WAITING = "labels_waiting"
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class LabelledEntry:
    """An entry with its labels and what they follow from. `people` are (role, address)."""

    entry_id: int
    source_id: str
    native_id: str
    kind: str
    title: str
    metadata: Mapping[str, str]
    scope: str
    acl: str
    sensitivity: int
    reasons: tuple[str, ...]


def applied_rules(reader: Reader, name: str) -> str | None:
    """The text of a person's rule file that is in force; None: none was ever applied."""
    found: str | None = reader.value("SELECT value FROM meta WHERE name = ?", APPLIED + name)
    return found


def apply_rules(tx: Writer, name: str, text: str) -> None:
    """From now on these rules are in force."""
    tx.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", APPLIED + name, text)


def labels_waiting(reader: Reader) -> str:
    """Not empty: not all entries have the labels that they should have; another text for every time that was said."""
    return reader.value("SELECT value FROM meta WHERE name = ?", _WAITING) or ""


def let_labels_wait(tx: Writer, token: str) -> None:
    """From now on entries are to be labelled anew; empty: they were."""
    tx.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", _WAITING, token)


def raise_source(tx: Writer, source_id: str, sensitivity: int) -> None:
    """Let all that came from a source, old versions too, be at least so sensitive; at once (G8.2)."""
    entry_ids = [
        row[0]
        for row in tx.rows("SELECT entry_id FROM entry WHERE source_id = ? AND sensitivity < ?", source_id, sensitivity)
    ]
    for entry_id in entry_ids:
        tx.run("UPDATE entry SET sensitivity = ? WHERE entry_id = ?", sensitivity, entry_id)
        _follow(tx, entry_id)


def labelled_entries(reader: Reader, last: int = 0) -> Iterator[LabelledEntry]:
    """The entries behind the one with the id `last`, in order; old versions too, since they can still be found."""
    while True:
        rows = reader.rows(
            """
            SELECT entry_id, source_id, native_id, source_type, title, metadata, scope, acl, sensitivity, label_reasons
            FROM entry WHERE entry_id > ? ORDER BY entry_id LIMIT ?
            """,
            last,
            _AT_ONCE,
        )
        for row in rows:
            entry_id, source_id, native_id, kind, title, metadata, scope, acl, sensitivity, reasons = row
            yield LabelledEntry(
                entry_id,
                source_id,
                native_id,
                kind,
                title,
                json.loads(metadata),
                scope,
                acl,
                sensitivity,
                tuple(json.loads(reasons)),
            )
        if len(rows) < _AT_ONCE:
            return
        last = rows[-1][0]


def writers_of(reader: Reader, entry_id: int, roles: Sequence[str]) -> list[str]:
    """The addresses of those who wrote or called an entry."""
    places = ", ".join("?" * len(roles))
    rows = reader.rows(
        f"""
        SELECT value FROM relation JOIN alias ON alias.entity_id = subject_id AND alias.kind = 'address'
        WHERE entry_id = ? AND predicate IN ({places})
        """,  # noqa: S608 - places alone
        entry_id,
        *roles,
    )
    return [row[0] for row in rows]


def text_of_entry(reader: Reader, entry_id: int) -> str:
    """An entry's passages as one text."""
    rows = reader.rows("SELECT text FROM chunk WHERE entry_id = ? ORDER BY ordinal", entry_id)
    return "\n".join(unpacked(row[0]) for row in rows)


def relabel(tx: Writer, entry: LabelledEntry, rule_version: str) -> None:
    """Write an entry's labels; the sensitivity is never lowered (G8.2)."""
    tx.run(
        """
        UPDATE entry SET scope = ?, acl = ?, sensitivity = max(sensitivity, ?), label_reasons = ?, rule_version = ?
        WHERE entry_id = ?
        """,
        entry.scope,
        entry.acl,
        entry.sensitivity,
        json.dumps(entry.reasons),
        rule_version,
        entry.entry_id,
    )
    _follow(tx, entry.entry_id)


def _follow(tx: Writer, entry_id: int) -> None:
    """Let what was understood of an entry, and the masks in memory, follow its labels."""
    row = tx.row(f"SELECT {RIGHTS_COLUMNS} FROM entry WHERE entry_id = ?", entry_id)  # noqa: S608
    if row is not None:
        rights = rights_of(row)
        tx.run("UPDATE record SET sensitivity = max(sensitivity, ?) WHERE entry_id = ?", rights.sensitivity, entry_id)
        tx.changes.rights.append(rights)


def has_contacts(reader: Reader) -> bool:
    """Whether there is any contact card, so that it is known whom the person knows."""
    found = reader.value("SELECT 1 FROM entry WHERE source_type = 'contact' AND is_current = 1 LIMIT 1")
    return found is not None


def is_acquainted(reader: Reader, address: str, own: Sequence[str]) -> bool:
    """Whether somebody stands in the person's contacts, or was written to by the person."""
    if reader.value(
        """
        SELECT 1 FROM alias JOIN relation ON subject_id = entity_id
        JOIN entry ON entry.entry_id = relation.entry_id AND source_type = 'contact' AND is_current = 1
        WHERE alias.kind = 'address' AND value = ? AND predicate = 'self' LIMIT 1
        """,
        address,
    ):
        return True
    places = ", ".join("?" * len(own))
    return bool(own) and bool(
        reader.value(
            f"""
            SELECT 1 FROM alias JOIN relation AS got ON got.subject_id = alias.entity_id AND got.predicate = 'recipient'
            JOIN relation AS wrote ON wrote.entry_id = got.entry_id AND wrote.predicate = 'author'
            JOIN alias AS writer ON writer.entity_id = wrote.subject_id AND writer.kind = 'address'
            JOIN entry ON entry.entry_id = got.entry_id AND source_type = 'mail' AND entry.trust >= 3
            WHERE alias.kind = 'address' AND alias.value = ? AND writer.value IN ({places}) LIMIT 1
            """,  # noqa: S608 - places alone
            address,
            *own,
        )
    )
