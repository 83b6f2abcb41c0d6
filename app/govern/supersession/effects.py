"""What becomes of a statement that a later one changes: the columns, and the sentence that says why (G2.6, G3.3, G4.4).

a plan called off or decided otherwise   canceled, superseded; no longer valid from when that was said
a plan moved                             superseded by a record of the new time
a task done                              done, when that was said
an entry, or a passage, that says only this   loses its force with it; of a longer text the sentence alone does
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.instants import to_iso
from app.domain.labels import EntryKind, Status
from app.domain.records import RecordKind, Subject
from app.domain.text import Text, msg
from app.govern.supersession.facts import FACT
from app.govern.supersession.said import Kind
from app.store.change_rows import Which, changes
from app.store.fact_rows import fact_of
from app.store.histories import CALLED_OFF, RESUME
from app.store.records import records_of
from app.store.rows import stamp, text_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.govern.supersession.matching import Spoken
    from app.store.connection import Reader

ACTOR = "supersession"
FIRST_MOVED = 10_000
"""The place in its entry of a record that stands for the new time of something moved."""
_LONGEST_TITLE = 80
_ENDED_WITH = frozenset({RecordKind.PLAN, RecordKind.TASK, RecordKind.DECISION})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A change that follows from a statement; `chunk` and the like are in `subject_id`."""

    subject: Subject
    subject_id: int
    entry_id: int
    after: Mapping[str, object]
    kind: str
    reason: Text
    subject_key: str
    is_suggestion: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """Where a moved plan went: the record of its new time, where there is one, and that time in words."""

    record_id: int | None
    words: str


def effects(reader: Reader, later: Spoken, one: Spoken, *, is_sure: bool, moved: Moved | None = None) -> list[Wanted]:
    """All that follows for one earlier statement; of what is only suggested the main thing alone."""
    kind = later.said.kind
    if kind is Kind.RESUME:
        found = list(_resumed(reader, later, one))
    elif kind is Kind.COMPLETE:
        found = list(_completed(reader, later, one))
    else:
        found = [*_ended(reader, later, one, moved), *_ended_fact(reader, later, one)]
    if is_sure:
        return found
    return [replace(found[0], is_suggestion=True)] if found else []


def key_of(spoken: Spoken, source: tuple[str, str]) -> str:
    """By which a statement is known again when its entry is understood anew, or has a new version."""
    said = spoken.said
    parts = (*source, said.kind.value, said.head, *sorted(said.marks), said.text, said.value)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def key_of_repeated(target: str, quote: str) -> str:
    """The key of a quote that falls with what it repeats: both are one change for a person."""
    return f"{target}:{quote}"


def own_key(subject_key: str) -> str:
    """By which the subject itself is known again, where it is a quote of something."""
    return subject_key.rpartition(":")[2]


def cause_key(later: Spoken, source: tuple[str, str]) -> str:
    """All statements of one entry that say the same of the same kind of thing are one cause."""
    parts = (*source, later.said.kind.value, later.said.head)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def new_words(later: Spoken) -> str:
    """The new time of a move, as it is shown."""
    new = later.said.new
    if new is None:
        return ""
    return new.start.date().isoformat() if later.said.is_whole_day else to_iso(new.start)[:16].replace("T", " ")


def _ended(reader: Reader, later: Spoken, one: Spoken, moved: Moved | None) -> Iterator[Wanted]:
    kind, at = later.said.kind.value, stamp(later.voice.said_at)
    reason = _reason(later, one, moved)
    status = (Status.CANCELED if later.said.kind is Kind.CANCEL else Status.SUPERSEDED).value
    full = {"status": status, "valid_to": at, "stale_reason": text_column(reason)}
    if one.voice.kind is EntryKind.TASK and one.said.kind is Kind.TASK and one.record_id is None:
        if later.said.kind is Kind.MOVE and later.said.new is not None:
            # a to-do's day is its first instant, as in the lists that it comes from; a record's is its end
            due = later.said.new.start if later.said.is_whole_day else later.said.new.end
            yield _wanted(one, Subject.TASK, one.voice.entry_id, {"due_at": stamp(due)}, kind, reason)
            return
        yield _wanted(one, Subject.TASK, one.voice.entry_id, {"status": Status.CANCELED.value}, kind, reason)
    if one.record_id is not None:
        if later.said.kind is Kind.MOVE and one.said.kind is Kind.TASK:
            if later.said.new is not None:
                yield _wanted(one, Subject.RECORD, one.record_id, {"due_at": stamp(later.said.new.end)}, kind, reason)
            return
        after = full if moved is None or moved.record_id is None else {**full, "superseded_by": moved.record_id}
        yield _wanted(one, Subject.RECORD, one.record_id, after, kind, reason)
    is_elsewhere = one.voice.entry_id != later.voice.entry_id
    if one.said.alone == "entry" and is_elsewhere:
        yield _wanted(one, Subject.ENTRY, one.voice.entry_id, full, kind, reason)
    elif one.said.alone and one.chunk_id is not None and one.chunk_id != later.chunk_id:
        yield _wanted(one, Subject.CHUNK, one.chunk_id, {"stale_reason": text_column(reason)}, kind, reason)
    if one.said.kind is Kind.GIST:
        after = full if moved is None or moved.record_id is None else {**full, "superseded_by": moved.record_id}
        yield from _ended_records(reader, one, after, kind, reason)
    yield _wanted(one, Subject.STATEMENT, one.statement_id, {"stale_reason": text_column(reason)}, kind, reason)


