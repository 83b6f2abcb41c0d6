"""Rows of tables as sentences, with their lines (G4.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.context.tables import line_of, rows_of
from app.domain.entries import Place
from tests.unit.context.test_quoting import passage

TABLE = "Service | Price | From\nInternet | 35 | March\nHeating | 88 |"
MARKDOWN = "| Month | Rent |\n|---|---|\n| March | 5400 |"


def test_a_row_has_the_heads_of_its_columns() -> None:
    assert [row.text for row in rows_of(TABLE)] == ["Internet - Price: 35; From: March", "Heating - Price: 88"]
    assert [row.text for row in rows_of(MARKDOWN)] == ["March - Rent: 5400"]
    assert [row.text for row in rows_of("项目 | 每月（欧元）\n暖气 | 88")] == ["暖气 - 每月（欧元）: 88"]


def test_a_corner_may_be_empty() -> None:
    text = " | Standard | Plus\nTotal storage | 1 GB | 10 GB"
    assert [row.text for row in rows_of(text)] == ["Total storage - Standard: 1 GB; Plus: 10 GB"]
    assert [row.text for row in rows_of(text.strip())] == ["Total storage - Standard: 1 GB; Plus: 10 GB"]


def test_a_table_without_heads_has_rows_alone() -> None:
    assert [row.text for row in rows_of("Rent | 1200\nHeating | 88")] == ["Rent - 1200", "Heating - 88"]


@pytest.mark.parametrize("text", ["no table here", "a | b", "", "|||", "|" * 5000])
def test_what_is_no_table_has_none(text: str) -> None:
    assert rows_of(text) == []


def test_the_line_of_a_row() -> None:
    (internet, heating) = rows_of(TABLE)
    plain = replace(passage(TABLE), place=Place(first_line=5, last_line=7))
    assert (line_of(internet, plain), line_of(heating, plain)) == (6, 7)
    # a line of dashes stands behind the head in Markdown
    marked = replace(passage(TABLE), place=Place(first_line=5, last_line=8))
    assert (line_of(internet, marked), line_of(heating, marked)) == (7, 8)
    assert line_of(internet, replace(plain, place=Place())) is None
