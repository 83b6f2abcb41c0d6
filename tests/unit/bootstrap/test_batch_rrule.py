"""`batch rrule`: rows of a start and a rule (L3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.bootstrap.batch import run as run_batch
from app.cli.wiring import BatchRequest
from app.runtime.paths import Paths

if TYPE_CHECKING:
    from pathlib import Path


def run(basedir: Path, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(result) for result in run_batch(Paths(basedir), BatchRequest("rrule", rows))]


def test_instances_are_written_as_the_start_is(basedir: Path) -> None:
    days, moments = run(
        basedir,
        {"id": 1, "DTSTART": "20260105", "RRULE": "FREQ=WEEKLY;COUNT=2"},
        {"id": 2, "DTSTART": "20260105T090000Z", "RRULE": "FREQ=DAILY;COUNT=2"},
    )
    assert days == {"id": 1, "instances": ["20260105", "20260112"]}
    assert moments == {"id": 2, "instances": ["20260105T090000Z", "20260106T090000Z"]}


def test_a_rule_that_cannot_be_used_has_an_error(basedir: Path) -> None:
    for row in (
        {"id": 1, "DTSTART": "20260105", "RRULE": "FREQ=OFTEN"},
        {"id": 1, "DTSTART": "yesterday", "RRULE": "FREQ=DAILY"},
        {"id": 1, "RRULE": "FREQ=DAILY"},
        {"id": 1, "DTSTART": "20260105", "RRULE": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"},
    ):
        (result,) = run(basedir, row)
        assert result["error"]
        assert "instances" not in result
