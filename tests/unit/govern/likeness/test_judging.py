"""What is the same, on pairs of our own: tests/data/likeness/pairs.toml. The figures stand in docs/entities.md."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.govern.likeness.judging import judge
from app.store.likenesses import Compared

DATA = Path(__file__).parents[3] / "data/likeness"
PAIRS = [
    pair for file in ("pairs.toml", "fresh.toml") for pair in tomllib.loads((DATA / file).read_text("utf-8"))["pair"]
]


def compared(number: int, row: dict[str, Any]) -> Compared:
    at = row.get("at", f"2025-05-0{number}")
    title = row.get("title", row["id"])
    return Compared(number, f"source {number}", row["id"], row["kind"], title, row.get("thread"), at, at, row["text"])


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['kind'] or 'not'}: {pair['one']['text'][:30]}")
def test_how_two_entries_are_alike(pair: dict[str, Any]) -> None:
    one, other = compared(1, pair["one"]), compared(2, pair["other"])
    found = judge(one, other)
    assert (found.kind.value if found else "") == ("" if pair.get("is_missed") else pair["kind"])
    assert judge(other, one) == found


@pytest.mark.parametrize(
    "text", ["a" * 2_000_000, "好" * 700_000, "x. " * 100_000, "\0\ud800" * 9000, "1 2. " * 70_000, "> " * 30_000]
)
def test_any_text_is_compared_in_no_time(text: str) -> None:
    one, other = (
        compared(1, {"kind": "mail", "id": "1", "text": text}),
        compared(2, {"kind": "mail", "id": "2", "text": text[1:] + "y"}),
    )
    judge(one, other)
