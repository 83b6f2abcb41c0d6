from __future__ import annotations

import sys
import types
from dataclasses import replace

import pytest

from app.domain.errors import BadInput, Bug
from app.sources.registry import Registry
from tests.unit.sources.makers import context


def test_the_built_ins_come_in_through_the_door_of_a_plug_in(tmp_path):
    registry = Registry()
    assert registry.kinds() == []
    registry.load()
    names = [kind.name for kind in registry.kinds()]
    assert names == sorted(names)
    assert {"bookmarks", "clips", "files", "history", "ics", "notes", "todo"} <= set(names)
    assert registry.open(context(tmp_path)).watched() == (tmp_path,)


def test_a_plug_in_of_somebody_else(tmp_path, monkeypatch):
    module = types.ModuleType("somebodys_source")
    built_in = Registry()
    built_in.load()
    module.register = lambda registry: registry.register(replace(built_in.kind("files"), name="diary"))
    monkeypatch.setitem(sys.modules, "somebodys_source", module)
    registry = Registry()
    registry.load(["somebodys_source"])
    assert registry.open(context(tmp_path, "diary")) is not None


def test_unknown_and_double_names():
    registry = Registry()
    registry.load()
    with pytest.raises(BadInput) as told:
        registry.kind("telepathy")
    assert "files, " in str(told.value.next_step)
    with pytest.raises(Bug):
        registry.register(registry.kind("files"))


def test_locations(tmp_path, monkeypatch):
    registry = Registry()
    registry.load()
    (tmp_path / "a.ics").write_text("x", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert registry.kind("ics").canonical("a.ics") == str(tmp_path / "a.ics")
    for location in ("missing", "\0", "", "~nobody-of-this-name/x"):
        with pytest.raises(BadInput):
            registry.kind("files").canonical(location)
    assert registry.kind("ics").canonical("webcal://example.org/x.ics") == "https://example.org/x.ics"
