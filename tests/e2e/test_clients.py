"""Clients over the local socket, with real processes: what outlives a crash, and what must not outlive its asker."""

from __future__ import annotations

import asyncio

import pytest

from app.domain.clients import ClientState
from app.domain.errors import Denied, Expected
from app.domain.serving import ContextQuery
from app.famulus.client import RemoteFamulus
from app.famulus.ownership import reach
from app.runtime.paths import Paths
from tests.e2e.conftest import PASSPHRASE

pytestmark = pytest.mark.timeout(400)

QUERY = ContextQuery("zebrafish quartz")


@pytest.fixture
def filled(cli, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "fish.md").write_text("# Fish\n\nThe zebrafish likes quartz.\n", "utf-8")
    cli.json("add", "files", str(notes), "--scope", "work")
    cli.json("sync")
    return cli


async def _search(cli, token):
    remote = await reach(Paths(cli.basedir))
    try:
        await remote.api.unlock(passphrase=PASSPHRASE)
        return await remote.api.client_search(token, QUERY)
    finally:
        await remote.close()


def test_a_client_outlives_a_kill_and_a_revoked_one_stays_revoked(filled):
    cli = filled
    made = cli.json("clients", "add", "Desk", "--scope", "work", "--ceiling", "confidential")
    gone = cli.json("clients", "add", "Gone", "--scope", "work")
    cli.json("clients", "revoke", "Gone")
    cli.kill(cli.owner_pid())
    served = asyncio.run(_search(cli, made["token"]))
    assert "zebrafish" in served.items[0].content
    with pytest.raises(Denied):
        asyncio.run(_search(cli, gone["token"]))
    cli.kill(cli.owner_pid())
    report = cli.json("audit", "--client", "Desk")
    assert (report["items"], report["lines"][0]["items"][0]["title"]) == (1, "Fish")
    assert cli.json("audit", "--client", "Gone")["refused"] == 1
    shown = cli.json("search", QUERY.text, "--as", "Desk")
    assert [item["item_id"] for item in shown] == [item.item_id for item in served.items]
    tokens = [made["token"].encode(), made["token"][4:].encode(), QUERY.text.encode()]
    for path in cli.basedir.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not [token for token in tokens if token in data], path


def test_access_that_was_asked_for_ends_with_whoever_asked(filled):
    async def ask_and_vanish():
        remote = await RemoteFamulus.connect(Paths(filled.basedir))
        token = await remote.api.ask_access("Editor")
        other = await RemoteFamulus.connect(Paths(filled.basedir))
        assert [one.state for one in await other.api.clients()] == [ClientState.WAITING]
        await remote.close()
        for _ in range(200):
            if not await other.api.clients():
                break
        with pytest.raises(Denied):
            await other.api.client_search(token, QUERY)
        assert await other.api.clients() == ()
        await other.close()

    asyncio.run(ask_and_vanish())


@pytest.mark.slow
def test_a_flood_of_calls_harms_nobody(filled):
    made = filled.json("clients", "add", "Flood", "--scope", "work", "--rate", "1000")

    async def flood():
        remotes = [await RemoteFamulus.connect(Paths(filled.basedir)) for _ in range(10)]
        calls = asyncio.gather(
            *(remote.api.client_search(made["token"], QUERY) for remote in remotes for _ in range(100)),
            return_exceptions=True,
        )
        owner = await RemoteFamulus.connect(Paths(filled.basedir))
        assert (await owner.api.status()).process_id
        results = await calls
        for remote in (*remotes, owner):
            await remote.close()
        return results

    results = asyncio.run(flood())
    assert len(results) == 1_000
    assert all(not isinstance(one, Exception) or isinstance(one, Expected) for one in results)
    assert any(not isinstance(one, Exception) for one in results)
    assert filled.json("status")["process_id"]
    assert filled.json("check")["is_clean"] is True
