"""A local process that sends garbage harms nobody but itself (X9.2)."""

import asyncio
import contextlib
import multiprocessing.connection as mp
import os
import socket
import stat
import struct
import sys
from pathlib import Path

import pytest

from app.famulus.client import RemoteFamulus
from app.runtime.ipc import endpoint, handshake
from app.runtime.ipc.frames import MAX_REQUEST_BYTES, pack, unpack

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="speaks to a Unix socket")


@pytest.fixture
def owner(lasting):
    return endpoint.find(lasting)


def _let_in(owner):
    connection = mp.Client(owner.address, "AF_UNIX")
    handshake.as_client(connection, owner.secret)
    assert "hello" in unpack(connection.recv_bytes())
    return connection


async def _lives(paths):
    remote = await RemoteFamulus.connect(paths)
    assert (await remote.api.status()).process_id
    await remote.close()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 7,
        b"GET / HTTP/1.1\r\n\r\n",
        struct.pack("!i", 64) + b"x" * 64,
        struct.pack("!i", 1 << 30) + b"x" * 100,
        struct.pack("!i", -1) + struct.pack("!Q", 1 << 60),
        struct.pack("!i", -2),
        os.urandom(100_000),
    ],
    ids=range(8),
)
async def test_a_stranger_is_turned_away(lasting, owner, data):
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(owner.address)
        with contextlib.suppress(ConnectionError):
            stranger.sendall(data)
            while data and stranger.recv(4096):
                pass
        await _lives(lasting)


async def test_a_wrong_key_is_turned_away(lasting, owner):
    connection = mp.Client(owner.address, "AF_UNIX")
    with pytest.raises(OSError, match="gone"):
        handshake.as_client(connection, b"\x00" * 32)
    connection.close()
    await _lives(lasting)


async def test_silent_strangers_keep_nobody_out(lasting, owner):
    strangers = [mp.Client(owner.address, "AF_UNIX") for _ in range(20)]
    await _lives(lasting)
    for stranger in strangers:
        stranger.close()


async def test_too_many_strangers_are_turned_away_and_go(lasting, owner):
    strangers = [mp.Client(owner.address, "AF_UNIX") for _ in range(80)]
    for stranger in strangers:
        stranger.close()
    remote = None
    while remote is None:
        remote = await RemoteFamulus.connect(lasting)
    await remote.close()


@pytest.mark.parametrize(
    "data",
    [
        b"garbage",
        b"",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"id": NaN}',
        b"[" * 100_000,
        b'{"id": 1' + b"0" * 10_000 + b"}",
        b'{"id": "1", "method": "status", "params": {}}',
        b'{"id": null}',
        b"{}",
        b'{"id": [1]}',
    ],
    ids=range(12),
)
async def test_what_is_no_frame_ends_the_connection(lasting, owner, data):
    connection = _let_in(owner)
    connection.send_bytes(data)
    with pytest.raises((EOFError, OSError)):
        connection.recv_bytes()
    connection.close()
    await _lives(lasting)


async def test_a_frame_that_is_too_long_ends_the_connection(lasting, owner):
    connection = _let_in(owner)
    with contextlib.suppress(OSError):
        connection.send_bytes(b" " * (MAX_REQUEST_BYTES + 1))
    with pytest.raises((EOFError, OSError)):
        connection.recv_bytes()
    connection.close()
    await _lives(lasting)


