"""What a person asks and decides about who is who; the facade's methods about people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.text import msg
from app.govern.people.names import parse
from app.govern.people.rules import rules
from app.runtime import clock
from app.store import people
from app.store.merges import OWNER, Reason, canonical_of, members_of, merge, split_off, undo
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.people import Person, PersonCard, PersonSuggestion
    from app.runtime.lanes import Lanes
    from app.store.connection import Reader
    from app.store.database import Database

_SAID_SO = msg("You said so")
_MOST = 1000


class PeopleDesk:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, database: Database, lanes: Lanes) -> None:
        self._database = database
        self._lanes = lanes

    async def list(self, limit: int) -> Sequence[Person]:
        """Those who are named most often, first."""

        def read() -> Sequence[Person]:
            with self._database.reader() as reader:
                return people.people(reader, max(1, min(limit, _MOST)))

        return await self._lanes.readers.run(read)

    async def suggestions(self) -> Sequence[PersonSuggestion]:
        """Pairs who may be one person."""

        def read() -> Sequence[PersonSuggestion]:
            with self._database.reader() as reader:
                return people.suggestions(reader, _MOST)

        return await self._lanes.readers.run(read)

    async def show(self, name: str) -> PersonCard:
        """All that is known of somebody; raises `BadInput` for nobody, and for several of one name."""

        def read() -> PersonCard:
            with self._database.reader() as reader:
                return people.card(reader, one_called(reader, name))

        return await self._lanes.readers.run(read)

    async def merge(self, one: str, other: str) -> PersonCard:
        """Say that two are one person."""

        def write() -> PersonCard:
            with self._database.write() as tx:
                note_rules(tx, rules().version, now=clock.now())
                first, second = one_called(tx, one), one_called(tx, other)
                reason = Reason(_SAID_SO, 1.0, OWNER, rules().version)
                if not merge(tx, second, first, reason, now=clock.now()):
                    raise BadInput(
                        msg("{one} and {other} are one person already.", one=one, other=other),
                        next_step=msg("See `famulus people show` for what is known of them."),
                    )
                return people.card(tx, canonical_of(tx, first))

        return await self._lanes.writer.run(write)

    async def split(self, name: str, part: str) -> PersonCard:
        """Take one of somebody's addresses or names away from them for good: it is somebody else."""

        def write() -> PersonCard:
            with self._database.write() as tx:
                canonical = one_called(tx, name)
                member = _part_of(tx, canonical, part)
                rest = [entity for entity in members_of(tx, canonical) if entity != member]
                if not rest or not split_off(tx, member, now=clock.now()):
                    raise BadInput(
                        msg("{part} is all that is known of {name}.", part=part, name=name),
                        next_step=msg("Nothing needs to be taken apart."),
                    )
                return people.card(tx, canonical_of(tx, rest[0]))

        return await self._lanes.writer.run(write)

    async def undo(self, merge_id: int) -> None:
        """Take back a merge for good; no rule makes it again."""

        def write() -> None:
            with self._database.write() as tx:
                if not undo(tx, [merge_id], now=clock.now()):
                    raise BadInput(
                        msg("There is no merge with the number {number}.", number=merge_id),
                        next_step=msg("See `famulus people show` for the numbers."),
                    )

        await self._lanes.writer.run(write)


def one_called(reader: Reader, text: str) -> int:
    """The one person whom a text means; raises `BadInput` for nobody and for several."""
    plain = " ".join(text.split())
    name = parse(plain)
    keys = [("key", name.key), *(("reading", reading) for reading in name.readings)] if name.is_full else []
    found = people.find_people(reader, plain, keys)
    if not found:
        raise BadInput(
            msg("Nobody is known as {name}.", name=plain),
            next_step=msg("See `famulus people list` for who is known."),
        )
    if len(found) > 1:
        known = ", ".join(f"p{entity} ({_short(reader, entity)})" for entity in found[:10])
        raise BadInput(
            msg("Several people are called {name}: {people}.", name=plain, people=known),
            next_step=msg("Say which one by the number, such as {number}.", number=f"p{found[0]}"),
        )
    return found[0]


def _short(reader: Reader, canonical: int) -> str:
    person = people.person(reader, canonical)
    return ", ".join((person.name, *person.addresses[:1]))


def _part_of(reader: Reader, canonical: int, text: str) -> int:
    plain = " ".join(text.split())
    for part in people.card(reader, canonical).parts:
        if plain.casefold() in {part.part_id, part.name.casefold()}:
            return int(part.part_id[1:])
    raise BadInput(
        msg("{part} is no part of {name}.", part=plain, name=people.person(reader, canonical).name),
        next_step=msg("See `famulus people show` for the parts."),
    )
