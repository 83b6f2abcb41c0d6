"""Whom the names of an entry mean: somebody of its conversation, or the bearer of the bare name (G2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.govern.people import linking
from app.govern.people.names import parse
from app.govern.people.participants import Fit, Talks
from app.govern.people.rules import rules
from app.govern.people.settling import SAME_TALK, is_known
from app.store import entities
from app.store.merges import RULES, Reason, merge

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.labels import Sensitivity
    from app.govern.people.names import Name
    from app.govern.people.participants import Hit
    from app.store.connection import Writer


@dataclass(frozen=True, slots=True)
class Told:
    """The entry in which names stand."""

    entry_id: int
    thread: str | None
    sensitivity: Sensitivity


class Meant:
    """One entry's names, each decided once. `changed`: who was called or put together otherwise on the way."""

    def __init__(self, tx: Writer, told: Told, now: datetime, talks: Talks | None = None) -> None:
        self._tx = tx
        self._told = told
        self._now = now
        self._known: dict[tuple[str, str], int] = {}
        self._talks = talks or Talks(tx)
        self._people: list[tuple[int, int]] | None = None
        self.changed: set[int] = set()

    def entity(self, entity_type: str, key: str, text: str, name: Name | None) -> int:
        """Who or what a name in the text is."""
        known = self._known.get((entity_type, key))
        if known is None:
            known = self.bare(entity_type, key, text) if name is None else self._person(name, text)
            self._known[entity_type, key] = known
        return known

    def bare(self, entity_type: str, key: str, text: str) -> int:
        """The bearer of a bare name."""
        facts = (rules().confidence["participant_partly"], int(self._told.sensitivity), rules().version)
        return entities.bare_entity(self._tx, entity_type, key, text, facts)

    def owner(self, text: str | None) -> int | None:
        """Whom the owner of a record is: somebody whom the text names, or a participant."""
        name = parse(text) if text is not None else None
        if name is None or not name.key or name.key in rules().nobody:
            return None
        known = self._known.get((entities.PERSON, name.key))
        if known is not None:
            return known
        hit = self._meant_here(name)
        return None if hit is None else hit.entity_id

    def _person(self, name: Name, text: str) -> int:
        """The participant who is meant; else the bearer of the bare name, linked to whom it can only be."""
        hit = self._meant_here(name)
        if hit is not None and self._is_for_this_entry_alone(name, hit):
            return hit.entity_id
        bare = self.bare(entities.PERSON, name.key, text)
        if name.is_full:
            self.changed |= linking.link(self._tx, bare, now=self._now)
            if hit is not None and hit.fit is Fit.ADDRESS:
                confidence = rules().confidence["local_part"]
                reason = Reason(SAME_TALK, confidence, RULES, rules().version, self._told.entry_id)
                if merge(self._tx, bare, hit.entity_id, reason, now=self._now):
                    self.changed |= {bare, hit.entity_id}
        return bare

    def _is_for_this_entry_alone(self, name: Name, hit: Hit) -> bool:
        """Whether a name means this participant here, and may mean somebody else elsewhere."""
        if hit.fit in {Fit.PARTLY, Fit.FIRST_NAME}:
            return True
        is_strangers = not any(is_known(self._tx, member) for member in hit.group.members)
        bare = entities.entity_of(self._tx, "bare", name.key)
        if is_strangers and bare is not None and is_known(self._tx, bare):
            return True
        return not linking.can_be_one_with(self._tx, name, [hit.group.canonical])

    def _meant_here(self, name: Name) -> Hit | None:
        if self._people is None:
            self._people = self._talks.of(self._told.entry_id, self._told.thread)
        return self._talks.meant_by(name, self._people)
