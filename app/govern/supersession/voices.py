"""Statements of the database with who stands behind them, for `matching` (X9.1)."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Status, Trust
from app.govern.supersession.kinship import LONG_REACH
from app.govern.supersession.matching import Spoken, Voice, changed_by
from app.govern.supersession.pairing import common
from app.govern.supersession.phrases import holds, words_of
from app.govern.supersession.said import Days, Kind, Said
from app.govern.supersession.shelves import WHOLE, shelves_for
from app.store.records import records_with
from app.store.statement_rows import facts_of, statements_about, statements_in_thread, statements_sharing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.govern.supersession.gist import Gist
    from app.store.connection import Reader
    from app.store.records import StoredRecord
    from app.store.statement_rows import EntryFacts, StoredStatement

_AUTHOR_ROLES = frozenset({"author", "organizer", "owner"})
_DAY = timedelta(days=1)
_SOON = timedelta(days=45)
_SOME, _ENOUGH = 0.7, 1.4


class Voices:
    """Reads them within one transaction, each entry and each statement once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._facts: dict[int, EntryFacts | None] = {}
        self._spoken: dict[int, Spoken] = {}

    def facts(self, entry_id: int, said_at: datetime) -> EntryFacts | None:
        """What is known of an entry; of an event the occurrences since it was said."""
        if entry_id not in self._facts:
            self._facts[entry_id] = facts_of(self._reader, entry_id, since=said_at - 400 * _DAY)
        return self._facts[entry_id]

    def spoken(self, rows: Iterable[StoredStatement]) -> list[Spoken]:
        """Rows as statements with their voices; those of entries that are gone are passed over."""
        rows = list(rows)
        new = [row for row in rows if row.statement_id not in self._spoken]
        wanted = [row.record_id for row in new if row.record_id is not None]
        records = {record.record_id: record for record in records_with(self._reader, wanted)} if wanted else {}
        for row in new:
            facts = self.facts(row.entry_id, row.said_at)
            if facts is not None:
                record = records.get(row.record_id) if row.record_id is not None else None
                # of an entry as a whole it makes no difference on which shelf it stands
                said = _said(row.kind, WHOLE if row.head.startswith(WHOLE) else row.head, row.body)
                voice = _voice(facts, row.said_at, record)
                self._spoken[row.statement_id] = Spoken(row.statement_id, said, voice, row.chunk_id, row.record_id)
        return [self._spoken[row.statement_id] for row in rows if row.statement_id in self._spoken]

    def earlier(self, later: Spoken) -> list[Spoken]:
        """What a statement may be about: those of its head, or where it has none, of its conversation."""
        kinds = [kind.value for kind in changed_by(later.said.kind)]
        voice = later.voice
        if later.said.gist is not None:
            rows = self._on_shelves(
                later, kinds, shelves_for(later.said, voice.said_at), (voice.said_at - LONG_REACH, voice.said_at)
            )
        elif later.said.head:
            rows = statements_about(self._reader, later.said.head, kinds, voice.scope, until=voice.said_at)
        elif voice.thread is not None:
            rows = statements_in_thread(self._reader, voice.thread, kinds, voice.scope)
        else:
            rows = []
        found = self.spoken(row for row in rows if row.statement_id != later.statement_id)
        # so that each finds the other, whichever of them comes first
        return found if later.said.gist is None else [one for one in found if voice.said_at <= _horizon(one)]

    def later(self, earlier: Spoken, kinds: Sequence[Kind]) -> list[Spoken]:
        """Statements said after one that may change it."""
        wanted = [kind.value for kind in kinds]
        voice = earlier.voice
        if earlier.said.gist is not None:
            rows = self._on_shelves(earlier, wanted, [WHOLE], (voice.said_at, _horizon(earlier)))
            return self.spoken(row for row in rows if row.entry_id != voice.entry_id)
        rows = statements_about(self._reader, earlier.said.head, wanted, voice.scope, since=voice.said_at)
        if voice.thread is not None:
            rows += [
                one for one in statements_in_thread(self._reader, voice.thread, wanted, voice.scope) if not one.head
            ]
        return self.spoken(row for row in rows if row.entry_id != voice.entry_id and _may_mean(row, earlier))

    def _on_shelves(
        self, one: Spoken, kinds: Sequence[str], shelves: Sequence[str], between: tuple[datetime, datetime]
    ) -> list[StoredStatement]:
        """Statements about whole entries that share a word, the title, a day or the conversation with one; one each."""
        gist, voice = one.said.gist, one.voice
        if gist is None:
            return []
        found = statements_sharing(self._reader, shelves, kinds, voice.scope, pieces=_pieces(gist), between=between)
        rows = [row for row in found if _may_be_kin(row, one)]
        if voice.thread is not None:
            since, until = between
            rows += [
                row
                for row in statements_in_thread(self._reader, voice.thread, kinds, voice.scope)
                if row.head.startswith(WHOLE) and since <= row.said_at <= until
            ]
        # an entry that is kept on several shelves is one
        return list({(row.entry_id, row.kind): row for row in rows}.values())

    def quotes(self, head: str, scope: str) -> list[Spoken]:
        """What mails repeat of a kind of thing, whenever they were written."""
        return self.spoken(statements_about(self._reader, head, [Kind.QUOTE.value], scope)) if head else []

    def changing(self, quote: Spoken, kinds: Sequence[Kind]) -> list[Spoken]:
        """Statements that may change what a quote repeats."""
        rows = statements_about(self._reader, quote.said.head, [kind.value for kind in kinds], quote.voice.scope)
        return self.spoken(row for row in rows if row.entry_id != quote.voice.entry_id)


