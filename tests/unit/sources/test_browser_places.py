from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.sources import browser_places
from app.sources.browser_places import browser_file
from app.sources.history import check_days
from app.sources.registry import Registry
from tests.unit.sources.makers import write


@pytest.fixture
def home(tmp_path, monkeypatch):
    home = tmp_path / "home"
    monkeypatch.setattr(browser_places, "expanded", lambda path: home if path == "~" else Path(path))
    write(home / ".mozilla/firefox/old.default/places.sqlite", "x")
    write(home / ".mozilla/firefox/new.default/places.sqlite", "x", at=2_000_000_000)
    write(home / ".config/chromium/Default/Bookmarks", "x")
    write(home / ".config/chromium/Profile 1/Bookmarks", "x", at=2_000_000_000)
    write(home / "Library/Application Support/Microsoft Edge/Default/History", "x")
    return home


def test_a_browser_by_name_is_the_profile_used_last(home, tmp_path):
    assert browser_file("firefox", "Bookmarks") == str(home / ".mozilla/firefox/new.default/places.sqlite")
    assert browser_file(str(tmp_path / "elsewhere" / "Chromium"), "Bookmarks").endswith("Profile 1/Bookmarks")
    assert browser_file("edge", "History").endswith("Microsoft Edge/Default/History")


def test_a_profile_a_folder_of_profiles_or_the_file(home):
    profile = home / ".config/chromium/Default"
    for place in (profile, profile / "Bookmarks"):
        assert browser_file(str(place), "Bookmarks") == str(profile / "Bookmarks")
    assert browser_file(str(profile.parent), "Bookmarks").endswith("Profile 1/Bookmarks")


@pytest.mark.parametrize("location", ["", "netscape", "/nowhere/at/all", "chrome", "\0", "edge\0"])
def test_what_is_not_there_is_refused_with_what_there_is(home, location):
    with pytest.raises(BadInput) as told:
        browser_file(location, "Bookmarks")
    assert "firefox, chromium, chrome, edge" in str(told.value.next_step)


def test_days():
    for value in ("1", "90", "3650"):
        check_days(value)
    for value in ("", "0", "-1", "3651", "9999999999", "many", "٣"):
        with pytest.raises(BadInput):
            check_days(value)


def test_a_to_do_folder_must_hold_a_list(tmp_path):
    registry = Registry()
    registry.load()
    kind = registry.kind("todo")
    with pytest.raises(BadInput, match="no to-do list"):
        kind.canonical(str(tmp_path))
    write(tmp_path / "todo.txt", "x")
    assert kind.canonical(str(tmp_path)) == os.path.realpath(tmp_path)
    assert kind.canonical(str(tmp_path / "todo.txt")) == os.path.realpath(tmp_path / "todo.txt")
