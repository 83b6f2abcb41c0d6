"""A viewer's filter as a condition of SQL, for what is read from structure: it holds before anything is read (G4.3).

The same filter over chunks is a mask (`visibility`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.instants import to_ixdtf
from app.domain.labels import Trust

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.visibility import VisibilityFilter

_MOMENT = "coalesce({0}.event_time, {0}.updated_at)"


def rights_limits(visible: VisibilityFilter, table: str = "entry") -> tuple[str, list[object]]:
    """Whether an entry may be seen at all: a condition on a table, or an alias of it, and its values."""
    conditions, values = [f"{table}.sensitivity <= ?"], list[object]([int(visible.ceiling)])
    for column, allowed in (("scope", visible.scopes), ("acl", visible.acls)):
        if allowed is not None:
            conditions.append(f"{table}.{column} IN ({', '.join('?' * len(allowed))})")
            values += sorted(allowed)
    return " AND ".join(conditions), values


def entry_limits(visible: VisibilityFilter, table: str = "entry") -> tuple[str, list[object]]:
    """The same, and only what is asked for: entries of some kinds, trust, or time."""
    condition, values = rights_limits(visible, table)
    conditions = [condition]
    if visible.kinds is not None:
        conditions.append(f"{table}.source_type IN ({', '.join('?' * len(visible.kinds))})")
        values += sorted(kind.value for kind in visible.kinds)
    if visible.least_trust > Trust.WEB:
        conditions.append(f"{table}.trust >= ?")
        values.append(int(visible.least_trust))
    # stored times begin with the instant in UTC
    for sign, moment in ((">=", visible.since), ("<", visible.until)):
        if moment is not None:
            conditions.append(f"substr({_MOMENT.format(table)}, 1, 26) {sign} ?")
            values.append(to_ixdtf(moment)[:26])
    return " AND ".join(conditions), values


def id_list(ids: Iterable[int]) -> str:
    """Our own numbers, as many as there may be, as they stand between the brackets of IN."""
    return ", ".join(map(str, ids))
