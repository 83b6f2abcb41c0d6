"""What a hidden entry ended holds for whoever may not see it, with everything that goes with it (G4.3, G4.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.domain.context_item import SearchRequest, Viewer
from app.domain.labels import EntryKind, Sensitivity, Status
from app.policy.disclosure import visible_to
from app.runtime import clock
from app.store.visibility import Visibility
from tests.integration.leaks.stories import (
    ALL_STORIES,
    ANN,
    BEN,
    LI,
    NOW,
    RIGHTS,
    Told,
    day,
    mail,
    note,
    with_rights,
)
from tests.integration.leaks.worlds import Plan, make, source_of, understand
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.domain.context_item import ContextItem
    from app.runtime.lanes import Lanes
    from tests.integration.leaks.stories import Rights
    from tests.integration.leaks.worlds import Made

OPEN, HIDDEN = RIGHTS[0], RIGHTS[1]
EDITOR = Viewer("editor", frozenset({"work"}), frozenset({"team"}), 1)
BOSS = replace(EDITOR, name="boss", ceiling=2)


def _told(*entries: Told, hidden: Sequence[int] = (), rights: Rights = HIDDEN) -> list[Told]:
    marks = iter(f"zq{number}x" for number in range(1, 100))
    of = [rights if at in hidden else OPEN for at in range(len(entries))]
    return with_rights(entries, of, lambda: next(marks))


async def _made(folder: Path, lanes: Lanes, told: Sequence[Told]) -> Made:
    (folder / "world").mkdir()
    return await make(folder / "world", lanes, Plan(tuple(told), frozenset(), has_model=False))


async def _found(made: Made, viewer: Viewer, text: str, **more: Any) -> list[ContextItem]:
    with clock.use(NOW):
        return await made.desk.search(SearchRequest(text, viewer=viewer, **more))


@pytest.mark.parametrize(
    "story",
    [
        (
            mail("Trip", "The trip to Leeds is on 20 May.", day(2), ANN),
            mail("Trip", "The trip to Leeds is cancelled.", day(6), ANN),
        ),
        (mail("团建", "部门团建定在5月20日。", day(2), LI), mail("通知", "部门团建取消了。", day(6), LI)),
    ],
    ids=["en", "zh"],
)
async def test_it_holds_for_whoever_cannot_know_better(basedir: Path, lanes: Lanes, story: tuple[Told, Told]) -> None:
    made = await _made(basedir, lanes, _told(*story, hidden=[1]))
    asked = story[0].text
    (item,) = await _found(made, EDITOR, asked, include_stale=True)
    assert (item.stale_reason, item.valid_to, item.task_status) == (None, None, None)
    (item,) = await _found(made, EDITOR, asked)
    assert item.title == story[0].title
    for viewer in (BOSS, Viewer()):
        assert all(
            one.title != story[0].title or one.content != item.content for one in await _found(made, viewer, asked)
        )
        stale = await _found(made, viewer, asked, include_stale=True)
        assert next(one for one in stale if one.content == item.content).stale_reason is not None
    with clock.use(NOW):
        assert [one.status for one in await made.desk.agenda(EDITOR, "20 May")] == [Status.ACTIVE]
    made.close()


async def test_what_was_called_off_openly_and_resumed_secretly_is_off(basedir: Path, lanes: Lanes) -> None:
    trip = ALL_STORIES[0][:3]
    made = await _made(basedir, lanes, _told(*trip, hidden=[2]))
    assert [one.title for one in await _found(made, EDITOR, "trip to Leeds 20 May")] == ["Trip off"]
    (first, *_) = [
        one for one in await _found(made, EDITOR, "trip to Leeds", include_stale=True) if one.title == "Trip"
    ]
    assert first.stale_reason is not None
    assert "Trip" in [one.title for one in await _found(made, BOSS, "trip to Leeds 20 May")]
    made.close()


async def test_what_was_called_off_secretly_and_resumed_openly_was_never_off(basedir: Path, lanes: Lanes) -> None:
    made = await _made(basedir, lanes, _told(*ALL_STORIES[0][:3], hidden=[1]))
    titles = [one.title for one in await _found(made, EDITOR, "trip to Leeds")]
    assert sorted(titles) == ["Trip", "Trip again"]
    with clock.use(NOW):
        answer = await made.desk.ask(EDITOR, "What changed since 1 May?")
    assert "On again" not in str(answer.text)
    made.close()


async def test_a_task_that_was_moved_secretly_is_due_as_before(basedir: Path, lanes: Lanes) -> None:
    task = Told(EntryKind.TASK, "Send the quarterly report", at=day(5), due=day(16, 18))
    moved = mail("Later", "The quarterly report is postponed to 20 May.", day(12), BEN)
    done = note("Done today", "I sent the quarterly report.", day(13))
    made = await _made(basedir, lanes, _told(task, moved, done, hidden=[1, 2]))
    with clock.use(NOW):
        for viewer, status in ((EDITOR, Status.ACTIVE), (BOSS, Status.DONE)):
            (item,) = await made.desk.tasks(viewer, include_done=True)
            assert item.status is status
        (due,) = await made.desk.agenda(EDITOR, "16 May")
        assert (due.start, due.status) == (day(16, 18), Status.ACTIVE)
        assert await made.desk.agenda(EDITOR, "20 May") == []
    made.close()


async def test_a_rule_goes_by_what_its_viewer_may_see(basedir: Path, lanes: Lanes) -> None:
    minutes, log = ALL_STORIES[5][0], ALL_STORIES[5][1]
    assert "if the test report is not finished" in minutes.text
    made = await _made(basedir, lanes, _told(minutes, log, hidden=[1]))
    late = day(15)
    with clock.use(late):
        stated = {viewer.name: await made.desk.agenda(viewer, "16 May") for viewer in (EDITOR, BOSS)}
    assert [one.status for one in stated["editor"]] == [Status.PENDING]
    assert [one.status for one in stated["boss"]] == [Status.ACTIVE]
    made.close()


async def test_a_newer_version_that_is_hidden_is_not_described(basedir: Path, lanes: Lanes) -> None:
    """That its file has a newer version is a fact of the entry itself; what it says, and when it was made, is not."""
    first = note("shopping", "Milk and roses.", day(9), native="shopping.md")
    told = _told(first)
    made = await _made(basedir, lanes, told)
    newer = replace(told[0], text="Milk, roses and a secret.", at=day(10))
    with clock.use(NOW):
        source = source_info(OPEN.source_id, scope="work", acl="team", sensitivity=HIDDEN.sensitivity)
        await made.world.add(newer.entry, source=source)
        await understand(made.world)
    (item,) = await _found(made, EDITOR, "milk roses", include_stale=True)
    assert str(item.stale_reason) == "Replaced by a newer version"
    assert item.sensitivity is Sensitivity.INTERNAL
    (item, *_) = [
        one for one in await _found(made, BOSS, "milk roses", include_stale=True) if one.stale_reason is not None
    ]
    assert str(item.stale_reason) != "Replaced by a newer version"
    made.close()


async def test_masks_that_followed_equal_masks_that_were_loaded(basedir: Path, lanes: Lanes) -> None:
    told = [one for at, story in enumerate(ALL_STORIES[:8]) for one in _told(*story, hidden=[1 + at % 3])]
    told = [replace(one, mark=f"zq{number}x") for number, one in enumerate(told)]
    made = await _made(basedir, lanes, told)
    store = made.world.store
    loaded = Visibility()
    with store.database.reader() as reader:
        loaded.load(reader)
    for viewer in (EDITOR, BOSS, Viewer()):
        for include_stale in (False, True):
            visible = visible_to(viewer, include_stale=include_stale)
            followed = store.visibility.mask(visible, NOW)
            assert np.array_equal(followed, loaded.mask(visible, NOW))
    assert not np.array_equal(
        store.visibility.mask(visible_to(BOSS), NOW)
        & store.visibility.mask(visible_to(EDITOR, include_stale=True), NOW),
        store.visibility.mask(visible_to(EDITOR), NOW),
    )
    made.close()


async def test_a_hidden_entry_voids_no_kept_result(
    basedir: Path, lanes: Lanes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the time of the next answer would tell that something was written (L3.2)."""
    trip = _told(*ALL_STORIES[0][:3], ALL_STORIES[0][3], hidden=[1, 2])
    made = await _made(basedir, lanes, [trip[0], trip[3]])
    context = made.world.context
    asked: list[str] = []
    find = context.find

    async def counted(request: SearchRequest) -> Any:
        asked.append(request.text)
        return await find(request)

    monkeypatch.setattr(context, "find", counted)
    before = await _found(made, EDITOR, "trip to Leeds")
    with clock.use(NOW):
        for told in trip[1:3]:
            await made.world.add(told.entry, source=source_of(told.rights))
            await understand(made.world)
    assert await _found(made, EDITOR, "trip to Leeds") == before
    assert asked == ["trip to Leeds"]
    await _found(made, BOSS, "trip to Leeds")
    with clock.use(NOW):
        another = replace(trip[3], mark="zq99x", text="Pack boots for the trip to Leeds.")
        await made.world.add(another.entry, source=source_of(another.rights))
    assert await _found(made, EDITOR, "trip to Leeds") != before
    assert len(asked) == 3
    made.close()


