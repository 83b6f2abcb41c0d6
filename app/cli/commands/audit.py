"""The command about what was read, and by whom (G8.1)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from app.cli.command import command, option
from app.cli.plain import plain
from app.cli.screen import one_line
from app.domain.instants import parse_iso, to_iso
from app.domain.text import counted, msg
from app.domain.words import word
from app.runtime import clock
from app.runtime.translation import translate

if TYPE_CHECKING:
    from datetime import datetime

    from app.cli.session import Session
    from app.domain.clients import AuditLine, AuditReport
    from app.famulus.api import FamulusApi

_MOST = 10_000
_ACTIONS = {
    "ask": msg("question"),
    "search": msg("search"),
    "item": msg("one item"),
    "agenda": msg("agenda"),
    "tasks": msg("tasks"),
    "facts": msg("facts"),
    "templates": msg("templates"),
    "prepare": msg("preparation"),
    "hello": msg("said hello"),
    "remember": msg("suggestion"),
    "outcome": msg("outcome told"),
    "ask_access": msg("access asked for"),
    "allow": msg("access allowed"),
    "deny": msg("access denied"),
    "change": msg("access changed"),
    "token": msg("new token"),
    "revoke": msg("access revoked"),
    "remove": msg("client removed"),
}
_AGO = re.compile(r"(\d{1,6})([hd])")


def add_to(root: click.Group) -> None:
    """Add the command of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()


@command(_here, "audit", msg("Show what was read of your context, and by whom: the last seven days without --since."))
@option("--client", meaning=msg("Only what this client read; owner: you yourself."))
@option("--since", metavar="WHEN", meaning=msg("From then on: 2026-11-01, 30d, 12h, or in words such as: monday."))
@option("--limit", "-n", "limit", type=click.IntRange(1, _MOST), default=50, meaning=msg("So many lines at most."))
@option(
    "--skip", type=click.IntRange(0), default=0, meaning=msg("Leave out so many of the newest lines: page by page.")
)
def audit(session: Session, client: str | None, since: str | None, limit: int, skip: int) -> None:
    """Show the audit."""

    async def work(api: FamulusApi) -> AuditReport:
        moment = None if since is None else _moment(since) or (await api.span(since))[0]
        return await api.audit(client=client, since=moment, limit=limit, skip=skip)

    report = session.run(work)
    if session.is_json:
        session.screen.json({**plain(report), "by_sensitivity": dict(report.by_sensitivity)})
        return
    _say_sum(session, report)
    for line in report.lines:
        _say(session, line)


def _say_sum(session: Session, report: AuditReport) -> None:
    session.screen.say(
        msg(
            "Since {since}: {requests}, {refused} of them refused; {items} of {entries}",
            since=to_iso(report.since),
            requests=counted("{count} request", "{count} requests", count=report.requests),
            refused=report.refused,
            items=counted("{count} item", "{count} items", count=report.items),
            entries=counted("{count} entry", "{count} entries", count=report.entries),
        )
    )
    for level, count in report.by_sensitivity:
        session.screen.say(f"    {translate(word(level))}: {count}")


def _say(session: Session, line: AuditLine) -> None:
    action = translate(_ACTIONS[line.action]) if line.action in _ACTIONS else line.action
    facts = [to_iso(line.at), one_line(line.client, 60), action]
    if line.template:
        facts.append(one_line(line.template, 60))
    if line.query:
        facts.append(f"“{one_line(line.query, 120)}”")
    if line.refusal:
        facts.append(translate(msg("refused: {code}", code=line.refusal)))
    session.screen.say("  ".join(facts))
    for item in line.items:
        title = translate(msg("deleted")) if item.title is None else one_line(item.title, 100)
        session.screen.say(f"    {item.rank}  {title}  ({translate(word(item.sensitivity.word))})")
        if item.source_uri is not None:
            session.screen.say(f"       {one_line(item.source_uri)}")


def _moment(text: str) -> datetime | None:
    """A moment as a program writes it; None for other words."""
    try:
        if (match := _AGO.fullmatch(text.strip())) is not None:
            count = int(match[1])
            return clock.now() - (timedelta(hours=count) if match[2] == "h" else timedelta(days=count))
        return clock.checked(parse_iso(text.strip(), clock.zone()))
    except (ValueError, OverflowError):
        return None
