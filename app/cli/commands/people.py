"""Commands about people: who is known, why two names are one person's, and what to do where that is wrong (G2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import argument, command, option, subgroup
from app.cli.plain import plain
from app.cli.screen import one_line
from app.domain.text import counted, msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from app.cli.session import Session
    from app.domain.people import Person, PersonCard, PersonSuggestion
    from app.famulus.api import FamulusApi


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(people)


people = subgroup(click.Group(), "people", msg("Who is known, and who is who."))


@command(people, "list", msg("List the people who are named, most often first."))
@option("-k", "limit", meaning=msg("How many at most."), type=click.IntRange(1, 1000), default=50, show_default=True)
@option("--suggestions", "is_suggesting", meaning=msg("Show instead who may be one person."), is_flag=True)
def list_people(session: Session, *, limit: int, is_suggesting: bool) -> None:
    """List people, or pairs that may be one."""
    if is_suggesting:
        _list_suggestions(session)
        return

    async def work(api: FamulusApi) -> Sequence[Person]:
        return await api.people(limit)

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    if not found:
        session.screen.say(msg("Nobody is known yet."))
    for person in found:
        session.screen.say(f"{person.person_id}  {_line(person)}")


@command(people, "show", msg("Show what is known of somebody: names, addresses, jobs, tasks, entries."))
@argument("name", meaning=msg("A name, an address or a number such as p12."), nargs=-1, required=True)
def show(session: Session, name: tuple[str, ...]) -> None:
    """Show one person."""
    _say_card(session, lambda api: api.person(" ".join(name)))


@command(people, "merge", msg("Say that two are one person."))
@argument("one", meaning=msg("A name, an address or a number such as p12."))
@argument("other", meaning=msg("The other one."))
def merge(session: Session, one: str, other: str) -> None:
    """Merge two people."""
    _say_card(session, lambda api: api.merge_people(one, other))


@command(people, "split", msg("Say that an address or a name of somebody is another person's."))
@argument("name", meaning=msg("A name, an address or a number such as p12."))
@argument("part", meaning=msg("Which part of them is somebody else: an address, a name or its number."))
def split(session: Session, name: str, part: str) -> None:
    """Take a person apart."""
    _say_card(session, lambda api: api.split_person(name, part))


@command(people, "undo", msg("Take a merge back for good."))
@argument("merge_id", meaning=msg("The number that `famulus people show` gives."), type=click.IntRange(1))
def undo(session: Session, merge_id: int) -> None:
    """Undo a merge."""

    async def work(api: FamulusApi) -> None:
        await api.undo_merge(merge_id)

    session.run(work)
    if session.is_json:
        session.screen.json({"undone": merge_id})
    else:
        session.screen.say(msg("Taken back. No rule puts them together again."))


def _list_suggestions(session: Session) -> None:
    async def work(api: FamulusApi) -> Sequence[PersonSuggestion]:
        return await api.people_suggestions()

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    if not found:
        session.screen.say(msg("Nobody seems to be known twice."))
    for pair in found:
        session.screen.say(f"{pair.one.person_id} {_line(pair.one)}")
        session.screen.say(f"{pair.other.person_id} {_line(pair.other)}")
        session.screen.say(f"    famulus people merge {pair.one.person_id} {pair.other.person_id}")


def _line(person: Person) -> str:
    facts = [*person.other_names, *(address for address in person.addresses if address != person.name)]
    more = f"  ({' · '.join(one_line(fact, 40) for fact in facts[:6])})" if facts else ""
    count = translate(counted("{count} entry", "{count} entries", count=person.entries))
    return f"{one_line(person.name, 60)}{more}  {count}"


def _say_card(session: Session, work: Callable[[FamulusApi], Awaitable[PersonCard]]) -> None:
    """Do something that gives a person, and show all that is known of them."""
    card = session.run(work)
    if session.is_json:
        session.screen.json(plain(card))
        return
    say = session.screen.say
    say(f"{card.person.person_id}  {_line(card.person)}")
    for phone in card.phones:
        say("    " + translate(msg("Phone: {phone}", phone=one_line(phone, 40))))
    for job in card.jobs:
        say(
            "    "
            + translate(msg("Work: {job}", job=one_line(", ".join(filter(None, (job.role, job.organisation))), 80)))
        )
    if card.person.last_contact is not None:
        say("    " + translate(msg("Last contact: {day}", day=_day(card.person.last_contact))))
    for task in card.tasks:
        say("    " + translate(msg("To do: {task}", task=one_line(task.title, 80))) + f"  {_day(task.due_at)}")
    for entry in card.entries[:10]:
        say(f"    {_day(entry.at)}  {one_line(entry.title, 80)}  ({entry.part})")
    if card.merges:
        say(msg("One person, because:"))
    for found in card.merges:
        both = f"{one_line(found.one, 40)} = {one_line(found.other, 40)}"
        say(f"    {found.merge_id}  {both}: {translate(found.evidence)} ({found.confidence:.2f})")


def _day(moment: datetime | None) -> str:
    return moment.date().isoformat() if moment is not None else ""
