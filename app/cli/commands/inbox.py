"""Commands about the inbox: what clients suggest to remember (X9.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import TranslatedGroup, argument, command, option
from app.cli.plain import plain
from app.cli.screen import one_line, readable
from app.domain.errors import BadInput
from app.domain.instants import to_iso
from app.domain.serving import CandidateState
from app.domain.text import msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.serving import Candidate
    from app.famulus.api import FamulusApi

_NUMBER = msg("The number of the suggestion.")
_SHOWN = 400
"""Characters of a suggestion in a list."""
_STATES = {CandidateState.ACCEPTED: msg("accepted"), CandidateState.DECLINED: msg("declined")}


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(inbox)


@click.pass_context
def _list_by_default(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        context.invoke(list_)


inbox = TranslatedGroup(
    "inbox",
    meaning=msg("What programs suggest to remember; nothing of it is known before you accept it."),
    callback=_list_by_default,
    invoke_without_command=True,
)


@command(inbox, "list", msg("List the suggestions, newest first."))
@option("--all", "include_decided", is_flag=True, meaning=msg("Also those that were decided."))
def list_(session: Session, *, include_decided: bool = False) -> None:
    """List suggestions."""

    async def work(api: FamulusApi) -> Sequence[Candidate]:
        return await api.inbox(include_decided=include_decided)

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    if not found:
        session.screen.say(msg("Nothing is suggested."))
    for candidate in found:
        _say(session, candidate)


@command(inbox, "show", msg("Show a suggestion whole, as it would be kept."))
@argument("number", type=click.IntRange(1), meaning=_NUMBER)
def show(session: Session, number: int) -> None:
    """Show one."""

    async def work(api: FamulusApi) -> Candidate:
        for candidate in await api.inbox(include_decided=True):
            if candidate.candidate_id == number:
                return candidate
        raise BadInput(
            msg("There is no suggestion {number}.", number=number),
            next_step=msg("`famulus inbox` shows their numbers."),
        )

    candidate = session.run(work)
    if session.is_json:
        session.screen.json(plain(candidate))
        return
    _say_head(session, candidate)
    for line in readable(candidate.text).splitlines():
        session.screen.say(f"  | {line}")
    _say_reason(session, candidate)


@command(inbox, "accept", msg("Keep a suggestion as a note of your own."))
@argument("number", type=click.IntRange(1), meaning=_NUMBER)
@option("--text", meaning=msg("What to keep instead of its words."))
def accept(session: Session, number: int, text: str | None) -> None:
    """Accept one."""
    _decide(session, number, text, is_accepted=True)


@command(inbox, "decline", msg("Decline a suggestion for good."))
@argument("number", type=click.IntRange(1), meaning=_NUMBER)
def decline(session: Session, number: int) -> None:
    """Decline one."""
    _decide(session, number, None, is_accepted=False)


def _decide(session: Session, number: int, text: str | None, *, is_accepted: bool) -> None:
    async def work(api: FamulusApi) -> Candidate:
        return await api.decide_candidate(number, is_accepted=is_accepted, text=text)

    candidate = session.run(work)
    if session.is_json:
        session.screen.json(plain(candidate))
    else:
        session.screen.say(msg("Kept as a note of yours.") if is_accepted else msg("Declined."))


def _say(session: Session, candidate: Candidate) -> None:
    _say_head(session, candidate)
    if candidate.text:
        session.screen.say(f"    {one_line(candidate.text, _SHOWN)}")
    if len(candidate.text) > _SHOWN:
        session.screen.say(
            "    "
            + translate(
                msg(
                    "{count} characters in all: famulus inbox show {number}",
                    count=len(candidate.text),
                    number=candidate.candidate_id,
                )
            )
        )
    _say_reason(session, candidate)


def _say_head(session: Session, candidate: Candidate) -> None:
    title = one_line(candidate.title, 80) or one_line(candidate.text, 80)
    facts = [one_line(candidate.client, 60), to_iso(candidate.at)]
    if candidate.state in _STATES:
        facts.append(translate(_STATES[candidate.state]))
    session.screen.say(f"{candidate.candidate_id}  {title}  ({' · '.join(facts)})")


def _say_reason(session: Session, candidate: Candidate) -> None:
    if candidate.reason:
        session.screen.say("    " + translate(msg("Its reason: {reason}", reason=one_line(candidate.reason, 200))))
