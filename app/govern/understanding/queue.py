"""The background queue in which every entry is understood: read, and what it states written (G2.4, G2.6, G2.8).

The database itself is the queue, so a crash, a pause or new rules lose nothing: an entry without a row of the present
version waits, the newest and shortest first. One passage at a time goes to the inference lane, so a person's question
waits for one passage at most; an entry is written whole, in one transaction, or not at all.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from app.domain.errors import BadInput, Expected
from app.domain.records import RecordKind
from app.domain.text import msg
from app.govern.clauses import sentences
from app.govern.extraction import Extraction
from app.govern.freshness.firing import changed_since, reconsider
from app.govern.understanding.conditionals import find_conditionals
from app.govern.understanding.contract import Understood
from app.govern.understanding.debts import may_owe
from app.govern.understanding.reading import (
    joined,
    passages_for_model,
    passages_to_read,
    reference_of,
    states_records,
    stored_entry,
)
from app.govern.understanding.rules import freshness_rules, understanding_rules
from app.govern.understanding.statements import Stated
from app.govern.understanding.stating import as_extraction, state
from app.govern.understanding.writing import write_stated
from app.govern.work_queue import WorkQueue
from app.policy.disclosure import shared_with
from app.runtime import clock
from app.store import understanding_rows as rows
from app.store.change_rows import last_change
from app.store.records import records_of, records_of_thread, records_with
from app.store.understanding_rows import ByModel
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from app.domain.progress import StopSignal
    from app.govern.extraction import Extractor
    from app.govern.understanding.contract import Passage, Step, StoredEntry
    from app.runtime.bus import Bus
    from app.runtime.lanes import Lanes
    from app.store.database import Database
    from app.store.records import StoredRecord

_FETCHED = 256
_AT_ONCE = 8
"""Passages that are read by the rules in one piece of work."""
_MOST_AGAIN = 12
_LONGEST_LOOK = 8000
_LONGEST_PASSAGE_S = 4.0
_EMPTY = Extraction((), (), ())
_log = logging.getLogger(__name__)


class Extractors(Protocol):
    """What the queue needs of the span model's keeper."""

    @property
    def by_rules(self) -> Extractor:
        """Reads without the model, on any lane."""
        ...

    async def extractor(self) -> Extractor | None:
        """Reads with the model, on the inference lane; None while there is none."""
        ...

    def give_up(self, problem: Expected) -> None:
        """The model cannot be used."""
        ...


@dataclass(frozen=True, slots=True)
class _Read:
    """An entry that was read, before anything of it is written; `version`: of the rules by which reading it began."""

    understood: Understood
    stated: Stated
    confidence: float
    by_model: ByModel
    found: Sequence[object]
    version: str = ""


class _Reading:
    """An entry of which passage after passage is read; the first one tells from which day the others are seen."""

    def __init__(self, entry: StoredEntry) -> None:
        read = passages_to_read(entry)
        self.passages = [one for one in entry.passages if one.chunk_id in read]
        self.reference = entry.written_at
        self.parts: list[tuple[Passage, Extraction]] = []
        self._entry = entry

    def text_of(self, passage: Passage) -> str:
        return self._entry.text[passage.start : passage.end]

    def add(self, passage: Passage, found: Extraction) -> None:
        if not self.parts:
            self.reference = reference_of(self._entry, found)
        self.parts.append((passage, found))


