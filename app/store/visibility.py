"""Who may see which chunk, as a mask over chunk ids that is made before anything is scored (G4.3).

The rights and times of every chunk stand in columns in memory (39 bytes a chunk), so a mask of 100,000 chunks takes a
fifth of a millisecond. The columns follow every commit. A `View` also carries what scoring needs to know of the visible
chunks as a whole, and of nothing else: hidden rows influence no count, no average and no score.

The columns say how chunks stand for the owner. Where governance changed one because of what another entry says, and a
viewer may not see that entry, the chunk stands for them as it would without (`staleness`): else what holds and what
does not would tell them of it.

`valid_from` is not asked: what becomes valid next week may be found today, with its date.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.domain.labels import EntryKind, Trust
from app.domain.records import Subject
from app.store.languages import slot_of
from app.store.staleness import Staleness, end_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from app.domain.visibility import VisibilityFilter
    from app.store.changes import AddedChunk, ChangeSet, EntryRights
    from app.store.connection import Reader, Row

_FOREVER = np.inf
_LOADED_AT_ONCE = 10_000
_KEPT_VIEWS = 32
_KINDS = {kind.value: number for number, kind in enumerate(EntryKind)}
_COLUMNS: dict[str, np.dtype[np.generic]] = {
    "exists": np.dtype(np.bool_),
    "is_stale": np.dtype(np.bool_),
    "is_void": np.dtype(np.bool_),
    "sensitivity": np.dtype(np.uint8),
    "trust": np.dtype(np.uint8),
    "kind": np.dtype(np.uint8),
    "language": np.dtype(np.uint8),
    "scope": np.dtype(np.uint16),
    "acl": np.dtype(np.uint16),
    "length": np.dtype(np.uint32),
    "entry": np.dtype(np.int64),
    "valid_to": np.dtype(np.float64),
    "moment": np.dtype(np.float64),
}
_LOAD_ENTRIES = """
    SELECT entry_id, scope, acl, sensitivity, substr(valid_to, 1, 26), stale_reason IS NOT NULL, source_type,
           substr(coalesce(event_time, updated_at), 1, 26), trust
    FROM entry ORDER BY entry_id
"""
_LOAD_VOID = "SELECT chunk_id FROM chunk WHERE stale_reason IS NOT NULL"
_LOAD_CHUNKS = "SELECT chunk_id, entry_id, term_count, language FROM chunk INDEXED BY chunk_entry"


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer may see at one time.

    Attributes:
        mask: bool[n], by chunk id.
        count: how many are visible.
        mean_length: terms a visible chunk has on average; 1.0 when there is none.
        generation: changes with every commit.
    """

    mask: NDArray[np.bool_]
    count: int
    mean_length: float
    generation: int

    def shows(self, chunk_ids: NDArray[np.integer] | int) -> NDArray[np.bool_]:
        """Which of some chunks are visible: bool of the same shape."""
        ids = np.asarray(chunk_ids, np.int64)
        is_known = ids < len(self.mask)
        found: NDArray[np.bool_] = is_known & self.mask[np.where(is_known, ids, 0)]
        return found


@dataclass(slots=True)
class _Codes:
    """Words as small numbers, in the order in which they come."""

    numbers: dict[str, int] = field(default_factory=dict)

    def code(self, word: str) -> int:
        return self.numbers.setdefault(word, len(self.numbers))

    def codes(self, words: Sequence[str]) -> NDArray[np.uint16]:
        for word in dict.fromkeys(words):
            self.code(word)
        return np.array([self.numbers[word] for word in words], np.uint16)

    def allowed(self, words: frozenset[str]) -> NDArray[np.bool_]:
        table = np.zeros(max(1, len(self.numbers)), np.bool_)
        table[[code for word, code in self.numbers.items() if word in words]] = True
        return table


class _Entries(NamedTuple):
    """What the chunks of an entry share, by entry; used while loading."""

    ids: NDArray[np.int64]
    scope: NDArray[np.uint16]
    acl: NDArray[np.uint16]
    sensitivity: NDArray[np.uint8]
    valid_to: NDArray[np.float64]
    is_stale: NDArray[np.bool_]
    kind: NDArray[np.uint8]
    moment: NDArray[np.float64]
    trust: NDArray[np.uint8]


