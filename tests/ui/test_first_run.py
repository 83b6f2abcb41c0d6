"""The first run, from the welcome to the hotkey, by every way through it (D8.5)."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtGui import QGuiApplication

from app.domain.errors import KeychainMissing, Unavailable
from app.domain.progress import Progress
from app.domain.text import msg
from app.famulus.api import LockState, ModelState
from app.ui.first_run import FirstRun
from app.ui.setup.collecting import CollectingStep, DoneStep
from app.ui.setup.key import KeyStep, RecoveryStep
from app.ui.setup.model import ModelStep
from app.ui.setup.places import Place, PlacesStep, suggest
from tests.ui.demo_facade import RECOVERY_KEY
from tests.ui.stage import calm, until


def fresh(api):
    api.lock_state, api.listed, api.model = LockState.NEW, [], ModelState.ABSENT


@pytest.fixture(autouse=True)
def no_suggestions(monkeypatch):
    """The home folder of whoever runs the tests is nobody's business."""
    monkeypatch.setattr("app.ui.setup.places.suggest", lambda home, documents: [])


async def at_step(desk, kind):
    """A first run with everything before a step done the short way."""
    run = FirstRun(desk)
    run.show()
    while not isinstance(run.step, kind):
        before = run.step
        await calm()
        if isinstance(run.step, RecoveryStep):
            run.step.view.tick.setChecked(True)
        if isinstance(run.step, PlacesStep):
            run.step.add("files", "/home/mei/Notes")
        run.next_button.click()
        await until(lambda before=before: run.step is not before)
    return run


def test_the_whole_way(stage):
    async def scenario(desk):
        run, ended = await at_step(desk, DoneStep), []
        run.finished.connect(lambda: ended.append(1))
        run.next_button.click()
        assert ended == [1]
        done = [name for name in desk.api.names() if name in {"create", "add_source", "install_model", "sync"}]
        assert done == ["create", "add_source", "install_model", "sync"]
        assert ("create", (None,)) in desk.api.calls

    stage.play(scenario, prepare=fresh)


def test_the_recovery_key_is_shown_once_and_must_be_kept(stage):
    async def scenario(desk):
        run = await at_step(desk, RecoveryStep)
        step = run.step
        assert step.view._key.text() == RECOVERY_KEY
        assert not run.next_button.isEnabled()
        assert run.back_button.isHidden()
        step.view.copy_button.click()
        assert QGuiApplication.clipboard().text() == RECOVERY_KEY
        step.view.tick.click()
        run.next_button.click()
        assert step.view._key.text() == ""

    stage.play(scenario, prepare=fresh)


def test_a_passphrase_must_be_typed_before_going_on(stage):
    async def scenario(desk):
        run = await at_step(desk, KeyStep)
        run.step.options.options["passphrase"].click()
        assert run.step.passphrase.isVisible()
        assert not run.next_button.isEnabled()
        run.step.passphrase.first.setText("four words or more")
        run.step.passphrase.second.setText("four words or more")
        run.next_button.click()
        await until(lambda: isinstance(run.step, RecoveryStep))
        assert ("create", ("four words or more",)) in desk.api.calls

    stage.play(scenario, prepare=fresh)


def test_without_a_keychain_a_passphrase_is_what_remains(stage):
    async def scenario(desk):
        desk.api.failures["create"] = KeychainMissing(msg("No keychain."), next_step=msg("Use a passphrase."))
        run = await at_step(desk, KeyStep)
        run.next_button.click()
        await until(run.step.banner.isVisible)
        assert run.step.banner.text.startswith("No keychain.\nNothing was lost.")
        assert run.step.options.key == "passphrase"
        assert run.step.passphrase.isVisible()
        assert not run.next_button.isEnabled()

    stage.play(scenario, prepare=fresh)


def test_the_database_is_made_once_however_often_one_clicks(stage):
    async def scenario(desk):
        gate = desk.api.gates["create"] = asyncio.Event()
        run = await at_step(desk, KeyStep)
        run.next_button.click()
        run.step.go_on()
        await calm()
        gate.set()
        await until(lambda: isinstance(run.step, RecoveryStep))
        assert desk.api.names().count("create") == 1

    stage.play(scenario, prepare=fresh)


def test_places_are_added_only_when_ticked(stage):
    async def scenario(desk):
        run = await at_step(desk, PlacesStep)
        assert not run.next_button.isEnabled()
        run.step.add("files", "/home/mei/Notes")
        run.step.add("ics", "/home/mei/work.ics")
        run.step.add("files", "/home/mei/Notes")
        assert len(run.step.rows) == 2
        run.step.rows["/home/mei/Notes"].tick.click()
        run.next_button.click()
        await until(lambda: isinstance(run.step, ModelStep))
        added = [details for name, details in desk.api.calls if name == "add_source"]
        assert added == [("ics", "/home/mei/work.ics")]

    stage.play(scenario, prepare=fresh)


def test_places_can_be_left_for_later(stage):
    async def scenario(desk):
        run = await at_step(desk, PlacesStep)
        run.skip_button.click()
        await until(lambda: isinstance(run.step, ModelStep))
        run.next_button.click()
        await until(lambda: isinstance(run.step, CollectingStep))
        await until(run.step.summary.isVisible)
        assert "sync" not in desk.api.names()

    stage.play(scenario, prepare=fresh)


