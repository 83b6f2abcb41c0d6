"""Writes what an entry states: its records, their rules, and the chain from those of its earlier version (G2.7, G3.3).

An entry that is understood anew keeps what a person did to its records: the changes of a record that is stated again go
over to the new row. Of an earlier version of the entry the same holds, and the old record points to the new one.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import Status
from app.domain.records import RecordKind, RuleKind, Subject
from app.domain.text import msg
from app.govern.understanding.rules import freshness_rules, understanding_rules
from app.govern.understanding.topics import shared, topic_words
from app.store import change_chain, change_rows, records
from app.store.change_rows import NewChange
from app.store.freshness_rows import Effect, NewRule, put_rule
from app.store.records import NewRecord, StoredRecord
from app.store.rows import stamp
from app.store.understanding_rows import earlier_versions
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.govern.understanding.contract import StoredEntry
    from app.govern.understanding.linking import Arming, Link
    from app.govern.understanding.statements import Stated, Statement
    from app.store.connection import Writer

ACTOR = "understanding"
_LEAST_ALIKE = 0.6


def write_stated(tx: Writer, entry: StoredEntry, stated: Stated, confidence: float, *, now: datetime) -> list[int]:
    """Write the records and arm the rules; returns the ids of the records, in their order.

    Args:
        confidence: of the entry itself.
    """
    note_rules(tx, understanding_rules().version, now=now)
    note_rules(tx, freshness_rules().version, now=now)
    before = records.records_of(tx, entry.entry_id)
    ids = [
        records.put_record(tx, _new(entry, ordinal, one, confidence)) for ordinal, one in enumerate(stated.statements)
    ]
    for record_id, one in zip(ids, stated.statements, strict=True):
        if one.link is not None:
            tx.run("UPDATE record SET condition_of = ? WHERE record_id = ?", _id(one.link, ids), record_id)
    for arming in stated.armings:
        _arm(tx, entry, arming, ids)
    if before:
        _take_over(tx, before, ids)
    else:
        _supersede(tx, entry, ids, now=now)
    _end_entry(tx, entry, stated, now=now)
    return ids


def _new(entry: StoredEntry, ordinal: int, one: Statement, confidence: float) -> NewRecord:
    passage = next(
        (each for each in entry.passages if each.start <= one.record.span.start < max(each.end, each.start + 1)), None
    )
    event_at, event_end = one.event or (None, None)
    return NewRecord(
        entry_id=entry.entry_id,
        ordinal=ordinal,
        kind=one.kind,
        title=one.title,
        text=" ".join(entry.text[slice(*one.sentence)].split()),
        confidence=round(confidence * one.confidence, 4),
        trust=entry.trust,
        sensitivity=entry.sensitivity,
        rule_version=understanding_rules().version,
        chunk_id=None if passage is None else passage.chunk_id,
        owner=one.owner,
        event_at=event_at,
        event_end=event_end,
        due_at=None if one.due is None else one.due.at,
        is_whole_day=one.is_whole_day,
        status=one.status,
        condition=one.condition,
        consequence=one.consequence,
        first_line=None if passage is None else passage.place.first_line,
        last_line=None if passage is None else passage.place.last_line,
        valid_from=entry.written_at,
        valid_to=one.valid_to or (event_end or event_at if one.kind is RecordKind.PLAN else None),
    )


def _arm(tx: Writer, entry: StoredEntry, arming: Arming, ids: Sequence[int]) -> None:
    last_day = (arming.due_at - timedelta(microseconds=1)).date().isoformat()
    what = arming.what[:1].upper() + arming.what[1:]
    reason = msg("{what} was not marked done by {day}", what=what, day=last_day)
    put_rule(
        tx,
        NewRule(
            entry_id=entry.entry_id,
            record_id=_id(arming.target, ids),
            watched_id=_id(arming.watched, ids),
            kind=RuleKind.NOT_DONE_BY,
            due_at=arming.due_at,
            effect=Effect(Status.PENDING, reason, arming.consequence),
            rule_version=freshness_rules().version,
        ),
    )


def _id(link: Link, ids: Sequence[int]) -> int:
    if link.index is not None:
        return ids[link.index]
    assert link.record_id is not None  # noqa: S101 - one of both
    return link.record_id


def _take_over(tx: Writer, before: Sequence[StoredRecord], ids: Sequence[int]) -> None:
    """The entry was read anew: what was done to a record that is stated again holds for its new row; the rest goes."""
    after = records.records_with(tx, ids)
    for (target,) in tx.rows("SELECT DISTINCT record_id FROM freshness_rule WHERE entry_id = ?", before[0].entry_id):
        _keep_undone(tx, target, target)
    for old in before:
        new = _same(old, after, least=_LEAST_ALIKE)
        if new is None:
            tx.run("DELETE FROM change WHERE subject_kind = 'record' AND subject_id = ?", old.record_id)
        else:
            _keep_undone(tx, old.record_id, new.record_id)
            _move_changes(tx, old.record_id, new.record_id)
            _point_to(tx, old.record_id, new.record_id)
        tx.run("DELETE FROM record WHERE record_id = ?", old.record_id)


def _keep_undone(tx: Writer, old_id: int, new_id: int) -> None:
    """A rule that was undone by hand does not fire again because its text was read anew; with another day it may."""
    tx.run(
        "UPDATE freshness_rule SET state = 'undone' WHERE record_id = ? AND state = 'armed' AND EXISTS"
        " (SELECT 1 FROM freshness_rule AS old WHERE old.record_id = ? AND old.state = 'undone'"
        " AND old.due_at = freshness_rule.due_at)",
        new_id,
        old_id,
    )


def _move_changes(tx: Writer, old_id: int, new_id: int) -> None:
    which = change_rows.Which(subject=Subject.RECORD, subject_ids=(old_id,), is_standing=True, is_suggestion=False)
    for change in change_rows.changes(tx, which):
        change_rows.apply_again(tx, change, new_id)
    tx.run("UPDATE change SET subject_id = ? WHERE subject_kind = 'record' AND subject_id = ?", new_id, old_id)


def _point_to(tx: Writer, old_id: int, new_id: int) -> None:
    """What other entries' records and rules say of the old row they say of the new one."""
    tx.run("UPDATE record SET superseded_by = ? WHERE superseded_by = ?", new_id, old_id)
    tx.run("UPDATE record SET condition_of = ? WHERE condition_of = ?", new_id, old_id)
    tx.run(
        "UPDATE freshness_rule SET watched_id = ?1 WHERE watched_id = ?2 AND record_id <> ?2 AND entry_id <>"
        " (SELECT entry_id FROM record WHERE record_id = ?2)",
        new_id,
        old_id,
    )


