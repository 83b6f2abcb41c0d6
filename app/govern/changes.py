"""The changes that governance made by itself, to be looked at and taken back (G2.6, G3.3).

A later statement may alter several rows: the entry, its record, the sentence, and mails that quote it. They are one
change for a person, known by the id of the first, and are undone together. Taken back by a person, it is never made
again for the same reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.changes import ChangeInfo
from app.domain.errors import BadInput
from app.domain.records import Subject
from app.domain.text import msg
from app.govern.freshness.firing import note_undone, reconsider
from app.store.change_chain import take_out
from app.store.change_rows import OWNER, Which, changes, is_repeated, thing_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.store.change_rows import StoredChange
    from app.store.connection import Reader, Writer

# what stands for the whole change, the first of them that was altered
_ORDER = (Subject.ENTRY, Subject.TASK, Subject.RECORD, Subject.RELATION, Subject.CHUNK, Subject.STATEMENT, Subject.RULE)
_MOST = 100_000


def list_changes(reader: Reader, *, limit: int = 100, include_undone: bool = True) -> list[ChangeInfo]:
    """The latest changes, newest first."""
    found = changes(reader, Which(is_standing=None if include_undone else True, limit=_MOST))
    groups = _grouped(found)[-limit:]
    return [_info(reader, group) for group in reversed(groups)]


def show(reader: Reader, change_id: int) -> ChangeInfo:
    """One change; raises `BadInput` for an unknown one."""
    return _info(reader, _group_of(reader, change_id))


def undo(tx: Writer, change_id: int, *, now: datetime) -> ChangeInfo:
    """Take a change back for good; a suggestion is thereby turned down.

    Raises:
        BadInput: there is no such change, or it was taken back already.
    """
    group = _group_of(tx, change_id)
    standing = [one for one in group if one.undone_at is None]
    if not standing:
        raise BadInput(
            msg("The change {id} was undone already.", id=change_id),
            next_step=msg("`famulus changes list` shows those that stand."),
        )
    take_out(tx, [one.change_id for one in standing], now=now, by=OWNER)
    for one in standing:
        note_undone(tx, one.change_id)
    reconsider(tx, (one.subject_id for one in standing if one.subject is Subject.RECORD), now)
    return show(tx, change_id)


def _grouped(found: Iterable[StoredChange]) -> list[list[StoredChange]]:
    groups: dict[object, list[StoredChange]] = {}
    for one in found:
        has_keys = one.cause_key and one.subject_key
        key = (
            (one.cause_key, thing_of(one.subject_key), one.kind, one.undone_by, one.is_suggestion)
            if has_keys
            else one.change_id
        )
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _group_of(reader: Reader, change_id: int) -> list[StoredChange]:
    known = changes(reader, Which(after_id=change_id - 1, limit=1)) if change_id > 0 else []
    if not known or known[0].change_id != change_id:
        raise BadInput(
            msg("There is no change {id}.", id=change_id),
            next_step=msg("`famulus changes list` shows those that stand."),
        )
    mates = changes(reader, Which(cause_key=known[0].cause_key, limit=_MOST)) if known[0].cause_key else known
    return next(group for group in _grouped(mates) if any(one.change_id == change_id for one in group))


def _info(reader: Reader, group: Sequence[StoredChange]) -> ChangeInfo:
    first = min(group, key=lambda one: (is_repeated(one.subject_key), _ORDER.index(one.subject), one.change_id))
    title, uri = _named(reader, first.entry_id) or ("", "")
    cause = None if first.cause_id is None else _named(reader, first.cause_id)
    return ChangeInfo(
        change_id=min(one.change_id for one in group),
        at=first.at,
        effective_at=first.effective_at,
        kind=first.kind,
        subject=first.subject.value,
        title=title,
        source_uri=uri,
        reason=first.reason,
        actor=first.actor,
        rule_version=first.rule_version,
        cause_title=None if cause is None else cause[0],
        cause_uri=None if cause is None else cause[1],
        before=first.before,
        after=first.after,
        is_suggestion=first.is_suggestion,
        undone_at=first.undone_at,
        undone_by=first.undone_by,
    )


def _named(reader: Reader, entry_id: int) -> tuple[str, str] | None:
    row = reader.row("SELECT title, source_uri FROM entry WHERE entry_id = ?", entry_id)
    return None if row is None else (row[0], row[1])
