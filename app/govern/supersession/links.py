"""Makes the database say what statements make of each other, and no more: found anew, compared, mended (G2.6).

Whatever follows from one cause (what an entry says of one kind of thing) is decided from all that was said before it,
whenever it was taken in. Then what stands is compared with what should: changes are made, taken out, or left. What a
person took back stays taken back.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import Sensitivity, Trust
from app.domain.records import RecordKind, Subject
from app.govern.supersession.effects import (
    ACTOR,
    FIRST_MOVED,
    Moved,
    Wanted,
    cause_key,
    effects,
    key_of,
    key_of_repeated,
    new_words,
)
from app.govern.supersession.matching import decide, is_same_text, repeats
from app.govern.supersession.said import Days, Kind
from app.govern.supersession.shelves import WHOLE
from app.store.change_chain import chain, put_back, put_change, take_out
from app.store.change_rows import OWNER, NewChange, Which, changes, thing_of
from app.store.histories import state, steps_by_id
from app.store.records import NewRecord, put_record, records_of
from app.store.statement_rows import statements_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.govern.supersession.matching import Spoken
    from app.govern.supersession.voices import Voices
    from app.store.change_rows import StoredChange
    from app.store.connection import Reader, Writer
    from app.store.records import StoredRecord

_MANY = 10_000
_WHOLE = timedelta(hours=23)


class Linker:
    """Links causes to what they change, in one transaction.

    Args:
        version: of the rules.
        now: when the changes are made.
    """

    def __init__(self, tx: Writer, voices: Voices, version: str, now: datetime) -> None:
        self._tx = tx
        self._voices = voices
        self._version = version
        self._now = now

    def link(self, group: Sequence[Spoken]) -> None:
        """Bring what one cause changes up to date. `group`: its statements, all of one entry, kind and head."""
        cause = self._source(group[0])
        key = cause_key(group[0], cause)
        wanted = self._wanted(group)
        known = [one for one in _of_cause(self._tx, group[0].voice.entry_id) if one.cause_key == key]
        blocked = {thing_of(one.subject_key) for one in _undone(self._tx, key)} if wanted else set()
        is_exact = group[0].said.head != WHOLE
        if group[0].said.kind is Kind.MOVE and is_exact and not any(not one.is_suggestion for one in wanted):
            drop_moved(self._tx, group[0].voice.entry_id)
        for change in known:
            if change.undone_at is None and not any(_is_same(change, one) for one in wanted):
                take_out(self._tx, [change.change_id], now=self._now, by=self._version)
        for one in wanted:
            if thing_of(one.subject_key) not in blocked:
                self._make(one, group[0], key, known)

    def forget(self, entry_id: int, *, but: Sequence[str] = ()) -> None:
        """Take out what an entry changed that it no longer says. `but`: keys of the causes that it still has."""
        gone = [one for one in _of_cause(self._tx, entry_id) if one.cause_key not in but and one.undone_at is None]
        take_out(self._tx, [one.change_id for one in gone], now=self._now, by=self._version)

    def key(self, one: Spoken) -> str:
        """The key of the cause that a statement is part of."""
        return cause_key(one, self._source(one))

    def _wanted(self, group: Sequence[Spoken]) -> list[Wanted]:
        """The sure ones of all statements of the cause; what is suggested only where nothing sure says so."""
        found: dict[tuple[Subject, int], Wanted] = {}
        settled = self._settled(group[0])
        for later in group:
            moved = None
            earlier = self._voices.earlier(later)
            quotes = [] if later.said.kind is Kind.RESUME else self._voices.quotes(later.said.head, later.voice.scope)
            for rights in _rights(later, (*earlier, *quotes)):
                verdict = decide(later, [one for one in earlier if _is_within(one, later, rights)])
                targets = [
                    one for one in verdict.targets if _rights_of(one) == rights and one.voice.entry_id not in settled
                ]
                if verdict.is_sure:
                    own = [one for one in quotes if _rights_of(one) == rights]
                    targets += [one for one in own if repeats(one, later, verdict.targets)]
                for target in targets:
                    cause = verdict.later or later
                    if later.said.kind is Kind.MOVE and verdict.is_sure:
                        moved = self._moved(cause, target, moved)
                    subject_key = self._subject_key(target, verdict.targets)
                    for one in effects(self._tx, cause, target, is_sure=verdict.is_sure, moved=moved):
                        place = (one.subject, one.subject_id)
                        if place not in found or (found[place].is_suggestion and not one.is_suggestion):
                            found[place] = replace(one, subject_key=subject_key)
        sure = {one.subject_key for one in found.values() if not one.is_suggestion}
        return [one for one in found.values() if not one.is_suggestion or one.subject_key not in sure]

    def _settled(self, later: Spoken) -> set[int]:
        """Of what is read of a whole entry: what the form of one of its sentences decides already, or a person did."""
        if later.said.head != WHOLE:
            return set()
        entry_id, key = later.voice.entry_id, self.key(later)
        others = [one for one in _of_cause(self._tx, entry_id) if one.cause_key != key]
        exact = {one.entry_id for one in others if one.undone_at is None or one.undone_by == OWNER}
        said = self._voices.spoken(statements_of(self._tx, entry_id))
        for cause in {self.key(one) for one in said if one.said.head != WHOLE}:
            exact |= {one.entry_id for one in _undone(self._tx, cause)}
        return exact

    def _subject_key(self, target: Spoken, meant: Sequence[Spoken]) -> str:
        """The key of what is changed; of a quote also that of what it repeats."""
        key = key_of(target, self._source(target))
        if target.said.kind is not Kind.QUOTE or not meant:
            return key
        original = next((one for one in meant if is_same_text(target, one)), meant[0])
        return key_of_repeated(key_of(original, self._source(original)), key)

    def _moved(self, later: Spoken, target: Spoken, known: Moved | None) -> Moved:
        """The record of the new time: one that the later entry states itself, else one that is made for it."""
        new = later.said.new or _shifted(later, target)
        if new is None:
            return Moved(None, "")
        if target.voice.acl != later.voice.acl:
            # whoever may see one of them alone would learn of the other from a record that says both
            return Moved(None, new_words(replace(later, said=replace(later.said, new=new))))
        if known is not None and known.record_id is not None:
            return known
        said = replace(later, said=replace(later.said, new=new))
        words = new_words(said)
        for record in records_of(self._tx, later.voice.entry_id):
            if (
                record.event_at is not None
                and self._holds(record)
                and record.sensitivity <= max(later.voice.sensitivity, target.voice.sensitivity)
                and record.event_at.astimezone(new.start.tzinfo).date() == new.start.date()
            ):
                return Moved(record.record_id, words)
        if target.said.kind is Kind.TASK:
            return Moved(None, words)
        return Moved(self._put_moved(later, target, new), words)

    def _holds(self, record: StoredRecord) -> bool:
        """Whether a record holds, as far as its own entry and the person say; others decide nothing about a third."""
        own = {None, record.entry_id}
        steps = steps_by_id(self._tx, Subject.RECORD, record.record_id)
        columns = state([replace(step, is_visible=step.cause_id in own) for step in steps])
        return columns.get("stale_reason", record.stale_reason) is None

    def _put_moved(self, later: Spoken, target: Spoken, new: Days) -> int:
        voice = later.voice
        is_whole_day = later.said.is_whole_day if later.said.new is not None else _is_whole(target.days)
        facts = self._voices.facts(voice.entry_id, voice.said_at)
        title = (
            target.voice.title
            if target.said.alone == "entry" and target.said.start == target.said.end
            else target.said.text
        )
        return put_record(
            self._tx,
            NewRecord(
                entry_id=voice.entry_id,
                ordinal=FIRST_MOVED + len(records_of(self._tx, voice.entry_id)),
                kind=RecordKind.PLAN,
                title=title or voice.title,
                text=later.said.text,
                confidence=0.5 if facts is None else facts.confidence,
                trust=Trust(min(voice.trust, target.voice.trust)),
                sensitivity=Sensitivity(max(voice.sensitivity, target.voice.sensitivity)),
                rule_version=self._version,
                chunk_id=later.chunk_id,
                event_at=new.start,
                event_end=new.end if new.end > new.start else None,
                is_whole_day=is_whole_day,
                valid_from=voice.said_at,
            ),
        )

    def _make(self, one: Wanted, later: Spoken, key: str, known: Sequence[StoredChange]) -> None:
        same = [change for change in known if _is_same(change, one)]
        standing = [change for change in same if change.undone_at is None]
        if standing:
            self._mend(standing[0], one)
            return
        withdrawn = [change for change in same if change.undone_by != OWNER and dict(change.after) == dict(one.after)]
        if withdrawn:
            put_back(self._tx, [withdrawn[-1].change_id])
            return
        put_change(
            self._tx,
            NewChange(
                subject=one.subject,
                subject_id=one.subject_id,
                entry_id=one.entry_id,
                after=dict(one.after),
                reason=one.reason,
                actor=ACTOR,
                rule_version=self._version,
                at=self._now,
                effective_at=later.voice.said_at,
                cause_id=later.voice.entry_id,
                kind=one.kind,
                is_suggestion=one.is_suggestion,
                subject_key=one.subject_key,
                cause_key=key,
            ),
        )

    def _mend(self, change: StoredChange, one: Wanted) -> None:
        """The row may have been written anew since; and what is said of it may differ a little by now."""
        if change.kind == Kind.RESUME.value or change.is_suggestion or dict(change.after) == dict(one.after):
            if not change.is_suggestion:
                chain(self._tx, change.subject, change.subject_id)
            return
        take_out(self._tx, [change.change_id], now=self._now, by=self._version)
        later = replace_cause(change)
        put_change(self._tx, replace(later, after=dict(one.after), reason=one.reason, at=self._now))

    def _source(self, one: Spoken) -> tuple[str, str]:
        facts = self._voices.facts(one.voice.entry_id, one.voice.said_at)
        return ("", "") if facts is None else (facts.source_id, facts.native_id)


_Rights = tuple[str, int]


def _rights_of(one: Spoken) -> _Rights:
    return one.voice.acl, int(one.voice.sensitivity)


def _rights(later: Spoken, earlier: Sequence[Spoken]) -> list[_Rights]:
    """The rights of what a statement may change, those of its own access-control identifier first."""
    found = {_rights_of(one) for one in earlier}
    return sorted(found, key=lambda rights: (rights[0] != later.voice.acl, rights[1], rights[0]))


def _is_within(one: Spoken, later: Spoken, rights: _Rights) -> bool:
    """Whether everybody may see a statement who may see the later one and one with some rights.

    What the later one does to the other is decided among these alone (G4.3): something that some of them may not see
    must make no difference to what holds for them.
    """
    acl, sensitivity = _rights_of(one)
    return acl in {later.voice.acl, rights[0]} and sensitivity <= max(int(later.voice.sensitivity), rights[1])


def replace_cause(change: StoredChange) -> NewChange:
    """A change as one that can be made anew."""
    return NewChange(
        subject=change.subject,
        subject_id=change.subject_id,
        entry_id=change.entry_id,
        after=change.after,
        reason=change.reason,
        actor=change.actor,
        rule_version=change.rule_version,
        at=change.at,
        effective_at=change.effective_at,
        cause_id=change.cause_id,
        kind=change.kind,
        is_suggestion=change.is_suggestion,
        subject_key=change.subject_key,
        cause_key=change.cause_key,
    )


def drop_moved(tx: Writer, entry_id: int) -> None:
    """Delete the records that were made for the new times that an entry told."""
    tx.run("DELETE FROM record WHERE entry_id = ? AND ordinal >= ?", entry_id, FIRST_MOVED)


def _is_same(change: StoredChange, one: Wanted) -> bool:
    return (
        change.subject is one.subject
        and change.subject_id == one.subject_id
        and change.kind == one.kind
        and change.is_suggestion == one.is_suggestion
    )


def _of_cause(reader: Reader, entry_id: int) -> list[StoredChange]:
    return changes(reader, Which(cause_id=entry_id, actor=ACTOR, limit=_MANY))


def _undone(reader: Reader, key: str) -> list[StoredChange]:
    """What a person took back of a cause, whichever version of its entry said it."""
    undone = changes(reader, Which(cause_key=key, is_standing=False, limit=_MANY))
    return [one for one in undone if one.undone_by == OWNER]


def _shifted(later: Spoken, target: Spoken) -> Days | None:
    """The new time of "by a week": that much after the day that was said before."""
    if later.said.shift_s is None or not target.days:
        return None
    by, days = timedelta(seconds=later.said.shift_s), target.days[0]
    return Days(days.start + by, days.end + by)


def _is_whole(days: Sequence[Days]) -> bool:
    return any(one.end - one.start >= _WHOLE for one in days)
