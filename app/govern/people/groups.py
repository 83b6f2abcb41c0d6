"""What is known of a person from all their entities, and whether two of them can be one (G2.4).

Nothing is decided here; who is put together, and by what evidence, is `linking`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.govern.people.names import Name, names_in, same_given
from app.store.merges import members_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.store.connection import Reader


@dataclass(frozen=True, slots=True)
class Group:
    """A person as far as is known.

    Attributes:
        names: as they are written anywhere; full: those of them with both parts.
    """

    canonical: int
    members: tuple[int, ...]
    addresses: frozenset[str]
    phones: frozenset[str]
    cards: frozenset[str]
    names: tuple[Name, ...]

    @property
    def full(self) -> tuple[Name, ...]:
        """The names with a family and a given name."""
        return tuple(name for name in self.names if name.is_full)


def group_of(reader: Reader, canonical: int) -> Group:
    """All that is known of a person."""
    return group_among(reader, members_of(reader, canonical))


def group_among(reader: Reader, members: Sequence[int]) -> Group:
    """All that is known of some entities that are one person; the first stands for them."""
    marks = ", ".join("?" * len(members))
    rows = reader.rows(
        f"SELECT DISTINCT kind, value FROM alias WHERE entity_id IN ({marks})"  # noqa: S608 - places alone
        " AND kind IN ('address', 'card_address', 'phone', 'card', 'name')",
        *members,
    )
    values: dict[str, list[str]] = {kind: [] for kind in ("address", "phone", "card", "name")}
    for kind, value in rows:
        values[kind.removeprefix("card_") if kind == "card_address" else kind].append(value)
    names = {name.key: name for text in values["name"] for name in names_in(text)}
    return Group(
        members[0],
        tuple(members),
        frozenset(values["address"]),
        frozenset(values["phone"]),
        frozenset(values["card"]),
        tuple(names.values()),
    )


def joined(one: Group, other: Group, members: tuple[int, ...]) -> Group:
    """What is known of two who are one."""
    names = {name.key: name for name in (*one.names, *other.names)}
    return Group(
        members[0],
        members,
        one.addresses | other.addresses,
        one.phones | other.phones,
        one.cards | other.cards,
        tuple(names.values()),
    )


def groups_agree(one: Group, other: Group) -> bool:
    """Whether nothing in their full names speaks against two being one.

    In characters they must have one in common; else one name of each must agree: a person may well have a Chinese and
    an English name.
    """
    han, others = ({name.key for name in group.full if name.is_han} for group in (one, other))
    if han and others:
        return bool(han & others)
    if not one.full or not other.full:
        return True
    return any(_agree(left, right) for left in one.full for right in other.full)


def can_be_one(groups: Sequence[Group]) -> bool:
    """Whether bearers of a name differ in nothing: one address, one number, one way to write it in characters."""
    with_address = [group for group in groups if group.addresses]
    with_phone = [group for group in groups if group.phones]
    is_agreed = all(groups_agree(one, other) for at, one in enumerate(groups) for other in groups[at + 1 :])
    # a name that may be read in two orders is as doubtful as two names, unless another name of the same person tells
    sure = [name for group in groups for name in _sure(group)]
    is_turned = any(name.turned for name in sure) and len({_sound(name) for name in sure}) > 1
    return len(with_address) <= 1 and len(with_phone) <= 1 and is_agreed and not is_turned


def may_share_an_address(one: Name, other: Name) -> bool:
    """Whether two full names at one address are one person's, who may have a Chinese and an English name."""
    return _agree(one, other) or (one.is_han != other.is_han and not (one.is_chinese and other.is_chinese))


def share_a_name(one: Group, other: Group) -> bool:
    """Whether two cards have a name in common, or one the first name of the other."""
    if {name.key for name in one.names} & {name.key for name in other.names}:
        return True
    return any(same_given(left.given, right.given) for left in one.names for right in other.names)


def _sure(group: Group) -> list[Name]:
    """The names that tell how somebody is called: those of one order, where there is one."""
    return [name for name in group.full if not name.turned] or list(group.full)


def _sound(name: Name) -> str:
    return name.readings[0] if name.readings else name.key


def _agree(one: Name, other: Name) -> bool:
    if one.key == other.key:
        return True
    if one.is_han and other.is_han:
        return False
    if set(one.readings) & {*other.readings, *other.turned} or set(other.readings) & set(one.turned):
        return True
    if one.is_han or other.is_han:
        return False
    return same_given(one.given, other.given) and (one.family == other.family or one.given == other.given)
