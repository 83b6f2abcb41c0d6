"""`batch redact` through the batch of the program, without a model (L5.3, DESIGN 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.bootstrap.batch import run as run_batch
from app.bootstrap.batches.redact import RedactTask
from app.cli.wiring import BatchRequest
from app.runtime.paths import Paths

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def _results(folder: Path, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(result) for result in run_batch(Paths(folder), BatchRequest("redact", rows))]


def test_every_row_is_redacted_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.bootstrap.batches.redact.span_reader", lambda _paths: None)
    first, second = _results(
        tmp_path,
        {"id": 1, "text": "我的邮箱是mira@example.org"},
        {"id": 2, "text": "My mail is kofi@example.org"},
    )
    assert first["text"].endswith("邮箱是[EMAIL_1]")
    assert second == {"id": 2, "text": "My mail is [EMAIL_1]", "spans": [{"start": 11, "end": 27, "kind": "email"}]}


def test_a_row_that_is_too_long_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.bootstrap.batches.redact.span_reader", lambda _paths: None)
    first, second = _results(tmp_path, {"id": 1, "text": "7" * 1_000_000}, {"id": 2, "text": "hello"})
    assert "error" in first
    assert second == {"id": 2, "text": "hello", "spans": []}


def test_closing_holds_nothing() -> None:
    RedactTask(None).close()
