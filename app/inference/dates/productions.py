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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Build = Callable[..., object]
    Row = tuple[str, str, Build]
    Match = tuple[int, tuple[object, ...]]
    Results = Sequence[tuple[int, object]]

MOST_STEPS = 40_000
"""Productions tried in one window: ordinary windows need a tenth; what needs more is no prose."""


class Refused:
    """The value of an impossible expression."""


REFUSED: Final = Refused()


@dataclass(frozen=True, slots=True)
class _Item:
    """One item of a pattern; exactly one of words, category and name is given."""

    words: frozenset[str] = frozenset()
    category: str = ""
    name: str = ""
    is_optional: bool = False
    is_glued: bool = False
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class _Production:
    items: tuple[_Item, ...]
    build: Build


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
    """Compiled tables. Each name's productions are found by what their first item may be."""

    def __init__(self, tables: Iterable[Iterable[Row]]) -> None:
        self._productions: dict[str, list[_Production]] = {}
        for table in tables:
            for name, pattern, build in table:
                items = tuple(_item(piece) for piece in pattern.split())
                self._productions.setdefault(name, []).append(_Production(items, build))
        self._firsts: dict[str, frozenset[str]] = {}
        self._index: dict[str, Mapping[str, tuple[int, ...]]] = {}
        for name in self._productions:
            self._index[name] = self._indexed(name)
        self.keys = frozenset(key for index in self._index.values() for key in index)

    def candidates(self, name: str, keys: Iterable[str]) -> tuple[_Production, ...]:
        """The productions of a name that can begin with one of the keys (words or categories), in table order."""
        index = self._index[name]
        numbers = {number for key in keys if key in index for number in index[key]}
        productions = self._productions[name]
        return tuple(productions[number] for number in sorted(numbers))

    def _indexed(self, name: str) -> Mapping[str, tuple[int, ...]]:
        index: dict[str, list[int]] = {}
        for number, production in enumerate(self._productions[name]):
            for key in self._first_of(production):
                index.setdefault(key, []).append(number)
        return {key: tuple(numbers) for key, numbers in index.items()}

    def _first_of(self, production: _Production) -> set[str]:
        keys: set[str] = set()
        for item in production.items:
            keys |= self._first_of_name(item.name) if item.name else (set(item.words) or {item.category})
            if not item.is_optional:
                break
        return keys

    def _first_of_name(self, name: str) -> frozenset[str]:
        if name not in self._firsts:
            self._firsts[name] = frozenset()  # a left recursion would end here, with a gap that the tests see
            keys = {key for production in self._productions[name] for key in self._first_of(production)}
            self._firsts[name] = frozenset(keys)
        return self._firsts[name]


class Chart:
    """The productions applied to one lattice; every (name, place) is worked out once."""

    def __init__(self, grammar: Grammar, lattice: Lattice, context: object, most_steps: int = MOST_STEPS) -> None:
        self._grammar = grammar
        self._lattice = lattice
        self._context = context
        self._keys = [
            grammar.keys.intersection((word, *edges)) for word, edges in zip(lattice.words, lattice.edges, strict=True)
        ]
        self._known: list[dict[str, Results]] = [{} for _ in lattice.words]
        self._most_steps = most_steps
        self.steps = 0

    @property
    def is_exhausted(self) -> bool:
        """Whether the window asked for more work than prose does."""
        return self.steps > self._most_steps

    def at(self, name: str, place: int) -> Results:
        """What of a name begins at a token: (index behind it, value), the longest first; one for each length."""
        if place >= len(self._known):
            return ()
        here = self._known[place]
        known = here.get(name)
        if known is None:
            here[name] = ()
            known = here[name] = self._worked_out(name, place)
        return known

    def _worked_out(self, name: str, place: int) -> Results:
        found: dict[int, object] = {}
        for production in self._grammar.candidates(name, self._keys[place]):
            self.steps += 1
            if self.is_exhausted:
                break
            matches: list[Match] = []
            self._match(production.items, 0, place, (), matches)
            for behind, captured in matches:
                if behind not in found:
                    value = self._built(production.build, captured)
                    if value is not None:
                        found[behind] = value
        return tuple(sorted(found.items(), key=lambda one: -one[0])) if found else ()

    def _built(self, build: Build, captured: tuple[object, ...]) -> object:
        if any(isinstance(value, Refused) for value in captured):
            return REFUSED
        try:
            return build(self._context, *captured)
        except (ValueError, OverflowError):
            return REFUSED

    def _match(
        self, items: tuple[_Item, ...], number: int, place: int, captured: tuple[object, ...], into: list[Match]
    ) -> None:
        """All the ways in which the items from `number` on match from `place` on."""
        if number == len(items):
            into.append((place, captured))
            return
        item = items[number]
        if item.is_end:
            beyond: list[Match] = []
            self._match(items, number + 1, place, captured, beyond)
            into += [(place, more) for _, more in beyond]
            return
        lattice = self._lattice
        if place < len(lattice.words) and (not item.is_glued or lattice.is_glued(place)):
            if item.words:
                if lattice.words[place] in item.words:
                    self._match(items, number + 1, place + 1, captured, into)
            else:
                for behind, value in self.at(item.name, place) if item.name else self._edges(item.category, place):
                    self._match(items, number + 1, behind, (*captured, value), into)
        if item.is_optional:
            self._match(items, number + 1, place, captured if item.words else (*captured, None), into)

    def _edges(self, category: str, place: int) -> Results:
        return self._lattice.edges[place].get(category, ())


def _item(piece: str) -> _Item:
    if piece == ">":
        return _Item(is_end=True)
    is_glued = piece.startswith("~")
    piece = piece.removeprefix("~")
    is_optional = len(piece) > 1 and piece.endswith("?")
    piece = piece.removesuffix("?") if is_optional else piece
    if piece.startswith("<") and len(piece) > 1:
        return _Item(name=piece[1:-1], is_optional=is_optional, is_glued=is_glued)
    if piece.isupper():
        return _Item(category=piece, is_optional=is_optional, is_glued=is_glued)
    return _Item(words=frozenset(piece.split("|")), is_optional=is_optional, is_glued=is_glued)
