"""No coroutine of the window fails in silence, and none outlives it."""

from __future__ import annotations

import asyncio
import threading

import pytest
from PySide6.QtWidgets import QPushButton
from shiboken6 import delete

from app.domain.errors import Cancelled, Unavailable
from app.domain.progress import Progress
from app.domain.text import msg
from app.runtime.tasks import Tasks
from app.ui.doing import Doing, ProgressRelay
from app.ui.parts.banner import Banner
from tests.ui.stage import calm, until


class Told:
    def __init__(self):
        self.what = []

    def show_problem(self, error):
        self.what.append(error)

    def show_bug(self):
        self.what.append("bug")

    def end_problem(self):
        self.what.append("over")


async def fail(error):
    raise error


async def nothing(_error):
    pass


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Unavailable(msg("Not now."), next_step=msg("Later.")), 1),
        (KeyError("x"), 1),
        (Cancelled(msg("Stopped."), next_step=msg("Go on.")), 0),
    ],
)
def test_what_fails_is_told_and_what_was_busy_is_free_again(stage, error, told):
    async def scenario(desk):
        place, button = Told(), QPushButton()
        task = desk.doing(fail(error), "test", place, busy=(button,))
        await until(task.done)
        assert len(place.what) == told
        assert button.isEnabled()

    stage.play(scenario)


@pytest.mark.parametrize("ends", [nothing, fail])
def test_whoever_is_gone_when_the_work_ends_is_told_nothing(stage, ends):
    async def scenario(desk):
        place, gate = Banner(desk.wording, desk.theme), asyncio.Event()

        async def work():
            await gate.wait()
            await ends(KeyError("x"))

        task = desk.doing(work(), "test", place)
        await calm()
        delete(place)
        gate.set()
        await until(task.done)
        assert task.exception() is None

    stage.play(scenario)


def test_meanwhile_the_button_is_busy(stage):
    async def scenario(desk):
        button, gate = QPushButton(), asyncio.Event()

        async def work():
            await gate.wait()

        task = desk.doing(work(), "test", None, busy=(button,))
        await until(lambda: not button.isEnabled())
        gate.set()
        await until(task.done)
        assert button.isEnabled()

    stage.play(scenario)


def test_what_works_since_takes_its_own_problem_back_and_no_other(stage):
    async def scenario(desk):
        place = Told()
        error = Unavailable(msg("Not now."), next_step=msg("Later."))

        async def do(name, work):
            task = desk.doing(work, name, place)
            await until(task.done)

        async def work():
            pass

        await do("load", work())
        await do("load", fail(error))
        await do("other", work())
        assert place.what == [error]
        await do("load", work())
        await do("load", work())
        assert place.what == [error, "over"]
        await do("load", fail(error))
        await do("other", fail(KeyError("x")))
        await do("load", work())
        assert place.what == [error, "over", error, "bug"]

    stage.play(scenario)


def test_the_second_click_of_a_double_click_does_nothing(stage):
    async def scenario(desk):
        button, begun = QPushButton(), []

        async def work():
            begun.append(1)

        button.clicked.connect(lambda _: desk.doing(work(), "test", None, busy=(button,)))
        button.click()
        button.click()
        await until(button.isEnabled)
        assert begun == [1]

    stage.play(scenario)


def test_what_was_off_before_is_off_after(stage):
    async def scenario(desk):
        on, off = QPushButton(), QPushButton()
        off.setEnabled(False)
        error = Unavailable(msg("Not now."), next_step=msg("Later."))
        task = desk.doing(fail(error), "test", None, busy=(on, off))
        await until(task.done)
        assert on.isEnabled()
        assert not off.isEnabled()

    stage.play(scenario)


def test_after_the_end_nothing_begins(stage):
    async def scenario(_desk):
        tasks = Tasks()
        doing = Doing(tasks.start)
        await tasks.close()
        assert doing(fail(AssertionError("this must not run")), "test", None) is None

    stage.play(scenario)


def test_progress_comes_from_any_thread(stage):
    async def scenario(_desk):
        relay, seen = ProgressRelay(), []
        relay.moved.connect(lambda progress: seen.append((progress.done, threading.current_thread())))
        thread = threading.Thread(target=relay, args=(Progress("t", msg("Reading"), 3),))
        thread.start()
        thread.join()
        await until(lambda: seen)
        assert seen == [(3, threading.main_thread())]

    stage.play(scenario)