def _horizon(earlier: Spoken) -> datetime:
    """Until when an entry may be ended: until its last day, where it names days to come."""
    at = earlier.voice.said_at
    ahead = [one.end + _DAY for one in earlier.days if one.end > at]
    return min(max(ahead), at + LONG_REACH) if ahead else at + LONG_REACH


def _pieces(gist: Gist) -> list[str]:
    """What the body of a statement has in it that shares a word or the title with a gist, as JSON writes it."""
    words = [key for key in gist.keys if not key.startswith(("%", "@"))]
    found = [json.dumps(word, ensure_ascii=False) for word in words]
    return [*found, f'"title": {json.dumps(gist.title, ensure_ascii=False)}'] if gist.title else found


def _may_be_kin(row: StoredStatement, one: Spoken) -> bool:
    """Whether a row shares enough for a closer look at its entry, which costs: a title, a day, or words.

    One word is enough within some weeks, and two from farther.
    """
    said, mine = _said(row.kind, WHOLE, row.body), one.said.gist
    if said.gist is None or mine is None:
        return False
    shared = common(mine.keys, said.gist.keys)
    least = _SOME if abs(row.said_at - one.voice.said_at) <= _SOON else _ENOUGH
    if shared >= least or (mine.title and mine.title == said.gist.title):
        return True
    return any(days.meets(other) for days in one.days for other in said.days)


@lru_cache(maxsize=4_096)
def _said(kind: str, head: str, body: str) -> Said:
    """A row as a statement; what is pending is looked at for many entries that come at once."""
    return Said.of_row(kind, head, body)


def _may_mean(row: StoredStatement, earlier: Spoken) -> bool:
    """Whether a later statement's marks fit, as far as that is seen without looking at its entry: of many, few do."""
    if not row.head or not earlier.said.marks:
        return True
    words = words_of(earlier.context)
    return all(holds(earlier.context, words, mark) for mark in Said.of_row(row.kind, row.head, row.body).marks)


def _voice(facts: EntryFacts, said_at: datetime, record: StoredRecord | None) -> Voice:
    authors = [person for person in facts.people if person[0] in _AUTHOR_ROLES]
    return Voice(
        entry_id=facts.entry_id,
        kind=EntryKind(facts.kind),
        title=facts.title,
        scope=facts.scope,
        trust=Trust(facts.trust),
        said_at=said_at,
        thread=facts.thread,
        authors=_keys(authors),
        names=frozenset(name.casefold() for _, name, _ in authors if name),
        people=_keys(facts.people),
        words=" ".join((facts.location, *(name for _, name, _ in facts.people))),
        days=_days(facts, said_at, record),
        is_open=_is_open(facts, record),
        is_recurring=facts.is_recurring,
        sensitivity=facts.sensitivity,
        acl=facts.acl,
    )


def _keys(people: Iterable[tuple[str, str, tuple[str, ...]]]) -> frozenset[str]:
    """Addresses; a name counts where somebody has no address."""
    return frozenset(key for _, name, addresses in people for key in (addresses or (name.casefold(),)) if key)


def _days(facts: EntryFacts, said_at: datetime, record: StoredRecord | None) -> tuple[Days, ...]:
    if record is not None and record.event_at is not None:
        return (Days(record.event_at, record.event_end or record.event_at),)
    if record is not None and record.due_at is not None:
        return ()
    zone = said_at.tzinfo
    return tuple(Days(start.astimezone(zone), end.astimezone(zone)) for start, end in facts.spans)


def _is_open(facts: EntryFacts, record: StoredRecord | None) -> bool:
    """Whether a task was not done by its own source; what we marked ourselves does not count, for order's sake."""
    del record
    return facts.task_status not in {Status.DONE.value, Status.CANCELED.value} or facts.task_status is None
