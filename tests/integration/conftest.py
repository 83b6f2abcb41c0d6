"""Whole houses: owners without a model and without a keychain, so that rules alone decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.bootstrap.household import Household
from app.runtime.paths import Paths
from app.runtime.single_instance import OwnerLock
from app.store import wrapping

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from app.famulus.api import FamulusApi

PASSPHRASE = "correct horse"


def cheapen_passphrases(patch: pytest.MonkeyPatch) -> None:
    """What makes guessing dear would make every house dear; `tests/unit/store/test_keys.py` pins the real costs."""
    for name, cost in (("_TIME_COST", 1), ("_MEMORY_KIB", 64), ("_PARALLELISM", 1)):
        patch.setattr(wrapping, name, cost)


@pytest.fixture
def open_house(basedir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Awaitable[Household]]:
    """Opens the house of `basedir`; who calls it closes it."""
    monkeypatch.setenv("FAMULUS_MODELS", str(tmp_path / "no-models"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    cheapen_passphrases(monkeypatch)

    async def opened() -> Household:
        paths = Paths(basedir)
        paths.create()
        lock = OwnerLock(paths)
        assert lock.take(timeout_s=10)
        house = Household.make(paths, lock, quit_=lambda: None)
        await house.start()
        return house

    return opened


@pytest.fixture
async def household(open_house: Callable[[], Awaitable[Household]]) -> AsyncIterator[Household]:
    """An open house that has no database yet."""
    house = await open_house()
    yield house
    await house.close()


@pytest.fixture
async def api(household: Household) -> FamulusApi:
    """The facade of a house with an empty database."""
    await household.api.create(passphrase=PASSPHRASE)
    return household.api
