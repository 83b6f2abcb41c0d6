"""The report says met or not, and touches nothing of the page but its own section."""

from __future__ import annotations

from datetime import date

import pytest

from tests.bench.measures import Measure, alternating, quantile
from tests.bench.report import BEGIN, END, amount, row, section, with_section, write

DAY = date(2026, 1, 15)
MET = Measure("a", 2.0, "ms", 1.0, "bare", 3.0)


@pytest.mark.parametrize(
    ("measure", "is_met"),
    [
        (MET, True),
        (Measure("a", 4.0, "ms", 1.0, "bare", 3.0), False),
        (Measure("a", 4.0, "ms", 4.0, "bare", 1.1, is_ratio=True), True),
        (Measure("a", 5.0, "ms", 4.0, "bare", 1.1, is_ratio=True), False),
        (Measure("recall", 0.99, "", 1.0, "exact", 0.98, is_least=True), True),
        (Measure("recall", 0.97, "", 1.0, "exact", 0.98, is_least=True), False),
        (Measure("a", 4.0, "ms", 1.0, "bare"), None),
    ],
)
def test_a_budget_is_met_or_not(measure, is_met):
    assert measure.is_met is is_met


def test_a_row_says_all_of_it():
    assert row(MET) == "| a | 2.00 ms | 1.00 ms (bare) | 2.00 | 3.00 ms | met |"
    assert row(Measure("a", 1.2, "s", 1.0, "bare", 1.1, is_ratio=True)).endswith("| 1.20 | 1.10 x | **not met** |")
    assert row(Measure("a", 20.0, "ms")) == "| a | 20.0 ms |  |  |  |  |"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(0.0123, "s", "0.012 s"), (1972.6, "bytes", "1 973 bytes"), (0.984, "", "0.98"), (155.7, "MiB", "156 MiB")],
)
def test_figures_have_three_digits(value, unit, text):
    assert amount(value, unit) == text


def test_what_others_wrote_stays():
    page = f"# Page\n\nbefore\n\n{BEGIN}\nold\n{END}\n\n<!-- retrieval:begin -->\ntheirs\n<!-- retrieval:end -->\n"
    changed = with_section(page, "new\n")
    assert changed == page.replace("old", "new")
    assert with_section(changed, "new\n") == changed


@pytest.mark.parametrize("page", ["# Page\n\ntheirs\n", f"# Page\n\ntheirs {BEGIN} without an end\n"])
def test_markers_are_made_where_they_are_missing(page):
    changed = with_section(page, "new\n")
    assert changed.startswith(page.rstrip("\n"))
    assert changed.endswith(f"{BEGIN}\nnew\n{END}\n")


def test_a_page_is_made(tmp_path):
    page = tmp_path / "benchmarks.md"
    write([MET], DAY, "2 cores", page=page)
    first = page.read_text("utf-8")
    assert "2026-01-15" in first
    assert row(MET) in first
    write([MET], DAY, "2 cores", page=page)
    assert page.read_text("utf-8") == first


def test_a_section_names_no_computer():
    assert "cores" in section([MET], DAY, "Linux x86_64, 2 cores, 24 GiB")


def test_works_are_done_in_turn():
    done = []
    assert len(alternating(3, lambda: done.append("a"), lambda: done.append("b"))) == 2
    assert done == ["a", "b"] * 3
    assert quantile([1.0, 2.0, 3.0], 0.5) == 2.0