async def test_a_hidden_plan_makes_no_cancellation_doubtful(basedir: Path, lanes: Lanes) -> None:
    leeds = mail("Workshop", "The workshop in Leeds is on 20 May.", day(2), ANN)
    york = mail("Workshop", "The workshop in York is on 27 May.", day(3), ANN)
    off = mail("Off", "The workshop is cancelled.", day(6), ANN)
    made = await _made(basedir, lanes, _told(leeds, york, off, hidden=[1]))
    assert [one.title for one in await _found(made, EDITOR, "workshop in Leeds")] == ["Off"]
    with clock.use(NOW):
        assert await made.desk.agenda(EDITOR, "20 May") == []
    made.close()


async def test_a_condition_waits_for_nothing_hidden(basedir: Path, lanes: Lanes) -> None:
    task = mail("Report", "Ben must finish the test report by 16 May.", day(8, 7), BEN, thread="t1")
    launch = mail("Re: Report", "The launch is scheduled for 21 May.", day(8, 8), ANN, thread="t1")
    condition = mail(
        "Re: Report", "If the test report is not finished, the launch is postponed.", day(8), ANN, thread="t1"
    )
    made = await _made(basedir, lanes, _told(task, launch, condition, hidden=[0]))
    with clock.use(day(18)):
        for viewer in (EDITOR, Viewer()):
            (item,) = [one for one in await made.desk.agenda(viewer, "21 May") if one.kind is EntryKind.EVENT]
            assert item.status is Status.ACTIVE
            assert "report" not in str(item.reason)
    made.close()


