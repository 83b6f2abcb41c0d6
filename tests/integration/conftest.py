"""Whole houses: owners without a model and without a keychain, so that rules alone decide."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING, TypeVar

import pytest

from app.bootstrap.household import Household
from app.runtime.paths import Paths
from app.runtime.single_instance import OwnerLock
from app.store import wrapping

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from app.famulus.api import FamulusApi

T = TypeVar("T")
PASSPHRASE = "correct horse"


def cheapen_passphrases(patch: pytest.MonkeyPatch) -> None:
    """What makes guessing dear would make every house dear; `tests/unit/store/test_keys.py` pins the real costs."""
    for name, cost in (("_TIME_COST", 1), ("_MEMORY_KIB", 64), ("_PARALLELISM", 1)):
        patch.setattr(wrapping, name, cost)


def _alone(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.setenv("FAMULUS_MODELS", str(folder / "no-models"))
    patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    cheapen_passphrases(patch)


async def _opened(basedir: Path) -> Household:
    paths = Paths(basedir)
    paths.create()
    lock = OwnerLock(paths)
    assert lock.take(timeout_s=10)
    house = Household.make(paths, lock, quit_=lambda: None)
    await house.start()
    return house


def furnished(basedir: Path, furnish: Callable[[FamulusApi], Awaitable[T]]) -> T:
    """Make a house that tests copy (`copied`), each for itself: furnished and closed. Returns what `furnish` does."""

    async def make() -> T:
        house = await _opened(basedir)
        await house.api.create(passphrase=PASSPHRASE)
        told = await furnish(house.api)
        await house.close()
        return told

    with pytest.MonkeyPatch.context() as patch:
        _alone(patch, basedir.parent)
        return asyncio.run(make())


def copied(model: Path, basedir: Path) -> None:
    """Place a copy of a house that is closed, to be opened and unlocked."""
    shutil.copytree(model, basedir, dirs_exist_ok=True)


@pytest.fixture
def open_house(basedir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Awaitable[Household]]:
    """Opens the house of `basedir`; who calls it closes it."""
    _alone(monkeypatch, tmp_path)
    return lambda: _opened(basedir)


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
