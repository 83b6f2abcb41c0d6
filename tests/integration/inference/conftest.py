"""The real pack and its embedder, once for all tests of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.inference.embedder import Embedder
from tests.model_pack import model_pack

if TYPE_CHECKING:
    from app.inference.packs import ModelPack


@pytest.fixture(scope="session")
def pack() -> ModelPack:
    return model_pack()


@pytest.fixture(scope="session")
def embedder(pack: ModelPack) -> Embedder:
    return Embedder(pack, threads=1)
