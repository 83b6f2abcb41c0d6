"""Marking what a question should have found, and the weights that the marks propose (G7.2)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.domain.errors import Unavailable
from app.domain.progress import Progress
from app.domain.text import msg
from app.ui.pages.metrics.page import MetricsPage
from app.ui.pages.metrics.tuning import weight_name
from app.ui.parts.confirmation import Confirmation
from tests.ui.stage import calm, until


async def marking_of(desk):
    page = MetricsPage(desk)
    page.resize(900, 800)
    page.show()
    desk.api.shown = page  # kept as long as the scenario
    page.open_section("marking")
    await until(lambda: page.marking.list.rows)
    return page.marking


async def opened(desk):
    marking = await marking_of(desk)
    marking.list.opened.emit(marking.list.rows[0])
    await until(lambda: marking.rows)
    return marking


def marks(desk):
    return [details for name, details in desk.api.calls if name == "mark"]


def test_questions_say_how_many_marks_they_have(stage):
    async def scenario(desk):
        marking = await marking_of(desk)
        assert marking._progress.text() == "Marked: 3 of 5 questions."
        first = marking.list.rows[0]
        assert first.details.startswith("3 marked")
        assert "you" in first.details
        assert first.icon == "done"
        marking.filter.setText("cedar")
        assert [row.title for row in marking.list.rows] == ["Where is the room Cedar?"]

    stage.play(scenario)


def test_the_keyboard_stays_where_the_question_is_opened(stage):
    async def scenario(desk):
        marking = await marking_of(desk)
        desk.api.shown.activateWindow()
        marking.list.enter()
        await until(marking.list.hasFocus)
        QTest.keyClick(marking.list, Qt.Key.Key_Return)
        await until(lambda: marking.rows)
        assert marking.back_button.hasFocus()
        QTest.keyClick(marking.back_button, Qt.Key.Key_Space)
        await until(marking.list.hasFocus)

    stage.play(scenario)


def test_what_one_question_found_is_never_marked_for_another(stage):
    async def scenario(desk):
        marking = await opened(desk)
        marking.back_button.click()
        desk.api.failures["items_to_mark"] = Unavailable(msg("Not now."), next_step=msg("Later."))
        marking.list.opened.emit(marking.list.rows[1])
        await until(marking.banner.isVisible)
        marking.refresh()
        await calm()
        assert marking._title.text() == marking.list.rows[1].title
        assert marking.rows == {}

    stage.play(scenario)


def test_what_comes_late_is_not_shown_below_another_question(stage):
    async def scenario(desk):
        marking = await marking_of(desk)
        gate = desk.api.gates["items_to_mark"] = asyncio.Event()
        marking.list.opened.emit(marking.list.rows[0])
        await calm()
        marking.back_button.click()
        await calm()
        gate.set()
        await calm()
        assert marking._listed.isVisible()
        assert marking.rows == {}

    stage.play(scenario)


def test_a_mark_is_given_changed_and_taken_back(stage):
    async def scenario(desk):
        marking = await opened(desk)
        query = desk.api.world.questions[0]
        assert [row.wanted.isChecked() for row in marking.rows.values()] == [True, False, False, False]
        assert marking.rows[3].unwanted.isChecked()
        second = marking.rows[2]
        assert second.wanted.accessibleName() == "“Test plan, version 4” should be found"
        second.wanted.click()
        second.unwanted.click()
        assert not second.wanted.isChecked()
        second.unwanted.click()
        await until(lambda: len(marks(desk)) == 3)
        assert marks(desk) == [(query, 2, True), (query, 2, False), (query, 2, None)]

    stage.play(scenario)


def test_a_mark_that_could_not_be_kept_is_not_shown(stage):
    async def scenario(desk):
        marking = await opened(desk)
        desk.api.failures["mark"] = Unavailable(msg("It is away."), next_step=msg("Wait."))
        marking.rows[2].wanted.click()
        await until(marking.banner.isVisible)
        assert not marking.rows[2].wanted.isChecked()

    stage.play(scenario)


def test_other_words_find_more_to_mark(stage):
    async def scenario(desk):
        marking = await opened(desk)
        marking.more.setText("manual")
        marking.more_button.click()
        await until(lambda: 9 in marking.rows)
        assert ("items_to_mark", (desk.api.world.questions[0], "manual")) in desk.api.calls
        marking.back_button.click()
        assert marking.list.isVisible()

    stage.play(scenario)


async def proposed(desk):
    marking = await marking_of(desk)
    marking.tuning.propose_button.click()
    await until(lambda: marking.tuning._proposal is not None)
    return marking.tuning


def words(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


def test_a_proposal_shows_what_changes_and_what_it_would_do(stage):
    async def scenario(desk):
        tuning = await proposed(desk)
        said = words(tuning)
        for text in ("Meaning", "0.55", "0.48", "Found among the first ten", "0.79", "0.86"):
            assert text in said
        assert "Made from 28 marked questions, and measured on 12 others." in said
        assert tuning.apply_button.isVisible()
        assert "apply_tuning" not in desk.api.names()

    stage.play(scenario)


def test_weights_are_applied_only_after_a_yes(stage):
    async def scenario(desk):
        tuning = await proposed(desk)
        tuning.apply_button.click()
        tuning.findChild(Confirmation).dont_button.click()
        await calm()
        assert "apply_tuning" not in desk.api.names()
        tuning.apply_button.click()
        await until(lambda: tuning.findChild(Confirmation) is not None)
        tuning.findChild(Confirmation).do_button.click()
        await until(lambda: ("apply_tuning", ("p-1",)) in desk.api.calls)
        await until(tuning.banner.isVisible)
        assert "ranking-1+9f2c" in tuning.banner.text
        assert not tuning.apply_button.isVisible()

    stage.play(scenario)


def test_the_first_weights_come_back_after_a_yes(stage):
    async def scenario(desk):
        marking = await marking_of(desk)
        marking.tuning.reset_button.click()
        marking.tuning.findChild(Confirmation).do_button.click()
        await until(lambda: "reset_tuning" in desk.api.names())

    stage.play(scenario)


def test_without_a_proposal_the_reason_is_told_and_nothing_can_be_applied(stage):
    def prepare(api):
        reason = msg("Too few questions are marked.")
        proposal = replace(api.served.proposal, changes=(), is_better=False, reason=reason)
        api.served = replace(api.served, proposal=proposal)

    async def scenario(desk):
        tuning = await proposed(desk)
        assert "Too few questions are marked." in words(tuning)
        assert not tuning.apply_button.isVisible()

    stage.play(scenario, prepare=prepare)


def test_weights_that_are_no_better_are_shown_and_cannot_be_applied(stage):
    def prepare(api):
        proposal = replace(api.served.proposal, is_better=False, reason=msg("That is chance."))
        api.served = replace(api.served, proposal=proposal)

    async def scenario(desk):
        tuning = await proposed(desk)
        assert {"That is chance.", "0.48"} <= set(words(tuning))
        assert not tuning.apply_button.isVisible()

    stage.play(scenario, prepare=prepare)


def test_an_earlier_proposal_is_gone_with_the_next_one_also_where_that_is_stopped(stage):
    async def scenario(desk):
        tuning = await proposed(desk)
        gate = desk.api.gates["propose_tuning"] = asyncio.Event()
        tuning.propose_button.click()
        await until(tuning.work.isVisible)
        assert not tuning.apply_button.isVisible()
        tuning.work.cancel_button.click()
        gate.set()
        await until(lambda: not tuning.work.isVisible())
        assert not tuning.apply_button.isVisible()

    stage.play(scenario)


def test_proposing_shows_progress_and_can_be_stopped(stage):
    async def scenario(desk):
        gate = desk.api.gates["propose_tuning"] = asyncio.Event()
        desk.api.steps["tune"] = [Progress("tune", msg("Trying"), 40, 200)]
        marking = await marking_of(desk)
        tuning = marking.tuning
        tuning.propose_button.click()
        await until(lambda: tuning.work._count.text() == "40 of 200")
        tuning.work.pause_button.click()
        assert tuning.work._running.stop.is_paused
        tuning.work.cancel_button.click()
        gate.set()
        await until(lambda: not tuning.work.isVisible())
        assert tuning._proposal is None

    stage.play(scenario)


def test_a_weight_without_words_keeps_its_name():
    assert weight_name("clues.order") == "clues.order"
    assert str(weight_name("final.semantic")) == "Meaning"
