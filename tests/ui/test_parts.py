"""The pieces: banner, confirmation, choices, switches, secrets, hotkeys, progress."""

from __future__ import annotations

from html import escape

import pytest
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from app.domain.errors import BadInput
from app.domain.progress import Progress
from app.domain.text import msg
from app.settings.declarations import HOTKEY
from app.ui.hints import keys_in_words
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import Button
from app.ui.parts.choice import Choice
from app.ui.parts.confirmation import Confirmation, confirm
from app.ui.parts.hotkey_field import HotkeyField, keys_of
from app.ui.parts.labels import ElidedLabel, plain, tooltip
from app.ui.parts.note_editor import NoteEditor
from app.ui.parts.passphrase import NewPassphrase
from app.ui.parts.progress_line import ProgressLine
from app.ui.parts.secret_field import SecretField
from app.ui.parts.timeline import Moment
from app.ui.parts.toggles import Switch, TickBox
from app.ui.parts.work_line import WorkLine
from tests.ui.stage import calm, until

CONTROL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


def test_a_banner_tells_what_was_lost_and_what_to_do(stage):
    async def scenario(desk):
        banner = Banner(desk.wording, desk.theme)
        assert banner.isHidden()
        banner.show_problem(BadInput(msg("No such folder."), next_step=msg("Choose another.")))
        assert banner.text == "No such folder.\nNothing was lost.\nChoose another."
        assert banner.property("role") == "asks"
        clicked = []
        offered = banner.offer(msg("Choose"), lambda: clicked.append(1))
        offered.click()
        banner.show_note(msg("Done."))
        assert banner.text == "Done."
        assert banner.property("role") == "note"
        assert offered.isHidden(), "what could be done about the last problem is no longer offered"
        banner.clear()
        assert (banner.isHidden(), clicked) == (True, [1])

    stage.play(scenario)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape])
@pytest.mark.parametrize("focused", ["do_button", "dont_button"])
def test_enter_alone_never_confirms(stage, key, focused):
    async def scenario(desk):
        parent, done = QWidget(), []
        parent.show()
        question = Confirmation(parent, desk, msg("Remove?"), (msg("3 leave."),), do=msg("Remove"), dont=msg("Keep"))
        confirm(question, lambda: done.append(1))
        getattr(question, focused).setFocus()
        QTest.keyClick(question, key)
        await until(lambda: not question.isVisible())
        assert done == []

    stage.play(scenario)


def test_a_click_confirms(stage):
    async def scenario(desk):
        parent, done = QWidget(), []
        parent.show()
        question = Confirmation(parent, desk, msg("Remove?"), (), do=msg("Remove"), dont=msg("Keep"))
        confirm(question, lambda: done.append(1)).do_button.click()
        await until(lambda: done)

    stage.play(scenario)


def test_a_choice_tells_the_person_only(stage):
    async def scenario(desk):
        choice, told = Choice(desk.wording, desk.theme, msg("Theme"), {"light": msg("Light"), "dark": msg("Dark")}), []
        choice.chosen.connect(told.append)
        choice.choose("dark")
        choice.choose("no such thing")
        assert (choice.key, choice.accessibleName(), told) == ("dark", "Theme: Dark", [])
        choice.menu().actions()[0].trigger()
        choice.menu().actions()[0].trigger()
        assert (choice.key, told) == ("light", ["light"])
        assert choice.menu().actions()[0].isChecked()

    stage.play(scenario)


def test_toggles_by_keyboard(stage):
    async def scenario(desk):
        for toggle in (Switch(desk.wording, desk.theme, msg("Watch")), TickBox(desk.theme)):
            toggle.show()
            QTest.keyClick(toggle, Qt.Key.Key_Space)
            assert toggle.isChecked()
            assert not toggle.grab().isNull()

    stage.play(scenario)


def test_a_secret_is_hidden_and_handed_out_once(stage):
    async def scenario(desk):
        field = SecretField(desk.wording, desk.theme, msg("Passphrase"))
        QTest.keyClicks(field, "correct horse")
        assert field.echoMode() == QLineEdit.EchoMode.Password
        assert field.inputMethodHints() & Qt.InputMethodHint.ImhSensitiveData
        field.actions()[0].trigger()
        assert field.echoMode() == QLineEdit.EchoMode.Normal
        assert field.take() == "correct horse"
        assert (field.text(), field.echoMode()) == ("", QLineEdit.EchoMode.Password)

    stage.play(scenario)


def test_a_new_passphrase_is_typed_twice(stage):
    async def scenario(desk):
        fields, told = NewPassphrase(desk), []
        fields.readied.connect(told.append)
        fields.first.setText("short")
        fields.second.setText("short")
        assert not fields.is_ready
        fields.first.setText("four words or more")
        assert not fields.is_ready
        fields.second.setText("four words or more")
        assert told[-1]
        assert fields.take() == "four words or more"
        assert not fields.is_ready

    stage.play(scenario)


@pytest.mark.parametrize(
    ("held", "key", "keys"),
    [
        (CONTROL | ALT, Qt.Key.Key_Space, "<ctrl>+<alt>+<space>"),
        (CONTROL | SHIFT, Qt.Key.Key_K, "<ctrl>+<shift>+k"),
        (ALT, Qt.Key.Key_F12, "<alt>+<f12>"),
        (SHIFT, Qt.Key.Key_K, None),
        (Qt.KeyboardModifier.NoModifier, Qt.Key.Key_K, None),
        (CONTROL, Qt.Key.Key_Control, None),
        (CONTROL, Qt.Key.Key_Plus, None),
    ],
)
def test_keys_are_written_as_the_setting_wants_them(held, key, keys):
    assert keys_of(QKeyCombination(held, key)) == keys
    if keys is not None:
        assert HOTKEY.kind.check(keys) == keys


