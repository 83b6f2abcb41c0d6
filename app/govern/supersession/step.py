"""The step of understanding in which later statements change earlier ones (G2.6).

An entry is read; its statements are stored. Then every cause that it may touch is decided anew: its own, those said
after it that may speak of it, and resumptions said after what it calls off. So the order in which entries are taken in
makes no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.domain.records import RecordKind, Subject
from app.govern.supersession.cues import rules
from app.govern.supersession.effects import ACTOR, key_of, own_key
from app.govern.supersession.facts import FACT
from app.govern.supersession.links import Linker
from app.govern.supersession.matching import changed_by, speaks_of
from app.govern.supersession.phrases import read_phrase
from app.govern.supersession.plans import read_task
from app.govern.supersession.reading import Placed, read_entry
from app.govern.supersession.said import SUBJECTS, Kind, Said
from app.govern.supersession.shelves import WHOLE
from app.govern.supersession.voices import Voices
from app.store.change_rows import Which, changes
from app.store.fact_rows import NewFact, put_facts
from app.store.statement_rows import NewStatement, former_versions, put_statements, statements_of
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.govern.supersession.matching import Spoken
    from app.govern.understanding.contract import Understood
    from app.store.connection import Reader, Writer
    from app.store.records import StoredRecord

_CHANGING = tuple(kind for kind in Kind if kind not in SUBJECTS | {Kind.QUOTE})
_MANY = 10_000


class SupersessionStep:
    """See `app.govern.understanding.contract.Step`."""

    @property
    def version(self) -> str:
        """Of resources/rules/supersession.toml."""
        return rules().version

    def look(self, reader: Reader, understood: Understood) -> object:
        """Read the entry's statements; nothing else of the database is needed."""
        del reader
        return read_entry(understood.entry, understood.extraction.dates)

    def apply(self, tx: Writer, understood: Understood, found: object, now: datetime) -> None:
        """Store them, and bring up to date what follows from them and for them."""
        entry = understood.entry
        note_rules(tx, self.version, now=now)
        placed = cast("list[Placed]", found)
        rows = _with_records(placed, understood.records)
        put_statements(tx, entry.entry_id, entry.written_at, rows, self.version)
        facts = [_fact(one) for one in placed if one.said.kind in {Kind.FACT, Kind.REPLACE} and one.said.head != WHOLE]
        put_facts(tx, entry.entry_id, facts, said_at=entry.written_at, rule_version=self.version)
        voices = Voices(tx)
        own = voices.spoken(statements_of(tx, entry.entry_id))
        linker = Linker(tx, voices, self.version, now)
        for former in former_versions(tx, entry.source_id, entry.native_id, entry.entry_id):
            linker.forget(former)
        linker.forget(entry.entry_id, but=[linker.key(one) for one in own])
        _follow(tx, own, (entry.source_id, entry.native_id))
        for entry_id, kind, head in _causes(tx, voices, own):
            said = own if entry_id == entry.entry_id else voices.spoken(statements_of(tx, entry_id))
            linker.link([one for one in said if one.said.kind is kind and one.said.head == head])


def _fact(one: Placed) -> NewFact:
    return NewFact(one.said.who, one.said.head.removeprefix(FACT), one.said.value, one.chunk_id)


def _with_records(placed: Sequence[Placed], records: Sequence[StoredRecord]) -> list[NewStatement]:
    """Statements as rows, each with the record that says the same; records that no statement says are added."""
    chosen = {at: record for record in records if (at := _place_of(record, placed)) is not None}
    rows = [
        NewStatement(
            one.said.kind.value,
            one.said.head,
            one.said.body(),
            one.chunk_id,
            chosen[at].record_id if at in chosen else None,
        )
        for at, one in enumerate(placed)
    ]
    taken = {record.record_id for record in chosen.values()}
    for record in records:
        said = None if record.record_id in taken else _of_record(record, placed)
        if said is not None:
            rows.append(NewStatement(said.kind.value, said.head, said.body(), record.chunk_id, record.record_id))
    return rows


def _place_of(record: StoredRecord, placed: Sequence[Placed]) -> int | None:
    """Which statement says what a record says: of several of one sentence the one that speaks of the same thing."""
    found = [at for at, one in enumerate(placed) if _says(record, one.said)]
    head = read_phrase(record.title).head
    return next((at for at in found if placed[at].said.head == head), found[0] if found else None)


