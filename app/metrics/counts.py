"""From rows of the logs to counts: each a part of a whole at a moment, of one of the five rates (G7).

A rate is the sum of its parts by the sum of its wholes, over any span: so the rate of a month and those of its weeks
are of the same counts. A request about which nobody said anything counts neither as a success nor as a failure.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.mark_rows import folded
from app.store.metric_rows import SEARCHES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from app.store.mark_rows import MarkRow
    from app.store.metric_rows import GrantRow, HandedOut, InjectionRow, OutcomeRow, RequestRow

TASK_SUCCESS = "task_success"
USER_ADOPTION = "user_adoption"
CONTEXT_HIT = "context_hit"
EXPIRED_CONTEXT = "expired_context"
MANUAL_CORRECTION = "manual_correction"
RATES = (TASK_SUCCESS, USER_ADOPTION, CONTEXT_HIT, EXPIRED_CONTEXT, MANUAL_CORRECTION)
_OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Count:
    """`part` of `whole` of the rate `name`, with 0 <= part <= whole. `ranking`: by which its request was answered."""

    name: str
    at: datetime
    part: int
    whole: int
    ranking: str = ""


@dataclass(frozen=True, slots=True)
class _End:
    """All that was said of one request; of each thing the last word, as the rows come. `at`: when that was said."""

    at: datetime
    ranking: str
    is_success: bool | None
    is_adopted: bool | None
    fields: tuple[int, int] | None


def outcome_counts(rows: Sequence[OutcomeRow]) -> list[Count]:
    """Successes, adoptions and corrections, each request once, at the time when something was last said of it."""
    found: list[Count] = []
    for end in _ends(rows):
        if end.is_success is not None:
            found.append(Count(TASK_SUCCESS, end.at, int(end.is_success), 1, end.ranking))
        if end.is_adopted is not None:
            found.append(Count(USER_ADOPTION, end.at, int(end.is_adopted), 1, end.ranking))
        if end.fields is not None:
            edited, total = end.fields
            found.append(Count(MANUAL_CORRECTION, end.at, min(edited, total), total, end.ranking))
    return found


def injection_counts(rows: Iterable[InjectionRow]) -> list[Count]:
    """Expired items among those handed out."""
    return [Count(EXPIRED_CONTEXT, row.at, row.expired, row.items, row.ranking) for row in rows]


def answered_searches(rows: Iterable[RequestRow]) -> list[RequestRow]:
    """The requests that something was looked for by, and that were not refused."""
    return [row for row in rows if row.action in SEARCHES and not row.is_refused]


def marked_requests(rows: Iterable[RequestRow], marks: Iterable[MarkRow]) -> list[RequestRow]:
    """The searches of a question that is marked, which is known by its words."""
    questions = {folded(mark.query) for mark in marks if mark.is_wanted}
    return [row for row in answered_searches(rows) if folded(row.query) in questions]


def hit_counts(
    searches: Iterable[RequestRow],
    marks: Iterable[MarkRow],
    handed: Iterable[HandedOut],
    grants: Mapping[str, GrantRow],
) -> list[Count]:
    """Of the entries that a question should find, those that a request handed out and nobody left uncited.

    Only what the asker may see counts, and only what is there to be found now.

    Args:
        searches: those of `marked_requests`. handed: what they handed out.
    """
    wanted: defaultdict[str, list[MarkRow]] = defaultdict(list)
    for mark in marks:
        if mark.is_wanted and mark.is_findable:
            wanted[folded(mark.query)].append(mark)
    used: defaultdict[str, set[int]] = defaultdict(set)
    for one in handed:
        if one.is_cited is not False:
            used[one.request_id].add(one.entry_id)
    found = []
    for row in searches:
        due = {mark.entry_id for mark in wanted[folded(row.query)] if _may_see(row.client, mark, grants)}
        if due:
            found.append(Count(CONTEXT_HIT, row.at, len(due & used[row.request_id]), len(due), row.ranking))
    return found


def _may_see(client: str, mark: MarkRow, grants: Mapping[str, GrantRow]) -> bool:
    if client == _OWNER:
        return True
    grant = grants.get(client)
    return (
        grant is not None
        and mark.scope in grant.scopes
        and mark.acl in grant.acls
        and mark.sensitivity <= grant.ceiling
    )


def _ends(rows: Sequence[OutcomeRow]) -> list[_End]:
    by_request: defaultdict[str, list[OutcomeRow]] = defaultdict(list)
    for row in rows:
        by_request[row.request_id].append(row)
    return [_end(said) for said in by_request.values()]


def _end(said: Sequence[OutcomeRow]) -> _End:
    is_success = is_adopted = None
    fields: tuple[int, int] | None = None
    for row in said:
        is_success = row.is_success if row.is_success is not None else is_success
        is_adopted = row.is_adopted if row.is_adopted is not None else is_adopted
        if row.fields_total is not None and row.fields_edited is not None:
            fields = (row.fields_edited, row.fields_total)
    return _End(said[-1].at, said[0].ranking, is_success, is_adopted, fields)
