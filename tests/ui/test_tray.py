"""The tray's menu and its state, in a word and a dot."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QSystemTrayIcon

from app.famulus.api import LockState
from app.ui.coming import Coming, next_of
from app.ui.tray import Tray
from tests.ui.demo_world import NOW, event
from tests.ui.stage import until


def labels(tray):
    return [action.text() for action in tray.menu.actions() if action.isVisible() and not action.isSeparator()]


def test_the_menu(stage):
    async def scenario(desk):
        tray, acted = Tray(desk), []
        tray.acted.connect(acted.append)
        assert labels(tray) == [
            "Ask\N{HORIZONTAL ELLIPSIS}",
            "Open Famulus",
            "Sync now",
            "Pause indexing",
            "Quit Famulus",
        ]
        for action in [action for action in tray.actions.values() if action.isVisible()]:
            action.trigger()
        assert acted == ["ask", "home", "sync", "pause", "quit"]

    stage.play(scenario)


def test_a_click_on_the_icon_asks(stage):
    async def scenario(desk):
        tray, acted = Tray(desk), []
        tray.acted.connect(acted.append)
        tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
        tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Context)
        assert acted == ["ask"]

    stage.play(scenario)


@pytest.mark.parametrize(
    ("change", "word", "waits"),
    [
        ({}, "ready", False),
        ({"waiting": 3}, "indexing", False),
        ({"is_embedding_paused": True}, "indexing is paused", False),
        ({"lock_state": LockState.NEW}, "not set up yet", True),
        ({"lock_state": LockState.KEYCHAIN_LOCKED}, "locked", True),
    ],
)
def test_the_state_is_a_word_and_a_dot(stage, change, word, waits):
    def prepare(api):
        for name, value in change.items():
            setattr(api, name, value)

    async def scenario(desk):
        tray = Tray(desk)
        assert tray.icon.toolTip() == f"Famulus, local: {word}"
        assert tray.icon.icon().isMask() is not waits
        is_open = "lock_state" not in change
        assert tray.actions["sync"].isEnabled() is is_open
        assert tray.actions["quit"].isEnabled()

    stage.play(scenario, prepare=prepare)


def test_paused_indexing_can_go_on(stage):
    async def scenario(desk):
        tray = Tray(desk)
        desk.api.is_embedding_paused = True
        await desk.status.refresh()
        assert "Go on with indexing" in labels(tray)

    stage.play(scenario)


def test_the_next_event_is_the_first_line(stage):
    async def scenario(desk):
        tray, coming = Tray(desk), Coming(desk)
        coming.changed.connect(tray.show_next)
        coming.start()
        await until(lambda: labels(tray)[0] == "17:00  Test report due")
        coming.stop()
        tray.show_next(event("e", "R&D review", 1, "10:30", "11:30"))
        assert labels(tray)[0] == "Tomorrow, Thursday 15 May  10:30\N{EN DASH}11:30  R&&D review"
        desk.api.lock_state = LockState.PASSPHRASE_NEEDED
        await desk.status.refresh()
        assert not any("R&&D" in label for label in labels(tray)), "a locked Famulus tells nothing"

    stage.play(scenario)


def test_the_next_one_is_what_one_waits_for():
    past, day, soon, later = (
        event("1", "past", 0, "09:00", "09:15"),
        event("2", "day", 0, "", ""),
        event("3", "soon", 0, "11:00", ""),
        event("4", "later", 1, "08:00", ""),
    )
    assert next_of([later, past, day, soon], NOW) == soon
    assert next_of([past, day], NOW) is None
