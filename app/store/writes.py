"""The one write path into the database (L5.2): entries with their chunks, words, structure and version chain.

    with database.write() as tx:
        for admitted, chunks in batch:
            upsert_entry(tx, admitted, chunks, now=now)
        move_cursor(tx, source_id, rows, now=now)

Only an `AdmittedEntry` comes in, and only inside a transaction. Sources and cursors are in `source_rows`, vectors in
`vector_rows`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from app.domain.instants import to_iso, to_ixdtf
from app.domain.labels import Sensitivity, Status
from app.domain.records import Subject
from app.domain.text import msg
from app.store import likenesses, structure, vector_rows
from app.store.analyser import analyse, index_text
from app.store.change_chain import take_out_of_cause, take_out_of_source, undo_all
from app.store.change_rows import touch
from app.store.changes import AddedChunk, EntryRights
from app.store.rows import DELETED_AT_SOURCE, instant, packed, stamp, storable, text_column
from app.store.source_rows import count_in, count_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from app.domain.entries import AdmittedEntry, Chunk
    from app.domain.text import Text
    from app.store.connection import Row, Writer

FRAME_PLACE = "\0"
"""Where a chunk's text stands within its embedding text, which is thus not stored twice."""


_SOURCE = "source"
"""By whom a change was taken back when the entry that caused it went."""


