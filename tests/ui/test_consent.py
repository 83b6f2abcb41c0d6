"""That somebody asks for access is seen in the tray and in the rail, and leads to the answer."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QSystemTrayIcon

from app.domain.events import InboxChanged
from app.ui.attention import Attention
from app.ui.main_window import MainWindow
from app.ui.rail import Rail
from app.ui.session import Session
from app.ui.tray import Tray
from tests.ui.stage import calm, until


@pytest.fixture
def told(monkeypatch):
    messages = []
    monkeypatch.setattr(Tray, "is_available", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _self, head, *_: messages.append(head))
    return messages


def test_the_tray_says_it_with_a_word_and_a_menu_entry(stage):
    async def scenario(desk):
        tray = Tray(desk)
        assert not tray.actions["consent"].isVisible()
        desk.api.ask_for_access()
        await until(lambda: desk.attention.clients == 1)
        assert tray.icon.toolTip() == "Famulus, local: an agent asks you"
        assert tray.actions["consent"].isVisible()
        await desk.api.answer_client(desk.api.registered[-1].name, None)
        await until(lambda: desk.attention.clients == 0)
        assert tray.icon.toolTip() == "Famulus, local: ready"
        assert not tray.actions["consent"].isVisible()

    stage.play(scenario)


def test_a_notice_is_shown_once_for_each_and_a_click_leads_to_the_card(stage, told):
    async def scenario(desk):
        session = Session(desk)
        await session.start(is_hidden=True)
        desk.api.ask_for_access()
        await until(lambda: told)
        await calm()
        assert told == ["An agent asks to read from Famulus."]
        session.tray.icon.messageClicked.emit()
        await until(lambda: session.window.book.agents.clients.waiting)
        card = next(iter(session.window.book.agents.clients.waiting.values()))
        await until(card.dont_button.hasFocus)
        assert session.window.isVisible()
        assert session.window.book.currentWidget() is session.window.book.agents
        assert "answer_client" not in desk.api.names()
        session.close()

    stage.play(scenario)


def test_the_menu_entry_leads_there_too(stage, told):
    async def scenario(desk):
        session = Session(desk)
        await session.start(is_hidden=True)
        desk.api.ask_for_access()
        await until(lambda: told)
        session.tray.actions["consent"].trigger()
        await until(lambda: session.window.book.agents.clients.waiting)
        session.close()

    stage.play(scenario)


def test_the_first_page_says_it_and_leads_there(stage):
    async def scenario(desk):
        window = MainWindow(desk)
        window.show_status()
        window.open()
        line = window.book.home._health.asking_line
        assert not line.isVisible()
        desk.api.ask_for_access()
        await until(line.isVisible)
        line.button.click()
        await until(lambda: window.book.agents.clients.waiting)
        assert window.rail.buttons["agents"].isChecked()
        card = next(iter(window.book.agents.clients.waiting.values()))
        await until(card.dont_button.hasFocus)

    stage.play(scenario)


def test_the_first_page_says_how_many(stage):
    async def scenario(desk):
        window = MainWindow(desk)
        window.show_status()
        line = window.book.home._health.asking_line
        for _ in range(3):
            desk.api.ask_for_access()
        await until(lambda: line._head.text() == "3 agents ask to read from Famulus.")
        await desk.api.answer_client(desk.api.registered[-1].name, None)
        await desk.api.answer_client(desk.api.registered[-2].name, None)
        await until(lambda: line._head.text() == "An agent asks to read from Famulus.")

    stage.play(scenario)


def test_who_comes_while_the_count_is_taken_is_counted(stage):
    async def scenario(desk):
        inbox = desk.api.inbox

        async def slow_inbox(**options):
            desk.api.ask_for_access()
            await until(lambda: attention.clients == 1)
            return await inbox(**options)

        desk.api.inbox = slow_inbox
        attention = Attention(desk.api, desk.bus, desk.doing)
        attention.look()
        await until(lambda: attention.suggestions == 2)
        assert attention.clients == 1

    stage.play(scenario)


def test_a_notice_about_one_that_left_leads_nobody_away_later(stage):
    async def scenario(desk):
        window = MainWindow(desk)
        window.show_status()
        window.open()
        window.show_asking()
        await calm()
        section = window.book.agents.clients
        section.add_button.setFocus()
        desk.api.ask_for_access()
        await until(lambda: section.waiting)
        await calm()
        assert section.add_button.hasFocus()

    stage.play(scenario)


def test_what_waits_when_the_window_comes_is_counted(stage):
    async def scenario(desk):
        desk.attention.look()
        await until(lambda: desk.attention.suggestions == 2)
        rail = Rail(desk)
        assert rail.buttons["agents"].text() == "Agents  2"
        assert rail.buttons["agents"].accessibleName() == "Agents, 2 waiting"
        desk.bus.publish(InboxChanged(0))
        await until(lambda: rail.buttons["agents"].text() == "Agents")
        desk.wording.use("zh_CN")
        await calm()
        assert rail.buttons["agents"].text()

    stage.play(scenario)


def test_locking_forgets_the_numbers(stage):
    async def scenario(desk):
        attention = Attention(desk.api, desk.bus, desk.doing)
        desk.api.ask_for_access()
        await until(lambda: attention.clients == 1)
        await desk.api.lock()
        await until(lambda: attention.clients == 0)
        await desk.api.unlock()
        await until(lambda: attention.clients == 1)

    stage.play(scenario)
