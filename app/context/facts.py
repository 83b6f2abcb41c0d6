"""Key-value facts: who, what of them, and its value; looked up and never searched for (L6.3).

    said   "my number is 555-0100", "我搬到杭州了": of whoever wrote it, or whom it names
    told   by contact cards, and the addresses by which people take part in mails and meetings

`me` is the person: their own addresses, and what stands in notes that nobody else wrote. The owner finds somebody by
every name that is known to be theirs; any other viewer by what the entries that it may see call them, and no merge
and no name from elsewhere counts (G4.3). What strangers claim of others comes last (X9.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.context.fact_words import fact_words
from app.domain.labels import EntryKind, Trust
from app.domain.serving import Fact
from app.govern.people.names import parse
from app.store.fact_lookup import FACT_PREDICATES, called_so, jobs, said_facts, told_facts
from app.store.merges import members_of
from app.store.name_keys import address_key, name_key, phone_key
from app.store.people import find_people, full_names_of, person

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.fact_lookup import SaidFact, ToldFact

ME = "me"
_LONGEST_SUBJECT = 200
_MOST_FACTS = 50
_SAID, _HEADER, _HEARSAY = range(3)
_OWN_KINDS = frozenset({EntryKind.NOTE, EntryKind.VOICE, EntryKind.TASK})


@dataclass(frozen=True, slots=True)
class Somebody:
    """Whose facts are wanted.

    Attributes:
        name: as they are called in the answer.
        entities: who they are in the store. keys: of their names. addresses: of their mail.
        is_me: the person.
    """

    name: str
    entities: frozenset[int]
    keys: frozenset[str]
    addresses: frozenset[str]
    is_me: bool = False


def facts_of(
    reader: Reader, subject: str, predicate: str | None, visible: VisibilityFilter, own: frozenset[str]
) -> list[Fact]:
    """The facts of somebody, those that hold first and of these the latest; empty where nothing is known.

    Args:
        subject: a name, an address, or `me`.
        predicate: one of `FACT_PREDICATES` or a word for it in either language; None: all.
        own: the person's addresses.
    """
    wanted = FACT_PREDICATES if predicate is None else tuple(fact_words().predicates_of(predicate))
    if not wanted:
        return []
    found: list[tuple[int, Fact]] = []
    said = said_facts(reader, [one for one in wanted if one != "role"], visible)
    for somebody in _meant(reader, subject, visible, own):
        found += _said(said, somebody)
        found += _told(reader, somebody, wanted, visible)
    found.sort(key=_order)
    return _each_once(fact for _, fact in found)[:_MOST_FACTS]


def _meant(reader: Reader, subject: str, visible: VisibilityFilter, own: frozenset[str]) -> Iterator[Somebody]:
    plain = " ".join(subject[:_LONGEST_SUBJECT].split())
    if fact_words().is_me(plain) or address_key(plain) in own:
        mine = sorted(own)
        entities = called_so(reader, mine, mine, visible) if mine else []
        yield Somebody(ME, frozenset(entities), frozenset(), own, is_me=True)
        return
    key, address = name_key(plain), address_key(plain)
    if not key:
        return
    if not visible.is_unrestricted:
        entities = called_so(reader, [plain], [address], visible)
        addresses = frozenset({address} if "@" in address else ())
        yield Somebody(plain, frozenset(entities), frozenset({key}), addresses)
        return
    name = parse(plain)
    keys = [("key", name.key), *(("reading", reading) for reading in name.readings)] if name.is_full else []
    found = find_people(reader, plain, keys)
    for canonical in found:
        one = person(reader, canonical)
        names = {name_key(one.name), *full_names_of(reader, canonical), *map(name_key, one.other_names)}
        yield Somebody(
            one.name,
            frozenset(members_of(reader, canonical)),
            frozenset((names | {key}) - {""}),
            frozenset(map(address_key, one.addresses)),
        )
    if not found:
        yield Somebody(plain, frozenset(), frozenset({key}), frozenset())


def _said(said: Iterable[SaidFact], somebody: Somebody) -> Iterator[tuple[int, Fact]]:
    for one in said:
        if one.who:
            is_meant = not somebody.is_me and name_key(one.who) in somebody.keys
        elif one.authors:
            is_meant = any(
                entity in somebody.entities or address_key(address) in somebody.addresses - {""}
                for _, address, entity in one.authors
            )
        else:
            # nobody else wrote it
            is_own = one.source.kind in _OWN_KINDS and one.source.trust >= Trust.OWN_FILES
            is_meant = somebody.is_me and (is_own or one.source.trust is Trust.USER)
        if is_meant:
            is_hearsay = bool(one.who) and one.source.trust <= Trust.STRANGER
            yield (
                _HEARSAY if is_hearsay else _SAID,
                Fact(
                    subject=somebody.name,
                    predicate=one.predicate,
                    value=one.value,
                    said_at=one.said_at,
                    source_uri=one.source.source_uri,
                    item_id=f"e{one.source.entry_id}" if one.chunk_id is None else f"c{one.chunk_id}",
                    confidence=one.source.confidence,
                    trust=int(one.source.trust),
                    stale_reason=one.stale_reason,
                ),
            )


def _told(
    reader: Reader, somebody: Somebody, wanted: Iterable[str], visible: VisibilityFilter
) -> Iterator[tuple[int, Fact]]:
    entities = sorted(somebody.entities)
    if not entities:
        return
    found = list(told_facts(reader, entities, visible))
    if visible.is_unrestricted:
        found += jobs(reader, entities, visible)
    for one in found:
        if one.predicate in wanted and (visible.is_unrestricted or _is_called(one, somebody)):
            yield (
                _HEADER if one.is_header else _SAID,
                Fact(
                    subject=somebody.name,
                    predicate=one.predicate,
                    value=one.value,
                    said_at=one.source.at,
                    source_uri=one.source.source_uri,
                    item_id=f"e{one.source.entry_id}",
                    confidence=one.source.confidence,
                    trust=int(one.source.trust),
                ),
            )


def _is_called(one: ToldFact, somebody: Somebody) -> bool:
    """Whether the very entry calls whom it tells of so."""
    return any(name_key(name) in somebody.keys or address_key(name) in somebody.addresses - {""} for name in one.names)


def _order(ranked: tuple[int, Fact]) -> tuple[bool, int, bool, int, float, str]:
    """What holds first, the facts in their own order; what a stranger pretends last; else what is said, the latest."""
    rank, fact = ranked
    is_pretended = rank > _SAID and fact.trust <= Trust.STRANGER
    at = 0.0 if fact.said_at is None else fact.said_at.timestamp()
    return fact.stale_reason is not None, FACT_PREDICATES.index(fact.predicate), is_pretended, rank, -at, fact.value


def _each_once(facts: Iterable[Fact]) -> list[Fact]:
    kept: dict[tuple[str, str, str], Fact] = {}
    for fact in facts:
        value = phone_key(fact.value) if fact.predicate == "phone" else address_key(fact.value)
        kept.setdefault((fact.subject, fact.predicate, value or fact.value), fact)
    return list(kept.values())