def _says(record: StoredRecord, said: Said) -> bool:
    """Whether a record and a statement were read from the same sentence and are of the same kind."""
    kinds = {Kind.PLAN: RecordKind.PLAN, Kind.DECISION: RecordKind.DECISION}
    if kinds.get(said.kind) is not record.kind:
        return False
    one, other = said.text.strip(), record.text.strip()
    return bool(one and other) and (one in other or other in one)


def _of_record(record: StoredRecord, placed: Sequence[Placed]) -> Said | None:
    sentence = next((one.said for one in placed if one.said.text and one.said.text in record.text), None)
    start, end = (0, 0) if sentence is None else (sentence.start, sentence.end)
    alone = "" if sentence is None or sentence.kind not in SUBJECTS else sentence.alone
    owner = (record.owner or "").casefold()
    if record.kind is RecordKind.TASK:
        verb, phrase = read_task(record.title)
        head, kind = phrase.head, Kind.TASK
        return (
            Said(kind, head, phrase.marks, text=record.text, start=start, end=end, verb=verb, who=owner)
            if head
            else None
        )
    if record.kind is RecordKind.PLAN:
        phrase = read_phrase(record.title)
        if not phrase.head:
            return None
        return Said(Kind.PLAN, phrase.head, phrase.marks, text=record.text, start=start, end=end, alone=alone)
    return None


def _follow(tx: Writer, own: Sequence[Spoken], source: tuple[str, str]) -> None:
    """Statements and records have new ids after an entry was understood anew: their changes follow them."""
    by_key = {key_of(one, source): one for one in own}
    if not own:
        return
    for change in changes(tx, Which(entry_id=own[0].voice.entry_id, actor=ACTOR, limit=_MANY)):
        one = by_key.get(own_key(change.subject_key))
        if one is None or change.subject not in {Subject.STATEMENT, Subject.RECORD}:
            continue
        new_id = one.statement_id if change.subject is Subject.STATEMENT else one.record_id
        if new_id is not None and new_id != change.subject_id:
            tx.run("UPDATE change SET subject_id = ? WHERE change_id = ?", new_id, change.change_id)


def _causes(tx: Writer, voices: Voices, own: Sequence[Spoken]) -> list[tuple[int, Kind, str]]:
    """Every cause that has to be decided anew, in the order in which they were said: entry, kind and head."""
    found = [one for one in own if one.said.kind in _CHANGING]
    whole = next((one for one in own if one.said.kind is Kind.GIST), None)
    for one in own:
        if one.said.kind is Kind.GIST and one is not whole:
            continue  # the same on another shelf
        if one.said.kind in SUBJECTS | {Kind.GIST} or one.said.kind is Kind.REPLACE:
            wanted = [kind for kind in _CHANGING if one.said.kind in changed_by(kind)]
            later = voices.later(one, wanted)
            # of whole entries also those decide that are only like the one that is meant
            found += later if one is whole else [other for other in later if speaks_of(other, one)]
        elif one.said.kind is Kind.QUOTE:
            found += voices.changing(one, [kind for kind in _CHANGING if kind is not Kind.RESUME])
        elif one.said.kind in {Kind.CANCEL, Kind.MOVE}:
            found += voices.later(one, [Kind.RESUME])
    if own:
        # what changed the entry as it was understood before may have no hold on it any more
        standing = changes(tx, Which(entry_id=own[0].voice.entry_id, actor=ACTOR, is_standing=True, limit=_MANY))
        for cause_id in {change.cause_id for change in standing if change.cause_id is not None}:
            found += [one for one in voices.spoken(statements_of(tx, cause_id)) if one.said.kind in _CHANGING]
    # what the form of a sentence no longer decides is decided by the whole entry again
    for entry_id in sorted({one.voice.entry_id for one in found if one.said.head != WHOLE}):
        said = voices.spoken(statements_of(tx, entry_id))
        found += [one for one in said if one.said.head == WHOLE and one.said.kind in _CHANGING]
    # what is resumed must have been called off before
    # and what is read of whole entries counts where nothing else does
    found.sort(
        key=lambda one: (one.said.head == WHOLE, one.voice.said_at, one.said.kind is Kind.RESUME, one.statement_id)
    )
    return list(dict.fromkeys((one.voice.entry_id, one.said.kind, one.said.head) for one in found))
