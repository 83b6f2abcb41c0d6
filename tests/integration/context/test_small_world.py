"""Questions of a small world in two languages, asked of the whole program: the level reached is held (G4.1)."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bench.questions import ask_all

if TYPE_CHECKING:
    from tests.bench.questions import Judged

FILE = Path(__file__).parents[2] / "data" / "questions" / "small_world.toml"
TABLE = tomllib.loads(FILE.read_text("utf-8"))


async def results(basedir: Path, *, has_models: bool) -> tuple[Counter[str], list[Judged]]:
    found = await ask_all(TABLE, basedir, has_models=has_models)
    return Counter(one.verdict for one in found if one.question["sources"]), found


@pytest.mark.slow
async def test_with_the_models(basedir: Path) -> None:
    counts, found = await results(basedir, has_models=True)
    assert counts["right"] >= 23
    assert counts["wrong"] == 0
    assert not [one.question["text"] for one in found if not one.question["sources"] and one.verdict != "right"]


@pytest.mark.slow
async def test_by_rules_and_words_alone(basedir: Path) -> None:
    counts, found = await results(basedir, has_models=False)
    assert counts["right"] >= 8
    assert counts["wrong"] <= 3
    assert not [one.question["text"] for one in found if not one.question["sources"] and one.verdict != "right"]
