"""Batch runs: one result a row, in order, and a bad row costs only itself (DESIGN 6)."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app.bootstrap.batch import LONGEST_ROW
from app.bootstrap.batch import run as run_batch
from app.bootstrap.batches.contract import text_of
from app.cli.wiring import BatchRequest
from app.runtime.paths import Paths


class Upper:
    def __init__(self) -> None:
        self.is_closed = False

    def result(self, row: dict[str, Any]) -> dict[str, Any]:
        return {"text": text_of(row).upper()}

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def task(monkeypatch: pytest.MonkeyPatch) -> Upper:
    made = Upper()
    module = ModuleType("app.bootstrap.batches.upper")
    module.open_task = lambda _paths, _request: made  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return made


def run(basedir: Path, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(result) for result in run_batch(Paths(basedir), BatchRequest("upper", rows))]


def test_rows_keep_their_order_and_ids(task: Upper, basedir: Path) -> None:
    assert run(basedir, {"id": 2, "text": "b"}, {"id": 1, "text": "ä"}) == [
        {"id": 2, "text": "B"},
        {"id": 1, "text": "Ä"},
    ]
    assert task.is_closed


@pytest.mark.parametrize("row", [{"id": "x"}, {"id": "x", "text": 3}, {"id": "x", "error": "no JSON"}])
def test_a_bad_row_has_an_error_and_the_rest_goes_on(task: Upper, basedir: Path, row: dict[str, Any]) -> None:
    bad, good = run(basedir, row, {"id": "y", "text": "a"})
    assert bad["id"] == "x"
    assert bad["error"]
    assert "text" not in bad
    assert good == {"id": "y", "text": "A"}


def test_a_row_beyond_all_size_is_refused(task: Upper, basedir: Path) -> None:
    (result,) = run(basedir, {"id": "x", "text": "a" * (LONGEST_ROW + 1)})
    assert "too long" in result["error"]


def test_what_the_task_holds_is_given_back_when_the_reader_leaves(task: Upper, basedir: Path) -> None:
    results = run_batch(Paths(basedir), BatchRequest("upper", [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]))
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert task.is_closed
