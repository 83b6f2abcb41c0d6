"""Kept results over a real store: the same as without; no write that is hidden makes a difference (L3.2, G4.3)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.context import search_desk
from app.context.answers import AnswerService
from app.context.cache import CacheRules, ResultCache
from app.context.desk import ContextDesk
from app.context.search_desk import SearchDesk
from app.domain.context_item import SearchRequest, Viewer
from app.domain.labels import EntryKind
from app.inference.tokens import TokenCounter
from app.runtime import clock
from app.store.writes import invalidate_missing
from tests.integration.context.test_search import note
from tests.integration.govern.supersession_world import Mind, entry_of
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from datetime import datetime

    from tests.integration.context.makers import World

WORK, HOME = source_info("work", scope="work"), source_info("home", scope="home")
CLIENT = Viewer("helper", frozenset({"work"}), frozenset({"owner"}), 2)
NOTHING = CacheRules("none", dict.fromkeys(("search", "item", "facts", "agenda", "tasks"), timedelta()), 1, 1, 1)


class Counted(SearchDesk):
    """Counts what it really works out."""

    worked = 0

    async def _gathered(self, *args: Any) -> Any:
        self.worked += 1
        return await super()._gathered(*args)


def searching(world: World, rules: CacheRules | None = None) -> Counted:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_desk, "ResultCache", lambda: ResultCache(rules))
        return Counted(world.store, world.lanes, world.context, TokenCounter())


def made(world: World, rules: CacheRules | None = None) -> ContextDesk:
    answers = AnswerService(world.store, world.lanes, world.context)
    return ContextDesk(searching(world, rules), world.store, world.lanes, answers)


async def test_only_what_a_viewer_may_see_voids_their_results(empty: World) -> None:
    desk = searching(empty)
    await empty.add(note("a", "the rent is due", "work"), source=WORK)
    request = SearchRequest("rent", viewer=CLIENT)
    first = await desk.search(request)
    assert await desk.search(replace(request, text="  rent ")) == first
    assert desk.worked == 1
    for name in "bcd":
        await empty.add(note(name, f"rent of the flat {name * 3}", "home"), source=HOME)
    assert await desk.search(request) == first
    assert desk.worked == 1, "a hidden write is no miss"
    assert len(await desk.search(SearchRequest("rent"))) == 4
    await empty.add(note("e", "the rent was paid", "work"), source=WORK)
    assert len(await desk.search(request)) == 2
    await empty.add(note("f", "my rent", "home"), source=HOME)
    assert len(await desk.search(SearchRequest("rent"))) == 6


async def test_a_model_that_comes_changes_results(empty: World) -> None:
    desk = made(empty)
    await empty.add(note("a", "the rent is due"))
    by_words = await desk.gather(SearchRequest("rent"))
    assert by_words.notes
    await empty.learn()
    assert not (await desk.gather(SearchRequest("rent"))).notes
    empty.context.use_words_alone()
    assert (await desk.gather(SearchRequest("rent"))).notes


async def test_other_questions_of_a_person(empty: World, now: datetime) -> None:
    mind, desk = Mind(empty), made(empty)
    plain = made(empty, NOTHING)

    async def ask(one: ContextDesk) -> list[Any]:
        return [
            await one.agenda(Viewer(), "2025-05-14"),
            await one.tasks(Viewer()),
            await one.facts(Viewer(), "me"),
            await one.search(SearchRequest("dentist", kinds=(EntryKind.NOTE,))),
        ]

    told = [
        ("a", "I will finish the report by 14 May. My number is 555 010 0200."),
        ("b", "The dentist is on 14 May at 10:00."),
        ("c", "The dentist on 14 May is cancelled. My new number is 555 010 0300."),
    ]
    seen = []
    for name, text in told:
        assert await ask(desk) == await ask(plain)
        await mind.tell(entry_of({"title": name, "text": text, "at": "2025-05-10T10:00", "kind": "note"}, name))
        found = await ask(desk)
        assert found == await ask(plain) == await ask(desk)
        seen.append(found)
    assert seen[0] != seen[1] != seen[2]
    with clock.use(now + timedelta(days=30)):
        assert await ask(desk) == await ask(plain)


TEXTS = ("the rent is due", "rent and water", "a dentist at noon", "the car needs oil", "房租到期")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "ask", "ask", "remove"]),
        st.sampled_from(["work", "home"]),
        st.integers(0, len(TEXTS) - 1),
    ),
    max_size=14,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(STEPS)
def test_with_and_without_the_cache_results_are_the_same(empty: World, steps: list[tuple[str, str, int]]) -> None:
    desk, plain = made(empty), made(empty, NOTHING)

    async def go() -> None:
        for number, (step, scope, which) in enumerate(steps):
            source = WORK if scope == "work" else HOME
            if step == "add":
                await empty.add(note(f"n{number % 5}", TEXTS[which], scope), source=source)
            elif step == "remove":
                with empty.store.database.write() as tx:
                    invalidate_missing(tx, scope, [f"n{which}"], now=clock.now())
            else:
                for viewer in (Viewer(), CLIENT):
                    request = SearchRequest(TEXTS[which], viewer=viewer, budget_tokens=200 if number % 2 else None)
                    assert await desk.gather(request) == await plain.gather(request)

    asyncio.run(go())
