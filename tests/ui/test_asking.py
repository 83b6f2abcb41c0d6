"""Words first, then meaning; the newest text wins, and what comes too late is dropped."""

from __future__ import annotations

import asyncio

import pytest

from app.domain.errors import Locked, Unavailable
from app.domain.text import msg
from app.ui.asking import Asking
from tests.ui.stage import calm, until


class Told:
    """A place for problems, and ears for what `Asking` tells."""

    def __init__(self, desk, *, has_meaning=True):
        self.problems, self.hits, self.answers, self.log = [], [], [], []
        self.asking = Asking(desk.api, desk.doing, self, lambda: has_meaning)
        self.asking.hits.connect(self.hits.append)
        self.asking.answered.connect(self.answers.append)
        self.asking.began.connect(lambda: self.log.append("began"))
        self.asking.ended.connect(lambda: self.log.append("ended"))

    def show_problem(self, error):
        self.problems.append(error)

    def show_bug(self):
        self.problems.append("bug")

    def end_problem(self):
        pass


def searches(desk):
    return [details for name, details in desk.api.calls if name == "search"]


def test_words_come_first_then_meaning(stage):
    async def scenario(desk):
        told = Told(desk)
        told.asking.type(" test report ")
        await until(lambda: len(told.hits) == 2)
        assert searches(desk) == [("test report", "words"), ("test report", "full")]
        assert told.hits[0] == list(desk.api.world.hits)

    stage.play(scenario)


def test_without_a_model_words_are_all(stage):
    async def scenario(desk):
        told = Told(desk, has_meaning=False)
        told.asking.type("report")
        await until(lambda: not told.asking._is_looking)
        assert searches(desk) == [("report", "words")]

    stage.play(scenario)


def test_while_one_is_under_way_only_the_newest_text_waits(stage):
    async def scenario(desk):
        told = Told(desk, has_meaning=False)
        gate = desk.api.gates["search"] = asyncio.Event()
        for text in ("t", "te", "tes", "test"):
            told.asking.type(text)
            await calm()
        gate.set()
        await until(lambda: not told.asking._is_looking)
        assert searches(desk) == [("t", "words"), ("test", "words")]
        assert len(told.hits) == 1, "hits for a text that is no longer in the field are dropped"

    stage.play(scenario)


def test_an_emptied_field_gets_no_hits(stage):
    async def scenario(desk):
        told = Told(desk)
        gate = desk.api.gates["search"] = asyncio.Event()
        told.asking.type("test")
        await calm()
        told.asking.type("")
        gate.set()
        await until(lambda: not told.asking._is_looking)
        assert told.hits == []

    stage.play(scenario)


def test_typing_on_skips_the_search_by_meaning(stage):
    async def scenario(desk):
        told = Told(desk)
        told.asking.type("te")
        await until(lambda: told.hits)
        told.asking.type("test")
        await until(lambda: len(told.hits) == 3)
        assert searches(desk) == [("te", "words"), ("test", "words"), ("test", "full")]

    stage.play(scenario)


def test_an_answer(stage):
    async def scenario(desk):
        told = Told(desk)
        told.asking.ask("when?")
        await until(lambda: told.answers)
        await until(lambda: told.log == ["began", "ended"])
        assert told.answers == [desk.api.world.answer]

    stage.play(scenario)


def test_a_second_question_drops_the_first(stage):
    async def scenario(desk):
        told = Told(desk)
        gate = desk.api.gates["ask"] = asyncio.Event()
        told.asking.ask("first?")
        await calm()
        told.asking.ask("second?")
        gate.set()
        await until(lambda: told.answers)
        await calm()
        assert len(told.answers) == 1
        assert told.log == ["began", "ended", "began", "ended"]

    stage.play(scenario)


def test_typing_drops_an_answer(stage):
    async def scenario(desk):
        told = Told(desk, has_meaning=False)
        gate = desk.api.gates["ask"] = asyncio.Event()
        told.asking.ask("first?")
        told.asking.type("something else")
        gate.set()
        await until(lambda: told.hits)
        await calm()
        assert told.answers == []

    stage.play(scenario)


@pytest.mark.parametrize("call", ["ask", "search"])
def test_a_problem_is_told_and_the_next_question_works(stage, call):
    async def scenario(desk):
        told = Told(desk, has_meaning=False)
        desk.api.failures[call] = Locked(msg("It is locked."), next_step=msg("Unlock it."))
        told.asking.ask("when?") if call == "ask" else told.asking.type("when")
        await until(lambda: told.problems)
        desk.api.failures.clear()
        told.asking.ask("again?")
        await until(lambda: told.answers)

    stage.play(scenario)


def test_a_bug_is_told_as_one(stage, caplog):
    async def scenario(desk):
        told = Told(desk)
        desk.api.failures["ask"] = ZeroDivisionError("secret content")
        told.asking.ask("when?")
        await until(lambda: told.problems == ["bug"])

    stage.play(scenario)
    assert "answer failed" in caplog.text


def test_expected_problems_leave_no_content_in_the_log(stage, caplog):
    async def scenario(desk):
        told = Told(desk)
        desk.api.failures["ask"] = Unavailable(msg("secret content"), next_step=msg("wait"))
        told.asking.ask("secret question?")
        await until(lambda: told.problems)

    with caplog.at_level("DEBUG"):
        stage.play(scenario)
    assert "secret" not in caplog.text


def test_what_is_found_while_typing_is_no_request(stage):
    async def scenario(desk):
        told = Told(desk)
        told.asking.type("test report")
        await until(lambda: len(told.hits) == 2)
        assert desk.api.is_asked == [False, False]

    stage.play(scenario)
