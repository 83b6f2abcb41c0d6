"""The global hotkey, or why there is none and what to do instead (D8.2)."""

from __future__ import annotations

from typing import ClassVar

import pytest

from app.ui import hotkey as module
from app.ui.hotkey import Hotkey

KEYS = "<ctrl>+<alt>+<space>"


class Listener:
    """Stands for pynput's, which needs a display."""

    made: ClassVar[list[Listener]] = []

    def __init__(self, bindings):
        if any(key.startswith("<nonsense>") for key in bindings):
            raise ValueError(bindings)
        self.bindings, self.state = bindings, "new"
        Listener.made.append(self)

    def start(self):
        self.state = "started"

    def stop(self):
        self.state = "stopped"


@pytest.fixture
def x11(monkeypatch):
    Listener.made = []
    monkeypatch.setattr(module, "_listener_type", lambda: Listener)
    monkeypatch.setattr(module, "is_taken", lambda _: False)


def test_it_listens_and_tells(qapp, x11):
    hotkey, pressed = Hotkey("xcb"), []
    hotkey.pressed.connect(lambda: pressed.append(1))
    hotkey.listen(KEYS)
    Listener.made[0].bindings[KEYS]()
    assert (hotkey.is_active, hotkey.problem, pressed) == (True, None, [1])
    hotkey.listen("<ctrl>+j")
    assert [listener.state for listener in Listener.made] == ["stopped", "started"]
    hotkey.stop()
    assert not hotkey.is_active


@pytest.mark.parametrize("platform", ["wayland", "offscreen", "minimal"])
def test_where_no_program_may_listen_it_says_what_to_bind(qapp, x11, platform):
    hotkey = Hotkey(platform)
    hotkey.listen(KEYS)
    assert not hotkey.is_active
    assert "famulus --toggle" in str(hotkey.problem)
    assert Listener.made == []


def test_a_backend_that_cannot_be_imported_is_survived(qapp, x11, monkeypatch):
    monkeypatch.setattr(module, "_listener_type", lambda: None)
    hotkey = Hotkey("xcb")
    hotkey.listen(KEYS)
    assert "famulus --toggle" in str(hotkey.problem)


def test_keys_of_another_program_are_named(qapp, x11, monkeypatch):
    monkeypatch.setattr(module, "is_taken", lambda _: True)
    hotkey = Hotkey("xcb")
    hotkey.listen(KEYS)
    assert str(hotkey.problem) == "Ctrl+Alt+Space is taken by another program. Choose other keys in the settings."


def test_keys_that_do_not_exist_are_named(qapp, x11):
    hotkey = Hotkey("xcb")
    hotkey.listen("<nonsense>+x")
    assert "cannot be a hotkey" in str(hotkey.problem)
    hotkey.listen(KEYS)
    assert hotkey.problem is None


def test_without_a_display_nothing_is_taken(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    assert not module.is_taken(KEYS)