@pytest.mark.parametrize(
    "frame",
    [
        {"method": "_sync", "params": {}},
        {"method": "__init__", "params": {}},
        {"method": "ended.set", "params": {}},
        {"method": ["status"], "params": {}},
        {"method": None},
        {"params": {}},
        {"method": "status"},
        {"method": "status", "params": []},
        {"method": "status", "params": {"x": 1}},
        {"method": "remove_source", "params": {}},
        {"method": "remove_source", "params": {"source_id": 1}},
        {"method": "remove_source", "params": {"source_id": None}},
        {"method": "sync", "params": {"progress": 1}},
        {"method": "sync", "params": {"confirm_deletions": 1}},
        {"method": "search", "params": {"request": {"text": "x"}}},
        {"method": "add_source", "params": {"draft": {"kind": "x", "location": "y", "sensitivity": 99}}},
        {"method": "status", "params": {}, "now": "yesterday"},
        {"method": "status", "params": {}, "now": "9999-99-99T00:00:00.0Z[+99:99]"},
        {"method": "status", "params": {}, "now": {}},
        {"method": "status", "params": {}, "now": "0001-01-01T00:00:00.000000Z[+14:00]"},
    ],
    ids=str,
)
async def test_a_call_that_makes_no_sense_is_refused(lasting, owner, frame):
    connection = _let_in(owner)
    connection.send_bytes(pack({"id": 1, **frame}))
    assert unpack(connection.recv_bytes()) == {"id": 1, "error": {"code": "bug"}}
    connection.send_bytes(pack({"id": 2, "method": "status", "params": {}}))
    assert unpack(connection.recv_bytes())["result"]["process_id"] == owner.process_id
    connection.close()


async def test_a_wish_for_no_call_is_ignored(owner):
    connection = _let_in(owner)
    connection.send_bytes(pack({"id": 7, "control": "stop"}))
    connection.send_bytes(pack({"id": 1, "method": "lock", "params": {}}))
    connection.send_bytes(pack({"id": 1, "control": "explode"}))
    connection.send_bytes(pack({"id": 1, "control": {}}))
    connection.send_bytes(pack({"id": 2, "method": "status", "params": {}}))
    assert unpack(connection.recv_bytes())["id"] == 2
    connection.close()


async def test_one_number_is_one_call(owner):
    connection = _let_in(owner)
    for _ in range(2):
        connection.send_bytes(pack({"id": 1, "method": "lock", "params": {}}))
    assert unpack(connection.recv_bytes()) == {"id": 1, "error": {"code": "bug"}}
    connection.close()


async def test_calls_without_end_are_limited(owner):
    connection = _let_in(owner)
    for number in range(40):
        connection.send_bytes(pack({"id": number, "method": "lock", "params": {}}))
    assert unpack(connection.recv_bytes())["error"]["code"] == "refused"
    connection.close()


async def test_who_does_not_read_is_cut_off_and_harms_nobody(lasting, owner):
    connection = _let_in(owner)
    connection.send_bytes(pack({"id": 1, "method": "sync", "params": {"source_id": "chatty"}}))
    for number in range(2, 3000):
        try:
            connection.send_bytes(pack({"id": number, "method": "nothing", "params": {"x": "y" * 1000}}))
        except OSError:
            break
    await _lives(lasting)
    connection.close()


async def test_an_impostor_learns_nothing(paths, owners):
    """Who took a dead owner's address cannot pass for it."""
    owners.run().kill()
    owners.started[0].wait()
    owner = endpoint.find(paths)
    os.unlink(owner.address)  # noqa: PTH108
    with mp.Listener(owner.address, "AF_UNIX") as impostor:

        def play():
            connection = impostor.accept()
            connection.send_bytes(b"n" * 32)
            seen = connection.recv_bytes()
            connection.send_bytes(b"p" * 32)
            return connection, seen

        playing = asyncio.get_running_loop().run_in_executor(None, play)
        assert await asyncio.get_running_loop().run_in_executor(None, _connect, paths) is None
        connection, seen = await playing
        assert owner.secret not in seen
        connection.close()


def _connect(paths):
    from app.runtime.ipc.listener import connect

    return connect(paths)


def test_only_the_owner_can_reach_the_socket_and_the_key(lasting, owner):
    assert stat.S_IMODE(Path(owner.address).stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(owner.address).parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((lasting.data / "owner.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"address": 1}', '{"address":"a","key":"zz","process_id":1}']
)
async def test_a_broken_announcement_is_none(paths, text):
    (paths.data / "owner.json").write_text(text)
    assert endpoint.find(paths) is None
    assert await RemoteFamulus.connect(paths) is None
