"""Templates: chosen from a list, filled in, run with progress and Stop, and read with their sources (G4.5)."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from shiboken6 import isValid

from app.domain.errors import BadInput
from app.domain.progress import Progress
from app.domain.text import msg
from app.ui.pages.prepare import template_form
from app.ui.pages.prepare.page import PreparePage
from tests.ui.stage import calm, until


async def prepare_page(desk):
    page = PreparePage(desk)
    page.resize(900, 800)
    page.show()
    page.refresh()
    await until(lambda: page.list.rows)
    return page


def prepared(desk):
    return [details for name, details in desk.api.calls if name == "prepare"]


def test_the_list_says_what_each_is_for_and_what_is_wrong(stage):
    async def scenario(desk):
        page = await prepare_page(desk)
        by_name = {row.key: row for row in page.list.rows}
        assert by_name["weekly-report"].title == "Weekly report"
        assert "with its sources" in by_name["weekly-report"].snippet
        assert by_name["my-minutes"].details == "your own"
        assert by_name["broken"].details == "cannot be used: unknown kind: memo"
        assert by_name["broken"].is_stale
        page.filter.setText("mail thread")
        assert [row.key for row in page.list.rows] == ["reply"]
        assert not page.list._nothing.isVisible()
        page.filter.setText("no such words")
        assert page.list._nothing.isVisible()
        assert not page.list.isVisible()
        page.filter.clear()
        assert page.list.isVisible()

    stage.play(scenario)


def test_from_the_list_to_the_briefing_by_keyboard(stage):
    async def scenario(desk):
        page = await prepare_page(desk)
        page.activateWindow()
        page.filter.setFocus()
        page.filter.setText("meeting")
        QTest.keyClick(page.filter, Qt.Key.Key_Down)
        await until(page.list.hasFocus)
        QTest.keyClick(page.list, Qt.Key.Key_Return)
        form = page.form
        await until(form.fields["meeting"].hasFocus)
        QTest.keyClicks(form.fields["meeting"], "launch review")
        QTest.keyClick(form.fields["meeting"], Qt.Key.Key_Return)
        await until(form.result.isVisible)
        assert prepared(desk) == [("meeting", {"meeting": "launch review"}, None)]
        form.back_button.click()
        assert page.form is None
        assert page.list.isVisible()

    stage.play(scenario)


def test_a_briefing_has_its_parts_notes_and_sources(stage, monkeypatch):
    opened = []

    async def note(uri, _):
        opened.append(uri)

    monkeypatch.setattr(template_form, "open_source", note)

    async def scenario(desk):
        page = await prepare_page(desk)
        form = page.open_template("weekly-report")
        form.run()
        await until(form.result.isVisible)
        said = [label.text() for label in form.result.findChildren(QLabel)]
        assert "Done and decided" in said
        assert "Nothing was found for this." in said
        assert "Whatever is taken from here needs its source." in said
        assert "Found by words only so far." in said
        first = form.result.lists[0]
        assert [row.title for row in first.rows] == [
            "Weekly meeting, 10 May",
            "Test plan, version 4",
            "Test report due",
        ]
        first.choose(0)
        QTest.keyClick(first, Qt.Key.Key_Return)
        await until(lambda: opened)
        assert opened == ["file:///home/mei/Notes/weekly-2025-05-10.md"]
        facts = form.result.lists[1].rows[-1]
        assert "Launch" in facts.title
        assert "Friday 16 May" in facts.title

    stage.play(scenario)


def test_as_text_and_on_the_clipboard(stage):
    async def scenario(desk):
        page = await prepare_page(desk)
        form = page.open_template("weekly-report")
        form.run()
        await until(form.result.isVisible)
        form.result.tabs.choose("text")
        assert form.result.text.isVisible()
        assert not form.result.lists[0].isVisible()
        assert "Weekly report, 12 to 18 May" in form.result.text.toPlainText()
        form.result.copy_button.click()
        assert QGuiApplication.clipboard().text() == desk.api.served.briefing.text
        form.result.tabs.choose("parts")
        assert form.result.lists[0].isVisible()

    stage.play(scenario)


def test_it_can_be_stopped(stage):
    async def scenario(desk):
        gate = desk.api.gates["prepare"] = asyncio.Event()
        desk.api.steps["prepare"] = [Progress("prepare", msg("Reading"), 3, 12)]
        page = await prepare_page(desk)
        form = page.open_template("weekly-report")
        form.run_button.click()
        await until(lambda: form.work._count.text() == "3 of 12")
        assert form.work.isVisible()
        assert not form.run_button.isEnabled()
        form.work.cancel_button.click()
        gate.set()
        await until(lambda: not form.work.isVisible())
        await calm()
        assert not form.result.isVisible()
        assert not form.banner.isVisible()
        assert form.run_button.isEnabled()

    stage.play(scenario)


def test_leaving_stops_what_is_under_way(stage):
    async def scenario(desk):
        gate = desk.api.gates["prepare"] = asyncio.Event()
        page = await prepare_page(desk)
        form = page.open_template("weekly-report")
        form.run()
        await until(lambda: prepared(desk))
        switch = form.work._running.stop
        form.back_button.click()
        assert switch.is_stopped
        gate.set()
        await calm()

    stage.play(scenario)


def test_what_is_missing_is_told(stage):
    async def scenario(desk):
        desk.api.failures["prepare"] = BadInput(msg("Which meeting?"), next_step=msg("Fill it in."))
        page = await prepare_page(desk)
        form = page.open_template("meeting")
        form.fields["meeting"].setText("launch")
        form.run()
        await until(form.banner.isVisible)
        assert "Which meeting?" in form.banner.text

    stage.play(scenario)


def test_an_empty_field_is_told_in_its_own_words_and_has_the_keyboard(stage):
    async def scenario(desk):
        page = await prepare_page(desk)
        page.activateWindow()
        page.filter.setFocus()
        await until(page.filter.hasFocus)
        form = page.open_template("meeting")
        await until(form.fields["meeting"].hasFocus)
        form.fields["meeting"].setText("  ")
        form.fields["people"].setText("Anna")
        form.fields["people"].setFocus()
        QTest.keyClick(form.fields["people"], Qt.Key.Key_Return)
        await calm()
        assert prepared(desk) == []
        assert form.banner.text == "This is needed: Which meeting"
        await until(form.fields["meeting"].hasFocus)
        form.fields["meeting"].setText("launch")
        form.run()
        await until(lambda: prepared(desk))
        assert not form.banner.isVisible()

    stage.play(scenario)


def test_a_template_with_a_problem_shows_it_and_does_not_run(stage):
    async def scenario(desk):
        page = await prepare_page(desk)
        form = page.open_template("broken")
        said = [label.text() for label in form.findChildren(QLabel)]
        assert "unknown kind: memo" in said
        assert not form.run_button.isEnabled()
        form.run()
        await calm()
        assert prepared(desk) == []

    stage.play(scenario)


def test_without_templates_the_page_says_what_will_be_here(stage):
    def prepare(api):
        api.served = type(api.served)(**{**vars(api.served), "templates": ()})

    async def scenario(desk):
        page = PreparePage(desk)
        page.show()
        page.refresh()
        await until(page._empty.isVisible)

    stage.play(scenario, prepare=prepare)


def test_a_form_that_is_left_while_it_works_is_forgotten(stage, caplog):
    async def scenario(desk):
        page = await prepare_page(desk)
        gate = desk.api.gates["prepare"] = asyncio.Event()
        form = page.open_template("weekly-report")
        form.run()
        await until(lambda: prepared(desk))
        form.back_button.click()
        await until(lambda: not isValid(form))
        gate.set()
        await calm()

    stage.play(scenario)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