def _supersede(tx: Writer, entry: StoredEntry, ids: Sequence[int], *, now: datetime) -> None:
    """The records of the entry's earlier version point to those that say the same now (G3.3)."""
    if entry.version == 1:
        return
    after = records.records_with(tx, ids)
    for earlier in earlier_versions(tx, entry.entry_id):
        old_ones = [one for one in records.records_of(tx, earlier) if one.superseded_by is None]
        for old in old_ones:
            new = _same(old, after, least=_LEAST_ALIKE)
            if new is not None:
                _replace(tx, entry, old, new, now=now)
        if old_ones:
            return


def _replace(tx: Writer, entry: StoredEntry, old: StoredRecord, new: StoredRecord, *, now: datetime) -> None:
    _keep_undone(tx, old.record_id, new.record_id)
    if old.status is Status.DONE and old.completed_at is not None:
        change_chain.put_change(
            tx,
            NewChange(
                Subject.RECORD,
                new.record_id,
                entry.entry_id,
                after={"status": Status.DONE.value, "completed_at": stamp(old.completed_at)},
                reason=msg("It was done in the version before"),
                actor=ACTOR,
                rule_version=understanding_rules().version,
                at=now,
                effective_at=old.completed_at,
                kind="done",
            ),
        )
    change_chain.put_change(
        tx,
        NewChange(
            Subject.RECORD,
            old.record_id,
            old.entry_id,
            after={"status": Status.SUPERSEDED.value, "superseded_by": new.record_id},
            reason=msg("Replaced by what the newer version says"),
            actor=ACTOR,
            rule_version=understanding_rules().version,
            at=now,
            effective_at=now,
            cause_id=entry.entry_id,
            kind="version",
        ),
    )


def _same(old: StoredRecord, new: Sequence[StoredRecord], *, least: float) -> StoredRecord | None:
    """The record that says the same thing now, though perhaps with another day."""
    words = topic_words(old.title)
    best, most = None, 0.0
    for one in new:
        if one.kind is not old.kind or (one.owner and old.owner and one.owner != old.owner):
            continue
        likeness = 1.0 if one.title == old.title else shared(words, topic_words(one.title)) * 0.99
        if likeness > most:
            best, most = one, likeness
    return best if most >= least else None


def _end_entry(tx: Writer, entry: StoredEntry, stated: Stated, *, now: datetime) -> None:
    """A short entry that says until when it holds ends then; one that says no such thing any more does not."""
    standing = change_rows.changes(
        tx, change_rows.Which(entry_id=entry.entry_id, subject=Subject.ENTRY, actor=ACTOR, is_standing=True)
    )
    told = stamp(stated.valid_to)
    if any(one.after.get("valid_to") == told for one in standing):
        return
    change_chain.take_out(tx, [one.change_id for one in standing], now=now, by=ACTOR)
    has_own = tx.value("SELECT valid_to FROM entry WHERE entry_id = ?", entry.entry_id) is not None
    if stated.valid_to is None or has_own:
        return
    change_chain.put_change(
        tx,
        NewChange(
            Subject.ENTRY,
            entry.entry_id,
            entry.entry_id,
            after={"valid_to": told},
            reason=msg("It says itself until when it is valid"),
            actor=ACTOR,
            rule_version=understanding_rules().version,
            at=now,
            effective_at=entry.written_at,
            kind="valid_until",
        ),
    )