def test_keys_are_read_as_people_do():
    assert keys_in_words("<ctrl>+<alt>+<space>") == "Ctrl+Alt+Space"
    assert keys_in_words("<cmd>+<page_up>") == "Cmd+Page Up"
    assert keys_in_words("") == ""


def test_the_hotkey_field_listens_until_it_has_heard(stage):
    async def scenario(desk):
        field, told = HotkeyField(desk.wording), []
        field.captured.connect(told.append)
        field.show_keys("<ctrl>+<alt>+<space>")
        field.show()
        QTest.keyClick(field, Qt.Key.Key_J, CONTROL)
        field.click()
        QTest.keyClick(field, Qt.Key.Key_Escape)
        assert (field.text(), told) == ("Ctrl+Alt+Space", [])
        field.click()
        QTest.keyClick(field, Qt.Key.Key_Tab)
        QTest.keyClick(field, Qt.Key.Key_J, CONTROL | ALT)
        assert (field.text(), told) == ("Ctrl+Alt+J", ["<ctrl>+<alt>+j"])

    stage.play(scenario)


def test_progress_by_counts_and_by_share(stage):
    async def scenario(desk):
        line, told = ProgressLine(desk.wording, desk.theme), []
        line.paused.connect(told.append)
        line.cancelled.connect(lambda: told.append("cancelled"))
        line.begin(msg("Reading"))
        line.show_progress(Progress("t", msg("Reading notes"), 1200, 3120))
        assert (line._label.text(), line._count.text()) == ("Reading notes", "1,200 of 3,120")
        line.pause_button.click()
        line.pause_button.click()
        line.cancel_button.click()
        assert told == [True, False, "cancelled"]
        assert not line.cancel_button.isEnabled()
        share = ProgressLine(desk.wording, desk.theme, is_share=True)
        share.show_progress(Progress("t", msg("Fetching"), 43, 100))
        assert share._count.text() == "43%"

    stage.play(scenario)


def test_long_text_is_cut_and_still_there(qapp):
    label = ElidedLabel()
    label.show_text("a very long title " * 20)
    label.resize(120, 20)
    assert label.minimumSizeHint().width() < 60
    assert not label.grab().isNull()
    assert isinstance(label, QLabel)
    assert label.text().startswith("a very long title")


def test_a_tooltip_is_never_html_of_somebody_else():
    assert tooltip("<img src=x>") == "<qt>&lt;img src=x&gt;</qt>"
    every = "".join(map(chr, range(0x300))) + "&amp; 你好"
    assert tooltip(every) == f"<qt>{escape(every)}</qt>"
    assert tooltip("") == ""


@pytest.mark.parametrize("role", ["plain", "primary", "quiet", "glyph", "link", "tab", "toggle"])
def test_the_style_draws_no_frame_of_its_own_into_a_button(stage, role):
    async def scenario(desk):
        made = Button(role)
        made.setText("Words")
        made.show()
        made.activateWindow()
        await until(made.isActiveWindow)
        made.clearFocus()
        before = made.grab().toImage()
        made.setFocus(Qt.FocusReason.MouseFocusReason)
        assert made.hasFocus()
        assert made.grab().toImage() == before

    stage.play(scenario)


@pytest.mark.parametrize("text", ["one", "one\ntwo", "一\n二\n三", "one\n二\n\nfour", "words " * 40])
def test_a_short_note_is_seen_whole(stage, text):
    """No scroll bar where two lines of a suggestion would do."""

    async def scenario(desk):
        for scale in (1.0, 1.25):
            holder = QWidget()
            editor = NoteEditor(text)
            font = editor.font()
            font.setPointSizeF(font.pointSizeF() * scale)
            editor.setFont(font)
            inside = QVBoxLayout(holder)
            inside.addWidget(editor)
            holder.resize(420, 400)
            holder.show()
            await calm()
            assert editor.verticalScrollBar().maximum() == 0
            assert editor.height() < 220

    stage.play(scenario)


def test_a_moment_is_one_line_that_nobody_can_turn():
    made = Moment("all day", "\n\nWeekly meeting\n\u202edecision", "with\nMei")
    assert (made.title, made.details) == ("Weekly meeting decision", "with Mei")


@pytest.mark.parametrize(
    "text", ["x" * 300, f"Written: /home/{'a-folder/' * 30}f.json", "ж" * 300, "\N{GRINNING FACE}" * 200, "预算" * 150]
)
def test_a_word_without_end_widens_no_page(stage, text):
    async def scenario(desk):
        label = plain(text, is_wrapping=True)
        assert label.text() == text
        assert label.minimumSizeHint().width() < 200
        label.setFixedWidth(300)
        label.show()
        assert label.heightForWidth(300) > 3 * label.fontMetrics().lineSpacing()
        label.setText("An internationalisation")
        assert QLabel.text(label) == "An internationalisation", "a word that people write stays whole"

    stage.play(scenario)


def test_work_that_is_paused_when_the_window_ends_lets_its_thread_go(stage):
    async def scenario(desk):
        shown, seen = WorkLine(desk.wording, desk.theme), []

        async def work():
            with shown.work(msg("Looking")) as running:
                seen.append(running.stop)
                running.stop.pause()
                await desk.blocking.run(running.stop.checkpoint)

        task = desk.doing(work(), "test", None)
        await until(lambda: seen)
        await calm()
        task.cancel()
        await until(task.done)
        assert seen[0].is_stopped, "the process would never end"

    stage.play(scenario)
