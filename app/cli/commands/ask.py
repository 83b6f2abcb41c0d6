"""Commands that get something out: ask, search, agenda."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from app.cli.command import argument, command, option
from app.cli.commands.agenda_line import say_item
from app.cli.plain import plain
from app.cli.screen import one_line
from app.domain.context_item import AgendaItem, Answer, ContextItem, SearchRequest
from app.domain.instants import parse_iso
from app.domain.labels import ANYONE, TRUST_WORDS, EntryKind
from app.domain.text import msg
from app.domain.words import word
from app.runtime import clock
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.cli.session import Session
    from app.famulus.api import FamulusApi

_MODES = ("full", "words", "vectors")
_KIND = click.Choice([kind.value for kind in EntryKind])
_TRUST = click.Choice(list(TRUST_WORDS))
_TOKENS = click.IntRange(1, 100_000)
_SUMMED = ("semantic", "lexical", "freshness", "confidence", "active_task")
"""Parts of an explanation that add up to the final score."""


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()


@command(_here, "ask", msg("Answer a question from your own entries, with the sources."))
@argument("text", meaning=msg("What you want to know."), nargs=-1, required=True)
def ask(session: Session, text: tuple[str, ...]) -> None:
    """Ask a question."""

    async def work(api: FamulusApi) -> Answer:
        return await api.ask(" ".join(text))

    answer = session.run(work)
    if session.is_json:
        session.screen.json(_flat_answer(answer))
        return
    session.screen.say(answer.text)
    for number, item in enumerate(answer.items, 1):
        session.screen.say()
        _say_source(session, number, item)
    for warning in answer.warnings:
        session.screen.note(warning)


@command(_here, "search", msg("Find passages, best first."))
@argument("text", meaning=msg("What you want to know."), nargs=-1, required=True)
@option("-k", "limit", meaning=msg("How many at most."), type=click.IntRange(1, 200), default=10, show_default=True)
@option("--scope", meaning=msg("Only what belongs to this."))
@option("--include-stale", meaning=msg("Also what is no longer valid."), is_flag=True)
@option("--explain", "is_explaining", meaning=msg("Show the parts of each score."), is_flag=True)
@option("--mode", meaning=msg("By words, by meaning, or by both."), type=click.Choice(_MODES), default="full")
@option("--kind", "kinds", meaning=msg("Only these kinds; may be said several times."), type=_KIND, multiple=True)
@option("--since", meaning=msg("Only from then on: 2026-11-01, or in words such as: last week."))
@option("--until", meaning=msg("Only until the end of then: 2026-11-30, or in words such as: yesterday."))
@option("--tokens", "budget_tokens", meaning=msg("Keep within so many tokens, with what stands around."), type=_TOKENS)
@option("--trust", meaning=msg("Only from people you know, or only your own."), type=_TRUST, default=ANYONE)
@option("--as", "as_client", meaning=msg("What this client would get."))
def search(  # noqa: PLR0913 - its options
    session: Session,
    text: tuple[str, ...],
    *,
    is_explaining: bool,
    as_client: str | None,
    kinds: Sequence[str],
    since: str | None,
    until: str | None,
    trust: str,
    **narrowing: Any,  # noqa: ANN401 - of SearchRequest
) -> None:
    """Search."""
    chosen, least = tuple(map(EntryKind, kinds)), TRUST_WORDS[trust]
    request = SearchRequest(" ".join(text), kinds=chosen, least_trust=least, **narrowing)

    async def work(api: FamulusApi) -> Sequence[ContextItem]:
        wanted = replace(
            request,
            since=None if since is None else (await _span(api, since))[0],
            until=None if until is None else (await _span(api, until))[1],
        )
        return await (api.search(wanted) if as_client is None else api.search(wanted, as_client=as_client))

    items = session.run(work)
    if session.is_json:
        session.screen.json([_flat_item(item, is_explaining=is_explaining) for item in items])
        return
    if not items:
        session.screen.say(msg("Nothing was found."))
    for number, item in enumerate(items, 1):
        _say_source(session, number, item)
        session.screen.say(f"    {one_line(item.content, 300)}")
        if is_explaining:
            _explain(session, item)


@command(_here, "agenda", msg("Events, tasks and deadlines of a day or a span, such as: tomorrow."))
@argument("when", meaning=msg("The day or the span, in English or Chinese; today without it."), nargs=-1)
def agenda(session: Session, when: tuple[str, ...]) -> None:
    """Show the agenda."""

    async def work(api: FamulusApi) -> Sequence[AgendaItem]:
        return await api.agenda(" ".join(when) or None)

    items = session.run(work)
    if session.is_json:
        session.screen.json(plain(items))
        return
    if not items:
        session.screen.say(msg("Nothing stands there."))
    for item in items:
        say_item(session, item)


def _flat_answer(answer: Answer) -> dict[str, object]:
    """DESIGN 6: {answer, items, route, left_device}, and what else there is."""
    values: dict[str, object] = plain(answer)
    return {"answer": values.pop("text"), **values}


def _flat_item(item: ContextItem, *, is_explaining: bool) -> dict[str, object]:
    values: dict[str, object] = plain(item)
    if not is_explaining:
        del values["explanation"], values["ranking"]
    return values


def _say_source(session: Session, number: int, item: ContextItem) -> None:
    facts = [translate(word(item.source_type.value)), translate(word(item.scope))]
    if item.event_time is not None:
        facts.append(item.event_time.date().isoformat())
    if item.place.page is not None:
        facts.append(translate(msg("page {number}", number=item.place.page)))
    if item.place.time:
        facts.append(translate(msg("at {time}", time=item.place.time)))
    facts.append(f"{item.final_score:.2f}")
    session.screen.say(f"[{number}] {one_line(item.title)}  ({' · '.join(facts)})")
    session.screen.say(f"    {item.source_uri}")
    if item.stale_reason is not None:
        session.screen.say("    " + translate(msg("No longer valid: {reason}", reason=item.stale_reason)))


def _explain(session: Session, item: ContextItem) -> None:
    """What the score is the sum of, what moved its parts, and which weights made it (G4.2)."""
    parts = item.explanation
    summed = " + ".join(f"{name} {parts[name]:.3f}" for name in _SUMMED if name in parts)
    session.screen.say(f"    {item.final_score:.3f} = {summed}" if summed else f"    {item.final_score:.3f}")
    others = "  ".join(f"{name} {value:.3f}" for name, value in parts.items() if name not in {*_SUMMED, "final"})
    facts = [translate(msg("ranking: {version}", version=item.ranking))] if item.ranking else []
    session.screen.say("    " + "  ".join((*facts, *([others] if others else []))))


async def _span(api: FamulusApi, when: str) -> tuple[datetime, datetime]:
    """A moment with its time as it stands; anything else as the span that it names."""
    try:
        moment = clock.checked(parse_iso(when, clock.zone()))
    except ValueError:
        return await api.span(when)
    return (moment, moment) if ":" in when else await api.span(when)
