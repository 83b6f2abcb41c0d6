"""The keeper of the span model: without a pack, with a broken one, and one that is given up (G2.4)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from app.domain.errors import Damaged
from app.domain.text import msg
from app.famulus.span_host import SpanHost


@pytest.fixture
def host(lanes, tmp_path):
    parts = SimpleNamespace(lanes=lanes, paths=SimpleNamespace(model_folders=[tmp_path]), settings=None)
    return SpanHost(parts)


class Reader:
    """A span model of paper."""

    def __init__(self, folder):
        self.pack = SimpleNamespace(folder=folder)
        self.is_loaded = True
        self.unloaded = 0

    def unload(self):
        self.unloaded += 1


async def test_without_a_pack_the_rules_read(host):
    assert await host.extractor() is None
    assert host.problem is None
    assert host.by_rules.names("Ann must go") == []
    await host.unload()


async def test_a_pack_is_looked_for_once_until_it_may_have_come(host, tmp_path, monkeypatch):
    found = []
    monkeypatch.setattr(host, "_find", lambda: found.append(1) or Reader(tmp_path))
    first = await host.extractor()
    assert first is not None
    assert await host.extractor() is first
    assert len(found) == 1
    host.look_again()
    assert await host.extractor() is first  # the same pack: what is loaded stays
    assert len(found) == 2


async def test_a_broken_pack_is_told_and_done_without(host, monkeypatch):
    def broken():
        raise Damaged(msg("broken"), next_step=msg("build it anew"))

    monkeypatch.setattr(host, "_find", broken)
    assert await host.extractor() is None
    assert isinstance(host.problem, Damaged)


async def test_what_is_given_up_is_not_used_again(host, tmp_path, monkeypatch):
    monkeypatch.setattr(host, "_find", lambda: Reader(tmp_path))
    assert await host.extractor() is not None
    host.give_up(Damaged(msg("broken"), next_step=msg("build it anew")))
    assert await host.extractor() is None


async def test_its_memory_is_given_back(host, tmp_path, monkeypatch):
    reader = Reader(tmp_path)
    monkeypatch.setattr(host, "_find", lambda: reader)
    await host.extractor()
    await host.unload()
    assert reader.unloaded == 1


@pytest.mark.parametrize(("minutes", "times"), [(10, 1), (0, 0)])
async def test_it_rests_when_nothing_waits_unless_the_model_is_to_stay(host, tmp_path, monkeypatch, minutes, times):
    reader = Reader(tmp_path)
    monkeypatch.setattr(host, "_find", lambda: reader)
    host._parts.settings = {"model.idle_unload_minutes": minutes}
    monkeypatch.setattr("app.famulus.span_host.MODEL_IDLE_UNLOAD_MINUTES", "model.idle_unload_minutes")
    await host.extractor()
    await host.rest()
    assert reader.unloaded == times
