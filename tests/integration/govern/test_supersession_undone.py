"""What later statements changed comes back: by hand, when they go, when they say otherwise; and what is left alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.context.answers import AnswerService
from app.domain.entries import QUOTED, Block, Place
from app.domain.labels import BlockKind, Trust
from app.govern.changes import list_changes, undo
from app.runtime import clock
from app.store.check import check
from app.store.writes import invalidate_missing, remove_source
from tests.integration.govern.supersession_world import Mind, entry_of, moment, titles
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.changes import ChangeInfo
    from tests.integration.context.makers import World

NOW = moment("2025-05-14 09:00")
PLAN = {"title": "Trip", "from": "ann@example.com", "at": "2025-05-12 09:00", "text": "The Berlin trip is on."}
OFF = {
    "title": "Bad news",
    "from": "ann@example.com",
    "at": "2025-05-13 09:00",
    "text": "The Berlin trip is cancelled.",
}
PLAN_ZH = {"title": "旅行", "from": "li@example.com", "at": "2025-05-12 09:00", "text": "柏林之行照常。"}
OFF_ZH = {"title": "坏消息", "from": "li@example.com", "at": "2025-05-13 09:00", "text": "柏林之行取消了。"}
BOTH = pytest.mark.parametrize(("plan", "off"), [(PLAN, OFF), (PLAN_ZH, OFF_ZH)], ids=["en", "zh"])


@pytest.fixture
def mind(empty: World) -> Iterator[Mind]:
    with clock.use(NOW):
        yield Mind(empty)


async def _is_found(mind: Mind, plan: dict[str, str]) -> bool:
    return "test:///plan" in titles(await mind.search(plan["text"]))


def _changes(mind: Mind) -> list[ChangeInfo]:
    with mind.world.store.database.reader() as reader:
        return list(list_changes(reader))


@BOTH
async def test_a_person_takes_it_back_for_good(mind: Mind, plan: dict[str, str], off: dict[str, str]) -> None:
    await mind.tell(entry_of(plan, "plan"), entry_of(off, "off"))
    (change,) = _changes(mind)
    assert change.kind == "cancel"
    with mind.world.store.database.write() as tx:
        undo(tx, change.change_id, now=NOW)
    assert await _is_found(mind, plan)
    with mind.world.store.database.write() as tx:
        tx.run("DELETE FROM understanding")
    await mind.understand()
    assert await _is_found(mind, plan)
    assert [one.undone_by for one in _changes(mind)] == ["owner"]
    # nor does a newer version of the mail that says the same
    await mind.tell(entry_of({**off, "text": off["text"] + "\n\nAnn"}, "off"))
    assert await _is_found(mind, plan)
    assert check(mind.world.store).is_clean


@BOTH
async def test_what_is_deleted_changes_nothing_any_more(mind: Mind, plan: dict[str, str], off: dict[str, str]) -> None:
    await mind.tell(entry_of(plan, "plan"), entry_of(off, "off"))
    assert not await _is_found(mind, plan)
    assert check(mind.world.store).is_clean
    with mind.world.store.database.write() as tx:
        invalidate_missing(tx, "mails", ["off"], now=NOW)
    assert await _is_found(mind, plan)
    # it comes back, and says it again
    await mind.tell(entry_of(off, "off"))
    assert not await _is_found(mind, plan)


async def test_a_source_takes_its_changes_with_it(mind: Mind) -> None:
    note = {"kind": "note", **PLAN}
    await mind.tell(entry_of(note, "plan"), entry_of({**OFF, "kind": "chat"}, "off"))
    assert not await _is_found(mind, PLAN)
    with mind.world.store.database.write() as tx:
        remove_source(tx, "chats", now=NOW)
    assert await _is_found(mind, PLAN)


@BOTH
async def test_an_unchanged_source_revives_nothing(mind: Mind, plan: dict[str, str], off: dict[str, str]) -> None:
    await mind.tell(entry_of(plan, "plan"), entry_of(off, "off"))
    await mind.tell(entry_of(plan, "plan"))
    assert not await _is_found(mind, plan)
    assert mind.rows("SELECT count(*) FROM entry WHERE is_current = 1") == [(2,)]


async def test_a_newer_version_that_no_longer_says_so_takes_it_back(mind: Mind) -> None:
    await mind.tell(entry_of(PLAN, "plan"), entry_of(OFF, "off"))
    await mind.tell(entry_of({**OFF, "at": "2025-05-13 10:00", "text": "Sorry, wrong list."}, "off"))
    assert await _is_found(mind, PLAN)


@pytest.mark.parametrize(
    ("plan", "off", "on"),
    [(PLAN, OFF, "The Berlin trip is back on."), (PLAN_ZH, OFF_ZH, "柏林之行恢复举行。")],
    ids=["en", "zh"],
)
@pytest.mark.parametrize("order", ["012", "210", "120", "201"])
async def test_on_again_in_any_order(
    mind: Mind, plan: dict[str, str], off: dict[str, str], on: str, order: str
) -> None:
    again = {"title": "Re", "from": plan["from"], "at": "2025-05-13 18:00", "text": on}
    told = [entry_of(plan, "plan"), entry_of(off, "off"), entry_of(again, "on")]
    await mind.tell(*(told[int(place)] for place in order))
    assert await _is_found(mind, plan)
    assert mind.rows("SELECT stale_reason FROM entry WHERE native_id = 'plan'") == [(None,)]


LONG = """The Berlin trip is on 20 May. We take the train at eight.

