"""A house with two scopes, and clients for it."""

from __future__ import annotations

import pytest

from app.domain.clients import Grant
from app.domain.collecting import SourceDraft
from app.domain.labels import Sensitivity
from tests.integration.mcp_server.peers import PRIVATE, WORK, World


@pytest.fixture
async def world(api, basedir, tmp_path):
    """Notes in two scopes, and a client for each."""
    for scope, notes in (("work", WORK), ("personal", PRIVATE)):
        folder = tmp_path / scope
        folder.mkdir()
        for name, text in notes.items():
            (folder / name).write_text(text, "utf-8")
        await api.add_source(SourceDraft("files", str(folder), scope))
    await api.sync()
    made = World(basedir, api)
    for name, scope in (("mate", "work"), ("other", "personal")):
        grant = Grant(frozenset({scope}), Sensitivity.CONFIDENTIAL, rate_per_minute=10_000, items_per_day=100_000)
        made.tokens[name] = (await api.add_client(name, grant)).token
    return made


@pytest.fixture
def bare(basedir):
    """Where there is nothing yet, and nobody is asked for anything."""
    return World(basedir, None)