class Written(StrEnum):
    """What became of an entry."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """The result of `upsert_entry`. `entry_id` is the version that is current now."""

    written: Written
    entry_id: int


@dataclass(frozen=True, slots=True)
class _Known:
    """The newest stored version of an entry."""

    entry_id: int
    content_hash: str
    version: int
    is_current: bool
    rights: tuple[str, str, int]


def note_rules(tx: Writer, version: str, *, now: datetime) -> None:
    """Remember that rules of a version are in force, and since when (G2.8)."""
    tx.run("INSERT OR IGNORE INTO rule_version VALUES (?, ?)", version, to_ixdtf(now))


def upsert_entry(tx: Writer, admitted: AdmittedEntry, chunks: Sequence[Chunk], *, now: datetime) -> WriteOutcome:
    """Store an entry, unless this very content is there (G2.1); a newer version supersedes the older one (G3.3).

    An entry that was deleted at its source and has come back counts as added. A chunk whose text the older version (or
    another entry of the source with the same content) already had takes its vectors over, so that a moved or slightly
    changed file is not embedded again.
    """
    entry = admitted.entry
    known = _newest(tx, entry.source_id, entry.native_id)
    note_rules(tx, admitted.rule_version, now=now)
    if known is not None and known.content_hash == entry.content_hash:
        return _keep(tx, known, admitted)
    if known is not None:  # sensitivity is never lowered automatically (G8.2)
        admitted = replace(admitted, sensitivity=Sensitivity(max(known.rights[2], int(admitted.sensitivity))))
    twin = known.entry_id if known else _twin(tx, entry.source_id, entry.content_hash)
    if known is not None and known.is_current:
        _retire(tx, known.entry_id, entry.native_id, known.content_hash, (entry.source_id, min(now, entry.updated_at)))
    entry_id = _insert_entry(tx, admitted, version=known.version + 1 if known else 1, now=now)
    if known is not None:
        _point_to_successor(tx, known, entry_id, admitted)
    count_in(tx, entry.source_id, entry.native_id, entry.content_hash)
    structure.write_structure(tx, entry_id, admitted)
    _insert_chunks(tx, _rights(entry_id, admitted), chunks, twin=twin)
    is_change = known is not None and known.is_current
    return WriteOutcome(Written.CHANGED if is_change else Written.ADDED, entry_id)


def mark_entry(tx: Writer, source_id: str, native_id: str, metadata: Mapping[str, str]) -> Written:
    """Note something new beside an entry's content, in the version that is current; see `Marked` of the sources.

    Returns:
        `UNCHANGED` also for an entry that is not current.
    """
    row = tx.row(
        "SELECT entry_id, metadata FROM entry WHERE source_id = ? AND native_id = ? AND is_current = 1",
        source_id,
        native_id,
    )
    if row is None:
        return Written.UNCHANGED
    before: dict[str, str] = json.loads(row[1])
    after = {key: value for key, value in {**before, **metadata}.items() if value or key not in metadata}
    if after == before:
        return Written.UNCHANGED
    tx.run("UPDATE entry SET metadata = ? WHERE entry_id = ?", json.dumps(after), row[0])
    return Written.CHANGED


def invalidate_missing(tx: Writer, source_id: str, native_ids: Iterable[str], *, now: datetime) -> int:
    """Mark current entries as deleted at their source: findable as stale, never offered as valid (G1.3).

    Returns:
        How many there were; ids that are not current are passed over.
    """
    count = 0
    for native_id in native_ids:
        known = _newest(tx, source_id, native_id)
        if known is None or not known.is_current:
            continue
        _retire(tx, known.entry_id, native_id, known.content_hash, (source_id, now))
        tx.run("UPDATE entry SET stale_reason = ? WHERE entry_id = ?", text_column(DELETED_AT_SOURCE), known.entry_id)
        tx.changes.rights.append(_stored_rights(tx, known.entry_id))
        # who takes a statement back by deleting it takes back what it changed
        take_out_of_cause(tx, known.entry_id, now=now, by=_SOURCE)
        count += 1
    return count


def note_move(tx: Writer, source_id: str, native_id: str, moved_to: str) -> None:
    """Say of an entry that is gone from its place where its source has it now, once it is there (G3.3)."""
    old, new = _newest(tx, source_id, native_id), _newest(tx, source_id, moved_to)
    if old is None or old.is_current or new is None or not new.is_current or old.entry_id == new.entry_id:
        return
    tx.run(
        "UPDATE entry SET stale_reason = ?, superseded_by = ? WHERE entry_id = ? AND stale_reason = ?",
        text_column(msg("Moved to {place}", place=moved_to)),
        new.entry_id,
        old.entry_id,
        text_column(DELETED_AT_SOURCE),
    )


def remove_source(tx: Writer, source_id: str, *, now: datetime) -> int:
    """Remove a source with all that came from it, in this transaction; nothing of its text stays in any index (G8.4).

    What remains is an audit row with counts. Afterwards the caller empties the log with `Database.checkpoint`.

    Returns:
        The number of entries removed, all versions counted.
    """
    chunk_ids = [
        row[0]
        for row in tx.rows("SELECT chunk_id FROM chunk JOIN entry USING (entry_id) WHERE source_id = ?", source_id)
    ]
    entries = int(tx.value("SELECT count(*) FROM entry WHERE source_id = ?", source_id))
    tx.run_many("DELETE FROM words WHERE rowid = ?", ((chunk_id,) for chunk_id in chunk_ids))
    take_out_of_source(tx, source_id, now=now, by=_SOURCE)
    mentioned = structure.mentioned_in(tx, source_id)
    likenesses.forget(tx, source_id)
    tx.run("DELETE FROM source WHERE source_id = ?", source_id)
    structure.remove_unmentioned_entities(tx, mentioned)
    _merge_words(tx)
    tx.changes.removed_chunks.extend(chunk_ids)
    tx.insert(
        "INSERT INTO audit (at, actor, action, subject, counts) VALUES (?, 'owner', 'remove_source', ?, ?)",
        to_ixdtf(now),
        source_id,
        json.dumps({"entries": entries, "chunks": len(chunk_ids)}),
    )
    return entries


def _merge_words(tx: Writer) -> None:
    """Merge the full-text index into one segment, which drops the terms of deleted rows."""
    tx.run("INSERT INTO words (words) VALUES ('optimize')")


def _newest(tx: Writer, source_id: str, native_id: str) -> _Known | None:
    row = tx.row(
        "SELECT entry_id, content_hash, version, is_current, scope, acl, sensitivity FROM entry"
        " WHERE source_id = ? AND native_id = ? ORDER BY version DESC LIMIT 1",
        source_id,
        native_id,
    )
    return None if row is None else _Known(row[0], row[1], row[2], bool(row[3]), (row[4], row[5], row[6]))


def _twin(tx: Writer, source_id: str, content_hash: str) -> int | None:
    found: int | None = tx.value(
        "SELECT max(entry_id) FROM entry WHERE source_id = ? AND content_hash = ?", source_id, content_hash
    )
    return found


def _keep(tx: Writer, known: _Known, admitted: AdmittedEntry) -> WriteOutcome:
    """The content is there: revive it if it was gone, follow changed rights and a longer calendar."""
    entry = admitted.entry
    # sensitivity is never lowered automatically (G8.2)
    rights = (admitted.scope, admitted.acl, max(known.rights[2], int(admitted.sensitivity)))
    if not known.is_current:
        tx.run(
            "UPDATE entry SET is_current = 1, stale_reason = NULL, superseded_by = NULL, status = ?, valid_to = ?"
            " WHERE entry_id = ?",
            entry.status,
            stamp(entry.valid_to),
            known.entry_id,
        )
        touch(tx, Subject.ENTRY, known.entry_id)
        # what it changed was taken back, and what changed it was overwritten
        tx.run("DELETE FROM understanding WHERE entry_id = ?", known.entry_id)
        count_in(tx, entry.source_id, entry.native_id, entry.content_hash)
    if not known.is_current or rights != known.rights:
        tx.run("UPDATE entry SET scope = ?, acl = ?, sensitivity = ? WHERE entry_id = ?", *rights, known.entry_id)
        tx.changes.rights.append(_stored_rights(tx, known.entry_id))
    structure.follow_calendar(tx, known.entry_id, entry)
    return WriteOutcome(Written.UNCHANGED if known.is_current else Written.ADDED, known.entry_id)


def _retire(tx: Writer, entry_id: int, native_id: str, content_hash: str, when: tuple[str, datetime]) -> None:
    source_id, end = when
    # what its source does to an entry counts for whoever sees it; what other entries did to it counts no longer
    undo_all(tx, Subject.ENTRY, entry_id)
    tx.run(
        "UPDATE entry SET is_current = 0, valid_to = min(coalesce(valid_to, ?1), ?1) WHERE entry_id = ?2",
        to_ixdtf(end),
        entry_id,
    )
    count_out(tx, source_id, native_id, content_hash)


FORMER_REASONS = (msg("Replaced by the version of {time}"),)
"""Sentences that stand in databases and are not written any more: they have to be translated still."""


def _point_to_successor(tx: Writer, known: _Known, successor: int, admitted: AdmittedEntry) -> None:
    """The version chain (G3.3). A version that was deleted at its source keeps that reason."""
    reason = _moved_event(tx, known.entry_id, admitted) or msg(
        "Replaced by the version of {date}", date=admitted.entry.updated_at.date().isoformat()
    )
    tx.run(
        "UPDATE entry SET superseded_by = ?, status = ?, stale_reason = coalesce(stale_reason, ?) WHERE entry_id = ?",
        successor,
        Status.SUPERSEDED.value,
        text_column(reason),
        known.entry_id,
    )
    tx.run("DELETE FROM occurrence WHERE entry_id = ?", known.entry_id)
    tx.changes.rights.append(_stored_rights(tx, known.entry_id))


def _moved_event(tx: Writer, entry_id: int, admitted: AdmittedEntry) -> Text | None:
    """Of an event that its calendar moved, from when to when; None for any other change."""
    event = admitted.entry.event
    coming = [one.start for one in event.occurrences if not one.is_canceled] if event is not None else []
    before = instant(tx.value("SELECT min(start_at) FROM occurrence WHERE entry_id = ? AND is_canceled = 0", entry_id))
    if event is None or event.is_recurring or not coming or before is None or before == coming[0]:
        return None
    return msg("Moved from {old} to {new}", old=to_iso(before), new=to_iso(coming[0]))


def _insert_entry(tx: Writer, admitted: AdmittedEntry, *, version: int, now: datetime) -> int:
    entry = admitted.entry
    values: dict[str, object] = {
        "source_id": entry.source_id,
        "native_id": entry.native_id,
        "source_type": entry.kind.value,
        "title": storable(entry.title),
        "source_uri": entry.source_uri,
        "content_hash": entry.content_hash,
        "created_at": to_ixdtf(entry.created_at),
        "updated_at": to_ixdtf(entry.updated_at),
        "event_time": stamp(entry.event_time),
        "ingested_at": to_ixdtf(now),
        "valid_from": stamp(entry.valid_from),
        "valid_to": stamp(entry.valid_to),
        "status": None if entry.status is None else entry.status.value,
        "language": entry.language,
        "scope": admitted.scope,
        "acl": admitted.acl,
        "sensitivity": int(admitted.sensitivity),
        "trust": int(admitted.trust),
        "confidence": admitted.confidence,
        "rule_version": admitted.rule_version,
        "metadata": json.dumps(dict(entry.metadata)),
        "thread": entry.thread,
        "label_reasons": json.dumps(admitted.label_reasons),
        "version": version,
    }
    places = ", ".join("?" * len(values))
    return tx.insert(f"INSERT INTO entry ({', '.join(values)}) VALUES ({places})", *values.values())  # noqa: S608


def _insert_chunks(tx: Writer, rights: EntryRights, chunks: Sequence[Chunk], *, twin: int | None) -> None:
    known = vector_rows.embedded_texts(tx, twin) if twin is not None else {}
    for chunk in chunks:
        text, embed_text = storable(chunk.text), storable(chunk.embed_text)
        frame = embed_text.replace(text, FRAME_PLACE, 1) if text else embed_text
        terms = analyse(embed_text)
        chunk_id = tx.insert(
            """
            INSERT INTO chunk (entry_id, ordinal, text, embed_frame, heading_path, page, first_line, last_line,
                               message_id, second, token_count, term_count, language)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            rights.entry_id,
            chunk.ordinal,
            packed(text),
            frame,
            *_place_columns(chunk),
            chunk.token_count,
            terms.total(),
            chunk.language,
        )
        tx.run("INSERT INTO words (rowid, terms) VALUES (?, ?)", chunk_id, index_text(terms))
        tx.changes.chunks.append(AddedChunk(chunk_id, rights, chunk.language, terms.total(), terms))
        if (same := known.get((frame, text))) is not None:
            vector_rows.copy_vectors(tx, same, chunk_id, rights.entry_id)


def _place_columns(chunk: Chunk) -> Row:
    place = chunk.place
    path = json.dumps(place.heading_path, ensure_ascii=False) if place.heading_path else None
    return path, place.page, place.first_line, place.last_line, place.message_id, place.second


def _rights(entry_id: int, admitted: AdmittedEntry) -> EntryRights:
    entry = admitted.entry
    return EntryRights(
        entry_id=entry_id,
        scope=admitted.scope,
        acl=admitted.acl,
        sensitivity=int(admitted.sensitivity),
        valid_to=stamp(entry.valid_to),
        is_stale=False,
        kind=entry.kind.value,
        moment=to_ixdtf(entry.event_time or entry.updated_at),
        trust=int(admitted.trust),
    )


def _stored_rights(tx: Writer, entry_id: int) -> EntryRights:
    row = tx.row(f"SELECT {structure.RIGHTS_COLUMNS} FROM entry WHERE entry_id = ?", entry_id)  # noqa: S608
    assert row is not None  # noqa: S101 - the caller has just written it
    return structure.rights_of(row)
