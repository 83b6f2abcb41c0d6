"""The machine of the grammar: patterns, priorities, refusals (no words of any language)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.inference.dates.english_expressions import grammar
from app.inference.dates.productions import REFUSED, Chart, Grammar, Lattice

if TYPE_CHECKING:
    from collections.abc import Sequence


def lattice(text: str) -> Lattice:
    """Words apart by spaces; a digit is an N, and "ab" two tokens that touch when written a~b."""
    words, starts, ends, at = [], [], [], 0
    for group in text.split():
        for word in group.split("~"):
            words.append(word)
            starts.append(at)
            at += len(word)
            ends.append(at)
        at += 1
    made = Lattice(words, starts, ends, [{} for _ in words])
    for place, word in enumerate(words):
        if word.isdigit():
            made.add(place, "N", int(word), place + 1)
    return made


def results(rows: Sequence[tuple[str, str, object]], text: str) -> list[tuple[int, object]]:
    """What `top` may be at the first token."""
    return list(Chart(Grammar([rows]), lattice(text), None).at("top", 0))  # type: ignore[list-item]


def test_captures_and_optional_items() -> None:
    rows = [("top", "N and? N?", lambda _, first, second: (first, second))]
    assert results(rows, "1 and 2") == [(3, (1, 2)), (2, (1, None)), (1, (1, None))]
    assert results(rows, "1 2")[0] == (2, (1, 2))


def test_the_first_production_of_a_length_wins() -> None:
    rows = [("top", "N", lambda _, number: None if number > 5 else "small"), ("top", "N", lambda *_: "any")]
    assert results(rows, "3") == [(1, "small")]
    assert results(rows, "7") == [(1, "any")]


def test_names_are_worked_out_through_each_other() -> None:
    rows = [
        ("pair", "N , N", lambda _, *two: two),
        ("top", "<pair> or <pair>", lambda _, *pairs: pairs),
    ]
    assert results(rows, "1 , 2 or 3 , 4") == [(7, ((1, 2), (3, 4)))]


def test_glued_items_touch() -> None:
    rows = [("top", "N ~h", lambda _, number: number)]
    assert results(rows, "3~h") == [(2, 3)]
    assert results(rows, "3 h") == []


def test_what_follows_may_be_asked_for_and_left() -> None:
    rows = [("top", "N > and N", lambda _, *both: both)]
    assert results(rows, "1 and 2") == [(1, (1, 2))]
    assert results(rows, "1 or 2") == []


def test_an_impossible_part_refuses_the_whole() -> None:
    def impossible(_: object, number: int) -> int:
        raise ValueError(number)

    rows = [("part", "N", impossible), ("top", "<part> and N", lambda *_: "read"), ("top", "<part>", lambda *_: "part")]
    assert results(rows, "1 and 2") == [(3, REFUSED), (1, REFUSED)]


def test_work_is_bounded() -> None:
    chart = Chart(Grammar([[("top", "N", lambda *_: 1)] * 50]), lattice("1 1 1"), None, most_steps=20)
    for place in range(3):
        chart.at("top", place)
    assert chart.is_exhausted
    assert chart.steps < 30


def test_the_english_grammar_has_no_left_recursion_and_no_gaps() -> None:
    productions = grammar()._productions
    begins: dict[str, set[str]] = {name: set() for name in productions}
    for name, rows in productions.items():
        for row in rows:
            assert all(item.name in productions for item in row.items if item.name)
            for item in row.items:
                begins[name] |= {item.name} if item.name else set()
                if not item.is_optional:
                    break
    while begins:
        ends = {name for name, others in begins.items() if not others & begins.keys()}
        assert ends, f"left recursion among {sorted(begins)}"
        begins = {name: others for name, others in begins.items() if name not in ends}
