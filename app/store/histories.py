"""What was done to a row, step by step, and how the row would stand if only some of it had been done (G2.6, G4.3).

A row that governance changed is what stood there before, with every standing change over it in the order in which they
hold (`change_chain`). So it can be told how it stands for somebody who may not see some of the entries that caused the
changes: as what stood there before, with the other changes alone. For them the hidden ones never happened.

    states_for(reader, Subject.RECORD, ids, visible)     only of rows that differ for this viewer: columns to values

A change without a cause is what a person did, or the entry itself says; whoever may see the entry may see that.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.limits import rights_limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from app.domain.records import Subject
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row

RESUME = "resume"
"""The kind of a change that puts back what stood there before all others."""
CALLED_OFF = frozenset({"cancel", "move"})
"""The kinds of changes that can be resumed."""
_IDS_AT_ONCE = 500
# What an entry's source did counts from then on (`writes`), so of the others nothing is kept.
_LIVING = "(subject_kind <> 'entry' OR EXISTS (SELECT 1 FROM entry WHERE entry_id = subject_id AND is_current = 1))"
_STANDING = "undone_at IS NULL AND is_suggestion = 0"


@dataclass(frozen=True, slots=True)
class Step:
    """A standing change of one row.

    Attributes:
        cause_id: the entry that says so; None where nobody but the person or the row's own entry does.
        effective_at: IXDTF. before, after: columns as they are stored.
        is_visible: whether the viewer whom it was read for may see its cause.
    """

    change_id: int
    cause_id: int | None
    effective_at: str
    kind: str
    before: Mapping[str, object]
    after: Mapping[str, object]
    is_visible: bool = True


def steps_of(reader: Reader, subject: Subject, ids: Iterable[int], visible: VisibilityFilter) -> dict[int, list[Step]]:
    """The steps of some rows, in their order; rows without any are absent."""
    condition, values = _may_see_cause(visible)
    wanted = sorted(set(ids))
    found: dict[int, list[Step]] = {}
    for start in range(0, len(wanted), _IDS_AT_ONCE):
        some = wanted[start : start + _IDS_AT_ONCE]
        rows = reader.rows(
            f"{_select(condition)} AND subject_id IN ({', '.join('?' * len(some))})", *values, subject.value, *some
        )
        _sort_in(found, rows)
    return _in_order(found)


def contested(reader: Reader, subject: Subject, visible: VisibilityFilter) -> dict[int, list[Step]]:
    """The steps of every row of a kind that something changed which the viewer may not see."""
    if visible.is_unrestricted:
        return {}
    condition, values = _may_see_cause(visible)
    ids = [
        row[0]
        for row in reader.rows(
            f"SELECT DISTINCT subject_id FROM change LEFT JOIN entry AS cause ON cause.entry_id = cause_id"  # noqa: S608
            f" WHERE subject_kind = ? AND {_STANDING} AND NOT {condition}",
            subject.value,
            *values,
        )
    ]
    return steps_of(reader, subject, ids, visible)


def states_for(
    reader: Reader, subject: Subject, ids: Iterable[int], visible: VisibilityFilter
) -> dict[int, dict[str, object]]:
    """How rows stand for a viewer, of those that stand otherwise for the owner: the columns that were ever changed."""
    if visible.is_unrestricted:
        return {}
    return {
        subject_id: state(steps)
        for subject_id, steps in steps_of(reader, subject, ids, visible).items()
        if not all(step.is_visible for step in steps)
    }


def state(steps: Sequence[Step], *, until: str | None = None) -> dict[str, object]:
    """The columns that any step touched, as the visible ones leave them.

    Args:
        until: an IXDTF moment; steps that hold only later are left out.
    """
    base: dict[str, object] = {}
    for step in steps:
        for column, value in step.before.items():
            base.setdefault(column, value)
    columns = dict(base)
    called_off: set[str] = set()
    for step in steps:
        if not step.is_visible or (until is not None and step.effective_at[:26] > until[:26]):
            continue
        if step.kind == RESUME:
            # what nobody called off, as far as is seen, is not resumed either
            columns.update({name: base.get(name) for name in called_off & step.after.keys()})
            continue
        if step.kind in CALLED_OFF:
            called_off.update(step.after)
        columns.update(step.after)
    return columns


def column(columns: Mapping[str, object], name: str, otherwise: str | None) -> str | None:
    """A text column of a row as somebody sees it; `otherwise`: as it stands, where nothing ever changed it."""
    found = columns.get(name, otherwise)
    return None if found is None else str(found)


def all_steps(reader: Reader, subject: Subject) -> dict[int, list[Step]]:
    """The steps of every row of a kind, for whoever judges by itself who may see their causes."""
    found: dict[int, list[Step]] = {}
    for rows in reader.batches(_select("1"), subject.value):
        _sort_in(found, rows)
    return _in_order(found)


def steps_by_id(reader: Reader, subject: Subject, subject_id: int) -> list[Step]:
    """The steps of one row, likewise."""
    found: dict[int, list[Step]] = {}
    _sort_in(found, reader.rows(f"{_select('1')} AND subject_id = ?", subject.value, subject_id))
    return _in_order(found).get(subject_id, [])


def _select(is_visible: str) -> str:
    return (
        f"SELECT subject_id, change_id, cause_id, effective_at, change.kind, before, after, {is_visible} FROM change"  # noqa: S608
        f" LEFT JOIN entry AS cause ON cause.entry_id = cause_id WHERE subject_kind = ? AND {_STANDING} AND {_LIVING}"
    )


def _may_see_cause(visible: VisibilityFilter) -> tuple[str, list[object]]:
    if visible.is_unrestricted:
        return "1", []
    condition, values = rights_limits(visible, "cause")
    return f"(cause_id IS NULL OR ({condition}))", values


def _sort_in(found: dict[int, list[Step]], rows: Iterable[Row]) -> None:
    for subject_id, change_id, cause_id, effective_at, kind, before, after, is_visible in rows:
        step = Step(
            change_id, cause_id, effective_at, kind, json.loads(before), json.loads(after), is_visible=bool(is_visible)
        )
        found.setdefault(subject_id, []).append(step)


def _in_order(found: dict[int, list[Step]]) -> dict[int, list[Step]]:
    for steps in found.values():
        steps.sort(key=lambda step: (step.effective_at[:26], step.change_id))
    return found
