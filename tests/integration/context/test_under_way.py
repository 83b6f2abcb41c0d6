"""What happens while a search is under way: commits, a model that goes, an asker who goes, and very many at once."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.context import search
from app.context.search_desk import SearchDesk
from app.domain.context_item import SearchRequest, Viewer
from app.domain.errors import Unavailable
from app.domain.text import msg
from app.sources.contract import Deleted
from app.store.labelling import raise_source
from app.store.visibility import Visibility
from tests.integration.context.makers import LittleModel
from tests.integration.context.test_search import CLIENT, WORK, chat, note, seen
from tests.integration.context.test_second_stage import TALK
from tests.unit.govern.makers import WordCounter
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    import numpy as np

    from app.context.ranked import Ranked
    from app.context.search import Found
    from app.domain.context_item import ContextItem
    from app.runtime.lanes import Lanes
    from tests.integration.context.makers import World

SHORT_LIVED = source_info("short", scope="work", acl="team", sensitivity=WORK.sensitivity)
RENT = SearchRequest("rent of flat 2", viewer=CLIENT)


class Waiting(LittleModel):
    """Embeds questions when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go = threading.Event()
        self.may_go.set()
        self.asked: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.extend(texts)
        assert self.may_go.wait(30)
        return super().embed_queries(texts)


