"""A start and a rule as a calendar writes them, unfolded into instances in the same form."""

from __future__ import annotations

from datetime import datetime, time

from app.sources.ics.rule import read_moment, read_rule
from app.sources.ics.rule_instances import instances

_MOST = 1_000


def unfolded(start: str, rule: str, limit: int = _MOST) -> list[str]:
    """The instances of a rule from a start on ("20260131", "20260131T090000", with or without Z), at most `limit`.

    Raises:
        BadInput: one of them cannot be used, or the rule yields nothing for a very long time.
    """
    first = read_moment(start)
    if isinstance(first, datetime):
        form = "%Y%m%dT%H%M%S" + ("Z" if start.strip().upper().endswith("Z") else "")
        moment = first
    else:
        form, moment = "%Y%m%d", datetime.combine(first, time.min)
    return [f"{one:{form}}" for one in instances(read_rule(rule), moment, limit)]