def test_a_place_that_is_refused_keeps_one_at_the_step(stage):
    async def scenario(desk):
        desk.api.failures["add_source"] = Unavailable(msg("Not there."), next_step=msg("Another."))
        run = await at_step(desk, PlacesStep)
        run.step.add("files", "/nowhere")
        run.next_button.click()
        await until(run.step.banner.isVisible)
        assert isinstance(run.step, PlacesStep)
        assert run.next_button.isEnabled()

    stage.play(scenario, prepare=fresh)


def test_the_model_prepares_itself_and_holds_nobody_up(stage):
    async def scenario(desk):
        gate = desk.api.gates["install_model"] = asyncio.Event()
        desk.api.steps["model"] = [Progress("model", msg("Fetching"), 43, 100)]
        run = await at_step(desk, ModelStep)
        await until(lambda: run.step.progress._count.text() == "43%")
        (switch,) = [details[0] for name, details in desk.api.calls if name == "install_model"] or [run.step._switch]
        run.step.progress.pause_button.click()
        assert switch.is_paused
        run.next_button.click()
        await until(lambda: isinstance(run.step, CollectingStep))
        gate.set()
        await calm()

    stage.play(scenario, prepare=fresh)


def test_a_model_that_cannot_be_had_is_told_and_can_be_tried_again(stage):
    async def scenario(desk):
        desk.api.failures["install_model"] = Unavailable(msg("No network."), next_step=msg("Try later."))
        run = await at_step(desk, ModelStep)
        await until(run.step.banner.isVisible)
        assert run.next_button.isEnabled()
        desk.api.failures.clear()
        run.step.retry_button.click()
        await until(lambda: desk.api.model is ModelState.READY)
        await until(lambda: not run.step.retry_button.isVisible())

    stage.play(scenario, prepare=fresh)


def test_the_first_collection_shows_each_source_and_can_be_paused(stage):
    async def scenario(desk):
        gate = desk.api.gates["sync"] = asyncio.Event()
        run = await at_step(desk, CollectingStep)
        await until(lambda: desk.collecting.is_busy)
        (reading,) = run.step.readings.values()
        await until(reading.progress.isVisible)
        reading.progress.pause_button.click()
        (job,) = desk.collecting._jobs.values()
        assert job.switch.is_paused
        reading.progress.pause_button.click()
        gate.set()
        await until(lambda: reading.text == "42 entries")
        await until(run.step.summary.isVisible)

    stage.play(scenario, prepare=fresh)


def test_learning_the_meaning_can_be_paused_and_stopped(stage):
    async def scenario(desk):
        desk.api.gates["wait_until_indexed"] = asyncio.Event()
        desk.api.steps["index"] = [Progress("index", msg("Learning"), 3, 10)]
        run = await at_step(desk, CollectingStep)
        await until(run.step.meaning.isVisible)
        run.step.meaning.pause_button.click()
        assert run.step._switch.is_paused
        run.step.meaning.cancel_button.click()
        assert run.step._switch.is_stopped
        desk.api.gates["wait_until_indexed"].set()
        await until(lambda: not run.step.meaning.isVisible())

    stage.play(scenario, prepare=fresh)


def test_a_folder_that_fails_does_not_stop_the_others(stage):
    async def scenario(desk):
        desk.api.failures["sync"] = Unavailable(msg("Gone."), next_step=msg("Wait."))
        run = await at_step(desk, CollectingStep)
        await until(run.step.summary.isVisible)
        assert run.step.banner.isVisible()

    stage.play(scenario, prepare=fresh)


def test_the_last_step_tells_the_keys_or_what_to_do_without(stage):
    async def scenario(desk):
        run = FirstRun(desk)
        run.done.show_hotkey("Ctrl+Alt+Space", None)
        assert run.done.hotkey._head.text() == "Press Ctrl+Alt+Space anywhere."
        run.done.show_hotkey("", msg("Not on this desktop."))
        assert "famulus --toggle" in run.done.hotkey._head.text()
        assert run.done.hotkey._detail.text() == "Not on this desktop."

    stage.play(scenario, prepare=fresh)


def test_one_can_go_back_before_anything_was_made(stage):
    async def scenario(desk):
        run = await at_step(desk, KeyStep)
        assert run._place.text() == "Step 2 of 7"
        run.back_button.click()
        assert run._place.text() == "Step 1 of 7"

    stage.play(scenario, prepare=fresh)


def test_the_language_can_be_chosen_first(stage):
    async def scenario(desk):
        run, told = FirstRun(desk), []
        run.language_chosen.connect(told.append)
        run.language.menu().actions()[1].trigger()
        assert told == ["zh_CN"]

    stage.play(scenario, prepare=fresh)


def test_suggestions_are_folders_that_exist_and_none_within_another(tmp_path):
    home, documents = tmp_path / "home", tmp_path / "home" / "Documents"
    (documents / "Notes").mkdir(parents=True)
    (home / "Notes").mkdir()
    assert suggest(home, documents) == [Place("files", str(documents)), Place("files", str(home / "Notes"))]
    assert suggest(home, home) == [Place("files", str(home / "Notes"))]
    assert suggest(tmp_path / "nobody", tmp_path / "nobody" / "Documents") == []
