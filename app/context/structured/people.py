"""Whom a question means, among those whom the viewer may know of (G2.4, G4.3).

The owner's questions use all that is known: merged names, readings, cards. For everybody else people are what visible
entries alone call them, and two names are one person's only where the same visible address bears both.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.govern.people.names import Form, parse
from app.store.entities import CARD, CARD_ADDRESS, CARD_NAME, MENTIONS, NO_ROLES
from app.store.exact import busiest_address, called_like, entities_at, people_named, traits_of
from app.store.merges import canonical_of, members_of
from app.store.name_keys import address_key, name_key
from app.store.people import find_people, full_names_of, person

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.visibility import VisibilityFilter
    from app.govern.people.names import Name
    from app.store.connection import Reader
    from app.store.exact import Trait

_LONGEST = 60
_MOST_WORDS = 4
_NAMING = frozenset({MENTIONS, CARD, CARD_NAME})
_CARDS = frozenset({CARD, CARD_NAME, CARD_ADDRESS})
_LEAST_MAILS = 10
_MOST_LOOKED_FOR = 24
_TITLED = re.compile(r"(?:dr|mr|mrs|ms|prof|professor|herr|frau)\b\.?\s", re.IGNORECASE)
_HAN = re.compile("[\u3400-\u9fff]")
_NEARLY_ALL = 0.9
_EXACT, _PARTLY = 2, 1


@dataclass(frozen=True, slots=True)
class Someone:
    """A person, as far as a viewer may know them.

    Attributes:
        name: as they are called; an address where nobody names them.
        ids: the entities that are they.
        keys: their names, folded.
        entry_id: an entry that names them, where that is told.
    """

    name: str
    ids: tuple[int, ...]
    addresses: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()
    entry_id: int | None = None

    def is_called(self, text: str) -> bool:
        """Whether a name can mean them: one of theirs, or their given name."""
        key = name_key(text)
        name = parse(text)
        own = [parse(one) for one in (self.name, *self.keys)]
        return key in self.keys or any(
            one.is_full
            and (bool(set(one.readings) & set(name.readings)) or (name.form is Form.GIVEN and one.given == name.given))
            for one in own
        )


def people_called(reader: Reader, text: str, visible: VisibilityFilter) -> list[Someone]:
    """The people whom a text can mean; nobody for what is no name."""
    plain = " ".join(text.split())
    if not plain or len(plain) > _LONGEST or len(plain.split()) > _MOST_WORDS:
        return []
    if visible.is_unrestricted:
        return _known_to_owner(reader, plain)
    return _seen_by(_named_like(reader, visible, plain), plain)


def oneself(reader: Reader, own: frozenset[str], visible: VisibilityFilter) -> Someone | None:
    """The person whose context this is: by their addresses, or who takes part in nearly every mail; None if unknown."""
    addresses = {address_key(one) for one in own} or _likely_own(reader, visible)
    if not addresses:
        return None
    ids = entities_at(reader, addresses)
    if visible.is_unrestricted:
        ids = list(dict.fromkeys(member for one in ids for member in members_of(reader, canonical_of(reader, one))))
        if not ids:
            return None
        found = person(reader, canonical_of(reader, ids[0]))
        keys = frozenset({name_key(found.name), *full_names_of(reader, canonical_of(reader, ids[0]))})
        return Someone(found.name, tuple(ids), tuple(sorted(addresses)), keys)
    traits = [trait for trait in traits_of(reader, ids, visible) if _tells_address(trait)]
    names = [trait.text for trait in traits if trait.text]
    keys = frozenset(name_key(name) for name in names)
    return Someone(names[0], tuple(ids), tuple(sorted(addresses)), keys) if names else None


def _named_like(reader: Reader, visible: VisibilityFilter, plain: str) -> list[Trait]:
    """Everybody whose name or address may be the one asked for, as visible entries tell; rather too many."""
    name = parse(plain)
    has_han = _HAN.search(plain) is not None
    if not has_han and not plain.isascii():
        return people_named(reader, visible)
    words = {word for reading in (*name.readings, *name.turned) for word in reading.split()}
    words |= set() if has_han else {name_key(word) for word in plain.split()}
    wanted = sorted(word for word in words if word)[:_MOST_LOOKED_FOR]
    if len(wanted) < len(words):
        return people_named(reader, visible)
    return people_named(reader, visible, wanted, has_characters=has_han or name.is_chinese)


def _likely_own(reader: Reader, visible: VisibilityFilter) -> set[str]:
    """A mailbox is somebody's: in nearly all of its mails they take part, and some they wrote themselves."""
    found = busiest_address(reader, visible)
    if found is None:
        return set()
    address, mails, total, written = found
    return {address} if mails >= max(_LEAST_MAILS, _NEARLY_ALL * total) and 0 < written < mails else set()


