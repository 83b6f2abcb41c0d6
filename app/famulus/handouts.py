"""What is handed out to a client: counted, cut to what it may still get, logged, and with its ids sealed (G4.3, G4.6).

`Served` and `Briefing` with ids of the store come in, and the same with sealed ids goes out. Nothing here decides what
may be seen: that was decided before anything was looked up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from app.domain.labels import Status
from app.domain.serving import BriefingPart, Served
from app.store.request_log import HandedOut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.context_item import AgendaItem, ContextItem
    from app.domain.serving import Fact
    from app.famulus.sealing import Seal

T = TypeVar("T")
_CERTAIN = 1.0
"""The score of what was looked up and not searched for."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked, as the log has it."""

    action: str
    query: str | None = None
    template: str | None = None
    include_stale: bool = False


@dataclass(frozen=True, slots=True)
class Handout:
    """Groups of things that go out together: those of an answer, or of each part of a briefing."""

    groups: tuple[Served, ...]

    @property
    def count(self) -> int:
        """How many things there are."""
        return sum(len(group.items) + len(group.agenda) + len(group.facts) for group in self.groups)


NOTHING = Handout(())


def of(items: Sequence[ContextItem] = (), agenda: Sequence[AgendaItem] = (), facts: Sequence[Fact] = ()) -> Handout:
    """What one answer hands out."""
    return Handout((Served("", tuple(items), tuple(agenda), tuple(facts)),))


def of_parts(parts: Sequence[BriefingPart]) -> Handout:
    """What a briefing hands out, a group a part."""
    return Handout(tuple(Served("", part.items, part.agenda, part.facts) for part in parts))


def into_parts(handout: Handout, parts: Sequence[BriefingPart]) -> tuple[BriefingPart, ...]:
    """The parts of a briefing with what a handout has for them."""
    return tuple(
        replace(part, items=group.items, agenda=group.agenda, facts=group.facts)
        for part, group in zip(parts, handout.groups, strict=True)
    )


def cut(handout: Handout, most: int) -> Handout:
    """The first `most` things of it."""
    left = most
    groups: list[Served] = []
    for group in handout.groups:
        items, left = _first(group.items, left)
        agenda, left = _first(group.agenda, left)
        facts, left = _first(group.facts, left)
        groups.append(replace(group, items=items, agenda=agenda, facts=facts))
    return Handout(tuple(groups))


def logged(handout: Handout) -> tuple[HandedOut, ...]:
    """What the log has of it; of a thing that stands in two groups, both."""
    found: list[HandedOut] = []
    for group in handout.groups:
        found += [
            HandedOut(item.item_id, item.final_score, item.stale_reason is not None, item.sensitivity)
            for item in group.items
        ]
        found += [HandedOut(one.item_id, _CERTAIN, one.status is Status.SUPERSEDED) for one in group.agenda]
        found += [HandedOut(fact.item_id, _CERTAIN, fact.stale_reason is not None) for fact in group.facts]
    return tuple(found)


def sealed(handout: Handout, seal: Seal) -> Handout:
    """The same with ids that tell nothing."""
    return Handout(
        tuple(
            replace(
                group,
                items=tuple(sealed_item(item, seal) for item in group.items),
                agenda=tuple(_sealed_agenda(item, seal) for item in group.agenda),
                facts=tuple(_sealed_fact(fact, seal) for fact in group.facts),
            )
            for group in handout.groups
        )
    )


def sealed_item(item: ContextItem, seal: Seal) -> ContextItem:
    """A passage with a sealed id."""
    return replace(item, item_id=seal.close(item.item_id))


def _sealed_agenda(item: AgendaItem, seal: Seal) -> AgendaItem:
    return replace(item, item_id=seal.close(item.item_id), entry_id=0)


def _sealed_fact(fact: Fact, seal: Seal) -> Fact:
    return replace(fact, item_id=seal.close(fact.item_id))


def _first(things: tuple[T, ...], most: int) -> tuple[tuple[T, ...], int]:
    kept = things[:most]
    return kept, most - len(kept)
