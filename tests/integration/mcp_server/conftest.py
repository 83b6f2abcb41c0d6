"""A house with two scopes, and clients for it: made once, and copied for each test."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from app.bootstrap.household import Household
from app.domain.clients import Grant
from app.domain.collecting import SourceDraft
from app.domain.labels import Sensitivity
from app.runtime.paths import Paths
from app.runtime.single_instance import OwnerLock
from tests.integration.conftest import PASSPHRASE, cheapen_passphrases
from tests.integration.mcp_server.peers import PRIVATE, WORK, World


@pytest.fixture(scope="session")
def model_house(tmp_path_factory):
    """A house that is closed, and the tokens of its clients."""
    folder = tmp_path_factory.mktemp("house")
    for scope, notes in (("work", WORK), ("personal", PRIVATE)):
        (folder / scope).mkdir()
        for name, text in notes.items():
            (folder / scope / name).write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAMULUS_MODELS", str(folder / "no-models"))
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
        cheapen_passphrases(patch)
        tokens = asyncio.run(_furnish(folder))
    return folder / "base", tokens


async def _furnish(folder):
    paths = Paths(folder / "base")
    paths.create()
    lock = OwnerLock(paths)
    assert lock.take(timeout_s=10)
    house = Household.make(paths, lock, quit_=lambda: None)
    await house.start()
    await house.api.create(passphrase=PASSPHRASE)
    tokens = {}
    for scope, name in (("work", "mate"), ("personal", "other")):
        await house.api.add_source(SourceDraft("files", str(folder / scope), scope))
        grant = Grant(frozenset({scope}), Sensitivity.CONFIDENTIAL, rate_per_minute=10_000, items_per_day=100_000)
        tokens[name] = (await house.api.add_client(name, grant)).token
    await house.api.sync()
    await house.api.wait_until_indexed()
    await house.close()
    return tokens


@pytest.fixture
async def world(model_house, open_house, basedir):
    """The house with its owner, and `famulus mcp` beside it."""
    model, tokens = model_house
    shutil.copytree(model, basedir, dirs_exist_ok=True)
    house = await open_house()
    await house.api.unlock(passphrase=PASSPHRASE)
    yield World(basedir, house.api, dict(tokens))
    await house.close()


@pytest.fixture
def bare(basedir):
    """Where there is nothing yet, and nobody is asked for anything."""
    return World(basedir, None)
