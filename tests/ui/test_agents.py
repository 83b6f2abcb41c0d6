"""The page of the agents: access is given by a deliberate yes and by nothing else; what is shown once is shown once."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QClipboard, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from shiboken6 import isValid

from app.domain.clients import ClientState, Connection, Grant
from app.domain.errors import Unavailable
from app.domain.labels import Sensitivity
from app.domain.text import msg
from app.runtime import clock
from app.ui.pages.agents.forms import ClientForm, ConnectForm
from app.ui.pages.agents.page import AgentsPage
from app.ui.pages.agents.shown_once import ConnectionSheet, TokenSheet
from app.ui.parts import clipboard
from app.ui.parts.clipboard import copy_secret, forget_secret
from app.ui.parts.confirmation import Confirmation
from tests.ui.demo_served import PIECE, PROGRAMS, TOKEN, client
from tests.ui.demo_world import NOW
from tests.ui.stage import calm, until

WORK = frozenset({"work"})


async def agents_page(desk):
    page = AgentsPage(desk)
    page.resize(900, 800)
    page.show()
    page.refresh()
    await until(lambda: page.clients.clients == tuple(desk.api.registered) or page.clients.waiting)
    await calm()
    return page


async def waiting_page(desk):
    desk.api.ask_for_access()
    page = await agents_page(desk)
    await until(lambda: page.clients.waiting)
    return page, next(iter(page.clients.waiting.values()))


async def sheet(page, kind):
    await until(lambda: [found for found in page.findChildren(kind) if found.isVisible()])
    return next(found for found in page.findChildren(kind) if found.isVisible())


def words(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


def answers(desk):
    return [details for name, details in desk.api.calls if name == "answer_client"]


def test_one_that_waits_says_who_it_says_it_is_and_that_this_is_not_known(stage):
    async def scenario(desk):
        _, card = await waiting_page(desk)
        said = words(card)
        assert "It says that it is: Planner 0.9" in said
        assert any("Famulus cannot check it" in text for text in said)
        assert "asks you" in said
        assert any("would end with the program" in text for text in said)

    stage.play(scenario)


def test_one_that_asks_by_itself_ends_with_its_program_at_the_latest(stage):
    async def scenario(desk):
        page, card = await waiting_page(desk)
        assert card.fields.expiry.text() == "With its program"
        card.fields.ticks["work"].click()
        card.allow_button.click()
        await until(lambda: card.client.name in page.clients.cards)
        assert answers(desk) == [(card.client.name, Grant(WORK))]

    stage.play(scenario)


def test_how_long_one_has_been_asking_is_told_anew(stage):
    async def scenario(desk):
        page, card = await waiting_page(desk)
        assert card._age.text() == "2 min ago"
        with clock.use(NOW + timedelta(minutes=9)):
            page.refresh()
            await until(lambda: card._age.text() == "11 min ago")

    stage.play(scenario)


def test_a_name_is_said_once(stage):
    async def scenario(desk):
        long = "Helper with a long name"
        desk.api.registered = [
            client("Planner", program="Planner"),
            client("Helper with a", program=long),
            client("claude-desktop", program="Claude Desktop 1.4"),
        ]
        page = await agents_page(desk)
        shown = {name: card._program.isVisible() for name, card in page.clients.cards.items()}
        assert shown == {"Planner": False, "Helper with a": False, "claude-desktop": True}

    stage.play(scenario)


def test_a_double_click_offers_the_programs_once(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.clients.connect_button.click()
        page.clients.connect_button.click()
        await sheet(page, ConnectForm)
        await calm()
        assert desk.api.names().count("client_programs") == 1
        assert len(page.findChildren(ConnectForm)) == 1

    stage.play(scenario)


def test_the_end_of_the_program_takes_a_token_off_the_clipboard(stage, monkeypatch):
    monkeypatch.setattr(QClipboard, "ownsClipboard", lambda _: True)

    async def scenario(_):
        board = QGuiApplication.clipboard()
        copy_secret(TOKEN)
        forget_secret()
        assert board.text() == ""
        board.setText("a recipe")
        forget_secret()
        assert board.text() == "a recipe"

    stage.play(scenario)


@pytest.mark.parametrize("is_inside", [True, False])
def test_a_piece_with_a_token_is_copied_as_a_secret_by_any_key(stage, monkeypatch, is_inside):
    ends = []
    monkeypatch.setattr(clipboard.QTimer, "singleShot", lambda _, end: ends.append(end))

    async def scenario(desk):
        page = await agents_page(desk)
        made = Connection(desk.api.registered[0], "cursor", f"a\n{TOKEN if is_inside else '...'}", None, token=TOKEN)
        shown = ConnectionSheet(page, desk, PROGRAMS[0], made)
        shown.open()
        await calm()
        board = QGuiApplication.clipboard()
        shown.piece.selectAll()
        QTest.keyClick(shown.piece, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        gc.collect()
        assert board.text() == made.text
        assert board.mimeData().hasFormat("x-kde-passwordManagerHint") == is_inside
        for end in ends:
            end()
        assert board.text() == ("" if is_inside else made.text)

    stage.play(scenario)


@pytest.mark.parametrize("lines", [3, 14, 60])
def test_what_was_written_is_seen_whole_unless_it_is_long(stage, lines):
    async def scenario(desk):
        page = await agents_page(desk)
        text = "\n".join(f"line {number}" for number in range(lines))
        made = Connection(desk.api.registered[0], "cursor", text, "/home/mei/a.json")
        shown = ConnectionSheet(page, desk, PROGRAMS[0], made)
        shown.open()
        await calm()
        assert (shown.piece.verticalScrollBar().maximum() > 0) == (lines > 20)

    stage.play(scenario)


def test_nothing_is_ticked_and_so_nothing_can_be_allowed(stage):
    async def scenario(desk):
        _, card = await waiting_page(desk)
        assert not any(tick.isChecked() for tick in card.fields.ticks.values())
        assert not card.allow_button.isEnabled()
        assert "it would see nothing" in card._effect.text()
        card.fields.ticks["work"].click()
        assert card.allow_button.isEnabled()
        assert card._effect.text() == "It could read what belongs to work, up to internal."

    stage.play(scenario)


def test_yes_gives_exactly_what_was_chosen(stage):
    async def scenario(desk):
        page, card = await waiting_page(desk)
        card.fields.ticks["work"].click()
        card.fields.ceiling.choose("public")
        card.fields.expiry.choose("7")
        card.allow_button.click()
        await until(lambda: card.client.name in page.clients.cards)
        assert answers(desk) == [(card.client.name, Grant(WORK, Sensitivity.PUBLIC, expires_in_days=7))]
        assert "may read now" in page.clients.banner.text

    stage.play(scenario)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_never_allows(stage, key):
    async def scenario(desk):
        page, card = await waiting_page(desk)
        card.fields.ticks["work"].click()
        for widget in (card.allow_button, card.fields.ticks["work"], card.fields.ceiling, card, page):
            widget.setFocus()
            QTest.keyClick(widget, key)
            card.fields.ceiling.menu().close()
        await calm()
        assert answers(desk) == []
        QTest.keyClick(card.allow_button, Qt.Key.Key_Space)
        await until(lambda: len(answers(desk)) == 1)

    stage.play(scenario)


def test_no_gives_nothing_and_neither_does_leaving_it_alone(stage):
    async def scenario(desk):
        page, card = await waiting_page(desk)
        page.hide()
        page.show()
        page.refresh()
        await calm()
        assert answers(desk) == []
        card.dont_button.click()
        await until(lambda: not page.clients.waiting)
        assert answers(desk) == [(card.client.name, None)]
        assert desk.api._client(card.client.name).state is ClientState.REVOKED

    stage.play(scenario)


def test_the_notice_leads_to_dont(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.open_section("audit")
        desk.api.ask_for_access()
        page.show_waiting()
        await until(lambda: page.clients.waiting)
        card = next(iter(page.clients.waiting.values()))
        page.activateWindow()
        await until(card.dont_button.hasFocus)
        assert page.tabs.current == "clients"
        assert "waiting" in page.tabs.buttons["clients"].accessibleName()

    stage.play(scenario)


def test_what_was_said_of_one_ends_with_it(stage):
    async def scenario(desk):
        page, card = await waiting_page(desk)
        card.fields.ticks["work"].click()
        card.allow_button.click()
        await until(page.clients.banner.isVisible)
        await calm()
        assert "may read now" in page.clients.banner.text
        desk.api.registered = [one for one in desk.api.registered if one.name != card.client.name]
        page.refresh()
        await until(lambda: not page.clients.banner.isVisible())

    stage.play(scenario)


def test_what_was_ticked_stays_while_others_come_and_go(stage):
    async def scenario(desk):
        page, card = await waiting_page(desk)
        card.fields.ticks["personal"].click()
        desk.api.ask_for_access()
        await until(lambda: len(page.clients.waiting) == 2)
        assert page.clients.waiting[card.client.name] is card
        assert card.fields.ticks["personal"].isChecked()

    stage.play(scenario)


def test_what_was_ticked_for_one_is_not_ticked_for_another_of_its_name(stage):
    async def scenario(desk):
        page, card = await waiting_page(desk)
        card.fields.ticks["personal"].click()
        later = replace(card.client, created_at=card.client.created_at + timedelta(seconds=1), program="Another")
        desk.api._put(later)
        await until(lambda: page.clients.waiting[later.name] is not card)
        assert not page.clients.waiting[later.name].fields.scopes()
        assert any("Another" in text for text in words(page.clients.waiting[later.name]))

    stage.play(scenario)


def test_a_card_says_what_how_much_and_until_when(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        card = page.clients.cards["claude-desktop"]
        said = words(card)
        assert "Reads personal, work, up to internal" in said
        assert "60 requests a minute, 2,000 items a day" in said
        assert any("may read" in text and "until 4 May 2026" in text and "18 min ago" in text for text in said)
        gone = page.clients.cards["trip-planner"]
        assert any("expired on 12 May 2025" in text for text in words(gone))
        assert gone._state.property("role") == "warning"

    stage.play(scenario)


def test_one_that_sees_nothing_has_no_limits_to_tell(stage):
    async def scenario(desk):
        page, waiting = await waiting_page(desk)
        waiting.dont_button.click()
        await until(lambda: waiting.client.name in page.clients.cards)
        await calm()
        card = page.clients.cards[waiting.client.name]
        assert "It sees nothing." in words(card)
        assert not card._limits.isVisible()
        assert page.clients.cards["editor"]._limits.isVisible()

    stage.play(scenario)


def test_agents_are_found_by_name_program_and_scope(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.clients.filter.setText("CURSOR")
        assert [name for name, card in page.clients.cards.items() if card.isVisible()] == ["editor"]
        page.clients.filter.setText("personal")
        assert {name for name, card in page.clients.cards.items() if card.isVisible()} == {
            "claude-desktop",
            "trip-planner",
        }
        QTest.keyClick(page.clients.filter, Qt.Key.Key_Escape)
        assert all(card.isVisible() for card in page.clients.cards.values())
        assert not page.clients.list.nothing.isVisible()
        page.clients.filter.setText("nobody of that name")
        assert page.clients.list.nothing.isVisible()

    stage.play(scenario)


def test_an_agent_is_added_by_hand_and_its_token_shown_once(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.clients.add_button.click()
        form = await sheet(page, ClientForm)
        form.name.setText(" notes-helper ")
        form.fields.ticks["work"].click()
        form.fields.rate.setText("0")
        form.do_button.click()
        await until(form.banner.isVisible)
        assert "Requests a minute" in form.banner.text
        form.fields.rate.setText("30")
        form.do_button.click()
        shown = await sheet(page, TokenSheet)
        assert ("add_client", ("notes-helper", Grant(WORK, rate_per_minute=30))) in desk.api.calls
        assert any("the only time" in text for text in words(shown))
        shown.secret.copy_button.click()
        assert QGuiApplication.clipboard().text() == TOKEN
        assert QGuiApplication.clipboard().mimeData().data("x-kde-passwordManagerHint").data() == b"secret"
        shown.done_button.click()
        await calm()
        assert "notes-helper" in page.clients.cards
        assert not [label for label in page.findChildren(QLabel) if label.isVisible() and "fam_" in label.text()]

    stage.play(scenario)


def test_an_agent_that_would_see_nothing_is_not_added_but_one_can_be_left_with_nothing(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        form = page.clients.acts.add()
        assert not form.do_button.isEnabled()
        form.fields.ticks["work"].click()
        assert form.do_button.isEnabled()
        form.fields.ticks["work"].click()
        assert not form.do_button.isEnabled()
        form.dont_button.click()
        form = page.clients.acts.change(desk.api._client("claude-desktop"))
        for tick in form.fields.ticks.values():
            tick.setChecked(False)
        assert form.do_button.isEnabled()

    stage.play(scenario)


def test_a_name_that_is_taken_is_told_on_the_sheet_and_what_was_typed_stays(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        form = page.clients.acts.add()
        form.name.setText("editor")
        form.fields.ticks["work"].click()
        QTest.keyClick(form.name, Qt.Key.Key_Return)
        await calm()
        assert "add_client" not in desk.api.names(), "Enter never grants"
        form.do_button.click()
        await until(form.banner.isVisible)
        assert form.name.text() == "editor"
        assert form.isVisible()
        form.dont_button.click()

    stage.play(scenario)


def test_a_program_is_connected_in_one_click(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.clients.connect_button.click()
        form = await sheet(page, ConnectForm)
        assert form.program.key == "claude-desktop", "those that are here come first"
        assert form.name.text() == "claude-desktop-2", "another agent has the name"
        assert not form.do_button.isEnabled()
        form.fields.ticks["work"].click()
        form.name.setText(" Claude-Desktop")
        form.do_button.click()
        await until(form.banner.isVisible)
        assert "connect_client" not in desk.api.names(), "it would be granted something else by that"
        form.name.setText("helper")
        form.do_button.click()
        shown = await sheet(page, ConnectionSheet)
        assert ("connect_client", ("helper", "claude-desktop", Grant(WORK), True)) in desk.api.calls
        said = "\n".join(words(shown))
        assert "Written: /home/mei/.config/Claude/claude_desktop_config.json" in said
        assert "As it was before: /home/mei/.config/Claude/claude_desktop_config.json.before" in said
        assert shown.piece.toPlainText() == PIECE
        assert "fam_" not in said

    stage.play(scenario)


def test_without_a_keychain_the_piece_and_the_token_are_shown_to_be_put_in_place(stage):
    async def scenario(desk):
        desk.api.has_keychain = False
        page = await agents_page(desk)
        page.clients.cards["editor"].wants.emit("connect", desk.api._client("editor"))
        form = await sheet(page, ConnectForm)
        form.do_button.click()
        shown = await sheet(page, ConnectionSheet)
        assert ("connect_client", ("editor", "claude-desktop", None, True)) in desk.api.calls
        said = "\n".join(words(shown))
        assert "Famulus writes no token into a file by itself" in said
        assert "in /home/mei/.config/Claude/claude_desktop_config.json" in said
        assert "the only time" in said
        shown.copy_button.click()
        assert TOKEN in QGuiApplication.clipboard().text()
        assert QGuiApplication.clipboard().mimeData().data("x-kde-passwordManagerHint").data() == b"secret"

    stage.play(scenario)


def test_the_piece_alone_on_wish(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.clients.connect_button.click()
        form = await sheet(page, ConnectForm)
        form.fields.ticks["work"].click()
        form.name.setText("helper")
        form.show_button.click()
        shown = await sheet(page, ConnectionSheet)
        assert ("connect_client", ("helper", "claude-desktop", Grant(WORK), False)) in desk.api.calls
        assert "Nothing was written." in words(shown)
        shown.copy_button.click()
        assert QGuiApplication.clipboard().text() == PIECE

    stage.play(scenario)


def test_no_known_program_is_told(stage):
    async def scenario(desk):
        desk.api.served = type(desk.api.served)(**{**vars(desk.api.served), "programs": ()})
        page = await agents_page(desk)
        page.clients.connect_button.click()
        await until(page.clients.banner.isVisible)
        assert "knows no program" in page.clients.banner.text

    stage.play(scenario)


def test_something_else_is_granted(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.clients.cards["claude-desktop"].wants.emit("change", desk.api._client("claude-desktop"))
        form = await sheet(page, ClientForm)
        assert form.fields.scopes() == {"personal", "work"}
        assert form.fields.expiry.key == "kept"
        form.fields.ticks["personal"].click()
        form.do_button.click()
        await until(lambda: "change_client" in desk.api.names())
        (given,) = [details[1] for name, details in desk.api.calls if name == "change_client"]
        assert given == Grant(WORK, expires_in_days=355)

    stage.play(scenario)


def test_access_that_ended_is_granted_anew(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        form = page.clients.acts.change(desk.api._client("trip-planner"))
        assert form.fields.expiry.key == "365"
        form.do_button.click()
        await until(lambda: page.clients.cards["trip-planner"].client.state is ClientState.ACTIVE)

    stage.play(scenario)


def test_a_new_token_for_one_that_was_revoked_says_that_it_may_read_again(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.clients.cards["old-script"].wants.emit("token", desk.api._client("old-script"))
        question = await sheet(page, Confirmation)
        assert "may read again" in "\n".join(words(question))
        question.dont_button.click()

    stage.play(scenario)


@pytest.mark.parametrize(
    ("act", "method"), [("revoke", "revoke_client"), ("remove", "remove_client"), ("token", "new_client_token")]
)
def test_what_takes_something_away_asks_first(stage, act, method):
    async def scenario(desk):
        page = await agents_page(desk)
        for button in ("dont_button", "do_button"):
            page.clients.cards["editor"].wants.emit(act, page.clients.cards["editor"].client)
            question = await sheet(page, Confirmation)
            assert "editor" in "\n".join(words(question))
            assert question.dont_button.isDefault()
            getattr(question, button).click()
            await calm()
        await until(lambda: method in desk.api.names())
        assert desk.api.names().count(method) == 1

    stage.play(scenario)


def test_the_menu_offers_what_fits(stage):
    async def scenario(desk):
        page = await agents_page(desk)

        def offered(name):
            card = page.clients.cards[name]
            card._open_menu()
            card._menu.close()
            return {act for act, action in card.acts.items() if action.isVisible()}

        assert offered("claude-desktop") == {"change", "connect", "token", "revoke", "remove"}
        assert offered("old-script") == {"token", "remove"}
        assert offered("trip-planner") == {"change", "remove"}
        page.clients.cards["editor"].show_client(replace(desk.api._client("editor"), is_session=True))
        assert offered("editor") == {"change", "revoke", "remove"}

    stage.play(scenario)


def test_a_revocation_that_could_not_be_written_can_be_tried_again(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        card = page.clients.cards["editor"]

        def offers_it():
            card._open_menu()
            card._menu.close()
            return card.acts["revoke"].isVisible()

        async def revoke():
            desk.api._put(replace(desk.api._client("editor"), state=ClientState.REVOKED))
            page.clients.acts._ask_revoke(card.client)
            (await sheet(page, Confirmation)).do_button.click()
            await calm()

        desk.api.failures["revoke_client"] = Unavailable(msg("The disk is full."), next_step=msg("Free some space."))
        await revoke()
        assert offers_it()
        desk.api.failures.clear()
        await revoke()
        assert not offers_it()

    stage.play(scenario)


def test_without_agents_the_page_says_what_will_be_here(stage):
    def prepare(api):
        api.registered = []

    async def scenario(desk):
        page = AgentsPage(desk)
        page.show()
        page.refresh()
        await until(page.clients._empty.isVisible)
        assert not page.clients.filter.isVisible()

    stage.play(scenario, prepare=prepare)


def test_a_problem_is_told_in_the_banner(stage):
    async def scenario(desk):
        desk.api.failures["clients"] = Unavailable(msg("It is away."), next_step=msg("Wait."))
        page = AgentsPage(desk)
        page.show()
        page.refresh()
        await until(page.clients.banner.isVisible)
        assert "It is away." in page.clients.banner.text

    stage.play(scenario)


def test_hostile_names_stay_plain_and_short(stage):
    async def scenario(desk):
        desk.api.ask_for_access()
        evil = "<b>You</b>\N{RIGHT-TO-LEFT OVERRIDE}\n\n\0Checked by Famulus " + "x" * 100_000
        desk.api.registered[-1] = replace(desk.api.registered[-1], program=evil)
        page = await agents_page(desk)
        await until(lambda: page.clients.waiting)
        card = next(iter(page.clients.waiting.values()))
        shown = next(text for text in words(card) if text.startswith("It says"))
        assert len(shown) < 200
        assert shown.startswith("It says that it is: <b>You</b> Checked by Famulus")
        assert all(label.textFormat() is Qt.TextFormat.PlainText for label in card.findChildren(QLabel) if label.text())
        assert page.widget().width() <= page.viewport().width()

    stage.play(scenario)


def test_the_tabs_are_walked_by_keyboard(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        page.activateWindow()
        page.tabs.buttons["clients"].setFocus()
        await until(page.tabs.buttons["clients"].hasFocus)
        QTest.keyClick(page.tabs.buttons["clients"], Qt.Key.Key_Right)
        await calm()
        assert page.tabs.current == "audit"
        assert QApplication.focusWidget() is page.tabs.buttons["audit"]

    stage.play(scenario)


def test_a_clock_that_was_ahead_is_told_and_the_person_says_that_it_is_right(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        assert page.clients.clock_line.isHidden()
        desk.api.ahead = NOW + timedelta(days=1_500)
        await page.clients.load()
        assert "clock" in page.clients.clock_line.text
        assert page.clients.clock_line.isVisible()
        (right,) = [one for one in page.clients.clock_line.findChildren(QPushButton) if "clock" in one.text()]
        right.click()
        await until(page.clients.clock_line.isHidden)
        assert [name for name, _ in desk.api.calls if name == "trust_clock"] == ["trust_clock"]

    stage.play(scenario)


def test_of_more_scopes_than_the_screen_holds_the_buttons_are_still_there(stage):
    def prepare(api):
        scopes = frozenset({*(f"project-{number}" for number in range(60)), "W" * 200, "项目" * 100})
        api.registered[0] = replace(api.registered[0], scopes=scopes)

    async def scenario(desk):
        page = await agents_page(desk)
        form = page.clients.acts.add()
        await until(form.isVisible)
        await calm()
        assert len(form.fields.ticks) > 60
        assert form.height() <= form.screen().availableGeometry().height()
        for made in (form.dont_button, form.do_button):
            assert form.rect().contains(made.geometry())
        width = form.inside.parentWidget().width()
        assert all(tick.mapTo(form, tick.rect().topRight()).x() < width for tick in form.fields.ticks.values())
        assert max(form.fields.ticks.values(), key=lambda tick: len(tick.text())).toolTip()
        form.dont_button.click()

    stage.play(scenario, prepare=prepare)


def test_a_sheet_that_has_more_to_say_grows(stage):
    async def scenario(desk):
        page = await agents_page(desk)
        form = page.clients.acts.add()
        await until(form.isVisible)
        await calm()
        assert form._scroll.verticalScrollBar().maximum() == 0
        before = form.height()
        form.banner.show_note(msg("One."), msg("Two."))
        await until(lambda: form.height() > before)
        await calm()
        assert form._scroll.verticalScrollBar().maximum() == 0
        form.dont_button.click()

    stage.play(scenario)


def test_a_sheet_that_is_closed_while_it_works_ends_without_a_word(stage, caplog):
    async def scenario(desk):
        page = await agents_page(desk)
        gate = desk.api.gates["add_client"] = asyncio.Event()
        form = page.clients.acts.add()
        form.name.setText("notes-helper")
        form.fields.ticks["work"].click()
        form.do_button.click()
        await until(lambda: "add_client" in desk.api.names())
        form.dont_button.click()
        await until(lambda: not isValid(form))
        gate.set()
        shown = await sheet(page, TokenSheet)
        shown.done_button.click()
        await calm()

    stage.play(scenario)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
