"""Dates of a row as a batch prints them."""

from __future__ import annotations

import pytest

from app.inference.dates.batch_values import result

REFERENCE = "2026-07-16T10:20:00"


def values(text: str, reference: str = REFERENCE) -> list[tuple[str | None, str | None]]:
    """Start and end of every candidate."""
    return [(one["start"], one["end"]) for one in result({"id": "1", "text": text, "ref": reference})["values"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 3 September 2026", [("2026-09-03", "2026-09-04")]),
        ("3 September 2026 at 3 pm", [("2026-09-03T15:00:00", None)]),
        ("at 3 pm", [("15:00:00", None)]),
        ("between 3 and 5 pm", [("15:00:00", "17:00:00")]),
        ("before 3 pm", [(None, "15:00:00")]),
        ("since 2019", [("2019-01-01", None)]),
        ("before 3 September 2026", [(None, "2026-09-03")]),
        ("for three hours", []),
        ("every Monday", []),
        ("30 February", []),
        ("nothing", []),
    ],
)
def test_values(text: str, expected: list[tuple[str | None, str | None]]) -> None:
    assert values(text) == expected


def test_a_reference_without_a_zone_keeps_times_as_they_are_said() -> None:
    assert values("3 September 2026 at 3 pm EST") == [("2026-09-03T15:00:00", None)]
    assert values("3 September 2026 at 3 pm EST", REFERENCE + "+02:00") == [("2026-09-03T22:00:00", None)]


def test_a_row_without_a_reference_is_read() -> None:
    assert result({"id": "1", "text": "3 September 2026"})["values"][0]["start"] == "2026-09-03"


def test_bad_rows_are_told() -> None:
    with pytest.raises(KeyError):
        result({"id": "1"})
    with pytest.raises(ValueError, match="isoformat"):
        result({"id": "1", "text": "today", "ref": "yesterday"})