The budget for new chairs was approved by the board on Monday and will be spent in June.

Rent for the office rises by three percent from July, the landlord wrote, and the contract runs for two more years."""


async def test_of_a_long_text_the_sentence_alone_loses_its_force(mind: Mind) -> None:
    long = {"kind": "note", "title": "Weekly notes", "at": "2025-05-12 09:00", "text": LONG}
    off = {"kind": "note", "title": "Change", "at": "2025-05-13 09:00", "text": "The Berlin trip is cancelled."}
    await mind.tell(entry_of(long, "plan"), entry_of(off, "off"))
    items = [item for item in await mind.search("rent for the office") if item.source_uri == "test:///plan"]
    assert items
    assert "Cancelled by the note “Change” of 13 May 2025" in str(items[0].stale_reason)
    answer = await AnswerService(mind.world.store, mind.world.lanes, mind.world.context).ask(
        "Where is the Berlin trip?"
    )
    assert "on 20 May" not in str(answer.text)
    rent = await AnswerService(mind.world.store, mind.world.lanes, mind.world.context).ask(
        "What percent does rent for the office rise from July?"
    )
    assert "three percent" in str(rent.text)


async def test_who_is_trusted_less_only_suggests(mind: Mind) -> None:
    note = {**PLAN, "kind": "note"}
    del note["from"]
    await mind.tell(entry_of(note, "plan"))
    await mind.tell(entry_of({**OFF, "from": "crook@evil.example"}, "off"), trust=Trust.STRANGER)
    assert await _is_found(mind, PLAN)
    (change,) = _changes(mind)
    assert change.is_suggestion


async def test_a_clients_view_does_not_learn_a_title_it_may_not_see(mind: Mind) -> None:
    await mind.tell(entry_of(PLAN, "plan"))
    secret = entry_of({**OFF, "title": "Divorce"}, "off")
    await mind.tell(replace(secret, metadata={"sensitivity": "highly_sensitive"}))
    (row,) = mind.rows("SELECT stale_reason FROM entry WHERE native_id = 'plan'")
    assert row[0] is not None
    assert "Divorce" not in row[0]


@pytest.mark.parametrize(
    ("plan", "off"),
    [("Ben: The hike is on Saturday.", "Ann: The hike is cancelled."), ("小明: 周六爬山。", "小红: 爬山取消了。")],
    ids=["en", "zh"],
)
async def test_a_message_of_a_chat_loses_its_force_alone(mind: Mind, plan: str, off: str) -> None:
    chat = {"kind": "chat", "title": "Friends", "at": "2025-05-13 09:00", "text": f"{plan}\n\nBen: lol\n\n{off}"}
    await mind.tell(entry_of(chat, "day"))
    found = [item.content for item in await mind.search(plan)]
    assert plan not in found
    assert off in found
    (stale,) = [one for one in await mind.search(plan, include_stale=True) if one.content == plan]
    assert "Cancelled" in str(stale.stale_reason)
    assert mind.world.store.visibility.size == 3
    mind.world.store.reload()
    assert plan not in [item.content for item in await mind.search(plan)]


async def test_what_a_mail_quotes_falls_with_what_it_repeats(mind: Mind) -> None:
    await mind.tell(entry_of(PLAN, "plan"))
    reply = entry_of(OFF, "off")
    quote = Block(
        BlockKind.QUOTE, "On Monday Ann wrote:\nThe Berlin trip is on.", Place(heading_path=(QUOTED,), message_id="a")
    )
    await mind.tell(replace(reply, blocks=(*reply.blocks, quote)))
    assert not any("is on" in item.content for item in await mind.search("Berlin trip"))
    assert any("is on" in item.content for item in await mind.search("Berlin trip", include_stale=True))
    # both are one change for a person, however often the mail is read, and are taken back together
    with mind.world.store.database.write() as tx:
        tx.run("DELETE FROM understanding")
    await mind.understand()
    (change,) = [one for one in _changes(mind) if one.undone_by is None]
    assert change.source_uri == "test:///plan"
    with mind.world.store.database.write() as tx:
        undo(tx, change.change_id, now=NOW)
    assert {one.undone_by for one in _changes(mind)} == {"owner"}
    assert sum("is on" in item.content for item in await mind.search("Berlin trip")) == 2


async def test_a_quote_alone_changes_nothing(mind: Mind) -> None:
    await mind.tell(entry_of(PLAN, "plan"))
    reply = entry_of({**OFF, "text": "What do you make of this?"}, "off")
    quote = Block(BlockKind.QUOTE, "The Berlin trip is cancelled.", Place(heading_path=(QUOTED,)))
    await mind.tell(replace(reply, blocks=(*reply.blocks, quote)))
    assert await _is_found(mind, PLAN)


async def test_two_trips_and_one_word_for_both_change_nothing(mind: Mind) -> None:
    for place, day in (("Berlin", "20"), ("Paris", "27")):
        event = {"kind": "event", "title": f"{place} trip", "at": "2025-05-01 09:00", "from": "ann@example.com"}
        await mind.tell(entry_of({**event, "start": f"2025-05-{day} 08:00", "end": f"2025-05-{day} 20:00"}, place))
    await mind.tell(entry_of({**OFF, "text": "The trip is cancelled."}, "off"))
    assert _changes(mind) == []
    assert {"test:///Berlin", "test:///Paris"} <= titles(await mind.search("trip"))


async def test_what_is_planned_anew_afterwards_stands(mind: Mind) -> None:
    again = {**PLAN, "title": "New plan", "at": "2025-05-13 20:00", "text": "The Berlin trip is on 3 June."}
    await mind.tell(entry_of(again, "again"), entry_of(OFF, "off"), entry_of(PLAN, "plan"))
    assert not await _is_found(mind, PLAN)
    assert "test:///again" in titles(await mind.search("Berlin trip"))


async def test_other_scopes_are_left_alone(mind: Mind) -> None:
    await mind.tell(entry_of(PLAN, "plan"))
    work = source_info("work", scope="work")
    await mind.world.add(replace(entry_of(OFF, "off"), source_id="work"), source=work)
    await mind.understand()
    assert await _is_found(mind, PLAN)


async def test_a_task_done_by_word_is_open_again_when_that_is_taken_back(mind: Mind) -> None:
    task = {"kind": "task", "title": "Send the report", "at": "2025-05-10 09:00", "due": "2025-05-20 18:00"}
    log = {"kind": "note", "title": "Log", "at": "2025-05-12 09:00", "text": "I sent the report."}
    await mind.tell(entry_of(task, "task"), entry_of(log, "log"))
    assert mind.rows("SELECT status FROM task") == [("done",)]
    (change,) = _changes(mind)
    with mind.world.store.database.write() as tx:
        undo(tx, change.change_id, now=NOW)
    assert mind.rows("SELECT status, completed_at FROM task") == [("active", None)]


@pytest.mark.parametrize(
    ("old", "new", "values"),
    [
        ("I live in Lisbon.", "I moved to Porto.", ("Lisbon", "Porto")),
        ("我住在武汉。", "我搬到长沙了。", ("武汉", "长沙")),
    ],
    ids=["en", "zh"],
)
@pytest.mark.parametrize("is_reversed", [False, True])
async def test_a_fact_about_somebody_ends_where_the_next_begins(
    mind: Mind, old: str, new: str, values: tuple[str, str], is_reversed: bool
) -> None:
    told = [entry_of({**PLAN, "text": old}, "old"), entry_of({**OFF, "text": new}, "new")]
    await mind.tell(*(reversed(told) if is_reversed else told))
    rows = mind.rows(
        "SELECT object_text, valid_to IS NULL, superseded_by IS NULL FROM relation WHERE predicate = 'lives_in'"
        " ORDER BY valid_from"
    )
    assert rows == [(values[0], 0, 0), (values[1], 1, 1)]
