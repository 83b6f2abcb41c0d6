"""Leaving out what cannot match changes nothing: the chart finds what a plain search of every production finds."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.inference.dates import english, english_tokens, pattern_trees
from app.inference.dates.productions import REFUSED, Chart, Grammar, Lattice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.inference.dates.pattern_trees import Item

NOW = datetime(2026, 7, 16, 10, 20, tzinfo=ZoneInfo("Asia/Shanghai"))
NAMES = ("top", "mid", "low")
"""Each is made of those behind it, so that none begins with itself."""
WORDS = ("a", "b", "c")
CATEGORIES = ("N", "M")


class PlainChart(Chart):
    """Tries every production at every token, in the order of the table."""

    productions = english._grammar()._productions

    def at(self, name: str, place: int) -> list[tuple[int, object]]:
        if place >= len(self._known):
            return []
        if name not in self._known[place]:
            found: dict[int, object] = {}
            for production in self.productions[name]:
                for behind, captured in self._matches(production.items, place):
                    value = None if behind in found else self._built(production.build, captured)
                    if value is not None:
                        found[behind] = value
            self._known[place][name] = sorted(found.items(), key=lambda one: -one[0])
        return list(self._known[place][name])

    def _matches(self, items: tuple[Item, ...], place: int) -> Iterator[tuple[int, tuple[object, ...]]]:
        if not items:
            yield place, ()
            return
        item, rest = items[0], items[1:]
        if item.is_end:
            yield from ((place, captured) for _, captured in self._matches(rest, place))
            return
        for behind, own in self._once(item, place):
            yield from ((end, (*own, *captured)) for end, captured in self._matches(rest, behind))
        if item.is_optional:
            own = () if item.words else (None,)
            yield from ((end, (*own, *captured)) for end, captured in self._matches(rest, place))

    def _once(self, item: Item, place: int) -> list[tuple[int, tuple[object, ...]]]:
        if place >= len(self._known) or (item.is_glued and not self._lattice.is_glued(place)):
            return []
        if item.words:
            return [(place + 1, ())] if self._lattice.words[place] in item.words else []
        edges = self.at(item.name, place) if item.name else self._lattice.edges[place].get(item.category, [])
        return [(behind, (value,)) for behind, value in edges]


def _pieces(number: int) -> st.SearchStrategy[str]:
    """Items of a pattern of one of the names."""
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2, unique=True).map("|".join)
    inner = [st.sampled_from([f"<{name}>" for name in NAMES[number + 1 :]])] if NAMES[number + 1 :] else []
    core = st.one_of(words, st.sampled_from(CATEGORIES), *inner)
    return st.tuples(st.sampled_from(["", "", "", "~"]), core, st.sampled_from(["", "", "?"])).map("".join)


@st.composite
def _tables(draw: st.DrawFn) -> list[tuple[str, str, object]]:
    rows: list[tuple[str, str, object]] = []
    for number, name in enumerate(NAMES):
        for row in range(draw(st.integers(1, 4))):
            pieces = [draw(_pieces(number)).lstrip("~").rstrip("?"), *draw(st.lists(_pieces(number), max_size=3))]
            if len(pieces) > 1 and draw(st.integers(0, 4)) == 0:
                pieces.insert(draw(st.integers(1, len(pieces) - 1)), ">")
            rows.append((name, " ".join(pieces), _build(f"{name}{row}", draw(st.integers(0, 5)))))
    return rows


def _build(label: str, mood: int) -> object:
    def build(_: object, *captured: object) -> object:
        if mood == 0 and any(isinstance(value, int) and value > 1 for value in captured):
            raise ValueError(label)
        return None if mood == 1 and len(captured) == 1 else (label, captured)

    return build


@st.composite
def _lattices(draw: st.DrawFn) -> Lattice:
    words = draw(st.lists(st.sampled_from([*WORDS, "x"]), max_size=7))
    starts = [2 * place for place in range(len(words))]
    ends = [start + 1 + draw(st.integers(0, 1)) for start in starts]
    made = Lattice(words, starts, ends, [{} for _ in words])
    for place in range(len(words)):
        for category in draw(st.lists(st.sampled_from(CATEGORIES), max_size=2)):
            made.add(place, category, place, min(len(words), place + draw(st.integers(1, 2))))
    return made


@settings(max_examples=50, deadline=None)
@given(_tables(), _lattices())
def test_trees_find_what_a_search_of_all_productions_finds(rows: list[tuple[str, str, object]], text: Lattice) -> None:
    made = Grammar([rows])  # type: ignore[list-item]
    plain = PlainChart(made, text, None)
    plain.productions = made._productions
    chart = Chart(made, text, None)
    for place in range(len(text.words)):
        for name in NAMES:
            assert list(chart.at(name, place)) == plain.at(name, place)


ENGLISH = (  # noqa: SIM905 - a sentence of words reads better than a list
    "the weekend of halloween two weeks days from to and on in at of ago next last this every first second 30th noon "
    "monday fri may 3rd 5pm 15:30 30 2026 q3 twenty - , . ' week month year morning before after a half past until by"
).split()  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(ENGLISH), min_size=2, max_size=9).map(" ".join))
def test_english_is_read_alike(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        read = english.find(text, NOW)
        patch.setattr(english, "Chart", PlainChart)
        assert english.find(text, NOW) == read


def test_a_name_of_what_begins_the_same_is_found_through_itself() -> None:
    """A name that comes back further on inside itself: its first words are known all the same."""
    rows = [
        ("day", "N", lambda _, number: number),
        ("week", "the? week of <day>", lambda _, day: day),
        ("day", "the week day of <week>", lambda _, week: ("inner", week)),
    ]
    text = Lattice(["week", "of", "3"], [0, 5, 8], [4, 7, 9], [{}, {}, {"N": [(3, 3)]}])
    assert list(Chart(Grammar([rows]), text, None).at("week", 0)) == [(3, 3)]


def test_what_is_kept_of_neighbours_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_trees, "MOST_LOOKS", 4)
    made = Grammar([[("top", " ".join(WORDS), lambda _: "abc")]])
    for number in range(27):
        words = [WORDS[number // 9], WORDS[number // 3 % 3], WORDS[number % 3]]
        found = Chart(made, Lattice(words, [0, 2, 4], [1, 3, 5], [{}, {}, {}]), None).at("top", 0)
        assert list(found) == ([(3, "abc")] if words == ["a", "b", "c"] else [])
        assert len(made.trees._looks) <= 4


def test_an_impossible_part_is_no_reason_to_leave_a_production_out() -> None:
    def impossible(_: object, number: int) -> int:
        raise ValueError(number)

    rows: list[tuple[str, str, Callable[..., object]]] = [
        ("part", "N", impossible), ("top", "<part> a", lambda *_: "read")
    ]  # fmt: skip
    text = Lattice(["3", "a"], [0, 2], [1, 3], [{"N": [(1, 3)]}, {}])
    assert list(Chart(Grammar([rows]), text, None).at("top", 0)) == [(2, REFUSED)]


@given(st.lists(st.sampled_from([*ENGLISH, "new", "year", "'s", "eve", "sy", "hundred", "½", "p", "m"]), max_size=12))
def test_words_that_are_passed_over_mean_nothing(words: list[str]) -> None:
    text = " ".join(words)
    passed = english_tokens.lattice_of(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(english_tokens, "_openers", lambda: frozenset(word for word in passed.words if word[0].isalpha()))
        assert english_tokens.lattice_of(text).edges == passed.edges


def test_every_word_of_the_tables_is_looked_up() -> None:
    assert all(word[0].isalpha() or word[0].isdigit() for word in english_tokens._openers())
