"""The monthly rule report: what governance changed by itself, and what the person took back of it (G7, G2.8). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import counted, msg
from app.metrics.counts import MANUAL_CORRECTION
from app.metrics.layers import GOVERNANCE
from app.metrics.markdown import Page, harmless, percent, shown
from app.metrics.rates import share

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.metrics import MetricsReport
    from app.domain.text import Text
    from app.metrics.markdown import Say
    from app.store.layer_rows import ChangeCount, MergeCount

_OFTEN_UNDONE, _UNDONE_AT_LEAST = 0.2, 2
"""A rule is worth a look where at least two of its changes, and a fifth of them, were taken back."""


def rule_report(
    month: MetricsReport,
    before: MetricsReport,
    changes: Sequence[ChangeCount],
    merges: MergeCount,
    versions: Sequence[tuple[str, datetime]],
    *,
    say: Say,
) -> str:
    """Markdown.

    Args:
        month, before: the figures of the month, and of the days before it. changes, merges: of the month.
        versions: of rules that came into force in it.
    """
    page = Page(say)
    page.heading(
        msg("Rules from {first} to {last}", first=month.first_day.isoformat(), last=month.last_day.isoformat()), 1
    )
    _accuracy(page, month, before)
    page.heading(msg("What rules changed by themselves"))
    if not changes:
        page.paragraph(msg("Nothing was changed."))
    page.table(
        (msg("Rule"), msg("Version"), msg("Changes"), msg("Taken back"), msg("Share")),
        [
            (_name(one), one.rule_version, str(one.made), str(one.undone), percent(share(one.undone, one.made)))
            for one in changes
        ],
    )
    if merges.made:
        page.paragraph(
            msg(
                "People: taken for one {made}, taken apart again by you {undone}.",
                made=counted("{count} time", "{count} times", count=merges.made),
                undone=counted("{count} time", "{count} times", count=merges.undone),
            )
        )
    page.heading(msg("Rules worth a look"))
    page.points(worth_a_look(changes) or [msg("None: hardly anything was taken back.")])
    if versions:
        page.heading(msg("Rules that came into force"))
        page.table((msg("Version"), msg("Since")), [(version, at.date().isoformat()) for version, at in versions])
    return page.text


def worth_a_look(changes: Sequence[ChangeCount]) -> list[Text]:
    """The rules whose changes were often taken back."""
    return [
        msg(
            "{rule} ({version}): {undone} of {made} changes were taken back. Own words for it go into the rule files:"
            " `famulus rules list`.",
            rule=harmless(_name(one)),
            version=harmless(one.rule_version),
            undone=one.undone,
            made=one.made,
        )
        for one in changes
        if one.undone >= _UNDONE_AT_LEAST and one.undone >= _OFTEN_UNDONE * one.made
    ]


def _accuracy(page: Page, month: MetricsReport, before: MetricsReport) -> None:
    rows: list[tuple[Text, Text | str, Text | str]] = [
        (now.title, shown(now), shown(old))
        for now, old in zip(month.layers, before.layers, strict=True)
        if now.layer == GOVERNANCE
    ]
    rows += [
        (now.title, percent(now.value), percent(old.value))
        for now, old in zip(month.rates, before.rates, strict=True)
        if now.name == MANUAL_CORRECTION
    ]
    page.table((msg("Figure"), msg("This month"), msg("Before")), rows)


def _name(one: ChangeCount) -> str:
    return f"{one.actor}: {one.kind}" if one.kind else one.actor
