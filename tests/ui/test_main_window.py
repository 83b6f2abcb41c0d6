"""The window shows what the state of the house asks for; every control can be heard, reached and read (D8.6)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

from app.domain.errors import KeychainLocked, WrongKey
from app.domain.text import Text, msg
from app.famulus.api import LockState
from app.runtime import translation
from app.ui.main_window import MainWindow
from app.ui.pages.agents.shown_once import TokenSheet
from app.ui.pages.sections import SectionedPage
from app.ui.parts.confirmation import Confirmation
from app.ui.parts.labels import ElidedLabel
from app.ui.quick_ask import QuickAsk
from app.ui.rail import PAGES
from app.ui.unlock import UnlockPage
from tests.ui.demo_facade import KINDS
from tests.ui.stage import calm, until


async def shown_window(desk):
    window = MainWindow(desk)
    window.show_status()
    window.open()
    await until(window.isActiveWindow)
    return window


@pytest.mark.parametrize(
    ("lock", "shown"),
    [
        (LockState.OPEN, "shell"),
        (LockState.NEW, "first_run"),
        (LockState.PASSPHRASE_NEEDED, "unlock"),
        (LockState.KEYCHAIN_LOCKED, "unlock"),
        (LockState.FAILED, "unlock"),
    ],
)
def test_what_the_house_asks_for_is_shown(stage, lock, shown):
    async def scenario(desk):
        window = await shown_window(desk)
        assert window._stack.currentWidget() is getattr(window, shown)

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", lock))


@pytest.mark.parametrize("lock", [LockState.PASSPHRASE_NEEDED, LockState.NEW])
def test_what_waits_for_the_person_has_the_keyboard_also_when_the_window_comes_again(stage, lock):
    """One types the passphrase, or begins with Enter, without looking for the place first."""

    async def scenario(desk):
        window = await shown_window(desk)
        for _ in range(2):
            place = window.first_run.next_button if lock is LockState.NEW else window.unlock.passphrase
            assert window.focusWidget() is place
            window.close()
            window.open()
            await calm()

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", lock))


def test_the_first_run_stays_until_it_is_done(stage):
    async def scenario(desk):
        window = await shown_window(desk)
        await desk.api.create()
        await desk.status.refresh()
        assert window._stack.currentWidget() is window.first_run
        window.first_run.finished.emit()
        assert window._stack.currentWidget() is window.shell

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", LockState.NEW))


def test_locking_hides_everything_and_unlocking_brings_it_back(stage):
    async def scenario(desk):
        window = await shown_window(desk)
        window.show_page("agents")
        await until(lambda: "editor" in window.book.agents.clients.cards)
        window.book.agents.clients.acts._ask_token(desk.api._client("editor"))
        (question,) = window.findChildren(Confirmation)
        question.do_button.click()
        await until(lambda: window.findChildren(TokenSheet))
        await desk.api.lock()
        await until(lambda: window._stack.currentWidget() is window.unlock)
        await until(lambda: not window.findChildren(QDialog))
        window.unlock.passphrase.setText("four words or more")
        QTest.keyClick(window.unlock.passphrase, Qt.Key.Key_Return)
        await until(lambda: window._stack.currentWidget() is window.shell)
        assert ("unlock", ("four words or more", None)) in desk.api.calls
        assert window.unlock.passphrase.text() == ""

    stage.play(scenario)


def test_pages_by_click_and_by_key(stage):
    async def scenario(desk):
        window = await shown_window(desk)
        window.rail.buttons["settings"].click()
        assert window.book.currentWidget() is window.book.settings
        window.activateWindow()
        QTest.keyClick(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: window.book.currentWidget() is window.book.sources)
        assert window.rail.buttons["sources"].isChecked()

    stage.play(scenario)


def test_closing_hides_it_and_is_told(stage):
    async def scenario(desk):
        window, told = await shown_window(desk), []
        window.closed.connect(lambda: told.append(1))
        window.close()
        assert (window.isVisible(), told) == (False, [1])

    stage.play(scenario)


def test_a_wrong_passphrase_is_told_and_the_field_is_empty(stage):
    async def scenario(desk):
        desk.api.failures["unlock"] = WrongKey(msg("That does not fit."), next_step=msg("Try again."))
        page = UnlockPage(desk)
        page.show()
        page.passphrase.setText("wrong")
        page.unlock_button.click()
        await until(page.banner.isVisible)
        assert page.passphrase.text() == ""

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", LockState.PASSPHRASE_NEEDED))


def test_what_is_said_about_a_wrong_passphrase_is_seen_whole(stage):
    async def scenario(desk):
        window = await shown_window(desk)
        banner = window.unlock.banner
        banner.show_problem(
            WrongKey(msg("The passphrase is not the right one."), next_step=msg("Try again, with care. " * 6))
        )
        await calm()
        assert banner.height() >= banner.heightForWidth(banner.width())

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", LockState.PASSPHRASE_NEEDED))


def test_the_recovery_key_opens_as_well(stage):
    async def scenario(desk):
        page = UnlockPage(desk)
        page.show()
        page.other_button.click()
        page.recovery.setText("7QK2")
        page.unlock_button.click()
        await until(lambda: ("unlock", (None, "7QK2")) in desk.api.calls)

    stage.play(scenario, prepare=lambda api: setattr(api, "lock_state", LockState.PASSPHRASE_NEEDED))


def test_a_locked_keychain_says_why_and_can_be_tried_again(stage):
    def prepare(api):
        api.lock_state = LockState.KEYCHAIN_LOCKED
        api.lock_problem = KeychainLocked(msg("The keychain does not answer."), next_step=msg("Unlock it."))

    async def scenario(desk):
        page = UnlockPage(desk)
        page.refresh()
        page.show()
        assert page._why.text() == "The keychain does not answer.\nUnlock it."
        page.retry_button.click()
        await until(lambda: ("unlock", (None, None)) in desk.api.calls)

    stage.play(scenario, prepare=prepare)


def controls(root):
    return [
        widget
        for widget in root.findChildren(QWidget)
        if isinstance(widget, QAbstractButton | QLineEdit)
        and not widget.objectName().startswith("qt_")
        and widget.metaObject().className() != "QLineEditIconButton"
    ]


def nameless_of(root):
    return [widget for widget in controls(root) if not spoken(widget).strip()]


async def sections(window):
    """Every section of every page, one after the other."""
    for name, _, _ in PAGES:
        window.show_page(name)
        await calm()
        page = getattr(window.book, name)
        if not isinstance(page, SectionedPage):
            yield page
            continue
        for section in page.tabs.buttons:
            page.open_section(section)
            await calm()
            yield page


def spoken(widget):
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_control_has_a_name_for_screen_readers(stage, language):
    async def scenario(desk):
        desk.wording.use(language)
        for question in desk.api.world.questions:
            desk.history.add(question)
        window = await shown_window(desk)
        async for _ in sections(window):
            pass
        nameless = [widget for widget in controls(window) if not widget.isHidden() and not spoken(widget).strip()]
        assert [(type(widget).__name__, widget.parent()) for widget in nameless] == []
        ask = QuickAsk(desk)
        assert all(spoken(widget) for widget in controls(ask.view))
        assert ask.view.list.accessibleName()
        for kind in KINDS:
            form = window.book.sources.set_up(kind)
            assert [widget for widget in controls(form) if not spoken(widget).strip()] == []
        assert nameless_of(window.book.agents.clients.acts.add()) == []
        assert nameless_of(window.book.prepare.open_template("meeting")) == []

    stage.play(scenario)


class Windows(QObject):
    """Notes what is shown as a window."""

    def __init__(self):
        super().__init__()
        self.shown = []

    def eventFilter(self, watched, event):  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


def test_no_part_of_a_page_is_ever_a_window_of_its_own(stage):
    async def scenario(desk):
        desk.api.ask_for_access()
        window = await shown_window(desk)
        windows = Windows()
        QApplication.instance().installEventFilter(windows)
        async for _ in sections(window):
            pass
        form = window.book.prepare.open_template("weekly-report")
        form.run()
        window.book.metrics.marking.open_question("When?")
        window.book.metrics.marking.tuning.propose()
        window.book.agents.inbox.decided.click()
        await calm()
        QApplication.instance().removeEventFilter(windows)
        assert windows.shown == []

    stage.play(scenario)


async def reached_by_tab(root):
    reached = set()
    for _ in range(80):
        root.focusNextPrevChild(True)
        await calm()
        reached.add(QApplication.focusWidget())
    return reached


def usable(root):
    return {widget for widget in controls(root) if widget.isVisible() and widget.isEnabled()}


@pytest.mark.parametrize(
    ("page", "least"),
    [("tasks", 2), ("changes", 3), ("sources", 9), ("prepare", 1), ("agents", 13), ("metrics", 4)],
)
def test_every_enabled_control_of_a_page_is_reached_by_tab(stage, page, least):
    async def scenario(desk):
        window = await shown_window(desk)
        window.show_page(page)
        await until(lambda: len(usable(getattr(window.book, page))) >= least)
        wanted = usable(window.shell)
        reached = await reached_by_tab(window)
        walked = [{widget for widget in wanted if widget.property("role") == role} for role in ("rail", "tab")]
        assert wanted - reached - set().union(*walked) == set()
        assert all(group & reached for group in walked if group), "arrows walk from the one to the others"

    stage.play(scenario)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_field_of_a_source_is_reached_by_tab(stage, kind):
    async def scenario(desk):
        window = await shown_window(desk)
        window.show_page("sources")
        await calm()
        form = window.book.sources.set_up(kind)
        await until(form.isActiveWindow)
        assert usable(form) - await reached_by_tab(form) == set()

    stage.play(scenario)


def test_the_ring_is_for_those_who_come_by_keyboard(stage):
    async def scenario(desk):
        window = await shown_window(desk)
        button = window.rail.buttons["settings"]
        button.setFocus(Qt.FocusReason.TabFocusReason)
        assert button.property("is_ringed")
        window.rail.buttons["home"].setFocus(Qt.FocusReason.MouseFocusReason)
        assert not button.property("is_ringed")
        assert not window.rail.buttons["home"].property("is_ringed")
        for is_by_keyboard in (True, False):
            reason = Qt.FocusReason.TabFocusReason if is_by_keyboard else Qt.FocusReason.MouseFocusReason
            window.rail.buttons["home"].setFocus()
            button.setFocus(reason)
            for back in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
                for kind in (QEvent.Type.FocusOut, QEvent.Type.FocusIn):
                    QApplication.sendEvent(button, QFocusEvent(kind, back))
                assert button.property("is_ringed") is is_by_keyboard, "a menu or a sheet is closed"

    stage.play(scenario)


def test_a_change_of_language_reaches_everything(stage, monkeypatch):
    monkeypatch.setattr(translation, "translate", translated)

    async def scenario(desk):
        window = await shown_window(desk)
        desk.api.candidates[0] = replace(desk.api.candidates[0], title="")
        async for _ in sections(window):
            pass
        window.book.metrics.marking.open_question(desk.api.world.question)
        window.book.prepare.open_template("broken")
        await until(lambda: window.book.metrics.marking.rows)
        desk.wording.use("zh_CN")
        await calm()
        english = [text for text in said(window) if text.startswith("en:")]
        assert english == []
        assert any(text.startswith("zh_CN:") for text in said(window))

    stage.play(scenario)


def translated(text):
    filled = str(text) if isinstance(text, Text) else text
    return f"{translation.language()}:{filled}"


def said(root):
    texts = [widget.text() for widget in root.findChildren(QLabel) + root.findChildren(QAbstractButton)]
    return texts + [field.placeholderText() for field in root.findChildren(QLineEdit)]


@pytest.mark.parametrize("size", [(1040, 720), (720, 520)])
def test_a_third_more_text_still_fits(stage, monkeypatch, size):
    """Translations are longer than the original; nothing may be cut but what says so with an ellipsis."""
    monkeypatch.setattr(translation, "translate", lambda text: lengthened(str(text)))

    async def scenario(desk):
        window = await shown_window(desk)
        window.resize(*size)
        async for page in sections(window):
            assert cut(page) == []

    stage.play(scenario)


def lengthened(text):
    return text + " wxyz" * (len(text) * 3 // 50) + "w" * (len(text) * 3 // 10 % 5)


def cut(page):
    """Labels and buttons that are narrower or lower than what they say."""
    assert isinstance(page, QScrollArea)
    found = []
    for widget in page.findChildren(QLabel) + page.findChildren(QPushButton):
        if not widget.isVisible() or isinstance(widget, ElidedLabel) or not widget.text():
            continue
        needed = widget.minimumSizeHint()
        is_wrapping = isinstance(widget, QLabel) and widget.wordWrap()
        height = widget.heightForWidth(widget.width()) if is_wrapping else needed.height()
        if (needed.width() > widget.width() and not is_wrapping) or height > widget.height() + 1:
            found.append((widget.text(), widget.size().toTuple(), needed.toTuple(), height))
    right = page.viewport().width()
    if page.widget().width() > right:
        wide = max(page.findChildren(QWidget), key=lambda widget: widget.minimumSizeHint().width() * widget.isVisible())
        found.append(("the page is wider than its view", page.widget().width(), right, type(page), wide))
    return found


def tab_order_of(page):
    """What Tab comes to on a page, one after the other."""
    found, widget = [], page.window().nextInFocusChain()
    while widget is not page.window():
        can_be = widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if can_be and page.isAncestorOf(widget):
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


@pytest.mark.parametrize("name", [name for name, _, _ in PAGES])
def test_tab_goes_through_a_page_as_one_reads_it(stage, name):
    """Also where cards came after what is below them."""

    async def scenario(desk):
        desk.api.ask_for_access()
        window = await shown_window(desk)
        window.show_page(name)
        page = window.book.currentWidget()
        for section in page._makers if isinstance(page, SectionedPage) else (None,):
            if section is not None:
                page.open_section(section)
            await calm()
            await calm()
            reached = tab_order_of(page)
            lines = [widget.mapTo(page, widget.rect().center()).y() // 24 for widget in reached]
            assert reached
            assert lines == sorted(lines), [widget.accessibleName() for widget in reached]

    stage.play(scenario)


def test_one_of_several_is_not_called_a_box_to_tick(stage):
    async def scenario(desk):
        window = await shown_window(desk)
        window.show_page("agents")
        for made in (*window.rail.buttons.values(), *window.book.agents.tabs.buttons.values()):
            role = QAccessible.queryAccessibleInterface(made).role()
            assert role is QAccessible.Role.RadioButton, made.text()

    stage.play(scenario)
