"""Lines in and out of a process, with pipes in place of its standard streams."""

import asyncio
import os
import subprocess
import sys

import pytest

from app.runtime import standard_streams
from app.runtime.standard_streams import StandardStreams, TooLong


class Pipes:
    """The other ends."""

    def __init__(self) -> None:
        read, self.write_end = os.pipe()
        self.read_end, write = os.pipe()
        self.claimed = os.fdopen(read, "rb"), os.fdopen(write, "wb", buffering=0)

    def say(self, data: bytes) -> None:
        os.write(self.write_end, data)

    def hang_up(self) -> None:
        os.close(self.write_end)

    def close(self) -> None:
        for stream in self.claimed:
            stream.close()
        os.close(self.read_end)


@pytest.fixture
def pipes(monkeypatch):
    made = Pipes()
    monkeypatch.setattr(standard_streams, "_claim", lambda: made.claimed)
    yield made
    made.close()


async def _all(streams):
    return [line async for line in streams.lines()]


async def test_lines_come_in_order_before_and_after_there_is_a_loop(pipes):
    streams = StandardStreams(longest=100)
    pipes.say(b"one\ntwo\r\nthree")
    assert streams.first() == b"one"
    pipes.hang_up()
    assert await asyncio.wait_for(_all(streams), 5) == [b"two", b"three"]
    streams.close()


async def test_a_line_that_is_too_long_costs_itself_alone(pipes):
    streams = StandardStreams(longest=10)
    pipes.say(b"x" * 9 + b"\n" + b"y" * 10 + b"\n" + b"z" * 1_000 + b"\nlast\n")
    pipes.hang_up()
    assert streams.first() == b"x" * 9
    first, second, last = await asyncio.wait_for(_all(streams), 5)
    assert isinstance(first, TooLong)
    assert isinstance(second, TooLong)
    assert last == b"last"
    streams.close()


async def test_what_is_written_goes_out_in_order_before_the_end(pipes):
    streams = StandardStreams(longest=10)
    pipes.hang_up()
    for number in range(50):
        streams.write(str(number).encode())
    streams.close()
    assert os.read(pipes.read_end, 10_000).split() == [str(number).encode() for number in range(50)]


async def test_who_does_not_read_is_waited_for_and_then_gets_all(pipes):
    streams = StandardStreams(longest=100)
    pipes.say(b"first\n")
    assert streams.first() == b"first"
    listening = asyncio.ensure_future(_all(streams))
    await asyncio.sleep(0)
    line = b"x" * (3 << 20)
    streams.write(line)
    waiting = asyncio.ensure_future(streams.drain())
    await asyncio.sleep(0)
    assert not waiting.done()
    got = b""
    while len(got) <= len(line):  # a pipe takes a part at a time
        got += await asyncio.to_thread(os.read, pipes.read_end, 1 << 20)
    assert got == line + b"\n"
    await asyncio.wait_for(waiting, 5)
    pipes.hang_up()
    assert await asyncio.wait_for(listening, 5) == []
    streams.close()


async def test_who_is_gone_is_not_waited_for(pipes):
    streams = StandardStreams(longest=100)
    listening = asyncio.ensure_future(_all(streams))
    await asyncio.sleep(0)
    os.close(pipes.read_end)
    streams.write(b"x" * (3 << 20))
    await asyncio.wait_for(streams.drain(), 5)
    pipes.hang_up()
    await asyncio.wait_for(listening, 5)
    streams.close()
    pipes.read_end = os.open(os.devnull, os.O_RDONLY)


def test_a_stream_that_takes_a_part_of_a_line_is_given_the_rest():
    class Slow:
        def __init__(self) -> None:
            self.got = b""

        def write(self, data: bytes) -> int:
            self.got += bytes(data[:3])
            return min(3, len(data))

    slow = Slow()
    standard_streams._write_all(slow, b"0123456789\n")
    assert slow.got == b"0123456789\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows always wait")
def test_ends_that_do_not_wait_are_made_to():
    script = (
        "import os; os.set_blocking(0, False); os.set_blocking(1, False)\n"
        "from app.runtime.standard_streams import StandardStreams as S; s = S(99)\n"
        "s.first(); s.write(b'y' * 500_000); s.close()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        out, _ = process.communicate(b"hello\n", timeout=60)
    assert len(out) == 500_001


def test_an_end_at_once_is_an_end(pipes):
    streams = StandardStreams(longest=10)
    pipes.hang_up()
    assert streams.first() is None
    streams.close()


def test_what_else_prints_does_not_reach_the_peer():
    script = (
        "import os; from app.runtime.standard_streams import StandardStreams as S; s = S(99)\n"
        "print('stray', flush=True); os.write(1, b'more'); assert not os.read(0, 9)\n"
        "s.write(s.first()); s.close()"
    )
    ran = subprocess.run([sys.executable, "-c", script], input=b"hello\n", capture_output=True, check=True)
    assert ran.stdout == b"hello\n"
    assert ran.stderr == b"stray\nmore"