async def furnish(world: World) -> Waiting:
    """Three notes of a source that may go, and three that stay."""
    texts = [f"The rent of flat {number} is due on Monday." for number in range(6)]
    await world.add(*(note(f"s{at}", texts[at], "short") for at in range(3)), source=SHORT_LIVED)
    await world.add(*(note(f"w{at}", texts[at] + " Really.", "work") for at in range(3, 6)), source=WORK)
    model = Waiting()
    await world.learn(model)
    return model


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop go round until something is so."""
    while not condition():
        await asyncio.sleep(0)


async def amid(
    world: World, model: Waiting, request: SearchRequest, happens: Callable[[], Awaitable[None]]
) -> list[ContextItem]:
    """A search during which something happens: after its words were found and read, before it is ranked."""
    lanes = world.lanes
    model.may_go.clear()
    asking = asyncio.ensure_future(world.context.search(request))
    await until(lambda: lanes.inference.depth > 0)
    await until(lambda: lanes.readers.depth == 0)
    await happens()
    model.may_go.set()
    return await asking


async def erase(world: World) -> None:
    await world.pipeline.take_in(SHORT_LIVED, iter([Deleted(f"s{at}") for at in range(3)]))


async def raise_rights(world: World) -> None:
    def work() -> None:
        with world.store.database.write() as tx:
            raise_source(tx, "short", 3)

    await world.lanes.writer.run(work)


@pytest.mark.parametrize("change", [erase, raise_rights])
async def test_what_a_commit_hides_in_the_middle_has_no_part_in_the_result(
    empty: World, change: Callable[[World], Awaitable[None]]
) -> None:
    model = await furnish(empty)
    before = await empty.context.search(RENT)
    assert len(before) == 6
    got = await amid(empty, model, RENT, lambda: change(empty))
    after = await empty.context.search(RENT)
    assert [item.title[0] for item in after] == ["w"] * 3
    assert seen(got) == seen(after)


async def test_what_a_commit_outdates_in_the_middle_is_labelled(empty: World) -> None:
    model = await furnish(empty)
    request = SearchRequest(RENT.text, include_stale=True)
    assert not any(item.stale_reason for item in await empty.context.search(request))
    got = await amid(empty, model, request, lambda: erase(empty))
    after = await empty.context.search(request)
    assert sorted(item.title for item in got if item.stale_reason) == ["s0", "s1", "s2"]
    assert seen(got) == seen(after)


async def test_what_is_added_in_the_middle_costs_no_second_search(empty: World) -> None:
    model = await furnish(empty)
    model.asked.clear()
    got = await amid(empty, model, RENT, lambda: empty.add(note("new", "The rent of flat 2.", "work"), source=WORK))
    assert len(got) == 6
    assert len(model.asked) == 1


async def test_where_every_attempt_is_overtaken_what_is_hidden_is_left_out(
    empty: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await furnish(empty)
    ranked: list[int] = []
    original, loop = search.rank, asyncio.get_running_loop()

    def rank(*args: object, **options: object) -> list[Ranked]:
        found = original(*args, **options)  # type: ignore[arg-type]
        gone = iter([Deleted(f"s{len(ranked)}")])
        asyncio.run_coroutine_threadsafe(empty.pipeline.take_in(SHORT_LIVED, gone), loop).result(30)
        ranked.append(len(found))
        return found

    monkeypatch.setattr(search, "rank", rank)
    items = await empty.context.search(RENT)
    assert ranked == [6, 5, 4]
    assert sorted(item.title for item in items) == ["w3", "w4", "w5"]


async def test_rights_that_were_changed_this_very_moment_hold(empty: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await furnish(empty)
    is_blind = threading.Event()
    original = Visibility.apply

    def apply(self: Visibility, changes: object) -> None:
        if not is_blind.is_set():
            original(self, changes)

    monkeypatch.setattr(Visibility, "apply", apply)
    is_blind.set()  # between a commit and its being followed
    await raise_rights(empty)
    items = await empty.context.search(RENT)
    assert sorted(item.title for item in items) == ["w3", "w4", "w5"]


async def test_a_budget_is_filled_with_what_may_still_be_seen(empty: World) -> None:
    await furnish(empty)
    desk = SearchDesk(empty.store, empty.lanes, empty.context, WordCounter())
    find = empty.context.find

    async def found_before(request: SearchRequest) -> Found:
        found = await find(request)
        await raise_rights(empty)
        return found

    empty.context.find = found_before  # type: ignore[method-assign]
    items = await desk.search(replace(RENT, budget_tokens=1000))
    assert sorted(item.title for item in items) == ["w3", "w4", "w5"]


async def test_who_goes_leaves_no_work_behind(empty: World) -> None:
    model = await furnish(empty)
    model.asked.clear()
    model.may_go.clear()
    first = asyncio.ensure_future(empty.context.search(RENT))
    await until(lambda: bool(model.asked))
    typed = [asyncio.ensure_future(empty.context.search(replace(RENT, text=f"rent {at}"))) for at in range(20)]
    await until(lambda: empty.lanes.readers.depth == 0)
    for one in typed:
        one.cancel()
    await asyncio.gather(*typed, return_exceptions=True)
    assert empty.lanes.inference.depth == 1
    model.may_go.set()
    assert len(await first) == 6
    assert model.asked == ["rent of flat 2"]


async def test_who_goes_while_a_wrong_guess_is_made_again_leaves_no_work_behind(
    empty: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await empty.add(chat("talk", *TALK))
    model = Waiting()
    await empty.learn(model)
    model.may_go.clear()
    named, may_name = threading.Event(), threading.Event()
    original = search.Speakers.named_in

    def named_in(self: search.Speakers, *args: object) -> tuple[str, ...]:
        named.set()
        assert may_name.wait(30)
        return original(self, *args)

    monkeypatch.setattr(search.Speakers, "named_in", named_in)
    asking = asyncio.ensure_future(empty.context.search(SearchRequest("How busy was Anna in the garden?")))
    await until(named.is_set)
    await until(lambda: bool(model.asked))
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    may_name.set()
    model.may_go.set()
    await until(lambda: empty.lanes.readers.depth == 0 and empty.lanes.inference.depth == 0)
    assert model.asked == ["How busy was Anna in the garden?"]


@pytest.mark.parametrize("is_hidden_there", [True, False])
async def test_what_is_embedded_for_a_client_tells_nothing_of_what_is_hidden(
    empty: World, is_hidden_there: bool
) -> None:
    """Not even by how often: a guess that was wrong is embedded twice."""
    await furnish(empty)
    team = source_info("notes", scope="work", acl="team", sensitivity=WORK.sensitivity)
    await empty.add(chat("talk", *TALK), source=team)
    if is_hidden_there:
        secret = source_info("secret", scope="private", acl="owner")
        lines = [line.replace("Anna", "Zoe") for line in TALK]
        await empty.add(replace(chat("hidden", *lines), source_id="secret"), source=secret)
    model = Waiting()
    await empty.learn(model)
    other = replace(
        CLIENT, name="another", scopes=frozenset({"work", "private"}), acls=frozenset({"team", "owner"}), ceiling=3
    )
    for viewer in (Viewer(), other):
        # whoever may see more is known to have asked for both before
        for name in ("Anna", "Zoe"):
            await empty.context.search(SearchRequest(f"How busy was {name} in the garden?", viewer=viewer))
    model.asked.clear()
    for name in ("Zoe", "Anna", "Zoe", "Anna"):
        await empty.context.search(SearchRequest(f"How busy was {name} in the garden?", viewer=CLIENT))
    whole, zoe, known = (f"How busy was {name}in the garden?" for name in ("Anna ", "Zoe ", ""))
    assert [text for text in model.asked if text != whole] == [zoe, known, zoe, known]
    assert model.asked.count(whole) <= 1  # named for the first time, unless that was seen in time


async def test_a_model_that_was_taken_away_in_the_middle_leaves_no_problem(empty: World) -> None:
    model = await furnish(empty)

    async def take_away() -> None:
        model.problem = Unavailable(msg("gone"), next_step=msg("install it"))
        empty.context.use_words_alone()

    got = await amid(empty, model, RENT, take_away)
    assert len(got) == 6
    assert empty.context.problem is None


async def test_two_hundred_at_once_get_what_each_would_alone(empty: World) -> None:
    await furnish(empty)
    await empty.add(chat("talk", *TALK))
    await empty.learn(LittleModel())
    requests = [
        SearchRequest(text, viewer=viewer)
        for at in range(50)
        for text, viewer in (
            (f"rent of flat {at % 6}", CLIENT),
            (f"rent of flat {at % 6}", Viewer()),
            ("How busy was Anna in the garden?", Viewer()),
            ("How busy was Anna in the garden?", CLIENT),
        )
    ]
    alone = {request: seen(await empty.context.search(request)) for request in set(requests)}
    for got, request in zip(await asyncio.gather(*map(empty.context.search, requests)), requests, strict=True):
        assert seen(got) == alone[request]


async def test_lanes_that_close_in_the_middle_end_every_search_and_tell_nobody_of_a_bug(
    empty: World, lanes: Lanes, caplog: pytest.LogCaptureFixture
) -> None:
    model = await furnish(empty)
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    model.may_go.clear()
    asking = [asyncio.ensure_future(empty.context.search(RENT)) for _ in range(30)]
    await until(lambda: bool(model.asked))
    for one in asking:
        one.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    model.may_go.set()
    await asyncio.to_thread(lanes.close)
    del asking
    assert complaints == []
    assert caplog.records == []
