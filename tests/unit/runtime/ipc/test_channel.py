import multiprocessing.connection as mp
import sys
import threading

import pytest

from app.runtime.ipc import channel as module
from app.runtime.ipc.channel import Channel
from app.runtime.ipc.frames import pack

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a pair of Unix sockets")


class End:
    """One end of a connection, with what it was told."""

    def __init__(self, connection, max_bytes=1000):
        self.frames, self.order = [], []
        self.ended, self.closed = threading.Event(), threading.Event()
        self.channel = Channel(connection, max_bytes=max_bytes, on_closed=self.closed.set)

    def start(self):
        self.channel.start(self.frames.append, self.ended.set)
        return self


@pytest.fixture
def pair():
    left, right = mp.Pipe()
    ends = End(left), End(right)
    yield ends
    for end in ends:
        end.channel.cut()
        if end.channel._writer.ident is not None:
            assert end.closed.wait(10)
        else:
            end.channel._close()


def test_frames_arrive_in_order_before_the_end(pair):
    left, right = (end.start() for end in pair)
    for n in range(100):
        left.channel.send(pack({"n": n}))
    left.channel.finish()
    assert right.ended.wait(10)
    assert right.frames == [{"n": n} for n in range(100)]
    assert left.ended.wait(10)
    assert left.channel.has_ended


def test_cutting_wakes_both_sides(pair):
    left, right = (end.start() for end in pair)
    left.channel.cut()
    assert left.closed.wait(10)
    assert right.closed.wait(10)
    left.channel.send(b"{}")
    left.channel.finish()
    left.channel.cut()


@pytest.mark.parametrize("data", [b"garbage", b" " * 1001])
def test_what_is_no_frame_ends_it(pair, data):
    left, right = (end.start() for end in pair)
    left.channel.send(data)
    assert right.ended.wait(10)
    assert left.ended.wait(10)
    assert right.frames == []


def test_who_does_not_read_is_cut_off(pair, monkeypatch):
    monkeypatch.setattr(module, "_MAX_WAITING", 10)
    left, _ = pair
    left.start()
    for _ in range(1200):
        left.channel.send(pack({"x": "y" * 900}))
    assert left.ended.wait(10)


def test_what_may_get_lost_gets_lost_first(pair, monkeypatch):
    monkeypatch.setattr(module, "_MAX_OFFERED", 2)
    left, right = pair
    for n in range(5):
        left.channel.offer(pack({"n": n}))
    left.channel.send(pack({"n": "must"}))
    left.start()
    right.start()
    left.channel.finish()
    assert right.ended.wait(10)
    assert right.frames == [{"n": 0}, {"n": 1}, {"n": "must"}]


def test_a_listener_whose_loop_has_closed_ends_it(pair):
    left, right = pair
    left.start()

    def closed(_):
        raise RuntimeError("the loop is closed")

    right.channel.start(closed, right.ended.set)
    left.channel.send(b"{}")
    assert right.ended.wait(10)
    assert left.ended.wait(10)
