"""From the first icon to a clean end (D8.1)."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.famulus.api import LockState
from app.ui.app import Application, Door
from app.ui.session import Session
from app.ui.tray import Tray
from tests.ui.stage import calm, until


@pytest.fixture
def tray(monkeypatch):
    """A desktop with a tray; what is told beside it."""
    told = []
    monkeypatch.setattr(Tray, "is_available", staticmethod(lambda: True))
    monkeypatch.setattr(Tray, "tell", lambda _, head, detail: told.append(str(head)))
    return told


async def started(desk, *, is_hidden=False):
    session = Session(desk)
    await session.start(is_hidden=is_hidden)
    return session


def test_at_login_it_begins_in_the_tray_alone(stage, tray):
    async def scenario(desk):
        session = await started(desk, is_hidden=True)
        assert session._window is None, "the window is not even made"
        session.act("settings")
        assert session.window.isVisible()
        session.close()

    stage.play(scenario)


@pytest.mark.parametrize("lock", [LockState.NEW, LockState.KEYCHAIN_LOCKED])
def test_where_the_person_is_needed_the_window_opens_even_at_login(stage, tray, lock):
    async def scenario(desk):
        session = await started(desk, is_hidden=True)
        assert session.window.isVisible()
        session.close()

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", lock))


def test_closing_the_window_leaves_the_tray_which_is_told_once_for_ever(stage, tray):
    async def scenario(desk):
        session = await started(desk)
        for _ in range(2):
            session.window.open()
            session.window.close()
            await calm()
        await until(lambda: tray)
        session.close()
        again = await started(desk)
        again.window.close()
        await calm()
        again.close()
        assert tray == ["Famulus stays in the tray."]
        assert not session._ended.is_set()

    stage.play(scenario)


def test_without_a_tray_the_window_says_so_and_closing_quits(stage, monkeypatch):
    monkeypatch.setattr(Tray, "is_available", staticmethod(lambda: False))

    async def scenario(desk):
        session = await started(desk, is_hidden=True)
        assert session.window.isVisible()
        assert "no tray" in session.window.notice.text
        session.window.close()
        await asyncio.wait_for(session.until_end(), 5)
        session.close()

    stage.play(scenario)


def test_toggle_opens_quick_ask_or_the_first_run(stage, tray):
    async def scenario(desk):
        session = await started(desk, is_hidden=True)
        session.toggle()
        assert session.quick_ask.view.isVisible()
        session.quick_ask.close()
        desk.api.lock_state = LockState.NEW
        await desk.status.refresh()
        session.toggle()
        assert not session.quick_ask.view.isVisible()
        assert session.window.isVisible()
        session.close()

    stage.play(scenario)


def test_actions_do_what_they_say(stage, tray):
    async def scenario(desk):
        session = await started(desk, is_hidden=True)
        session.act("sync")
        await until(lambda: desk.api.names().count("sync") == 3)
        session.act("pause")
        await until(lambda: desk.api.is_embedding_paused)
        session.act("pause")
        await until(lambda: not desk.api.is_embedding_paused)
        session.act("lock")
        await until(lambda: desk.api.lock_state is LockState.PASSPHRASE_NEEDED)
        session.act("quit")
        await asyncio.wait_for(session.until_end(), 5)
        session.close()

    stage.play(scenario)


def test_a_problem_while_the_window_is_closed_is_told_at_the_tray(stage, tray):
    async def scenario(desk):
        desk.api.failures["sync"] = Unavailable(msg("The disk is gone."), next_step=msg("Plug it in."))
        session = await started(desk, is_hidden=True)
        session.act("sync")
        await until(lambda: "The disk is gone." in tray)
        assert "The disk is gone." in session.window.notice.text
        session.close()

    stage.play(scenario)


def test_settings_apply_at_once(stage, tray):
    async def scenario(desk):
        session = await started(desk)
        session.window.book.setting_changed.emit("interface.theme", "dark")
        assert desk.theme.palette.is_dark
        session.window.book.setting_changed.emit("interface.language", "zh_CN")
        assert desk.wording.is_chinese
        session.window.book.setting_changed.emit("interface.hotkey", "<ctrl>+<alt>+j")
        assert session.hotkey.keys == "<ctrl>+<alt>+j"
        assert "famulus --toggle" in session.window.notice.text, "an offscreen desktop has no hotkey, and that is said"
        session.close()

    stage.play(scenario)


def test_what_is_changed_on_the_command_line_applies_in_the_window_too(stage, tray):
    async def scenario(desk):
        session = await started(desk)
        session.window.show_page("settings")
        await calm()
        await desk.api.change_setting("interface.language", "zh_CN")
        await desk.api.change_setting("interface.theme", "dark")
        await until(lambda: desk.wording.is_chinese and desk.theme.palette.is_dark)
        row = session.window.book.settings.rows["interface.theme"]
        await until(lambda: row._value == "dark")
        session.close()

    stage.play(scenario)


def test_the_language_of_the_first_run_is_kept(stage, tray):
    async def scenario(desk):
        session = await started(desk)
        session.window.language_chosen.emit("zh_CN")
        await until(lambda: desk.api.settings["interface.language"] == "zh_CN")
        assert desk.wording.is_chinese
        session.close()

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", LockState.NEW))


def test_a_question_from_home_is_asked(stage, tray):
    async def scenario(desk):
        session = await started(desk)
        session.window.book.wants_ask.emit("When is it due?")
        await until(lambda: ("ask", ("When is it due?",)) in desk.api.calls)
        session.close()

    stage.play(scenario)


def test_the_end_stops_what_is_under_way(stage, tray):
    async def scenario(desk):
        desk.api.gates["sync"] = asyncio.Event()
        session = await started(desk)
        desk.collecting.sync("s1", None)
        await calm()
        switch = desk.collecting.job("s1").switch
        session.close()
        assert switch.is_stopped
        assert not session.window.isVisible()

    stage.play(scenario)


def test_the_systems_wish_to_quit_is_passed_on_first(qapp):
    told, event = [], QEvent(QEvent.Type.Quit)
    door = Door()
    door.quit_asked.connect(lambda: told.append(1))

    class Stand:
        _door = door

    assert Application.event.__get__(Stand())(event)
    assert (told, event.isAccepted()) == ([1], False)
    assert QCoreApplication.instance() is qapp
