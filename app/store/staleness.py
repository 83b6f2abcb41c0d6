"""By what entries and passages were made stale, in memory, for masks that differ from viewer to viewer (G4.3, G4.4).

Few rows are changed by what another entry says, and fewer by one that a given viewer may not see. Of most rows nothing
else is to be known than how they stand without any other entry, which is worked out once; only those of which a viewer
may see one cause and not another are looked at one by one. It follows every commit (`ChangeSet.histories`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.domain.instants import from_ixdtf
from app.domain.records import Subject
from app.store.histories import Step, all_steps, state

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from app.store.changes import ChangeSet
    from app.store.connection import Reader

    Row = tuple[Subject, int]
    AreSeen = Callable[[NDArray[np.int64]], NDArray[np.bool_]]

_FOREVER = np.inf
_OF_INTEREST = ("valid_to", "stale_reason")


@dataclass(frozen=True, slots=True)
class Seen:
    """n rows, entries or chunks, that stand otherwise for a viewer; arrays of length n.

    Attributes:
        ids: int64. is_stale: bool. ends: float64, until when they hold; of chunks not to be used.
    """

    ids: NDArray[np.int64]
    is_stale: NDArray[np.bool_]
    ends: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Known:
    """A row that other entries changed: by which of them, step by step, and how it stands without any of them."""

    steps: Sequence[Step]
    causes: tuple[int, ...]
    own: tuple[bool, float]


@dataclass(frozen=True, slots=True)
class _Table:
    """All of one subject: m rows; and for each step of another entry its cause and the place of its row."""

    ids: NDArray[np.int64]
    is_stale: NDArray[np.bool_]
    ends: NDArray[np.float64]
    causes: NDArray[np.int64]
    rows: NDArray[np.int64]
    counts: NDArray[np.int64]


class Staleness:
    """See the module docstring. Not for two threads at once: `visibility` holds the lock."""

    def __init__(self) -> None:
        self._known: dict[Subject, dict[int, _Known]] = {Subject.ENTRY: {}, Subject.CHUNK: {}}
        self._tables: dict[Subject, _Table] = {}

    def load(self, reader: Reader) -> None:
        """Read what is done to entries and chunks."""
        self._tables = {}
        for subject, known in self._known.items():
            known.clear()
            for subject_id, steps in all_steps(reader, subject).items():
                self._keep((subject, subject_id), steps)

    def apply(self, changes: ChangeSet) -> None:
        """Follow a commit."""
        for row, steps in changes.histories.items():
            self._keep(row, steps)
            self._tables.pop(row[0], None)

    def seen_by(self, subject: Subject, are_seen: AreSeen) -> Seen:
        """The entries, or the chunks, that something changed which is not seen, as they stand without it."""
        if not self._known[subject]:
            return Seen(np.empty(0, np.int64), np.empty(0, np.bool_), np.empty(0))
        table = self._tables.get(subject)
        if table is None:
            table = self._tables[subject] = _table(self._known[subject])
        is_hidden = ~are_seen(table.causes)
        hidden = np.bincount(table.rows[is_hidden], minlength=len(table.ids))
        chosen = np.flatnonzero(hidden)
        found = Seen(table.ids[chosen], table.is_stale[chosen], table.ends[chosen])
        partly = np.flatnonzero(hidden[chosen] < table.counts[chosen])
        if len(partly):
            unseen = set(table.causes[is_hidden].tolist())
            for place in partly.tolist():
                steps = self._known[subject][int(found.ids[place])].steps
                found.is_stale[place], found.ends[place] = _state(
                    [replace(step, is_visible=step.cause_id not in unseen) for step in steps]
                )
        return found

    def _keep(self, row: Row, steps: Sequence[Step]) -> None:
        """Only rows that another entry changed, and of these no more than a mask asks for."""
        subject, subject_id = row
        own = {None, subject_id} if subject is Subject.ENTRY else {None}
        causes = tuple(step.cause_id for step in steps if step.cause_id is not None and step.cause_id not in own)
        if not causes:
            self._known[subject].pop(subject_id, None)
            return
        short = [replace(step, before=_short(step.before), after=_short(step.after)) for step in steps]
        alone = _state([replace(step, is_visible=step.cause_id in own) for step in short])
        self._known[subject][subject_id] = _Known(short, causes, alone)


def end_of(time: object) -> float:
    """An IXDTF text as seconds since 1970; what has no end lasts for ever."""
    return _FOREVER if time is None else from_ixdtf(str(time)).timestamp()


def _table(known: Mapping[int, _Known]) -> _Table:
    counts = np.array([len(one.causes) for one in known.values()], np.int64)
    return _Table(
        ids=np.array(list(known), np.int64),
        is_stale=np.array([one.own[0] for one in known.values()], np.bool_),
        ends=np.array([one.own[1] for one in known.values()], np.float64),
        causes=np.array([cause for one in known.values() for cause in one.causes], np.int64),
        rows=np.repeat(np.arange(len(known)), counts),
        counts=counts,
    )


def _state(steps: Sequence[Step]) -> tuple[bool, float]:
    """Every change of an entry by another one is of both columns, so that none is left as it is."""
    columns = state(steps)
    return columns.get("stale_reason") is not None, end_of(columns.get("valid_to"))


def _short(columns: Mapping[str, object]) -> dict[str, object]:
    """Whether there is a reason is enough, without its words."""
    return {
        name: value if name == "valid_to" or value is None else ""
        for name, value in columns.items()
        if name in _OF_INTEREST
    }
