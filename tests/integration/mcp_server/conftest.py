"""A house with two scopes, and clients for it: made once, and copied for each test."""

from __future__ import annotations

from functools import partial

import pytest

from app.domain.clients import Grant
from app.domain.collecting import SourceDraft
from app.domain.labels import Sensitivity
from tests.integration.conftest import PASSPHRASE, copied, furnished
from tests.integration.mcp_server.peers import PRIVATE, WORK, World


@pytest.fixture(scope="session")
def model_house(tmp_path_factory):
    """A house that is closed, and the tokens of its clients."""
    folder = tmp_path_factory.mktemp("house")
    for scope, notes in (("work", WORK), ("personal", PRIVATE)):
        (folder / scope).mkdir()
        for name, text in notes.items():
            (folder / scope / name).write_text(text, "utf-8")
    return folder / "base", furnished(folder / "base", partial(_furnish, folder))


async def _furnish(folder, api):
    tokens = {}
    for scope, name in (("work", "mate"), ("personal", "other")):
        await api.add_source(SourceDraft("files", str(folder / scope), scope))
        grant = Grant(frozenset({scope}), Sensitivity.CONFIDENTIAL, rate_per_minute=10_000, items_per_day=100_000)
        tokens[name] = (await api.add_client(name, grant)).token
    await api.sync()
    await api.wait_until_indexed()
    return tokens


@pytest.fixture
async def world(model_house, open_house, basedir):
    """The house with its owner, and `famulus mcp` beside it."""
    model, tokens = model_house
    copied(model, basedir)
    house = await open_house()
    await house.api.unlock(passphrase=PASSPHRASE)
    yield World(basedir, house.api, dict(tokens))
    await house.close()


@pytest.fixture
def bare(basedir):
    """Where there is nothing yet, and nobody is asked for anything."""
    return World(basedir, None)
