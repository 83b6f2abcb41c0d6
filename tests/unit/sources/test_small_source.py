"""A new source takes under 100 lines; bookmarks are the proof, and their page says honestly what they share."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "app" / "sources"


def lines(*paths: Path) -> int:
    return sum(path.read_text("utf-8").count("\n") for path in paths)


def test_bookmarks_take_under_a_hundred_lines():
    assert lines(SOURCES / "bookmarks.py") < 100


def test_their_page_counts_right():
    page = (ROOT / "docs" / "sources" / "bookmarks.md").read_text("utf-8")
    said = [
        int(number)
        for number in re.findall(
            r"\b(\d{2,3})\b(?= lines|\)| in four)", page.partition("## A source in under 100 lines")[2]
        )
    ]
    assert said == [
        lines(SOURCES / "bookmarks.py"),
        lines(SOURCES / "records.py"),
        lines(SOURCES / "browser_places.py"),
        lines(*(SOURCES / "parsing").glob("bookmarks*.py")),
        lines(SOURCES / "bookmarks.py"),
    ]
