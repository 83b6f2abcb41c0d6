"""Changes of one row that were not made in the order in which they hold (G2.6).

Statements are taken in as they come: the mail that calls a trip off may be read before the one that plans it. So the
state of a row is always made anew: what stood there before any change, and over it every standing change in the order
of `effective_at`. What a change found (`before`) is rewritten on the way, so that any of them can be taken out.

    made = put_change(tx, NewChange(...));  take_out(tx, change_ids, now=now, by="owner")
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.records import Subject
from app.store.change_rows import NewChange, StoredChange, Which, alter, changes, make_change, touch, values_of
from app.store.histories import RESUME
from app.store.rows import stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.store.connection import Reader, Writer

_MANY = 100_000
_Row = tuple[Subject, int]


def put_change(tx: Writer, new: NewChange) -> int:
    """Make a change in its place among the others of its row; returns its id."""
    if new.kind == RESUME and not new.is_suggestion:
        # columns that may not be empty get what stood there at once
        base = _base(_standing(tx, new.subject, new.subject_id))
        new = replace(new, after={column: base.get(column) for column in new.after})
    change_id = make_change(tx, new)
    if not new.is_suggestion:
        chain(tx, new.subject, new.subject_id, added=change_id)
    return change_id


def take_out(tx: Writer, change_ids: Sequence[int], *, now: datetime, by: str) -> None:
    """Undo changes wherever they stand in their row's history; those undone already are passed over."""
    standing = [one for one in _with(tx, change_ids) if one.undone_at is None]
    rows = dict.fromkeys((one.subject, one.subject_id) for one in standing if not one.is_suggestion)
    bases = {row: _base(_standing(tx, *row)) for row in rows}
    for one in standing:
        tx.run("UPDATE change SET undone_at = ?, undone_by = ? WHERE change_id = ?", stamp(now), by, one.change_id)
    for row, base in bases.items():
        _write(tx, row, _standing(tx, *row), base)


def take_out_of_cause(tx: Writer, entry_id: int, *, now: datetime, by: str) -> None:
    """Undo what an entry changed in others; what it says of itself stays."""
    standing = changes(tx, Which(cause_id=entry_id, is_standing=True, limit=_MANY))
    _withdraw(tx, [one for one in standing if one.entry_id != entry_id], now=now, by=by)


def take_out_of_source(tx: Writer, source_id: str, *, now: datetime, by: str) -> None:
    """Undo what the entries of a source changed in those of others."""
    rows = tx.rows(
        "SELECT change_id FROM change JOIN entry AS cause ON cause.entry_id = cause_id"
        " JOIN entry ON entry.entry_id = change.entry_id"
        " WHERE cause.source_id = ?1 AND entry.source_id <> ?1 AND undone_at IS NULL",
        source_id,
    )
    _withdraw(tx, _with(tx, [row[0] for row in rows]), now=now, by=by)


def _withdraw(tx: Writer, found: Sequence[StoredChange], *, now: datetime, by: str) -> None:
    """Their entries are understood anew, since rules may wait for what was done and now is not."""
    take_out(tx, [one.change_id for one in found], now=now, by=by)
    for entry_id in dict.fromkeys(one.entry_id for one in found if not one.is_suggestion):
        tx.run("DELETE FROM understanding WHERE entry_id = ?", entry_id)


def put_back(tx: Writer, change_ids: Sequence[int]) -> None:
    """Let changes stand again that were taken out."""
    found = [one for one in _with(tx, change_ids) if one.undone_at is not None]
    for one in found:
        base = _base(_standing(tx, one.subject, one.subject_id))
        now_there = values_of(tx, one.subject, one.subject_id, tuple(one.after))
        tx.run("UPDATE change SET undone_at = NULL, undone_by = NULL WHERE change_id = ?", one.change_id)
        if not one.is_suggestion:
            row = (one.subject, one.subject_id)
            _write(tx, row, _standing(tx, *row), {**now_there, **base})


def chain(tx: Writer, subject: Subject, subject_id: int, *, added: int | None = None) -> None:
    """Write a row as its standing changes make it. `added`: one that was just made, and found the row as it was."""
    standing = _standing(tx, subject, subject_id)
    known = _base([one for one in standing if one.change_id != added])
    own = _base([one for one in standing if one.change_id == added])
    _write(tx, (subject, subject_id), standing, {**own, **known})


def undo_all(tx: Writer, subject: Subject, subject_id: int) -> None:
    """Write a row as it was before any change, without undoing these: for what is about to be written over them."""
    base = _base(_standing(tx, subject, subject_id))
    if base:
        alter(tx, subject, subject_id, base)
        touch(tx, subject, subject_id)


def _standing(reader: Reader, subject: Subject, subject_id: int) -> list[StoredChange]:
    found = changes(reader, Which(subject=subject, subject_ids=(subject_id,), is_standing=True, is_suggestion=False))
    return sorted(found, key=lambda one: (one.effective_at, one.change_id))


def _with(reader: Reader, change_ids: Iterable[int]) -> list[StoredChange]:
    found = (changes(reader, Which(after_id=change_id - 1, limit=1)) for change_id in change_ids)
    return [one[0] for one, change_id in zip(found, change_ids, strict=True) if one and one[0].change_id == change_id]


def _base(standing: Iterable[StoredChange]) -> dict[str, object]:
    """What stood there before any change: the first one that touches a column found it."""
    base: dict[str, object] = {}
    for one in standing:
        for column, value in one.before.items():
            base.setdefault(column, value)
    return base


def _write(tx: Writer, row: _Row, standing: Sequence[StoredChange], base: dict[str, object]) -> None:
    touch(tx, *row)
    state = dict(base)
    for one in standing:
        before = {column: state.get(column) for column in one.after}
        after = {column: base.get(column) for column in one.after} if one.kind == RESUME else dict(one.after)
        if before != dict(one.before) or after != dict(one.after):
            tx.run(
                "UPDATE change SET before = ?, after = ? WHERE change_id = ?",
                json.dumps(before, ensure_ascii=False),
                json.dumps(after, ensure_ascii=False),
                one.change_id,
            )
        state.update(after)
    # what was deleted at its source, or has a newer version, keeps that reason
    if state and (row[0] is not Subject.ENTRY or _is_current(tx, row[1])):
        alter(tx, *row, state)


def _is_current(reader: Reader, entry_id: int) -> bool:
    return bool(reader.value("SELECT is_current FROM entry WHERE entry_id = ?", entry_id))
