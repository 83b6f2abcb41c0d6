"""What several clients read, as one report: the person's own questions, which their window asks, are not among it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.clients import AuditReport


def merged(reports: Sequence[AuditReport], limit: int) -> AuditReport:
    """Reports of different clients over the same span; at most `limit` lines, newest first.

    `entries` is their sum: one that two clients read counts twice.
    """
    levels: Counter[str] = Counter()
    for report in reports:
        levels.update(dict(report.by_sensitivity))
    lines = sorted((line for report in reports for line in report.lines), key=lambda line: line.at, reverse=True)
    return replace(
        reports[0],
        client=None,
        requests=sum(report.requests for report in reports),
        refused=sum(report.refused for report in reports),
        items=sum(report.items for report in reports),
        entries=sum(report.entries for report in reports),
        by_sensitivity=tuple(levels.items()),
        lines=tuple(lines[:limit]),
    )
