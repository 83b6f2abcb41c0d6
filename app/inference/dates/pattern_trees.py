"""The productions of each name as one tree, and which branches two neighbouring tokens leave open.

Productions that begin alike share the beginning, so that it is read once for all of them. What cannot match is left out
before it is tried: the sets of what may come first and second are worked out from the tables themselves, and an answer
is kept for the next text that has the same two neighbours. Leaving out never changes what is found. No values are built
here; `productions` does that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Build = Callable[..., object]
    Keys = frozenset[str]

MOST_LOOKS = 8_000
"""Pairs of neighbours that are kept, in about 8 MB: more than two megabytes of mixed prose have."""
_NOTHING: Keys = frozenset()


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a pattern; exactly one of words, category and name is given."""

    words: frozenset[str] = frozenset()
    category: str = ""
    name: str = ""
    is_optional: bool = False
    is_glued: bool = False
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class Production:
    """A line of a table."""

    items: tuple[Item, ...]
    build: Build


@dataclass(eq=False, slots=True)
class Node:
    """A beginning that some productions share.

    Attributes:
        branches: the items that may come next, each with what it leads to; `pairs`: the same, for all looks to share.
        ends: the numbers of the productions that are complete here.
        openers: keys that may come next; with `can_end`, worked out by `Trees`.
        can_end: whether a production may be complete here without another token.
    """

    branches: dict[Item, Node] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)
    openers: Keys = _NOTHING
    can_end: bool = False
    pairs: tuple[tuple[Item, Node], ...] = ()


@dataclass(frozen=True, slots=True)
class Second:
    """What may come behind one token: keys, and whether it may be the whole."""

    keys: Keys = _NOTHING
    can_end: bool = False

    def __or__(self, other: Second) -> Second:
        return Second(self.keys | other.keys, self.can_end or other.can_end)

    def allows(self, following: Keys) -> bool:
        """Whether one token, and then one with these keys, is a beginning."""
        return self.can_end or not self.keys.isdisjoint(following)


class Trees:
    """The trees of all names.

    Attributes:
        keys: every word and category of the tables.
    """

    def __init__(self, productions: Mapping[str, Sequence[Production]]) -> None:
        self.roots = {name: _tree(rows) for name, rows in productions.items()}
        self.builds = {name: tuple(row.build for row in rows) for name, rows in productions.items()}
        self._openers: dict[str, Keys] = {}
        self._same: dict[Keys, Keys] = {}
        for root in self.roots.values():
            self._open(root)
        self.keys = _all_keys(productions)
        self._seconds: dict[tuple[str, str], Second] = {}
        self._looks: dict[tuple[Keys, Keys, bool], Look] = {}

    def look(self, here: Keys, following: Keys, *, is_wide: bool) -> Look:
        """What a token with the keys `here` leaves open.

        Args:
            following: the keys of the token behind it.
            is_wide: whether a category of the token reaches over more tokens, so that another one follows it.
        """
        known = self._looks.get((here, following, is_wide))
        if known is None:
            if len(self._looks) >= MOST_LOOKS:
                self._looks.clear()
                self._same.clear()
            here, following = self.kept(here), self.kept(following)
            known = self._looks[here, following, is_wide] = Look(self, here, following, is_wide=is_wide)
        return known

    def second(self, name: str, key: str) -> Second:
        """What may come behind a token that begins a name as `key`."""
        known = self._seconds.get((name, key))
        if known is None:
            found = self._behind(self.roots[name], key)
            known = self._seconds[name, key] = Second(self.kept(found.keys), found.can_end)
        return known

    def kept(self, keys: Keys) -> Keys:
        """The same set, once for all who keep it."""
        return self._same.setdefault(keys, keys)

    def _behind(self, node: Node, key: str) -> Second:
        found = Second()
        for item, after in node.branches.items():
            if item.is_optional or item.is_end:
                found |= self._behind(after, key)
            if key in item.words or key == item.category:
                found |= Second(after.openers, after.can_end)
            elif item.name and key in self.roots[item.name].openers:
                inner = self.second(item.name, key)
                found |= Second(inner.keys | after.openers, after.can_end) if inner.can_end else inner
        return found

    def _open(self, node: Node) -> None:
        """Work out what a node and those behind it may go on with."""
        keys: set[str] = set()
        node.can_end = bool(node.ends)
        for item, after in node.branches.items():
            self._open(after)
            keys |= self._openers_of(item)
            if item.is_optional or item.is_end:
                keys |= after.openers
                node.can_end = node.can_end or after.can_end
        node.openers = self.kept(frozenset(keys))  # most nodes have those of another one: 1 MB
        node.pairs = tuple(node.branches.items())

    def _openers_of(self, item: Item) -> Keys:
        if not item.name:
            return item.words or frozenset({item.category} - {""})
        if item.name not in self._openers:
            self._openers[item.name] = _NOTHING  # a left recursion would end here, with a gap that the tests see
            self._openers[item.name] = self._first_of(self.roots[item.name])
        return self._openers[item.name]

    def _first_of(self, node: Node) -> Keys:
        found = _NOTHING
        for item, after in node.branches.items():
            found |= self._openers_of(item)
            if item.is_optional or item.is_end:
                found |= self._first_of(after)
        return found


class Look:
    """What one token and its neighbour leave open, of all names.

    Attributes:
        names: what may begin here.
    """

    __slots__ = ("_chosen", "_following", "_here", "_is_wide", "_trees", "names")

    def __init__(self, trees: Trees, here: Keys, following: Keys, *, is_wide: bool) -> None:
        self._trees = trees
        self._here = here
        self._following = following
        self._is_wide = is_wide
        self._chosen: dict[Node, tuple[tuple[Item, Node], ...]] = {}
        names = (
            name
            for name, root in trees.roots.items()
            if not root.openers.isdisjoint(here)
            and (is_wide or any(trees.second(name, key).allows(following) for key in here))
        )
        self.names = trees.kept(frozenset(names))

    def chosen(self, node: Node) -> tuple[tuple[Item, Node], ...]:
        """The branches of a node that these tokens may take, or pass by."""
        known = self._chosen.get(node)
        if known is None:
            known = self._chosen[node] = tuple(branch for branch in node.pairs if self._is_open(*branch))
        return known

    def _is_open(self, item: Item, after: Node) -> bool:
        if (item.is_optional or item.is_end) and (
            after.can_end or any(self._is_open(*branch) for branch in after.branches.items())
        ):
            return True
        goes_on = after.can_end or not after.openers.isdisjoint(self._following)
        if item.name:
            return item.name in self.names and (self._is_wide or goes_on or self._is_longer(item.name))
        if item.category:
            return item.category in self._here and (self._is_wide or goes_on)
        return goes_on and not item.words.isdisjoint(self._here)

    def _is_longer(self, name: str) -> bool:
        """Whether a name may reach beyond the first of the two tokens."""
        return any(not self._trees.second(name, key).keys.isdisjoint(self._following) for key in self._here)


def _tree(rows: Sequence[Production]) -> Node:
    root = Node()
    for number, row in enumerate(rows):
        node = root
        for item in row.items:
            node = node.branches.setdefault(item, Node())
        node.ends.append(number)
    return root


def _all_keys(productions: Mapping[str, Sequence[Production]]) -> Keys:
    items = [item for rows in productions.values() for row in rows for item in row.items]
    return frozenset(word for item in items for word in item.words) | {item.category for item in items if item.category}
