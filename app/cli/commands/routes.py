"""Commands about the routing table: what people say for each intent, and trying it out (L3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import argument, command, option, subgroup
from app.cli.plain import plain
from app.cli.session import Opening
from app.domain.text import counted, msg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.intents import Intent, IntentPart, IntentReading
    from app.famulus.api import FamulusApi


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(routes)


routes = subgroup(click.Group(), "routes", msg("What a request may be for: the routing table."))


@command(routes, "list", msg("List the intents, what they need, and how many examples they have."))
def list_intents(session: Session) -> None:
    """List the table."""
    found = _table(session)
    if session.is_json:
        session.screen.json(plain(found))
        return
    for intent in found:
        session.screen.say(f"{intent.id}  {intent.about}")
        session.screen.say(msg("    {examples}, {own} of them yours · {needs}", **_counts(intent)))


@command(routes, "check", msg("Check your own routing table, and say what is wrong with it."))
def check(session: Session) -> None:
    """A wrong table raises, and the error says where."""
    found = _table(session)
    own = sum(intent.own_examples for intent in found)
    if session.is_json:
        session.screen.json({"intents": len(found), "own_examples": own})
        return
    session.screen.say(
        msg(
            "The table is in order: {intents}, {examples} of yours.",
            intents=counted("{count} intent", "{count} intents", count=len(found)),
            examples=counted("{count} example", "{count} examples", count=own),
        )
    )


@command(routes, "try", msg("Say how a text is understood."))
@argument("text", meaning=msg("What somebody might say."))
def try_text(session: Session, text: str) -> None:
    """Read one text."""

    async def work(api: FamulusApi) -> IntentReading:
        return await api.read_intent(text)

    reading = session.run(work, opening=Opening.NEVER)
    if session.is_json:
        session.screen.json(plain(reading))
        return
    for part in reading.parts:
        _say(session, text, part)
    for guess in reading.alternatives:
        session.screen.say(f"    {guess.score:.2f}  {guess.intent}")


@command(routes, "add", msg("Add an example to an intent; it counts at once."))
@argument("intent", meaning=msg("The intent's id."))
@argument("example", meaning=msg("What you say for it."))
@option("--new", "is_new", is_flag=True, meaning=msg("Begin an intent of your own."))
def add(session: Session, intent: str, example: str, *, is_new: bool) -> None:
    """Add an example."""

    async def work(api: FamulusApi) -> None:
        await api.add_intent_example(intent, example, is_new=is_new)

    session.run(work, opening=Opening.NEVER)
    if session.is_json:
        session.screen.json({"intent": intent, "example": example})
    else:
        session.screen.say(msg("“{example}” is an example of {intent} now.", example=example, intent=intent))


def _table(session: Session) -> Sequence[Intent]:
    async def work(api: FamulusApi) -> Sequence[Intent]:
        return await api.intents()

    return session.run(work, opening=Opening.NEVER)


def _counts(intent: Intent) -> dict[str, object]:
    needs = ", ".join((intent.tier.value, *intent.tools))
    examples = sum(map(len, intent.examples.values()))
    return {
        "examples": counted("{count} example", "{count} examples", count=examples),
        "own": intent.own_examples,
        "needs": needs,
    }


def _say(session: Session, text: str, part: IntentPart) -> None:
    session.screen.say(f"{part.score:.2f}  {part.intent}  {text[part.start : part.end]}")
    for slot in part.slots:
        session.screen.say(f"    {slot.name}: {text[slot.start : slot.end]}")
    if not part.is_certain:
        session.screen.note(msg("Not certain: before anything is done you are asked."))
