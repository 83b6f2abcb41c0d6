"""A person's own words and numbers: shown first, applied on demand, and only what they touch is read anew (G2.8)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import BadInput, Cancelled, Unavailable
from app.domain.labels import EntryKind, Status
from app.domain.progress import ignore_progress
from app.domain.rules import ValueChange
from app.domain.text import msg
from app.govern.chunking import limits_in_force
from app.govern.overlay_book import OverlayBook
from app.govern.rule_tables import OPEN_TO_CHANGE, lay_over
from app.govern.understanding.queue import Understanding
from app.govern.understanding.rules import freshness_rules, understanding_rules
from app.runtime.stop import StopSwitch
from app.store import freshness_rows, labelling
from tests.integration.govern.test_understanding import (
    BEIJING,
    Extractors,
    Noting,
    all_records,
    mark_done,
    note,
    queue,
    the,
)
from tests.unit.govern.makers import paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.integration.context.makers import World

MOTHBALLED = (
    "2025-05-10 meeting: Project A launch is set for next Friday; Zhang San must finish the test report by Wednesday; "
    "if the test report is not finished, the launch is put on ice."
)
ARCHIVED = "2025年5月10日例会：项目A定于5月16日上线；张三必须在5月14日前完成测试报告；如果测试报告未完成，上线就封存。"
WALK = "Bob must walk the dog by Monday."
WORDS = '[unsettling]\nen = ["put on ice"]\nzh = ["封存"]\n'


@pytest.fixture(autouse=True)
def shipped() -> Iterator[None]:
    yield
    for name in OPEN_TO_CHANGE:
        lay_over(name, None)


class Desk:
    """One rule file over the entries of a world; `step` sees what is read."""

    def __init__(self, world: World, config: Path, name: str) -> None:
        self.world = world
        self.step = Noting()
        self.own = config / f"{name}.toml"
        self._queue = Understanding(world.store.database, world.lanes, Extractors(), [self.step])
        self.book = self.open(name)

    def open(self, name: str) -> OverlayBook:
        return OverlayBook(name, self.world.store.database, self.own, lambda: self._queue.version)

    async def understand(self) -> set[str]:
        """Work off what waits; returns the titles of what was read."""
        self.step.seen.clear()
        async with queue(self.world, None, self.step) as made:
            made.wake()
            await made.wait_until_done()
        return {one.entry.native_id for one in self.step.seen}

    def armed(self) -> int:
        with self.world.store.database.reader() as reader:
            return len(freshness_rows.rules_of(reader, [one.record_id for one in all_records(self.world)]))


@pytest.fixture
async def desk(empty: World, tmp_path: Path) -> Desk:
    made = Desk(empty, tmp_path, "freshness")
    await fill(made)
    return made


async def fill(desk: Desk) -> None:
    texts = {"ice.md": MOTHBALLED, "封存.md": ARCHIVED, "walk.md": WALK}
    await desk.world.add(
        *(note(name, paragraph(text)) for name, text in texts.items()),
        note("event.ics", paragraph("put on ice"), kind=EntryKind.EVENT),
    )
    assert len(await desk.understand()) == 4


async def test_a_file_is_shown_and_changes_nothing_until_it_is_applied(desk: Desk) -> None:
    assert not desk.book.state().is_waiting
    desk.own.write_text(WORDS, "utf-8")
    assert desk.book.state().is_waiting
    preview = desk.book.preview(ignore_progress, StopSwitch())
    assert (preview.name, preview.entries, preview.looked_at, preview.values) == ("freshness", 2, 3, ())
    assert {(change.title, change.reasons) for change in preview.changes} == {
        ("ice.md", ("put on ice",)),
        ("封存.md", ("封存",)),
    }
    assert await desk.understand() == set()
    assert freshness_rules().version == "freshness-1"


async def test_words_touch_the_entries_in_which_they_stand(desk: Desk) -> None:
    assert desk.armed() == 0
    desk.own.write_text(WORDS, "utf-8")
    assert desk.book.put_in_force() == 2
    assert not desk.book.state().is_waiting
    assert await desk.understand() == {"ice.md", "封存.md"}
    assert desk.armed() == 2
    assert await desk.understand() == set()


async def test_words_that_go_touch_them_again(desk: Desk) -> None:
    desk.own.write_text(WORDS, "utf-8")
    desk.book.put_in_force()
    await desk.understand()
    desk.own.write_text(WORDS.replace('"put on ice"', ""), "utf-8")
    assert desk.book.put_in_force() == 1
    assert await desk.understand() == {"ice.md"}
    desk.own.unlink()
    assert desk.book.put_in_force() == 1
    assert await desk.understand() == {"封存.md"}
    assert freshness_rules().version == "freshness-1"


async def test_a_remark_in_the_file_touches_nothing(desk: Desk) -> None:
    desk.own.write_text("# nothing yet\n", "utf-8")
    assert desk.book.put_in_force() == 0
    assert await desk.understand() == set()


async def test_what_was_not_understood_yet_goes_on_waiting(desk: Desk) -> None:
    await desk.world.add(note("late.md", paragraph("Ann must call by Monday.")))
    desk.own.write_text(WORDS, "utf-8")
    assert desk.book.put_in_force() == 2
    assert await desk.understand() == {"ice.md", "封存.md", "late.md"}


async def test_what_a_person_decided_stays_decided(desk: Desk) -> None:
    done_at = datetime(2025, 5, 13, 10, tzinfo=BEIJING)
    mark_done(desk.world, "finish the test report", done_at)
    desk.own.write_text(WORDS, "utf-8")
    desk.book.put_in_force()
    assert "ice.md" in await desk.understand()
    task = the(desk.world, "finish the test report")
    assert (task.status, task.completed_at) == (Status.DONE, done_at)


@pytest.mark.parametrize("text", ["[unsettling]\nen = 1", "[nothing]\nx = 1", "[", "[unsettling]\nen = ['\ud800']"])
async def test_a_wrong_file_is_told_and_changes_nothing(desk: Desk, text: str) -> None:
    desk.own.write_text(WORDS, "utf-8")
    desk.book.put_in_force()
    in_force = freshness_rules()
    await desk.understand()
    desk.own.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert "freshness.toml" in str(desk.book.state().problem)
    with pytest.raises(BadInput):
        desk.book.preview(ignore_progress, StopSwitch())
    with pytest.raises(BadInput):
        desk.book.put_in_force()
    assert freshness_rules() == in_force
    assert await desk.understand() == set()


async def test_what_cannot_be_written_is_not_in_force(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise Unavailable(msg("The disk is full."), next_step=msg("Make room."))

    desk.own.write_text(WORDS, "utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(labelling, "apply_rules", broken)
        with pytest.raises(Unavailable):
            desk.book.put_in_force()
    assert freshness_rules().version == "freshness-1"
    assert desk.book.state().is_waiting
    assert await desk.understand() == set()
    assert desk.book.put_in_force() == 2


async def test_looking_can_be_stopped(desk: Desk) -> None:
    desk.own.write_text(WORDS, "utf-8")
    stop = StopSwitch()
    stop.stop()
    with pytest.raises(Cancelled):
        desk.book.preview(ignore_progress, stop)


async def test_what_is_in_force_survives_a_start_and_ends_with_the_database(desk: Desk) -> None:
    desk.own.write_bytes(WORDS.encode("utf-8-sig"))
    desk.book.put_in_force()
    in_force = freshness_rules()
    await desk.understand()
    desk.book.close()
    assert freshness_rules().version == "freshness-1"
    again = desk.open("freshness")
    assert freshness_rules() == in_force
    assert not again.state().is_waiting
    assert await desk.understand() == set()


async def test_rules_that_are_not_understood_any_more_give_way(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    with desk.world.store.database.write() as tx:
        labelling.apply_rules(tx, "freshness", "[gone]\nx = 1")
    desk.open("freshness")
    assert freshness_rules().version == "freshness-1"
    assert "not understood any more" in caplog.text


async def test_numbers_touch_all_that_is_read(empty: World, tmp_path: Path) -> None:
    desk = Desk(empty, tmp_path, "understanding")
    await fill(desk)
    desk.own.write_text("[limits]\nlongest_title = 8\n", "utf-8")
    preview = desk.book.preview(ignore_progress, StopSwitch())
    assert preview.values == (ValueChange("limits.longest_title", 160, 8),)
    assert (preview.entries, preview.looked_at) == (3, 3)
    assert desk.book.put_in_force() == 3
    assert understanding_rules().limits.longest_title == 8
    assert await desk.understand() == {"ice.md", "封存.md", "walk.md"}  # an event is structure already
    assert max(len(one.title) for one in all_records(empty) if one.superseded_by is None) <= 8


async def test_lengths_hold_for_what_is_collected_from_then_on(empty: World, tmp_path: Path) -> None:
    def lengths(name: str) -> list[int]:
        with empty.store.database.reader() as reader:
            query = "SELECT token_count FROM chunk JOIN entry USING (entry_id) WHERE native_id = ? ORDER BY ordinal"
            return [row[0] for row in reader.rows(query, name)]

    desk = Desk(empty, tmp_path, "chunking")
    text = " ".join(f"Sentence number {number} of this text ends here." for number in range(60))
    await empty.add(note("before.md", paragraph(text)))
    assert await desk.understand() == {"before.md"}
    cut = lengths("before.md")
    desk.own.write_text("[limits]\nfloor = 40\nsoft = 60\nceiling = 80\n", "utf-8")
    assert desk.book.preview(ignore_progress, StopSwitch()).entries == 0
    assert desk.book.put_in_force() == 0
    await empty.add(note("after.md", paragraph(text + " Indeed.")))
    assert lengths("before.md") == cut
    assert max(cut) > 80
    assert max(lengths("after.md")) <= 80
    assert await desk.understand() == {"after.md"}
    desk.book.close()
    assert limits_in_force().ceiling == 500