def _known_to_owner(reader: Reader, plain: str) -> list[Someone]:
    name = parse(plain)
    keys = [("key", name.key), *(("reading", one) for one in name.readings)] if name.is_full else []
    exact = find_people(reader, plain, keys)
    like: list[int] = []
    if name.form is Form.GIVEN and name.key.isascii():
        like = called_like(reader, name.key, name.key, is_family=_TITLED.match(plain) is not None)
    elif name.is_full and not exact and name.key.isascii():
        words = name.key.split()
        like = [one for local in (".".join(words), "".join(words), "_".join(words))
                for one in called_like(reader, "", local)]  # fmt: skip
    groups = dict.fromkeys([*exact, *(canonical_of(reader, one) for one in like)])
    people = [_of_owner(reader, canonical) for canonical in groups]
    return _without_bare(people, name)


def _of_owner(reader: Reader, canonical: int) -> Someone:
    found = person(reader, canonical)
    keys = frozenset({name_key(found.name), *map(name_key, found.other_names), *full_names_of(reader, canonical)})
    return Someone(found.name, tuple(members_of(reader, canonical)), found.addresses, keys)


def _without_bare(people: Sequence[Someone], name: Name) -> list[Someone]:
    """A mere first name is nobody of their own beside people who have it."""
    if name.form is not Form.GIVEN:
        return list(people)
    whole = [one for one in people if one.addresses or any(parse(key).is_full for key in one.keys)]
    return whole or list(people)


def _seen_by(traits: Iterable[Trait], plain: str) -> list[Someone]:
    name, key, address = parse(plain), name_key(plain), address_key(plain)
    said: dict[tuple[str, object], list[Trait]] = defaultdict(list)
    for trait in traits:
        if trait.predicate in _NAMING or _tells_address(trait):
            said[_sign(trait)].append(trait)
    fits: dict[int, list[Someone]] = {_EXACT: [], _PARTLY: []}
    for some in said.values():
        one = _someone(some)
        fit = _fit(one, name, key, address)
        if fit:
            fits[fit].append(one)
    return _without_bare(_joined(fits[_EXACT] or fits[_PARTLY]), name)


def _sign(trait: Trait) -> tuple[str, object]:
    """By what two traits are of one person, as the entries themselves tell: an address, a card, or the bare name."""
    if trait.predicate in _CARDS:
        return "card", trait.entry_id
    if trait.predicate not in NO_ROLES and trait.address:
        return "address", trait.address
    return "name", name_key(trait.text)


def _tells_address(trait: Trait) -> bool:
    """Whether the entry itself gives the subject's address: it has a part in it, or its card does."""
    return trait.predicate not in NO_ROLES or trait.predicate == CARD_ADDRESS


def _someone(said: Sequence[Trait]) -> Someone:
    names = [trait.text for trait in said if trait.text and trait.predicate != CARD_ADDRESS]
    own = {trait.address for trait in said if trait.address and trait.predicate not in NO_ROLES}
    own |= {trait.text for trait in said if trait.predicate == CARD_ADDRESS and trait.text}
    addresses = tuple(sorted(own))
    called = names[0] if names else (addresses[0] if addresses else "")
    # whom a mere mention means may have been found out from what the viewer does not see
    ids = tuple(dict.fromkeys(trait.subject_id for trait in said if trait.predicate not in NO_ROLES))
    return Someone(called, ids, addresses, frozenset(name_key(one) for one in names), said[0].entry_id)


def _fit(one: Someone, name: Name, key: str, address: str) -> int:
    if address in one.addresses or key in one.keys:
        return _EXACT
    locals_ = {found.partition("@")[0] for found in one.addresses}
    if name.is_full:
        words = name.key.split()
        is_read = any(set(parse(own).readings) & set(name.readings) for own in one.keys)
        return _EXACT if is_read or locals_ & {sign.join(words) for sign in (".", "", "_")} else 0
    if name.form is Form.GIVEN:
        is_given = any(own.startswith(f"{name.key} ") for own in one.keys)
        return _PARTLY if is_given or any(_begins(local, name.key) for local in locals_) else 0
    return 0


def _begins(local: str, word: str) -> bool:
    return local == word or local.startswith((f"{word}.", f"{word}_", f"{word}-"))


def _joined(people: Sequence[Someone]) -> list[Someone]:
    """Who has the same full name, and not two addresses, is one."""
    groups: dict[str, list[Someone]] = defaultdict(list)
    for one in people:
        full = sorted(key for key in one.keys if parse(key).is_full)
        groups[full[0] if full else f"#{id(one)}"].append(one)
    found: list[Someone] = []
    for group in groups.values():
        addresses = {address for one in group for address in one.addresses}
        if len(addresses) > 1:
            found += group
            continue
        ids = tuple(number for one in group for number in one.ids)
        keys = frozenset(key for one in group for key in one.keys)
        found.append(Someone(group[0].name, ids, tuple(sorted(addresses)), keys, group[0].entry_id))
    return found