class Visibility:
    """The columns. Any thread may ask; the writer's thread changes them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._size = 1
        self._columns = {name: np.zeros(1024, kind) for name, kind in _COLUMNS.items()}
        self._scopes, self._acls = _Codes(), _Codes()
        self._generation = 0
        self._views: dict[VisibilityFilter, tuple[View, float, float]] = {}
        self._staleness = Staleness()

    @property
    def size(self) -> int:
        """How many chunks there are."""
        return int(np.count_nonzero(self._columns["exists"][: self._size]))

    def load(self, reader: Reader) -> None:
        """Read every chunk's rights from the database; 0.3 s for 100,000 chunks of 20,000 entries."""
        with self._lock:
            self._scopes, self._acls = _Codes(), _Codes()
            for column in self._columns.values():
                column[:] = 0
            self._size = 1
            entries = [self._entry_arrays(rows) for rows in reader.batches(_LOAD_ENTRIES, size=_LOADED_AT_ONCE)]
            if entries:
                table = _Entries(*(np.concatenate(parts) for parts in zip(*entries, strict=True)))
                for rows in reader.batches(_LOAD_CHUNKS, size=_LOADED_AT_ONCE):
                    self._fill(rows, table)
                void = [row[0] for row in reader.rows(_LOAD_VOID)]
                self._columns["is_void"][void] = True
                # ids of removed chunks keep the order of `_chunks_of`
                column = self._columns["entry"]
                column[: self._size] = np.maximum.accumulate(column[: self._size])
            self._staleness.load(reader)
            self._changed()

    def apply(self, changes: ChangeSet) -> None:
        """Follow a commit."""
        with self._lock:
            for chunk in changes.chunks:
                self._add(chunk)
            for rights in changes.rights:
                self._set_rights(self._chunks_of(rights.entry_id), rights)
            for chunk_id, is_void in changes.stale_chunks:
                self._columns["is_void"][chunk_id] = is_void
            removed = [chunk_id for chunk_id in changes.removed_chunks if chunk_id < self._size]
            self._columns["exists"][removed] = False
            self._staleness.apply(changes)
            self._changed()

    def view(self, visible: VisibilityFilter, now: datetime) -> View:
        """What a viewer may see at `now`; kept until a commit, or until something visible expires."""
        moment = now.timestamp()
        with self._lock:
            known = self._views.get(visible)
            if known is not None and known[1] <= moment < known[2]:
                return known[0]
            mask, until = self._mask(visible, moment)
            count = int(np.count_nonzero(mask))
            lengths = int(self._columns["length"][: self._size][mask].sum())
            view = View(mask, count, max(1.0, lengths / count) if count else 1.0, self._generation)
            if len(self._views) >= _KEPT_VIEWS:
                self._views.clear()
            self._views[visible] = (view, moment, until)
            return view

    def mask(self, visible: VisibilityFilter, now: datetime) -> NDArray[np.bool_]:
        """bool[n] by chunk id; not to be written to."""
        return self.view(visible, now).mask

    def lengths(self, chunk_ids: NDArray[np.integer] | slice) -> NDArray[np.uint32]:
        """The number of terms of each chunk."""
        found: NDArray[np.uint32] = self._columns["length"][chunk_ids]
        return found

    def entries(self, chunk_ids: NDArray[np.integer]) -> NDArray[np.int64]:
        """The entry of each chunk."""
        found: NDArray[np.int64] = self._columns["entry"][chunk_ids]
        return found

    def languages(self, chunk_ids: NDArray[np.integer] | slice) -> NDArray[np.uint8]:
        """The language slot of each chunk (`languages`); not to be written to."""
        found: NDArray[np.uint8] = self._columns["language"][chunk_ids]
        return found

    def _mask(self, visible: VisibilityFilter, moment: float) -> tuple[NDArray[np.bool_], float]:
        """The mask, and until when it holds if nothing is written."""
        column = {name: values[: self._size] for name, values in self._columns.items()}
        rights = column["exists"] & (column["sensitivity"] <= int(visible.ceiling))
        if visible.scopes is not None:
            rights &= self._scopes.allowed(visible.scopes)[column["scope"]]
        if visible.acls is not None:
            rights &= self._acls.allowed(visible.acls)[column["acl"]]
        mask = rights.copy()
        if visible.least_trust > Trust.WEB:
            mask &= column["trust"] >= int(visible.least_trust)
        if visible.kinds is not None:
            table = np.zeros(256, np.bool_)
            table[[_KINDS[kind.value] for kind in visible.kinds]] = True
            mask &= table[column["kind"]]
        if visible.since is not None:
            mask &= column["moment"] >= visible.since.timestamp()
        if visible.until is not None:
            mask &= column["moment"] < visible.until.timestamp()
        until = _FOREVER
        if not visible.include_stale:
            is_stale, valid_to = column["is_stale"] | column["is_void"], column["valid_to"]
            if not visible.is_unrestricted:
                is_stale, valid_to = self._for_viewer(rights, is_stale, valid_to)
            mask &= ~is_stale & (valid_to > moment)
            until = float(valid_to.min(initial=_FOREVER, where=mask))
        mask.flags.writeable = False
        return mask, until

    def _for_viewer(
        self, rights: NDArray[np.bool_], is_stale: NDArray[np.bool_], valid_to: NDArray[np.float64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """The columns as they would be without what the viewer may not see."""
        entries, chunks = (
            self._staleness.seen_by(subject, lambda causes: self._are_seen(rights, causes))
            for subject in (Subject.ENTRY, Subject.CHUNK)
        )
        if not len(entries.ids) and not len(chunks.ids):
            return is_stale, valid_to
        is_void, valid_to = self._columns["is_void"][: self._size].copy(), valid_to.copy()
        by_entry = self._columns["is_stale"][: self._size].copy()
        column = self._columns["entry"][: self._size]
        first = np.searchsorted(column, entries.ids)
        counts = np.searchsorted(column, entries.ids, side="right") - first
        of_entry = np.repeat(np.arange(len(entries.ids)), counts)
        # the places of every entry's chunks, one entry after another
        at = np.arange(len(of_entry)) - np.repeat(np.cumsum(counts) - counts, counts) + first[of_entry]
        by_entry[at], valid_to[at] = entries.is_stale[of_entry], entries.ends[of_entry]
        is_known = chunks.ids < self._size
        is_void[chunks.ids[is_known]] = chunks.is_stale[is_known]
        return by_entry | is_void, valid_to

    def _are_seen(self, rights: NDArray[np.bool_], entries: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of some entries are within some rights; one without a passage is in nobody's."""
        column = self._columns["entry"][: self._size]
        first = np.minimum(np.searchsorted(column, entries), self._size - 1)
        last = np.searchsorted(column, entries, side="right") - 1
        # of removed passages the row stands there still, so either end is looked at
        found: NDArray[np.bool_] = (column[first] == entries) & (rights[first] | rights[last])
        return found

    def _add(self, chunk: AddedChunk) -> None:
        self._grow(chunk.chunk_id + 1)
        ids = np.array([chunk.chunk_id])
        self._columns["length"][ids] = chunk.length
        self._columns["language"][ids] = slot_of(chunk.language)
        self._set_rights(ids, chunk.rights)
        self._columns["exists"][ids] = True

    def _set_rights(self, ids: NDArray[np.int64], rights: EntryRights) -> None:
        column = self._columns
        column["entry"][ids] = rights.entry_id
        column["scope"][ids] = self._scopes.code(rights.scope)
        column["acl"][ids] = self._acls.code(rights.acl)
        column["sensitivity"][ids] = rights.sensitivity
        column["valid_to"][ids] = end_of(rights.valid_to)
        column["kind"][ids] = _KINDS[rights.kind]
        column["moment"][ids] = end_of(rights.moment)
        column["trust"][ids] = rights.trust
        column["is_stale"][ids] = rights.is_stale

    def _chunks_of(self, entry_id: int) -> NDArray[np.int64]:
        """Chunk ids grow with entry ids, since an entry is written once, with all its chunks."""
        entries = self._columns["entry"][: self._size]
        first, last = np.searchsorted(entries, [entry_id, entry_id + 1])
        ids = np.arange(first, last)
        return ids[self._columns["exists"][ids]]

    def _entry_arrays(self, rows: Sequence[Row]) -> tuple[NDArray[np.generic], ...]:
        """One batch of `_LOAD_ENTRIES` as the columns of `_Entries`."""
        ids, scopes, acls, sensitivities, valid_to, is_stale, kinds, moments, trusts = zip(*rows, strict=True)
        return (
            np.array(ids, np.int64),
            self._scopes.codes(scopes),
            self._acls.codes(acls),
            np.array(sensitivities, np.uint8),
            _ends(valid_to),
            np.array(is_stale, np.bool_),
            np.array([_KINDS[kind] for kind in kinds], np.uint8),
            _ends(moments),
            np.array(trusts, np.uint8),
        )

    def _fill(self, rows: Sequence[Row], entries: _Entries) -> None:
        ids, of_entry, lengths, languages = zip(*rows, strict=True)
        where = np.array(ids)
        at = np.searchsorted(entries.ids, np.array(of_entry))
        slots = {language: slot_of(language) for language in set(languages)}
        self._grow(int(where.max()) + 1)
        column = self._columns
        column["exists"][where] = True
        column["entry"][where] = of_entry
        column["length"][where] = lengths
        column["language"][where] = [slots[language] for language in languages]
        column["scope"][where] = entries.scope[at]
        column["acl"][where] = entries.acl[at]
        column["sensitivity"][where] = entries.sensitivity[at]
        column["valid_to"][where] = entries.valid_to[at]
        column["is_stale"][where] = entries.is_stale[at]
        column["kind"][where] = entries.kind[at]
        column["moment"][where] = entries.moment[at]
        column["trust"][where] = entries.trust[at]

    def _grow(self, size: int) -> None:
        before = self._size
        capacity = len(self._columns["exists"])
        if size > capacity:
            for name, values in self._columns.items():
                grown = np.zeros(max(size, capacity * 3 // 2), values.dtype)
                grown[:before] = values[:before]
                self._columns[name] = grown
        if size > before:
            self._columns["entry"][before:size] = self._columns["entry"][before - 1]
            self._size = size

    def _changed(self) -> None:
        self._generation += 1
        self._views.clear()


def _ends(times: Sequence[str | None]) -> NDArray[np.float64]:
    """The same for the first 26 characters of many texts: their time in UTC."""
    moments = np.array([time or "NaT" for time in times], "datetime64[us]")
    seconds: NDArray[np.float64] = np.where(np.isnat(moments), _FOREVER, moments.astype(np.int64) / 1e6)
    return seconds
