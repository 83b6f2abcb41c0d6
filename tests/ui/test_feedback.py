"""How an answer was: said by a click or a key, once; copying it counts as using it (G7)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.serving import Outcome
from app.ui.explain_panel import ExplainPanel
from app.ui.quick_ask import QuickAsk
from app.ui.quick_ask_view import Mode
from tests.ui.stage import calm, until


async def answered(desk, *, request_id="q1"):
    desk.api.world = replace(desk.api.world, answer=replace(desk.api.world.answer, request_id=request_id))
    ask = QuickAsk(desk)
    ask.open(desk.api.world.question)
    await until(lambda: ask.view.mode is Mode.ANSWER)
    await calm()
    return ask


@pytest.mark.parametrize(
    ("key", "button", "outcome"),
    [
        (Qt.Key.Key_Up, "helpful", Outcome("q1", is_success=True)),
        (Qt.Key.Key_Down, "wrong", Outcome("q1", is_success=False, is_adopted=False)),
    ],
)
def test_by_key_and_by_click(stage, key, button, outcome):
    async def scenario(desk):
        ask = await answered(desk)
        assert ask.view.feedback.isVisible()
        QTest.keyClick(ask.view.field, key, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: desk.api.outcomes)
        QTest.keyClick(ask.view.field, key, Qt.KeyboardModifier.ControlModifier)
        await calm()
        assert desk.api.outcomes == [outcome], "it is said once"
        assert "Counted" in ask.view.feedback._told.text()
        desk.api.outcomes.clear()
        again = await answered(desk)
        getattr(again.view.feedback, button).click()
        await until(lambda: desk.api.outcomes)
        assert desk.api.outcomes == [outcome]

    stage.play(scenario)


def test_saying_it_moves_nothing(stage):
    async def scenario(desk):
        ask = await answered(desk)
        before = (ask.view.feedback.sizeHint().height(), ask.view.height())
        ask.view.feedback.helpful.click()
        await until(lambda: desk.api.outcomes)
        await calm()
        assert "Counted" in ask.view.feedback._told.text()
        assert (ask.view.feedback.sizeHint().height(), ask.view.height()) == before

    stage.play(scenario)


def test_copying_is_using(stage):
    async def scenario(desk):
        ask = await answered(desk)
        ask.view.field.copied.emit()
        await until(lambda: desk.api.outcomes)
        assert desk.api.outcomes == [Outcome("q1", is_adopted=True)]

    stage.play(scenario)


def test_an_answer_that_was_not_logged_is_not_asked_about(stage):
    async def scenario(desk):
        ask = await answered(desk, request_id="")
        assert not ask.view.feedback.isVisible()
        QTest.keyClick(ask.view.field, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
        ask.view.field.copied.emit()
        await calm()
        assert desk.api.outcomes == []

    stage.play(scenario)


def test_typing_goes_on_and_the_row_goes(stage):
    async def scenario(desk):
        ask = await answered(desk)
        QTest.keyClicks(ask.view.field, "x")
        await calm()
        assert not ask.view.feedback.isVisible()

    stage.play(scenario)


def test_why_shows_every_part_what_it_adds_and_the_ranking(stage):
    async def scenario(desk):
        panel = ExplainPanel(desk.wording, desk.theme)
        explanation = {
            "semantic": 0.473,
            "lexical": 0.087,
            "freshness": 0.19,
            "confidence": 0.09,
            "active_task": 0.05,
            "final": 0.89,
            "clues": 0.11,
            "has_vector": 0.0,
            "coverage": 0.75,
            "relevance": 0.6,
            "folded": 2.0,
        }
        panel.show_item(replace(desk.api.world.hits[0], explanation=explanation, ranking="ranking-3+ab12"))
        spoken = panel.accessibleName()
        for text in (
            "Meaning 0.86 adds 0.473",
            "Words 0.58 adds 0.087",
            "Open task adds 0.050",
            "Together 0.84",
            "decay by age 0.96",
            "moved the meaning by +0.11",
            "no vector yet",
            "has 75% of the words",
            "stands for 2 more like it",
            "ranking: ranking-3+ab12",
        ):
            assert text in spoken

    stage.play(scenario)