async def test_what_two_end_is_ended_by_the_one_that_is_seen(basedir: Path, lanes: Lanes) -> None:
    trip = mail("Trip", "The trip to Leeds is on 20 May.", day(2), ANN)
    off = mail("Secret", "The trip to Leeds is cancelled.", day(6), ANN)
    again = mail("Open", "The trip to Leeds is cancelled.", day(8), ANN)
    made = await _made(basedir, lanes, _told(trip, off, again, hidden=[1]))
    assert [one.title for one in await _found(made, EDITOR, "trip to Leeds")] == ["Open"]
    stale = await _found(made, EDITOR, "trip to Leeds", include_stale=True)
    (old,) = [one for one in stale if one.title == "Trip"]
    assert old.valid_to == day(8)
    assert "Secret" not in str(old.stale_reason)
    made.close()


async def test_with_another_identifier_no_record_says_both(basedir: Path, lanes: Lanes) -> None:
    """A plan of one team that another one's mail moves: whoever sees that mail alone learns nothing of the plan."""
    plan = mail("Launch of Kestrel", "The launch is scheduled for 20 May.", day(2), ANN)
    moved = mail("News", "The launch is postponed by a week.", day(6), ANN)
    told = _told(plan, moved, hidden=[0], rights=RIGHTS[2])
    made = await _made(basedir, lanes, told)
    planner = Viewer("planner", frozenset({"work"}), frozenset({"team", "owner"}), 1)
    with clock.use(NOW):
        assert await made.desk.agenda(EDITOR, "27 May") == []
        assert [one.status for one in await made.desk.agenda(planner, "20 May")] == []
    made.close()
