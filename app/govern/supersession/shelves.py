"""Where whole entries are kept, so that a later one finds those that it may speak of without a look at all others.

A shelf is the head of a statement's row, which has an index:

    ~task       to-dos                      ~2026-11    what names a day of that month still to come
    ~event      entries of calendars        ~#phone     what gives a value of that sort
    ~=budget    entries of that title

Whatever is on none of them, or on none that a later entry looks at, is found by its conversation alone. So reading an
entry costs as much as there is pending in the same months, and not as much as there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.govern.supersession.said import Kind
from app.govern.supersession.turn_cues import turn_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from app.govern.supersession.gist import Gist
    from app.govern.supersession.said import Days, Said

WHOLE = "~"
"""The head of what is said of an entry as a whole; every shelf begins with it."""
_TASKS, _EVENTS, _VALUE, _TITLE = "~task", "~event", "~#", "~="
_MONTHS_AHEAD = 3
_LONGEST_TITLE = 80


def shelves_of(kind: EntryKind, said: Said) -> Sequence[str]:
    """Where an entry is kept that others may end; `~` alone where only its conversation finds it."""
    gist = said.gist
    if gist is None:
        return [WHOLE]
    found = list(_titled(gist))
    if kind is EntryKind.TASK:
        found.append(_TASKS)
    elif kind is EntryKind.EVENT:
        found.append(_EVENTS)
    elif "plan" in gist.sorts:
        found += _months(said.days)
    elif gist.values:
        found += _values(gist)
    return list(dict.fromkeys(found)) or [WHOLE]


def shelves_for(said: Said, said_at: datetime) -> Sequence[str]:
    """Where what a later entry may end is looked for."""
    gist = said.gist
    if gist is None:
        return []
    found = list(_titled(gist))
    if said.kind is Kind.REPLACE:
        return [*found, *_values(gist)]
    first = said_at.year * 12 + said_at.month - 1
    found += [_month(number) for number in range(first, first + _MONTHS_AHEAD + 1)]
    found += _months(said.days)
    found.append(_EVENTS if said.kind is Kind.CANCEL else _TASKS)
    if said.kind is Kind.MOVE:
        found.append(_EVENTS)
    return list(dict.fromkeys(found))


def _titled(gist: Gist) -> Iterator[str]:
    if gist.title:
        yield f"{_TITLE}{gist.title[:_LONGEST_TITLE]}"


def _values(gist: Gist) -> list[str]:
    sorts = turn_rules().values
    return [f"{_VALUE}{key}" for key in gist.keys if key in sorts]


def _months(days: Sequence[Days]) -> list[str]:
    moments = [moment for one in days for moment in (one.start, one.end)]
    return [_month(moment.year * 12 + moment.month - 1) for moment in moments]


def _month(number: int) -> str:
    return f"{WHOLE}{number // 12:04}-{number % 12 + 1:02}"
