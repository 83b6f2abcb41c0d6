"""A program is set up to ask as a client, with and without a keychain (G4.6)."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from app.bootstrap import household as bootstrap
from app.domain.clients import Grant
from app.domain.errors import BadInput, Denied, KeychainMissing, Unreadable
from app.domain.labels import Sensitivity
from app.famulus.client_tokens import TokenKeeper
from app.runtime.paths import Paths
from tests.unit.store.keychains import MemoryKeychain

GRANT = Grant(frozenset({"personal"}), Sensitivity.PUBLIC)


@pytest.fixture
def keychain(monkeypatch):
    made = MemoryKeychain()
    monkeypatch.setattr(bootstrap, "Keychain", lambda: made)
    return made


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(folder))
    return folder


async def test_the_configuration_names_the_client_and_holds_no_token(keychain, api, basedir, home):
    made = await api.connect_client("My agent", "cursor", grant=GRANT)
    file = home / ".cursor" / "mcp.json"
    assert (made.path, made.backup, made.token) == (str(file), None, None)
    server = json.loads(file.read_text("utf-8"))["mcpServers"]["famulus"]
    assert server["args"][-5:] == ["--basedir", str(basedir), "mcp", "--client", "My agent"]
    token = TokenKeeper(Paths(basedir), keychain).token("My agent")
    assert token not in file.read_text("utf-8")
    assert (await api.client_hello(token)).name == "My agent"
    again = await api.connect_client("my agent", "windsurf")
    assert again.path is not None
    assert TokenKeeper(Paths(basedir), keychain).token("My agent") == token
    programs = await api.client_programs()
    assert programs[0].is_present


async def test_without_a_keychain_the_person_gets_the_piece_and_nothing_is_written(keychain, api, home):
    keychain.refuses = KeychainMissing
    made = await api.connect_client("Agent", "cursor", grant=GRANT)
    assert made.path is None
    assert made.token in made.text
    assert (await api.client_hello(made.token)).name == "Agent"
    assert list(home.iterdir()) == []
    renewed = await api.connect_client("Agent", "cursor")
    assert renewed.token != made.token
    with pytest.raises(Denied):
        await api.client_hello(made.token)


async def test_nobody_is_registered_for_a_configuration_that_cannot_be_changed(keychain, api, home):
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("nonsense", "utf-8")
    with pytest.raises(Unreadable):
        await api.connect_client("Agent", "cursor", grant=GRANT)
    assert await api.clients() == []
    printed = await api.connect_client("Agent", "cursor", grant=GRANT, is_writing=False)
    assert printed.path is None
    assert file.read_text("utf-8") == "nonsense"


async def test_nobody_is_registered_for_a_configuration_that_cannot_be_written(keychain, api, home, monkeypatch):
    def fail(*_):
        raise OSError

    monkeypatch.setattr("app.famulus.client_programs._replace", fail)
    with pytest.raises(Unreadable):
        await api.connect_client("Agent", "cursor", grant=GRANT)
    assert await api.clients() == []
    made = await api.add_client("Agent", GRANT)
    with pytest.raises(Unreadable):
        await api.connect_client("Agent", "cursor")
    assert (await api.client_hello(made.token)).name == "Agent", "who was there stays"


async def test_who_comes_back_under_its_name_keeps_its_new_token(keychain, api, basedir, monkeypatch):
    await api.add_client("Agent", GRANT)
    forget, may_forget = keychain.delete, threading.Event()

    def slow(name):
        may_forget.wait(5)
        forget(name)

    monkeypatch.setattr(keychain, "delete", slow)
    await api.remove_client("Agent")
    adding = asyncio.ensure_future(api.add_client("Agent", GRANT))
    while not await api.clients():
        await asyncio.sleep(0)
    for _ in range(100):
        await asyncio.sleep(0)
    may_forget.set()
    made = await adding
    assert TokenKeeper(Paths(basedir), keychain).token("Agent") == made.token


async def test_what_makes_no_sense_is_refused(keychain, api):
    with pytest.raises(BadInput, match="nothing was said"):
        await api.connect_client("Agent", "cursor")
    with pytest.raises(BadInput, match="No program"):
        await api.connect_client("Agent", "nonsense", grant=GRANT)
    await api.add_client("Agent", GRANT)
    await api.revoke_client("Agent")
    with pytest.raises(BadInput, match="no access"):
        await api.connect_client("Agent", "cursor")


async def test_the_keychain_follows_the_registry(keychain, api, household, basedir):
    keeper = TokenKeeper(Paths(basedir), keychain)
    made = await api.add_client("Agent", GRANT)
    assert made.is_in_keychain
    assert keeper.token("Agent") == made.token
    renewed = await api.new_client_token("Agent")
    assert keeper.token("Agent") == renewed.token != made.token
    await api.remove_client("Agent")
    await household.close()
    with pytest.raises(Denied):
        keeper.token("Agent")
