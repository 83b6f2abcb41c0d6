"""Quick-ask by the keyboard alone, and with the mouse (D8.2, D8.6)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app.domain.context_item import Answer
from app.domain.errors import Unavailable
from app.domain.labels import EntryKind
from app.domain.text import Text, msg
from app.famulus.api import LockState, ModelState
from app.ui import quick_ask as module
from app.ui.quick_ask import QuickAsk
from app.ui.quick_ask_view import Mode
from app.ui.rows import Row
from tests.ui.demo_world import event, item
from tests.ui.stage import calm, until


@pytest.fixture
def opened(monkeypatch):
    """The sources that were handed to the desktop."""
    uris = []

    async def note(uri, _lane):
        uris.append(uri)

    monkeypatch.setattr(module, "open_source", note)
    return uris


def press(ask, *keys):
    for key in keys:
        QTest.keyClick(ask.view.field, key)


def write(ask, text):
    QTest.keyClicks(ask.view.field, text)


async def opened_panel(desk):
    ask = QuickAsk(desk)
    ask.open()
    await until(ask.view.isVisible)
    return ask


async def answered_panel(desk, question="When is it due"):
    ask = await opened_panel(desk)
    write(ask, question)
    press(ask, Qt.Key.Key_Return)
    await until(lambda: ask.view.mode is Mode.ANSWER)
    return ask


def test_it_opens_with_the_cursor_in_the_field_and_closes(stage):
    async def scenario(desk):
        ask = await opened_panel(desk)
        assert ask.view.focusWidget() is ask.view.field
        assert ask.view.mode is Mode.START
        press(ask, Qt.Key.Key_Escape)
        assert not ask.view.isVisible()
        ask.toggle()
        assert ask.view.isVisible()

    stage.play(scenario)


def test_it_hides_when_it_is_in_front_and_is_called_again(stage, monkeypatch):
    async def scenario(desk):
        ask = await opened_panel(desk)
        monkeypatch.setattr(ask.view, "isActiveWindow", lambda: True)
        ask.toggle()
        assert not ask.view.isVisible()

    stage.play(scenario)


def test_it_leaves_when_another_window_stays_in_front(stage, monkeypatch):
    async def scenario(desk):
        ask = await opened_panel(desk)
        monkeypatch.setattr(ask.view, "isActiveWindow", lambda: False)
        QGuiApplication.sendEvent(ask.view, QEvent(QEvent.Type.ActivationChange))
        assert ask.view.isVisible(), "it may be news of the last time"
        await until(lambda: not ask.view.isVisible())

    stage.play(scenario)


def test_a_change_of_language_starts_it_afresh(stage):
    async def scenario(desk):
        ask = await answered_panel(desk)
        desk.wording.use("zh_CN")
        assert ask.view.mode is Mode.START
        assert ask.view.field.text() == ""

    stage.play(scenario)


def test_hits_appear_while_typing(stage):
    async def scenario(desk):
        ask = await opened_panel(desk)
        write(ask, "test report")
        await until(lambda: ask.view.mode is Mode.HITS)
        assert [row.title for row in ask.view.list.rows] == [hit.title for hit in desk.api.world.hits]
        assert ask.view.list.current is None, "Enter still asks"
        assert ask.view.focusWidget() is ask.view.field

    stage.play(scenario)


def test_enter_asks_and_the_answer_cites_its_sources(stage):
    async def scenario(desk):
        ask = await answered_panel(desk)
        assert ("ask", ("When is it due",)) in desk.api.calls
        assert "Wednesday 14 May" in ask.view.answer.toPlainText()
        assert [row.number for row in ask.view.list.rows] == [1, 2, 3]
        assert ask.view.list.rows[2].is_stale
        assert desk.history.questions == ("When is it due",)

    stage.play(scenario)


def test_while_it_looks_there_is_a_skeleton(stage):
    async def scenario(desk):
        desk.api.gates["ask"] = asyncio.Event()
        ask = await opened_panel(desk)
        write(ask, "when")
        press(ask, Qt.Key.Key_Return)
        await until(lambda: ask.view.mode is Mode.LOOKING)
        assert ask.view._skeleton.isVisible()
        press(ask, Qt.Key.Key_Escape)
        desk.api.gates["ask"].set()
        await calm()
        assert not ask.view.isVisible()

    stage.play(scenario)


def test_enter_then_opens_the_first_source(stage, opened):
    async def scenario(desk):
        ask = await answered_panel(desk)
        press(ask, Qt.Key.Key_Return)
        await until(lambda: opened)
        assert opened == ["file:///home/mei/Notes/weekly-2025-05-10.md"]
        await until(lambda: not ask.view.isVisible())

    stage.play(scenario)


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Down])
def test_tab_and_arrows_walk_through_the_sources(stage, opened, key):
    async def scenario(desk):
        ask = await answered_panel(desk)
        press(ask, key)
        assert ask.view.list.current.number == 2
        assert ask.view.focusWidget() is ask.view.field
        press(ask, Qt.Key.Key_Return)
        await until(lambda: opened)
        assert opened == ["file:///home/mei/Notes/plan-4.md"]

    stage.play(scenario)


def test_walking_ends_in_none_and_begins_again(stage):
    async def scenario(desk):
        ask = await answered_panel(desk)
        press(ask, Qt.Key.Key_Up)
        assert ask.view.list.current is None
        press(ask, Qt.Key.Key_Backtab)
        assert ask.view.list.current.number == 3
        press(ask, Qt.Key.Key_Tab)
        assert ask.view.list.current is None
        press(ask, Qt.Key.Key_Tab)
        assert ask.view.list.current.number == 1

    stage.play(scenario)


def test_a_chosen_hit_stays_chosen_when_better_ones_arrive(stage):
    async def scenario(desk):
        ask = await opened_panel(desk)
        ask._on_hits(list(desk.api.world.hits))
        press(ask, Qt.Key.Key_Down, Qt.Key.Key_Down)
        assert ask.view.list.current.key == "plan-4"
        ask._on_hits(list(reversed(desk.api.world.hits)))
        assert ask.view.list.current.key == "plan-4"

    stage.play(scenario)


def test_up_brings_earlier_questions_back(stage):
    async def scenario(desk):
        for question in ("first?", "second?"):
            desk.history.add(question)
        ask = await opened_panel(desk)
        press(ask, Qt.Key.Key_Up)
        assert ask.view.field.text() == "second?"
        press(ask, Qt.Key.Key_Up)
        assert ask.view.field.text() == "first?"
        press(ask, Qt.Key.Key_Up)
        assert ask.view.field.text() == "first?"

    stage.play(scenario)


def test_ctrl_c_copies_the_answer_with_its_sources(stage):
    async def scenario(desk):
        ask = await answered_panel(desk)
        QTest.keyClick(ask.view.field, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        copied = QGuiApplication.clipboard().text()
        assert copied.startswith("The test report is due on Wednesday 14 May; Zhang San writes it. [1]")
        assert "[2] Test plan, version 4 <file:///home/mei/Notes/plan-4.md>" in copied

    stage.play(scenario)


def test_ctrl_c_copies_a_chosen_hit_but_not_instead_of_selected_text(stage):
    async def scenario(desk):
        ask = await opened_panel(desk)
        write(ask, "report")
        await until(lambda: ask.view.mode is Mode.HITS)
        ask.view.field.selectAll()
        QTest.keyClick(ask.view.field, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == "report"
        press(ask, Qt.Key.Key_Down)
        QTest.keyClick(ask.view.field, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert "Weekly meeting, 10 May" in QGuiApplication.clipboard().text()

    stage.play(scenario)


def test_the_question_mark_says_why_and_is_still_a_letter(stage):
    async def scenario(desk):
        ask = await opened_panel(desk)
        write(ask, "when?")
        assert ask.view.field.text() == "when?"
        press(ask, Qt.Key.Key_Return)
        await until(lambda: ask.view.mode is Mode.ANSWER)
        write(ask, "?")
        assert ask.view.explain.isVisible()
        assert "Meaning 0.86" in ask.view.explain.accessibleName()
        press(ask, Qt.Key.Key_Tab)
        assert "Test plan, version 4" in ask.view.explain.accessibleName()
        write(ask, "?")
        assert not ask.view.explain.isVisible()
        assert ask.view.field.text() == "when?"

    stage.play(scenario)


def test_typing_after_an_answer_begins_a_new_question(stage):
    async def scenario(desk):
        ask = await answered_panel(desk)
        write(ask, "x")
        assert ask.view.field.text() == "x"
        assert ask.view.list.current is None

    stage.play(scenario)


def test_a_citation_and_a_row_open_by_mouse(stage, opened):
    async def scenario(desk):
        ask = await answered_panel(desk)
        ask.view.answer.cited.emit(2)
        await until(lambda: len(opened) == 1)
        ask.open()
        ask._ask("again")
        await until(lambda: ask.view.mode is Mode.ANSWER)
        box = ask.view.list.visualRect(ask.view.list.model().index(0, 0))
        QTest.mouseClick(ask.view.list.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
        await until(lambda: len(opened) == 2)
        assert opened == ["file:///home/mei/Notes/plan-4.md", "file:///home/mei/Notes/weekly-2025-05-10.md"]

    stage.play(scenario)


def test_a_source_that_cannot_be_opened_is_told_in_place(stage, monkeypatch):
    async def gone(_uri, _lane):
        raise Unavailable(msg("It is gone."), next_step=msg("Sync."))

    monkeypatch.setattr(module, "open_source", gone)

    async def scenario(desk):
        ask = await answered_panel(desk)
        press(ask, Qt.Key.Key_Return)
        await until(ask.view.banner.isVisible)
        assert ask.view.banner.text == "It is gone.\nNothing was lost.\nSync."
        assert ask.view.isVisible()

    stage.play(scenario)


def test_nothing_found_is_said(stage):
    async def scenario(desk):
        desk.api.world = replace(desk.api.world, answer=Answer(text=msg("Nothing was found."), items=()))
        ask = await opened_panel(desk)
        write(ask, "what")
        press(ask, Qt.Key.Key_Return)
        await until(lambda: ask.view.mode is Mode.MESSAGE)
        assert ask.view._message._head.text() == "Nothing found."

    stage.play(scenario)


def test_an_empty_agenda_is_an_answer(stage):
    async def scenario(desk):
        answer = Answer(text=Text("Nothing is planned on Friday."), items=(), route="agenda")
        desk.api.world = replace(desk.api.world, answer=answer)
        ask = await answered_panel(desk, "What on Friday")
        assert ask.view.answer.toPlainText() == "Nothing is planned on Friday."
        assert not ask.view.list.isVisible()

    stage.play(scenario)


def test_an_agenda_lists_its_events(stage, opened):
    async def scenario(desk):
        answer = Answer(
            text=Text("Two things."), items=(), agenda=(event("e", "Stand-up", 0, "09:00", "09:15"),), route="agenda"
        )
        desk.api.world = replace(desk.api.world, answer=answer)
        ask = await answered_panel(desk, "Today")
        assert [row.title for row in ask.view.list.rows] == ["Stand-up"]
        write(ask, "?")
        assert not ask.view.explain.isVisible(), "an event has no score to explain"

    stage.play(scenario)


def test_a_problem_takes_the_skeletons_place(stage):
    async def scenario(desk):
        desk.api.failures["ask"] = Unavailable(msg("The disk is slow."), next_step=msg("Ask again."))
        ask = await opened_panel(desk)
        write(ask, "what")
        press(ask, Qt.Key.Key_Return)
        await until(ask.view.banner.isVisible)
        assert not ask.view._skeleton.isVisible()
        assert ask.view.field.text() == "what"

    stage.play(scenario)


def test_text_from_anybodys_file_is_never_html(stage):
    evil = "<img src='file:///etc/passwd'><b>bold</b> & <a href='http://x'>x</a> [1] [7]"

    async def scenario(desk):
        answer = Answer(text=Text(evil.replace("{", "{{")), items=(item("a", "<i>t</i>", evil),), route="extract")
        desk.api.world = replace(desk.api.world, answer=answer)
        ask = await answered_panel(desk)
        assert ask.view.answer.toPlainText().startswith("<img src='file:///etc/passwd'><b>bold</b> &")
        assert "[7]" in ask.view.answer.toPlainText(), "a number without a source is no citation"
        assert "<img" not in ask.view.answer.toHtml()
        assert ask.view.list.rows[0].title == "<i>t</i>"

    stage.play(scenario)


def test_actions_after_a_slash(stage):
    async def scenario(desk):
        ask, acted = await opened_panel(desk), []
        ask.acted.connect(acted.append)
        write(ask, "/sett")
        assert ask.view.mode is Mode.ACTIONS
        press(ask, Qt.Key.Key_Return)
        assert acted == ["settings"]
        assert not ask.view.isVisible()
        await calm()
        assert not [details for name, details in desk.api.calls if name == "search" and "/" in str(details)]

    stage.play(scenario)


@pytest.mark.parametrize("lock", [LockState.NEW, LockState.PASSPHRASE_NEEDED, LockState.KEYCHAIN_LOCKED])
def test_while_locked_enter_leads_to_the_window(stage, lock):
    async def scenario(desk):
        ask, wanted = await opened_panel(desk), []
        ask.wants_window.connect(lambda: wanted.append(1))
        assert ask.view.mode is Mode.MESSAGE
        write(ask, "secret")
        press(ask, Qt.Key.Key_Return)
        assert wanted == [1]
        await calm()
        assert "ask" not in desk.api.names()
        assert "search" not in desk.api.names()

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", lock))


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"model": ModelState.ABSENT}, "no model yet"),
        ({"model": ModelState.LOADING}, "is loading"),
        ({"waiting": 340}, "340 passages"),
        ({"listed": []}, "Nothing is collected yet"),
    ],
)
def test_it_says_what_results_lack(stage, change, part):
    def prepare(api):
        for name, value in change.items():
            setattr(api, name, value)

    async def scenario(desk):
        ask = await opened_panel(desk)
        assert ask.view._note_row.isVisible()
        assert part in ask.view._note.text()

    stage.play(scenario, prepare=prepare)


def test_when_all_is_well_there_is_no_note(stage):
    async def scenario(desk):
        ask = await opened_panel(desk)
        assert not ask.view._note_row.isVisible()

    stage.play(scenario)


def test_it_lies_a_third_down_the_screen(stage):
    async def scenario(desk):
        ask = await opened_panel(desk)
        area = QGuiApplication.primaryScreen().availableGeometry()
        frame = ask.view.frame.geometry().translated(ask.view.pos())
        assert frame.width() == 720
        assert abs(frame.center().x() - area.center().x()) <= 1
        assert abs(frame.top() + 32 - (area.top() + area.height() // 3)) <= 2

    stage.play(scenario)


def test_what_is_shown_stays_on_a_low_screen(stage):
    """At twice the size a laptop has 600 points of height, which six hits below a third of it do not fit into."""

    async def scenario(desk):
        ask = await opened_panel(desk)
        area = QGuiApplication.primaryScreen().availableGeometry()
        area.setHeight(520)
        ask.view._area = area
        ask.view._stand()
        top = ask.view.y()
        ask.view.show_hits([Row(str(key), "file", "A title", "note", "what it says") for key in range(8)])
        await calm()
        frame = ask.view.frame.geometry().translated(ask.view.pos())
        assert frame.height() > 520 * 2 // 3
        assert area.top() <= frame.top()
        assert frame.bottom() <= area.bottom()
        ask.view.show_start()
        await calm()
        assert ask.view.y() == top, "it goes back when it is small again"

    stage.play(scenario)


def test_rows_are_spoken(stage):
    async def scenario(desk):
        ask = await answered_panel(desk)
        model = ask.view.list.model()
        spoken = model.data(model.index(2, 0), Qt.ItemDataRole.AccessibleTextRole)
        assert spoken == "3. Test plan, version 3. document, stale: Replaced by the version of 5 May 2025"
        assert EntryKind.DOCUMENT.value in spoken

    stage.play(scenario)