def _ended_records(
    reader: Reader, one: Spoken, after: Mapping[str, object], kind: str, reason: Text
) -> Iterator[Wanted]:
    """With a whole entry the plans, tasks and decisions that were read out of it."""
    for record in records_of(reader, one.voice.entry_id):
        if record.ordinal < FIRST_MOVED and record.kind in _ENDED_WITH:
            yield _wanted(one, Subject.RECORD, record.record_id, after, kind, reason)


def _ended_fact(reader: Reader, later: Spoken, one: Spoken) -> Iterator[Wanted]:
    """The relation of a fact ends, and points to the one that takes its place (A2.4)."""
    if later.said.kind is not Kind.REPLACE or not one.said.head.startswith(FACT):
        return
    predicate = one.said.head.removeprefix(FACT)
    relation, successor = (fact_of(reader, each.voice.entry_id, predicate) for each in (one, later))
    if relation is not None and relation != successor:
        reason = _reason(later, one, None)
        after = {
            "valid_to": stamp(later.voice.said_at),
            "stale_reason": text_column(reason),
            "superseded_by": successor,
        }
        yield _wanted(one, Subject.RELATION, relation, after, later.said.kind.value, reason)


def _completed(reader: Reader, later: Spoken, one: Spoken) -> Iterator[Wanted]:
    kind, after = later.said.kind.value, {"status": Status.DONE.value, "completed_at": stamp(later.voice.said_at)}
    reason = _named(
        later,
        one,
        msg("Done, says the {kind} “{title}” of {date}", **_source(later)),
        msg("Done, says the {kind} of {date}", **_source(later)),
    )
    if one.record_id is not None:
        yield _wanted(one, Subject.RECORD, one.record_id, after, kind, reason)
    elif one.voice.kind is EntryKind.TASK:
        yield _wanted(one, Subject.TASK, one.voice.entry_id, after, kind, reason)
    elif one.said.kind is Kind.GIST:
        stale = {"stale_reason": text_column(reason)}
        for record in records_of(reader, one.voice.entry_id):
            if record.ordinal < FIRST_MOVED and record.kind is RecordKind.TASK:
                yield _wanted(one, Subject.RECORD, record.record_id, after, kind, reason)
        yield _wanted(one, Subject.ENTRY, one.voice.entry_id, stale, kind, reason)
        yield _wanted(one, Subject.STATEMENT, one.statement_id, stale, kind, reason)


def _resumed(reader: Reader, later: Spoken, one: Spoken) -> Iterator[Wanted]:
    """Whatever an earlier statement took away comes back."""
    reason = _named(
        later,
        one,
        msg("On again, says the {kind} “{title}” of {date}", **_source(later)),
        msg("On again, says the {kind} of {date}", **_source(later)),
    )
    places: list[tuple[Subject, int]] = [(Subject.STATEMENT, one.statement_id), (Subject.ENTRY, one.voice.entry_id)]
    places += [(Subject.RECORD, one.record_id)] if one.record_id is not None else []
    places += [(Subject.CHUNK, one.chunk_id)] if one.chunk_id is not None else []
    for subject, subject_id in places:
        standing = changes(
            reader,
            Which(subject=subject, subject_ids=(subject_id,), is_standing=True, is_suggestion=False, actor=ACTOR),
        )
        before = [
            change for change in standing if change.kind in CALLED_OFF and change.effective_at < later.voice.said_at
        ]
        if before:
            columns = {column: None for change in before for column in change.after}
            yield _wanted(one, subject, subject_id, columns, RESUME, reason)


def _wanted(  # noqa: PLR0917 - a row's columns
    one: Spoken, subject: Subject, subject_id: int, after: Mapping[str, object], kind: str, reason: Text
) -> Wanted:
    return Wanted(subject, subject_id, one.voice.entry_id, after, kind, reason, "")


def _reason(later: Spoken, one: Spoken, moved: Moved | None) -> Text:
    source = _source(later)
    match later.said.kind:
        case Kind.MOVE if moved is not None and moved.words:
            return _named(
                later,
                one,
                msg("Moved to {when} by the {kind} “{title}” of {date}", when=moved.words, **source),
                msg("Moved to {when} by the {kind} of {date}", when=moved.words, **source),
            )
        case Kind.MOVE:
            named = msg("Postponed by the {kind} “{title}” of {date}; the new day is not known", **source)
            return _named(
                later, one, named, msg("Postponed by the {kind} of {date}; the new day is not known", **source)
            )
        case Kind.REVERSE:
            named = msg("Decided otherwise in the {kind} “{title}” of {date}", **source)
            return _named(later, one, named, msg("Decided otherwise in the {kind} of {date}", **source))
        case Kind.REPLACE:
            named = msg("Replaced by the {kind} “{title}” of {date}", **source)
            return _named(later, one, named, msg("Replaced by the {kind} of {date}", **source))
        case _:
            named = msg("Cancelled by the {kind} “{title}” of {date}", **source)
            return _named(later, one, named, msg("Cancelled by the {kind} of {date}", **source))


def _named(later: Spoken, one: Spoken, named: Text, unnamed: Text) -> Text:
    """Who may see the earlier entry and not the later one does not learn its title (G4.3)."""
    is_open = later.voice.sensitivity <= one.voice.sensitivity and later.voice.acl == one.voice.acl
    if is_open and later.voice.title.strip():
        return named
    return Text(unnamed.template, {name: value for name, value in unnamed.values.items() if name != "title"})


def _source(later: Spoken) -> dict[str, str]:
    title = " ".join(later.voice.title.split())
    if len(title) > _LONGEST_TITLE:
        title = title[: _LONGEST_TITLE - 1] + "…"
    return {"kind": later.voice.kind.value, "title": title, "date": later.voice.said_at.date().isoformat()}
