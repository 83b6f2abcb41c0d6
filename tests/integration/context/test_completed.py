"""What is done stands under the day on which that was said, and not under the day on which it was due (G4.5)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from app.context.answers import AnswerService
from app.context.desk import ContextDesk
from app.context.search_desk import SearchDesk
from app.context.stated import tasks_of
from app.context.templates.shelf import TemplateShelf
from app.domain.context_item import OWNER, Viewer
from app.domain.labels import EntryKind, Sensitivity, Status
from app.inference.tokens import TokenCounter
from app.policy.disclosure import visible_to
from app.runtime import clock
from tests.integration.context.structured_world import NOW, at, made, tell, to_do

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.entries import Entry
    from tests.integration.context.makers import World

ME = Viewer(OWNER)
CLIENT = Viewer("editor", frozenset({"personal"}), frozenset({"owner"}), int(Sensitivity.INTERNAL))


def version(one: Entry, status: Status, changed: datetime, completed_at: datetime | None = None) -> Entry:
    """Another version of a to-do."""
    assert one.task is not None
    facts = replace(one.task, status=status, completed_at=completed_at)
    return replace(one, task=facts, status=status, updated_at=changed, content_hash=f"{one.title}{changed}")


def days(world: World, viewer: Viewer = ME) -> dict[str, datetime | None]:
    with world.store.database.reader() as reader:
        return {one.title: one.done_at for one in tasks_of(reader, NOW, visible_to(viewer), include_done=True)}


async def test_a_source_says_when_it_was_done(empty: World) -> None:
    task = to_do("Pay the rent", at(28))
    await tell(empty, version(task, Status.DONE, at(13), at(12)))
    assert days(empty) == {"Pay the rent": at(12)}


async def test_what_is_not_done_has_no_such_day(empty: World) -> None:
    await tell(empty, to_do("Pay the rent", at(28)), to_do("Call", None, Status.CANCELED))
    assert set(days(empty).values()) == {None}


async def test_a_box_that_was_ticked_is_done_since_then_whatever_was_changed_later(empty: World) -> None:
    task = to_do("Pay the rent", at(28))
    await tell(empty, task)
    for changed in (at(7), at(8), at(13)):
        await tell(empty, version(task, Status.DONE, changed))
    assert days(empty) == {"Pay the rent": at(7)}
    await tell(empty, version(task, Status.ACTIVE, at(13, 12)), version(task, Status.DONE, at(13, 15)))
    assert days(empty) == {"Pay the rent": at(13, 15)}


@pytest.mark.parametrize(
    ("states", "day"),
    [(("open", "done", "done"), 7), (("done", "done", "done"), 5), (("done", "open", "done"), 9), (("开", "完成"), 7)],
)
async def test_a_row_of_a_table_is_done_since_its_cell_says_so(empty: World, states: tuple[str, ...], day: int) -> None:
    for when, state in zip((5, 7, 9), states, strict=False):
        text = (
            f"| Task | Owner | Due | Status |\n| --- | --- | --- | --- |\n| Order chairs | Ann | 2025-05-30 | {state} |"
        )
        note = made(EntryKind.NOTE, "Plan", text, at(when))
        await tell(empty, replace(note, native_id="plan", created_at=at(5)))
    assert list(days(empty).values()) == [at(day)]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("Pay the plumber's invoice", "Paid the plumber's invoice this morning."),
        ("支付装修发票", "装修发票已经付清了。"),
    ],
)
async def test_another_entry_says_that_it_was_done(empty: World, task: str, said: str) -> None:
    await tell(empty, to_do(task, at(20)))
    await tell(empty, made(EntryKind.NOTE, "Bank", said, at(12)))
    assert days(empty) == {task: at(12)}


async def test_a_version_that_is_hidden_tells_no_day(empty: World) -> None:
    """The answers to a client are the same whether the version in between exists or not."""
    task = to_do("Pay the rent", at(28))
    await tell(empty, task)
    await tell(empty, version(task, Status.DONE, at(7)))
    await tell(empty, version(task, Status.DONE, at(9)))
    with empty.store.database.write() as tx:
        tx.run("UPDATE entry SET sensitivity = ? WHERE version = 2", int(Sensitivity.HIGHLY_SENSITIVE))
    assert days(empty) == {"Pay the rent": at(7)}
    assert days(empty, CLIENT) == {"Pay the rent": at(9)}


async def test_the_weekly_report_has_what_was_done_this_week(empty: World, tmp_path: Path) -> None:
    early, late = to_do("Early bird", at(30)), to_do("Long ago", at(14))
    open_ = to_do("Still open", at(14, 18))
    await tell(empty, early, late, open_)
    await tell(empty, version(early, Status.DONE, at(13), at(13)), version(late, Status.DONE, at(2), at(2)))
    searching = SearchDesk(empty.store, empty.lanes, empty.context, TokenCounter())
    answers = AnswerService(empty.store, empty.lanes, empty.context)
    desk = ContextDesk(searching, empty.store, empty.lanes, answers, TemplateShelf(tmp_path))
    with clock.use(NOW):
        briefing = await desk.prepare(ME, "weekly-report", {})
    done = next(part for part in briefing.parts if str(part.heading) in {"Done", "已完成"})
    assert [item.title for item in done.agenda] == ["Early bird"]
    assert "Early bird - done on 2025-05-13" in briefing.text
