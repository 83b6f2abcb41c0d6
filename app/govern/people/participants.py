"""Who is meant by a name within one conversation: those who take part in it are known, and "Bob" is one of them.

Outside a conversation a first name, a nickname or a surname says nothing, and nobody is taken for anybody because of
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from app.govern.people.addresses import Spelling, spells, split_address
from app.govern.people.groups import group_of
from app.govern.people.names import Form, same_given
from app.govern.people.readings import western
from app.govern.people.rules import rules
from app.store.entities import IS_A_ROLE
from app.store.merges import CANONICAL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from app.govern.people.groups import Group
    from app.govern.people.names import Name
    from app.store.connection import Reader


class Fit(IntEnum):
    """How well a name fits a participant."""

    NOT = 0
    PARTLY = 1
    """A surname with a title (张总)."""
    FIRST_NAME = 2
    ADDRESS = 3
    """The address spells the whole name, and no other name of them is known."""
    NAME = 4


@dataclass(frozen=True, slots=True)
class Hit:
    """The one participant whom a name fits best."""

    entity_id: int
    group: Group
    fit: Fit


class Talks:
    """Who takes part in conversations, each read once until somebody is called or put together otherwise."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._groups: dict[int, Group] = {}
        self._of_thread: dict[str, list[tuple[int, int]]] = {}
        self._fits: dict[tuple[Name, int], Fit] = {}

    def forget(self) -> None:
        """Read everything again: who is who has changed."""
        self._groups.clear()
        self._of_thread.clear()
        self._fits.clear()

    def of(self, entry_id: int, thread: str | None) -> list[tuple[int, int]]:
        """Who takes part in an entry, and in the other entries of its conversation: entity, canonical entity."""
        sql = f"SELECT DISTINCT subject_id, {CANONICAL} FROM relation JOIN entity ON subject_id = entity.entity_id"  # noqa: S608
        rows = self._reader.rows(f"{sql} WHERE entry_id = ? AND {IS_A_ROLE} LIMIT ?", entry_id, rules().participants)
        if thread is not None and thread not in self._of_thread:
            self._of_thread[thread] = self._reader.rows(
                f"{sql} WHERE {IS_A_ROLE} AND entry_id IN"  # noqa: S608 - our own names
                " (SELECT entry_id FROM entry WHERE thread = ? ORDER BY entry_id DESC LIMIT 30) LIMIT ?",
                thread,
                rules().participants,
            )
        theirs = self._of_thread[thread] if thread is not None else []
        first = {canonical: entity_id for entity_id, canonical in (*reversed(theirs), *reversed(rows))}
        return [(entity_id, canonical) for canonical, entity_id in first.items()]

    def meant_by(self, name: Name, people: Iterable[tuple[int, int]]) -> Hit | None:
        """Whom of some people a name means; None where it fits nobody, or two of them equally well."""
        fits = [(self._fit(name, canonical), entity_id, canonical) for entity_id, canonical in people]
        best = max((how for how, _, _ in fits), default=Fit.NOT)
        hits = [(entity_id, canonical) for how, entity_id, canonical in fits if how is best]
        if not best or len(hits) != 1:
            return None
        return Hit(hits[0][0], self._group(hits[0][1]), best)

    def _fit(self, name: Name, canonical: int) -> Fit:
        found = self._fits.get((name, canonical))
        if found is None:
            found = self._fits[name, canonical] = fit(name, self._group(canonical))
        return found

    def _group(self, canonical: int) -> Group:
        found = self._groups.get(canonical)
        if found is None:
            found = self._groups[canonical] = group_of(self._reader, canonical)
        return found


def fit(name: Name, group: Group) -> Fit:
    """How well a name fits somebody."""
    return max((_fit_name(name, own) for own in group.names), default=Fit.NOT) or (
        Fit.NOT if group.full else _fit_address(name, group.addresses)
    )


def may_concern(name: Name, known: Iterable[Name], addresses: Collection[str]) -> bool:
    """Whether whom a name means may hang on somebody: by what they are or were called, and by their addresses."""
    read = {*name.readings, *name.turned}
    return any(
        _fit_name(name, own) or (name.is_full and bool(read & {*own.readings, *own.turned})) for own in known
    ) or bool(_fit_address(name, addresses))


def _fit_name(name: Name, own: Name) -> Fit:
    if name.form is Form.SURNAME:
        families = {own.family} | {reading.split(" ")[0] for reading in own.readings}
        return Fit.PARTLY if own.is_full and name.family in families else Fit.NOT
    if name.key == own.key or (set(name.readings) & set(own.readings) and not (name.is_han and own.is_han)):
        return Fit.NAME
    if name.is_full:
        is_short = own.is_full and not name.is_han and name.family == own.family and same_given(name.given, own.given)
        return Fit.FIRST_NAME if is_short else Fit.NOT
    return Fit.FIRST_NAME if own.is_full and _is_given_name_of(name, own) else Fit.NOT


def _is_given_name_of(name: Name, own: Name) -> bool:
    """A first name, a nickname, or in Chinese the given name alone, doubled, or with 小 or 阿 before its last sign."""
    if name.family and name.family != own.family:
        return False
    if not name.is_han:
        given = {own.given} | {reading.split(" ")[1] for reading in own.readings}
        is_initial = len(name.given) == 1 and any(other.startswith(name.given) for other in given)
        return any(same_given(name.given, other) for other in given) or is_initial
    if not own.is_han:
        return False
    last = own.given[-1:]
    return name.given in {own.given, last * 2, f"小{last}", f"阿{last}"} and len(name.given) > 1


def _fit_address(name: Name, addresses: Collection[str]) -> Fit:
    """By an address alone, somebody of whom no full name is known."""
    locals_ = [split_address(address)[0] for address in addresses]
    if name.is_full:
        is_spelled = any(spells(local, reading) is Spelling.WHOLE for local in locals_ for reading in name.readings)
        return Fit.ADDRESS if is_spelled else Fit.NOT
    is_first = name.form is Form.GIVEN and not name.is_han and name.given in {western(local)[0] for local in locals_}
    return Fit.FIRST_NAME if is_first else Fit.NOT
