"""The embedding pack for tests: the one that is prepared already, or one built once into the project's `.models`."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from app.domain.errors import Expected
from app.inference.packs import ModelPack, find_pack
from app.inference.prepare import prepare

_ROOT = Path(__file__).resolve().parents[1]
_LOCAL = _ROOT / ".models"
_ENVIRONMENT = _ROOT / ".venv" / "share" / "famulus" / "models"


@cache
def models_folder() -> Path:
    """The folder that holds the pack; skips the calling test where it can neither be found nor be built."""
    named = os.environ.get("FAMULUS_MODELS")
    for folder in [Path(named)] if named else [_LOCAL, _ENVIRONMENT]:
        if folder.is_dir() and find_pack(folder) is not None:
            return folder
    try:
        prepare(Path(named) if named else _LOCAL)
    except Expected as problem:
        pytest.skip(f"no embedding model: {problem.what}")
    return Path(named) if named else _LOCAL


def model_pack() -> ModelPack:
    """The pack itself; skips like `models_folder`."""
    pack = find_pack(models_folder())
    assert pack is not None
    return pack
