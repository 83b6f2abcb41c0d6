"""By what entries and passages were made stale, in memory, for masks that differ from viewer to viewer (G4.3, G4.4).

Few rows are changed by what another entry says, and fewer by one that a given viewer may not see; only these are looked
at one by one when a mask is made. It follows every commit (`ChangeSet.histories`).
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
    """Rows that stand otherwise for a viewer: of entries (is it stale, until when it holds), of chunks (is it stale).

    None: as it stands for everybody.
    """

    entries: Mapping[int, tuple[bool | None, float | None]]
    chunks: Mapping[int, bool]


class Staleness:
    """See the module docstring. Not for two threads at once: `visibility` holds the lock."""

    def __init__(self) -> None:
        self._steps: dict[Row, Sequence[Step]] = {}
        self._causes: NDArray[np.int64] | None = None
        self._rows: list[Row] = []

    def load(self, reader: Reader) -> None:
        """Read what is done to entries and chunks."""
        self._steps = {}
        for subject in (Subject.ENTRY, Subject.CHUNK):
            for subject_id, steps in all_steps(reader, subject).items():
                self._keep((subject, subject_id), steps)
        self._causes = None

    def apply(self, changes: ChangeSet) -> None:
        """Follow a commit."""
        for row, steps in changes.histories.items():
            self._keep(row, steps)
        if changes.histories:
            self._causes = None

    def seen_by(self, are_seen: AreSeen) -> Seen:
        """The rows that something made stale which is not seen, as they stand without it."""
        if not self._steps:
            return Seen({}, {})
        if self._causes is None:
            pairs = [(step.cause_id, row) for row, steps in self._steps.items() for step in steps if step.cause_id]
            self._causes = np.array([cause for cause, _ in pairs], np.int64)
            self._rows = [row for _, row in pairs]
        hidden = np.flatnonzero(~are_seen(self._causes)).tolist()
        is_hidden = {int(self._causes[at]) for at in hidden}
        entries: dict[int, tuple[bool | None, float | None]] = {}
        chunks: dict[int, bool] = {}
        for subject, subject_id in dict.fromkeys(self._rows[at] for at in hidden):
            steps = [
                replace(step, is_visible=step.cause_id not in is_hidden) for step in self._steps[subject, subject_id]
            ]
            columns = state(steps)
            is_stale = columns["stale_reason"] is not None if "stale_reason" in columns else None
            if subject is Subject.ENTRY:
                entries[subject_id] = (is_stale, end_of(columns["valid_to"]) if "valid_to" in columns else None)
            elif is_stale is not None:
                chunks[subject_id] = is_stale
        return Seen(entries, chunks)

    def _keep(self, row: Row, steps: Sequence[Step]) -> None:
        """Only rows that another entry changed, and of these no more than a mask asks for."""
        own = row[1] if row[0] is Subject.ENTRY else None
        if any(step.cause_id not in {None, own} for step in steps):
            self._steps[row] = [replace(step, before=_short(step.before), after=_short(step.after)) for step in steps]
        else:
            self._steps.pop(row, None)


def end_of(time: object) -> float:
    """An IXDTF text as seconds since 1970; what has no end lasts for ever."""
    return _FOREVER if time is None else from_ixdtf(str(time)).timestamp()


def _short(columns: Mapping[str, object]) -> dict[str, object]:
    """Whether there is a reason is enough, without its words."""
    return {
        name: value if name == "valid_to" or value is None else ""
        for name, value in columns.items()
        if name in _OF_INTEREST
    }
