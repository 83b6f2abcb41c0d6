"""The page of real questions says what was judged, and nothing else."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SETS = tomllib.loads((ROOT / "packaging" / "docs" / "answers.toml").read_text("utf-8"))["set"]
PAGE = (ROOT / "docs" / "answers.md").read_text("utf-8")
VERDICTS = ("right", "partly", "wrong", "nothing found")


@pytest.mark.parametrize("one", SETS, ids=lambda one: str(one["title"]))
def test_every_question_stands_there_with_its_judgement(one: dict[str, object]) -> None:
    part = PAGE.partition(f"## {one['title']}\n")[2].partition("\n## ")[0]
    questions = one["question"]
    assert isinstance(questions, list)
    assert len(questions) == 10
    for number, row in enumerate(questions, start=1):
        shown = part.partition(f"### {number}. {row['ask']}\n")[2].partition("\n### ")[0]
        assert row["judgement"] in VERDICTS
        assert f"**{row['judgement']}** (" in shown
        assert row["why"] in shown


def test_the_table_counts_the_judgements() -> None:
    for one in SETS:
        counts = [sum(row["judgement"] == verdict for row in one["question"]) for verdict in VERDICTS]
        assert f"| {one['title']} | {' | '.join(map(str, counts))} |" in PAGE


def test_both_languages_are_asked_in() -> None:
    for one in SETS:
        chinese = [row["ask"] for row in one["question"] if re.search("[一-鿿]", row["ask"])]
        assert 2 <= len(chinese) <= 8
