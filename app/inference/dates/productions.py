"""Tables of productions, and the chart that applies them to a lattice of tokens. Knows no language and no dates.

A production is a line of a table: a name, a pattern and the function that builds the value. The items of a pattern:

- `of|in`    one of these words; not captured
- `MONTH`    a token of that category; its value is captured
- `<day>`    what another production of that name builds; its value is captured
- `?` behind an item makes it optional; a captured one is None when left out
- `~` before an item: it touches the token before it, without a space
- `>` alone: what follows must be there, and is not part of the expression ("the 4th > and the 5th of May")

A function that gives None says "this is no such thing", and other productions are tried. One that raises ValueError or
OverflowError says "this is such a thing, and impossible" (30 February): the stretch becomes `REFUSED`, and so does all
that is made of it, so that no part of an impossible date is read as another date.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from app.inference.dates.pattern_trees import Item, Look, Node, Production, Trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Build = Callable[..., object]
    Row = tuple[str, str, Build]
    Match = tuple[int, int, tuple[object, ...]]
    Results = Sequence[tuple[int, object]]

MOST_STEPS = 40_000
"""Beginnings of productions tried in one window: ordinary windows need a tenth; what needs more is no prose."""


_NO_KEYS: Final = frozenset[str]()


class Refused:
    """The value of an impossible expression."""


REFUSED: Final = Refused()


@dataclass(slots=True)
class Lattice:
    """The tokens of a text, and what each may mean.

    Attributes:
        words: the tokens, folded to small letters.
        starts, ends: where each stands in the text, in characters.
        edges: for each token the categories that begin there: (index of the token behind, value).
    """

    words: list[str]
    starts: list[int]
    ends: list[int]
    edges: list[dict[str, list[tuple[int, object]]]] = field(default_factory=list)

    def add(self, at: int, category: str, value: object, behind: int) -> None:
        """One more thing that the tokens from `at` up to `behind` may mean."""
        self.edges[at].setdefault(category, []).append((behind, value))

    def is_glued(self, at: int) -> bool:
        """Whether a token touches the one before it."""
        return 0 < at < len(self.starts) and self.starts[at] == self.ends[at - 1]


class Grammar:
    """Compiled tables."""

    def __init__(self, tables: Iterable[Iterable[Row]]) -> None:
        self._productions: dict[str, list[Production]] = {}
        items: dict[str, Item] = {}  # a piece that stands in many lines is one item
        for table in tables:
            for name, pattern, build in table:
                pieces = pattern.split()
                items |= {piece: _item(piece) for piece in pieces if piece not in items}
                row = Production(tuple(items[piece] for piece in pieces), build)
                self._productions.setdefault(name, []).append(row)
        self.trees = Trees(self._productions)

    def looks(self, lattice: Lattice) -> list[Look]:
        """For each token of a lattice what it and its neighbour leave open."""
        known = self.trees.keys
        keys = [
            known.intersection((word, *edges)) if edges or word in known else _NO_KEYS
            for word, edges in zip(lattice.words, lattice.edges, strict=True)
        ]
        following = [*keys[1:], _NO_KEYS]
        return [
            self.trees.look(here, following[place], is_wide=bool(here) and _is_wide(lattice.edges[place], place + 1))
            for place, here in enumerate(keys)
        ]


def _is_wide(edges: Mapping[str, list[tuple[int, object]]], behind: int) -> bool:
    return any(end != behind for ends in edges.values() for end, _ in ends)


class Chart:
    """The productions applied to one lattice; every (name, place) is worked out once."""

    def __init__(self, grammar: Grammar, lattice: Lattice, context: object, most_steps: int = MOST_STEPS) -> None:
        self._trees = grammar.trees
        self._lattice = lattice
        self._context = context
        self._looks = grammar.looks(lattice)
        self._known: list[dict[str, Results]] = [{} for _ in lattice.words]
        self._most_steps = most_steps
        self.steps = 0

    @property
    def is_exhausted(self) -> bool:
        """Whether the window asked for more work than prose does."""
        return self.steps > self._most_steps

    def at(self, name: str, place: int) -> Results:
        """What of a name begins at a token: (index behind it, value), the longest first; one for each length."""
        if place >= len(self._known) or name not in self._looks[place].names:
            return ()
        here = self._known[place]
        known = here.get(name)
        if known is None:
            here[name] = ()
            known = here[name] = self._worked_out(name, place)
        return known

    def _worked_out(self, name: str, place: int) -> Results:
        matches: list[Match] = []
        self._walk(self._trees.roots[name], place, (), None, matches)
        if not matches:
            return ()
        matches.sort(key=_number)  # in table order; what one production matches stays in its own order
        builds = self._trees.builds[name]
        found: dict[int, object] = {}
        for number, behind, captured in matches:
            self.steps += 1
            if self.is_exhausted:
                break
            if behind not in found:
                value = self._built(builds[number], captured)
                if value is not None:
                    found[behind] = value
        return tuple(sorted(found.items(), key=lambda one: -one[0]))

    def _built(self, build: Build, captured: tuple[object, ...]) -> object:
        if any(isinstance(value, Refused) for value in captured):
            return REFUSED
        try:
            return build(self._context, *captured)
        except (ValueError, OverflowError):
            return REFUSED

    def _walk(self, node: Node, place: int, captured: tuple[object, ...], end: int | None, into: list[Match]) -> None:
        """All the ways in which productions go on from a node at a place; `end` is where an expression ended before."""
        self.steps += 1
        if self.steps > self._most_steps:
            return
        if node.ends:
            behind = place if end is None else end
            into += [(number, behind, captured) for number in node.ends]
        lattice = self._lattice
        is_behind = place >= len(lattice.words)
        for item, after in node.branches.items() if is_behind else self._looks[place].chosen(node):
            if item.is_end:
                self._walk(after, place, captured, place if end is None else end, into)
                continue
            if not is_behind and (not item.is_glued or lattice.is_glued(place)):
                if item.words:
                    if lattice.words[place] in item.words:
                        self._walk(after, place + 1, captured, end, into)
                else:
                    for behind, value in self.at(item.name, place) if item.name else self._edges(item.category, place):
                        self._walk(after, behind, (*captured, value), end, into)
            if item.is_optional:
                self._walk(after, place, captured if item.words else (*captured, None), end, into)

    def _edges(self, category: str, place: int) -> Results:
        return self._lattice.edges[place].get(category, ())


def _number(match: Match) -> int:
    return match[0]


def _item(piece: str) -> Item:
    if piece == ">":
        return Item(is_end=True)
    is_glued = piece.startswith("~")
    piece = piece.removeprefix("~")
    is_optional = len(piece) > 1 and piece.endswith("?")
    piece = piece.removesuffix("?") if is_optional else piece
    if piece.startswith("<") and len(piece) > 1:
        return Item(name=piece[1:-1], is_optional=is_optional, is_glued=is_glued)
    if piece.isupper():
        return Item(category=piece, is_optional=is_optional, is_glued=is_glued)
    return Item(words=frozenset(piece.split("|")), is_optional=is_optional, is_glued=is_glued)