class Understanding(WorkQueue):
    """The queue."""

    def __init__(
        self,
        database: Database,
        lanes: Lanes,
        extractors: Extractors,
        steps: Sequence[Step],
        *,
        bus: Bus | None = None,
        on_written: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(lanes, bus, "understand", msg("Understanding entries"))
        self._database = database
        self._extractors = extractors
        self._steps = steps
        self._on_written = on_written
        self._has_model = False

    @property
    def version(self) -> str:
        """Of all rules that take part: a change of one of them makes every entry wait anew."""
        return version_of(self._steps)

    async def waiting(self) -> int:
        """How many entries wait."""
        return await self._lanes.readers.run(self._count)

    async def wait_for(self, entry_ids: Sequence[int], timeout_s: float, *, stop: StopSignal | None = None) -> int:
        """Wait until some entries are understood, but not for ever; returns how many of them are not yet.

        Raises:
            Cancelled: from `stop`; the queue itself goes on.
        """
        ends_s = clock.monotonic_s() + timeout_s
        left = await self._lanes.readers.run(self._count_among, entry_ids)
        while left and self.problem is None and not self.is_paused and clock.monotonic_s() < ends_s:
            if stop is not None:
                await self._lanes.blocking.run(stop.checkpoint)
            await self._wait_a_little()
            left = await self._lanes.readers.run(self._count_among, entry_ids)
            if self._is_done.is_set():
                break
        return left

    async def _work_off(self) -> None:
        """Understand until nothing waits; what was written meanwhile comes first."""
        self._has_model = await self._extractors.extractor() is not None
        done = 0
        tried: set[int] = set()
        while True:
            waiting = [one for one in await self._lanes.readers.run(self._fetch, len(tried)) if one not in tried]
            if not waiting:
                break
            for entry_id in waiting:
                await self._may_go.wait()
                tried.add(entry_id)
                tried.difference_update(await self._understand(entry_id))
                done += 1
                if self._is_due.is_set():
                    self._is_due.clear()
                    break
            self._tell(done, await self.waiting())

    async def _understand(self, entry_id: int) -> Sequence[int]:
        """Read and write one entry; returns those of its conversation that wait again because of what it states."""
        again: Sequence[int] = ()
        try:
            read = await self._read(entry_id)
            if read is not None:
                again = await self._lanes.writer.run(self._write, read)
        except BadInput as problem:
            await self._lanes.writer.run(self._give_up, entry_id, problem.code)
            return ()
        except Expected:
            raise
        except Exception:  # noqa: BLE001 - a border: what one entry upsets must not keep the others from being read
            _log.exception("an entry could not be understood")
            await self._lanes.writer.run(self._give_up, entry_id, "bug")
            return ()
        if read is not None and self._on_written is not None and read.understood.extraction.records:
            self._on_written()
        return again

    async def _read(self, entry_id: int) -> _Read | None:
        version = self.version
        row = await self._lanes.readers.run(self._load, entry_id)
        if row is None:
            return None
        entry = stored_entry(row)
        extraction, by_model = _EMPTY, ByModel.NOT_NEEDED
        if states_records(entry):
            extraction, by_model, written_at = await self._extract(entry)
            entry = replace(entry, written_at=written_at)
        made = await self._lanes.readers.run(self._make_of, entry, extraction, row.confidence, by_model)
        return replace(made, version=version)

    async def _extract(self, entry: StoredEntry) -> tuple[Extraction, ByModel, datetime]:
        """All that is read of an entry, how, and when what it says was said."""
        chosen = passages_for_model(entry)
        extractor = await self._extractors.extractor() if chosen else None
        reading = _Reading(entry)
        if extractor is None:
            for at in range(0, len(reading.passages), _AT_ONCE):
                await self._lanes.blocking.run(self._extract_by_rules, reading, reading.passages[at : at + _AT_ONCE])
            return joined(reading.parts), ByModel.MISSING if chosen else ByModel.NOT_NEEDED, reading.reference
        for passage in reading.passages:
            is_by_model = passage.chunk_id in chosen
            reading.add(passage, await self._extract_one(reading, passage, extractor if is_by_model else None))
        return joined(reading.parts), ByModel.READ, reading.reference

    async def _extract_one(self, reading: _Reading, passage: Passage, extractor: Extractor | None) -> Extraction:
        if extractor is not None:
            text = reading.text_of(passage)
            try:
                return await self._lanes.inference.run(
                    extractor.read, text, reading.reference, limit_s=_LONGEST_PASSAGE_S
                )
            except BadInput:
                _log.info("a passage took the model too long")
            except Expected as problem:
                self._extractors.give_up(problem)
        return await self._lanes.blocking.run(self._by_rules, reading, passage)

    def _extract_by_rules(self, reading: _Reading, passages: Sequence[Passage]) -> None:
        for passage in passages:
            reading.add(passage, self._by_rules(reading, passage))

    def _by_rules(self, reading: _Reading, passage: Passage) -> Extraction:
        try:
            return self._extractors.by_rules.read(reading.text_of(passage), reading.reference)
        except BadInput:
            return _EMPTY

    def _fetch(self, passed_over: int) -> list[int]:
        with self._database.reader() as reader:
            return rows.waiting_entries(reader, self.version, _FETCHED + passed_over, has_model=self._has_model)

    def _load(self, entry_id: int) -> rows.EntryRow | None:
        with self._database.reader() as reader:
            return rows.entry_to_understand(reader, entry_id)

    def _make_of(self, entry: StoredEntry, extraction: Extraction, confidence: float, by_model: ByModel) -> _Read:
        """What an entry states, and what the steps find out about it."""
        stated = self._state(entry, extraction)
        understood = Understood(entry, as_extraction(extraction, stated))
        with self._database.reader() as reader:
            found = [step.look(reader, understood) for step in self._steps]
        return _Read(understood, stated, confidence, by_model, found)

    def _state(self, entry: StoredEntry, extraction: Extraction) -> Stated:
        if not extraction.dates and not extraction.records and not extraction.spans and not _may_state(entry.text):
            return Stated()
        thread: Sequence[StoredRecord] = ()
        if entry.thread is not None:
            with self._database.reader() as reader:
                everybody = shared_with(entry.scope, entry.acl, entry.sensitivity)
                thread = records_of_thread(reader, entry.thread, everybody)
        # a message says nothing of what is trusted more than itself (X9.1)
        others = [one for one in thread if one.entry_id != entry.entry_id and one.trust <= entry.trust]
        return state(entry, extraction, others)

    def _write(self, read: _Read) -> Sequence[int]:
        now = clock.present()
        entry = read.understood.entry
        with self._database.write() as tx:
            if tx.value("SELECT is_current FROM entry WHERE entry_id = ?", entry.entry_id) != 1:
                return ()
            note_rules(tx, read.version, now=now)
            before = last_change(tx)
            titles = _things(records_of(tx, entry.entry_id))
            ids = write_stated(tx, entry, read.stated, read.confidence, now=now)
            understood = Understood(entry, read.understood.extraction, ids, records_with(tx, ids))
            for step, found in zip(self._steps, read.found, strict=True):
                step.apply(tx, understood, found, now)
            reconsider(tx, changed_since(tx, before), now)
            rows.mark_understood(tx, entry.entry_id, read.version, read.by_model, now=now)
            if entry.thread is None or _things(records_with(tx, ids)) <= titles:
                return ()
            # a condition that was read before the task or the plan that it speaks of found nothing to hang on
            others = rows.understood_of_thread(tx, entry.entry_id, _MOST_AGAIN)
            again = [one for one in others if _has_condition(rows.entry_to_understand(tx, one))]
            rows.read_again(tx, again)
            return again

    def _give_up(self, entry_id: int, code: str) -> None:
        now = clock.present()
        with self._database.write() as tx:
            note_rules(tx, self.version, now=now)
            rows.mark_understood(tx, entry_id, self.version, ByModel.NOT_NEEDED, now=now, problem=code)

    def _count(self) -> int:
        with self._database.reader() as reader:
            return rows.count_waiting(reader, self.version, has_model=self._has_model)

    def _count_among(self, entry_ids: Sequence[int]) -> int:
        with self._database.reader() as reader:
            return rows.waiting_among(reader, entry_ids, self.version, has_model=self._has_model)


def version_of(steps: Sequence[Step]) -> str:
    """Of the rules of reading, and of those that the steps go by."""
    own = (understanding_rules().version, freshness_rules().version)
    return " ".join([*own, *(step.version for step in steps)])


def _may_state(text: str) -> bool:
    """Whether a text without dates and names may state something by its form alone."""
    return may_owe(text) or "\n- " in text or "\n* " in text


def _things(found: Sequence[StoredRecord]) -> set[str]:
    """What conditions may speak of, by its title."""
    return {one.title for one in found if one.kind is not RecordKind.CONDITION}


def _has_condition(row: rows.EntryRow | None) -> bool:
    if row is None:
        return False
    text = stored_entry(row).text[:_LONGEST_LOOK]
    return any(any(find_conditionals(text[one.start : one.end])) for one in sentences(text))
