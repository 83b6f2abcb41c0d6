"""The pages: sources with their progress, settings from their declarations, privacy, home."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton

from app.domain.checking import CheckReport, Finding
from app.domain.collecting import ImportReport, SyncState
from app.domain.errors import Refused, Unavailable
from app.domain.events import SyncFinished
from app.domain.progress import Progress
from app.domain.text import msg
from app.famulus.api import ModelState
from app.settings.declarations import DECLARATIONS
from app.ui.coming import Coming
from app.ui.pages.about import AboutPage
from app.ui.pages.changes import ChangesPage
from app.ui.pages.home import HomePage
from app.ui.pages.settings import SettingsPage
from app.ui.pages.source_form import SourceForm
from app.ui.pages.sources import SourcesPage
from app.ui.pages.tasks import TasksPage
from app.ui.parts.buttons import Button
from app.ui.parts.confirmation import Confirmation
from app.ui.parts.labels import plain
from app.ui.parts.layouts import Page
from app.ui.tokens import GAP
from tests.ui.demo_facade import KINDS, RECOVERY_KEY
from tests.ui.demo_world import source
from tests.ui.stage import calm, until


async def sources_page(desk):
    page = SourcesPage(desk)
    page.show()
    page.refresh()
    await until(lambda: len(page.cards) == len(desk.api.listed))
    return page


def question_of(page):
    return page.findChild(Confirmation)


def test_a_card_says_how_its_source_is(stage):
    async def scenario(desk):
        page = await sources_page(desk)
        assert "Up to date" in page.cards["s1"]._health.text()
        assert "synced 4 min ago" in page.cards["s1"]._health.text()
        assert "312 entries" in page.cards["s1"]._health.text()
        assert "The folder is not there." in page.cards["s3"]._health.text()
        assert page.cards["s3"]._health.property("role") == "warning"

    stage.play(scenario)


def test_adding_a_folder_collects_from_it_at_once(stage):
    async def scenario(desk):
        page = await sources_page(desk)
        page._add("files", "/home/mei/New")
        await until(lambda: "sync" in desk.api.names())
        assert ("add_source", ("files", "/home/mei/New")) in desk.api.calls
        assert "new3" in page.cards

    stage.play(scenario)


def test_a_kind_with_a_password_is_set_up_on_a_sheet(stage):
    async def scenario(desk):
        page = await sources_page(desk)
        page.add_other()
        await until(lambda: "source_kinds" in desk.api.names())
        await calm()
        words = [action.text() for action in page.kinds_menu.actions()]
        assert "A mailbox on a server." in words
        form = page.set_up(KINDS[1])
        form.location.setText(" imaps://mei@mail.example ")
        form.secret.setText("pw")
        form.options["folders"].setText("INBOX")
        form.sensitivity.choose("confidential")
        desk.api.failures["add_source"] = Unavailable(msg("There is no keychain."), next_step=msg("Set one up."))
        form.do_button.click()
        await until(form.banner.isVisible)
        assert "There is no keychain." in form.banner.text
        assert not form.secret.text()
        del desk.api.failures["add_source"]
        form.secret.setText("pw")
        form.do_button.click()
        await until(lambda: "sync" in desk.api.names())
        draft = desk.api.drafts[-1]
        assert (draft.kind, draft.location, draft.secret) == ("imap", "imaps://mei@mail.example", "pw")
        assert (draft.options, draft.sensitivity.word) == ({"folders": "INBOX"}, "confidential")

    stage.play(scenario)


def test_a_source_is_paused_and_set_up_from_its_menu(stage):
    async def scenario(desk):
        page = await sources_page(desk)
        card = page.cards["s1"]
        card._open_menu()
        card._menu.close()
        card._pause.trigger()
        await until(lambda: page.cards["s1"].source.is_paused)
        assert "Paused" in card._health.text()
        card._set_up.trigger()
        await until(lambda: page.findChild(SourceForm) is not None)
        form = page.findChild(SourceForm)
        assert form.location.isReadOnly()
        form.name.setText("Diary")
        form.do_button.click()
        await until(lambda: page.cards["s1"].source.name == "Diary")

    stage.play(scenario)


def test_a_task_is_ticked_off(stage):
    async def scenario(desk):
        page = TasksPage(desk)
        page.show()
        page.refresh()
        await until(lambda: page.ticks)
        tick = page.ticks["e2"]
        assert tick.accessibleName() == "Test report due"
        tick.click()
        await until(lambda: ("mark_task", ("e2", True)) in desk.api.calls)
        desk.api.failures["mark_task"] = Unavailable(msg("It is gone."), next_step=msg("Sync."))
        tick.click()
        await until(page.banner.isVisible)

    stage.play(scenario)


def test_a_change_has_its_reason_and_an_undo(stage):
    async def scenario(desk):
        page = ChangesPage(desk)
        page.show()
        page.refresh()
        await until(lambda: page.cards.count() == 2)
        first = page.cards.itemAt(0).widget()
        words = [label.text() for label in first.findChildren(QLabel)]
        assert "Trip to Berlin" in words
        assert any("Cancelled by" in word for word in words)
        undo = next(button for button in first.findChildren(Button) if button.text() == "Undo")
        undo.click()
        await until(lambda: page.cards.count() == 1)
        assert ("undo_change", (1,)) in desk.api.calls
        suggestion = page.cards.itemAt(0).widget()
        assert not [button for button in suggestion.findChildren(Button) if button.text() == "Undo"]
        page.undone.click()
        await until(lambda: page.cards.count() == 3)

    stage.play(scenario)


def test_a_folder_that_cannot_be_added_is_told(stage):
    async def scenario(desk):
        desk.api.failures["add_source"] = Unavailable(msg("It is not there."), next_step=msg("Choose another."))
        page = await sources_page(desk)
        page._add("files", "/nowhere")
        await until(page.banner.isVisible)
        assert "It is not there." in page.banner.text

    stage.play(scenario)


def test_a_sync_shows_progress_and_can_be_paused_and_cancelled(stage):
    async def scenario(desk):
        gate = desk.api.gates["sync"] = asyncio.Event()
        desk.api.steps["sync"] = [Progress("sync:s1", msg("Reading"), 120, 312)]
        page = await sources_page(desk)
        card = page.cards["s1"]
        card.sync_button.click()
        await until(lambda: card.progress._count.text() == "120 of 312")
        assert card.progress.isVisible()
        assert not card.sync_button.isEnabled()
        assert "Collecting" in card._health.text()
        switch = desk.collecting.job("s1").switch
        card.progress.pause_button.click()
        assert switch.is_paused
        assert "Paused" in card._health.text()
        card.progress.pause_button.click()
        assert not switch.is_paused
        card.progress.cancel_button.click()
        assert switch.is_stopped
        gate.set()
        await until(lambda: not card.progress.isVisible())
        assert card.sync_button.isEnabled()

    stage.play(scenario)


def test_a_sync_begins_once(stage):
    async def scenario(desk):
        gate = desk.api.gates["sync"] = asyncio.Event()
        page = await sources_page(desk)
        page.cards["s1"].sync()
        page.cards["s1"].sync()
        await calm()
        gate.set()
        await until(lambda: not desk.collecting.is_busy)
        assert desk.api.names().count("sync") == 1

    stage.play(scenario)


def test_many_deletions_are_accepted_only_when_asked(stage):
    async def scenario(desk):
        desk.api.failures["sync"] = Refused(msg("60 of 80 are gone."), next_step=msg("Look first."))
        page = await sources_page(desk)
        card = page.cards["s1"]
        card.sync()
        await until(card.banner.isVisible)
        (accept,) = [found for found in card.banner.findChildren(QPushButton) if found.text().startswith("Accept")]
        desk.api.failures.clear()
        accept.click()
        question_of(card).dont_button.click()
        await calm()
        assert desk.api.names().count("sync") == 1
        accept.click()
        await until(lambda: question_of(card) is not None)
        question_of(card).do_button.click()
        await until(lambda: not desk.collecting.is_busy and desk.api.names().count("sync") == 2)
        confirmed = [details[1] for name, details in desk.api.calls if name == "sync"]
        assert confirmed == [False, True]

    stage.play(scenario)


def test_all_are_synced_one_after_the_other_and_one_problem_stops_none(stage):
    async def scenario(desk):
        page = await sources_page(desk)
        desk.api.failures["sync"] = Unavailable(msg("Gone."), next_step=msg("Wait."))
        page.sync_button.click()
        await until(lambda: desk.api.names().count("sync") == 3)
        await until(lambda: all(card.banner.isVisible() for card in page.cards.values()))

    stage.play(scenario)


def test_files_that_were_taken_in_once_have_nothing_to_sync(stage):
    def prepare(api):
        api.listed.append(source("imports", "imports", "Imported files", "", 3))

    async def scenario(desk):
        page = await sources_page(desk)
        card = page.cards["imports"]
        assert card._name.text() == "Files taken in once"
        assert "3 entries" in card._health.text()
        assert not card.sync_button.isVisible()
        page.sync_button.click()
        await until(lambda: desk.api.names().count("sync") == 3)
        desk.collecting.sync_all(None)
        await until(lambda: desk.api.names().count("sync") == 6)
        assert "imports" not in [details[0] for name, details in desk.api.calls if name == "sync"]

    stage.play(scenario, prepare=prepare)


def test_removing_asks_first(stage):
    async def scenario(desk):
        page = await sources_page(desk)
        page.cards["s2"].wants_removal.emit(page.cards["s2"].source)
        question_of(page).dont_button.click()
        await calm()
        assert "remove_source" not in desk.api.names()
        page.cards["s2"].wants_removal.emit(page.cards["s2"].source)
        await until(lambda: question_of(page) is not None)
        question_of(page).do_button.click()
        await until(lambda: "s2" not in page.cards)
        assert ("remove_source", ("s2",)) in desk.api.calls
        assert "148" in page.banner.text

    stage.play(scenario)


def test_without_sources_the_page_says_what_will_be_here(stage):
    async def scenario(desk):
        page = SourcesPage(desk)
        page.show()
        page.refresh()
        await until(page._empty.isVisible)
        assert not page.sync_button.isVisible()

    stage.play(scenario, prepare=lambda api: setattr(api, "listed", []))


def test_what_is_dropped_becomes_a_source_or_is_taken_in_once(stage, tmp_path):
    folder, calendar, letter = tmp_path / "Notes", tmp_path / "a.ICS", tmp_path / "letter.docx"
    folder.mkdir()
    calendar.touch()
    letter.touch()

    async def scenario(desk):
        page = await sources_page(desk)
        page.take([str(folder), str(calendar), str(letter)])
        await until(lambda: "import_paths" in desk.api.names())
        added = [details for name, details in desk.api.calls if name == "add_source"]
        assert added == [("files", str(folder)), ("ics", str(calendar))]
        assert ("import_paths", (str(letter),)) in desk.api.calls

    stage.play(scenario)


def test_a_refused_file_says_why(stage):
    async def scenario(desk):
        page = await sources_page(desk)
        page._tell_import([ImportReport("/a"), ImportReport("/b", refusal=msg("it is encrypted"))])
        assert page.banner.text == "1 file was taken in.\n1 could not be: it is encrypted"

    stage.play(scenario)


def test_a_change_elsewhere_is_shown(stage):
    async def scenario(desk):
        page = await sources_page(desk)
        desk.api.listed[0] = replace(desk.api.listed[0], state=SyncState.SYNCING)
        (report,) = await desk.api.sync("s2")
        desk.bus.publish(SyncFinished(report))
        await until(lambda: "Collecting" in page.cards["s1"]._health.text())

    stage.play(scenario)


async def settings_page(desk):
    page = SettingsPage(desk)
    page.show()
    page.refresh()
    await until(lambda: desk.api.names().count("setting") >= len(DECLARATIONS))
    await calm()
    return page


def test_every_declared_setting_has_its_row(stage):
    async def scenario(desk):
        page = await settings_page(desk)
        assert list(page.rows) != []
        assert set(page.rows) == {setting.name for setting in DECLARATIONS}

    stage.play(scenario)


def test_a_choice_is_stored_and_told(stage):
    async def scenario(desk):
        page, told = await settings_page(desk), []
        page.changed.connect(lambda name, value: told.append((name, value)))
        control = page.rows["interface.theme"].control.widget
        assert control.key == "light"
        control.menu().actions()[2].trigger()
        await until(lambda: told == [("interface.theme", "dark")])
        assert desk.api.settings["interface.theme"] == "dark"

    stage.play(scenario)


def test_a_switch_and_a_hotkey(stage):
    async def scenario(desk):
        page = await settings_page(desk)
        page.rows["sync.watch"].control.widget.click()
        await until(lambda: desk.api.settings["sync.watch"] == "false")
        page.rows["interface.hotkey"].control.widget.captured.emit("<ctrl>+<alt>+j")
        await until(lambda: desk.api.settings["interface.hotkey"] == "<ctrl>+<alt>+j")

    stage.play(scenario)


def test_a_bad_value_is_taken_back_and_explained(stage):
    async def scenario(desk):
        page, told = await settings_page(desk), []
        page.changed.connect(lambda *change: told.append(change))
        row = page.rows["sync.interval_minutes"]
        row.control.widget.setText("often")
        row.control.widget.editingFinished.emit()
        await until(row.banner.isVisible)
        assert row.control.widget.text() == "30"
        assert told == []

    stage.play(scenario)


def test_a_setting_that_needs_a_restart_says_so(stage):
    async def scenario(desk):
        page = await settings_page(desk)
        page.more_button.click()
        row = page.rows["store.readers"]
        row.control.widget.setText("4")
        row.control.widget.editingFinished.emit()
        await until(row.banner.isVisible)
        assert "starts again" in row.banner.text

    stage.play(scenario)


def test_the_advanced_settings_are_out_of_the_way(stage):
    async def scenario(desk):
        page = await settings_page(desk)
        assert not page.rows["store.readers"].isVisible()
        page.more_button.click()
        assert page.rows["store.readers"].isVisible()
        page.more_button.click()
        assert not page.rows["store.readers"].isVisible()

    stage.play(scenario)


def test_the_check_is_shown_and_repairs_when_asked(stage, monkeypatch):
    async def scenario(desk):
        page = AboutPage(desk)
        page.show()
        page.check_button.click()
        await until(page._findings.isVisible)
        assert "Everything is whole." in page._findings.text()
        assert not page.repair_button.isVisible()

        async def broken(*, is_repairing=False, progress=None):
            desk.api.calls.append(("check", (is_repairing,)))
            return CheckReport((Finding("vectors", 3, msg("2 are missing"), was_repaired=is_repairing),))

        monkeypatch.setattr(desk.api, "check", broken)
        page.check_button.click()
        await until(page.repair_button.isVisible)
        assert "vectors: 3 · 2 are missing" in page._findings.text()
        await until(page.repair_button.isEnabled)
        page.repair_button.click()
        await until(lambda: not page.repair_button.isVisible())
        assert "(repaired)" in page._findings.text()

    stage.play(scenario)


def test_a_passphrase_is_set_and_taken_away(stage):
    async def scenario(desk):
        keys = AboutPage(desk).keys
        keys.show()
        keys.passphrase_button.click()
        keys.new_passphrase.first.setText("four words or more")
        keys.new_passphrase.second.setText("four words or more")
        keys.store_button.click()
        await until(lambda: ("set_passphrase", ("four words or more",)) in desk.api.calls)
        assert keys.new_passphrase.first.text() == ""
        keys.remove_button.click()
        question_of(keys).do_button.click()
        await until(lambda: ("set_passphrase", (None,)) in desk.api.calls)

    stage.play(scenario)


def test_a_new_recovery_key_is_shown_once(stage):
    async def scenario(desk):
        keys = AboutPage(desk).keys
        keys.show()
        keys.recovery_button.click()
        question_of(keys).do_button.click()
        await until(lambda: keys.recovery._key.text() == RECOVERY_KEY)
        assert not keys.done_button.isEnabled()
        keys.recovery.tick.click()
        keys.done_button.click()
        assert keys.recovery._key.text() == ""

    stage.play(scenario)


async def home_page(desk):
    page = HomePage(desk)
    page.show()
    page.refresh()
    desk.status.changed.emit()
    await until(lambda: len(page._agenda) == 4)
    await calm()
    return page


def texts(widget):
    return "\n".join(label.text() for label in widget.findChildren(type(widget._heading.title)))


def test_home_shows_what_comes(stage):
    async def scenario(desk):
        page = await home_page(desk)
        shown = texts(page)
        assert "Wednesday 14 May" in shown
        for part in ("Today, Wednesday 14 May", "Test report due", "Launch review", "10:30", "Friday 16 May"):
            assert part in shown
        assert next(details for name, details in desk.api.calls if name == "agenda") == ("2025-05-14",)

    stage.play(scenario)


def test_home_says_who_needs_the_person(stage):
    async def scenario(desk):
        page, wanted = await home_page(desk), []
        page.wants_page.connect(wanted.append)
        await until(lambda: "Needs you: Papers" in texts(page))
        page._health.sources_line.button.click()
        assert wanted == ["sources"]

    stage.play(scenario)


def test_recent_questions_can_be_asked_again(stage):
    async def scenario(desk):
        page, wanted = await home_page(desk), []
        page.wants_ask.connect(wanted.append)
        assert not page._recent.isVisible()
        desk.history.add("R&D <b>budget</b>?")
        (link,) = page._recent.findChildren(QPushButton)
        assert link.text() == "R&&D <b>budget</b>?"
        link.click()
        page.ask_button.click()
        assert wanted == ["R&D <b>budget</b>?", ""]

    stage.play(scenario)


def test_the_model_can_be_installed_from_home(stage):
    async def scenario(desk):
        page = await home_page(desk)
        await until(page._health.meaning_line.button.isVisible)
        desk.api.gates["install_model"] = asyncio.Event()
        page._health.meaning_line.button.click()
        await until(page._health.progress.isVisible)
        desk.api.gates["install_model"].set()
        await until(lambda: not page._health.progress.isVisible())
        await until(lambda: "by meaning" in texts(page))

    stage.play(scenario, prepare=lambda api: setattr(api, "model", ModelState.ABSENT))


def test_indexing_can_be_paused_from_home(stage):
    async def scenario(desk):
        page = await home_page(desk)
        page._health.meaning_line.button.click()
        await until(lambda: desk.api.is_embedding_paused)
        await until(lambda: "Indexing is paused." in texts(page))

    stage.play(scenario, prepare=lambda api: setattr(api, "waiting", 12))


@pytest.mark.parametrize("call", ["agenda", "sources"])
def test_a_problem_on_home_is_told(stage, call):
    async def scenario(desk):
        desk.api.failures[call] = Unavailable(msg("Not now."), next_step=msg("Later."))
        page = HomePage(desk)
        page.show()
        page.refresh()
        desk.status.changed.emit()
        await until(lambda: page.banner.isVisible() or page._health.banner.isVisible())

    stage.play(scenario)


def test_the_fields_of_a_sheet_can_be_seen(stage):
    """A sheet is a child of its page; what makes the page's own ground see-through must not reach it."""

    async def scenario(desk):
        page = await sources_page(desk)
        form = page.set_up(KINDS[1])
        await calm()
        field = form.name
        image = field.grab().toImage()
        middle = image.pixelColor(image.width() // 2, image.height() // 2).name()
        edge = image.pixelColor(image.width() // 2, 0).name()
        assert middle == QColor(desk.theme.palette.surface).name()
        assert edge not in {middle, QColor(desk.theme.palette.paper).name()}

    stage.play(scenario)


def test_what_the_window_shows_by_itself_is_no_request(stage):
    async def scenario(desk):
        page = HomePage(desk)
        page.show()
        page.refresh()
        Coming(desk).look()
        await until(lambda: desk.api.names().count("agenda") == 6)
        assert not any(desk.api.is_asked)

    stage.play(scenario)


def test_a_page_ends_where_its_content_does_and_stays_where_it_is(stage):
    """Below wrapped text there is no blank left of what it would need on a narrow page; no bar moves the content."""

    async def scenario(desk):
        page = Page()
        inside = page.content.parentWidget()
        page.resize(900, 300)
        page.content.addWidget(plain("short"))
        page.show()
        await calm()
        left = inside.mapTo(page, QPoint(0, 0)).x()
        page.content.addWidget(plain("many words that break on a narrow page, " * 60, is_wrapping=True))
        page.content.addStretch(1)
        await calm()
        assert page.verticalScrollBar().maximum() > 0
        text = page.content.itemAt(1).widget()
        assert inside.height() - text.geometry().bottom() < GAP, "nothing but the text fills the page"
        assert inside.mapTo(page, QPoint(0, 0)).x() == left

    stage.play(scenario)
