"""Results are kept for their viewer alone, for a while, and never beyond a write that concerns them (L3.2, G4.3)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.cache import CacheRules, Life, ResultCache, cache_rules
from app.domain.context_item import Viewer
from app.runtime import clock
from app.store.footprints import Footprint, Rights

if TYPE_CHECKING:
    from collections.abc import Sequence

NOON = datetime(2025, 5, 12, 12, 0, tzinfo=UTC)
CLIENT = Viewer("helper", frozenset({"work"}), frozenset({"owner"}), 1)
SEEN = Footprint(Rights("work", "owner", 1))
HIDDEN = Footprint(Rights("home", "owner", 1))
FOREVER: list[datetime | None] = []


class Question:
    """Counts how often it is worked out."""

    def __init__(self, cache: ResultCache, *, size: int = 1, moments: Sequence[datetime | None] = ()) -> None:
        self.cache, self.size, self.moments = cache, size, moments
        self.worked = 0

    async def ask(self, viewer: Viewer = CLIENT, text: str = "x", kind: str = "search", at: datetime = NOON) -> int:
        async def work() -> int:
            self.worked += 1
            return self.worked

        with clock.use(at):
            return await self.cache.through(
                viewer, (kind, text), work, lambda _, now: Life.of(now, self.size, self.moments)
            )


@pytest.fixture
def question() -> Question:
    return Question(ResultCache())


async def test_a_result_lasts_its_time(question: Question) -> None:
    assert [await question.ask(at=NOON + timedelta(seconds=after)) for after in (0, 1, 119)] == [1, 1, 1]
    assert await question.ask(at=NOON + timedelta(seconds=120)) == 2
    assert await question.ask(kind="agenda") == 3
    assert await question.ask(kind="agenda", at=NOON + timedelta(seconds=31)) == 4


async def test_another_moment_is_another_window(question: Question) -> None:
    await question.ask()
    assert await question.ask(at=NOON - timedelta(seconds=1)) == 2
    assert await question.ask(at=NOON.astimezone(timezone(timedelta(hours=8)))) == 3, "another zone has other days"


async def test_nothing_lasts_beyond_its_day_or_what_happens_in_it() -> None:
    question = Question(ResultCache(), moments=[None, NOON - timedelta(days=1), NOON + timedelta(seconds=10)])
    await question.ask()
    assert await question.ask(at=NOON + timedelta(seconds=9)) == 1
    assert await question.ask(at=NOON + timedelta(seconds=10)) == 2
    late = NOON.replace(hour=23, minute=59, second=30)
    plain = Question(ResultCache())
    await plain.ask(at=late)
    assert await plain.ask(at=late + timedelta(seconds=31)) == 2


@pytest.mark.parametrize(
    "other",
    [
        Viewer(),
        Viewer("another", CLIENT.scopes, CLIENT.acls, 1),
        Viewer("helper", frozenset({"work", "home"}), CLIENT.acls, 1),
        Viewer("helper", CLIENT.scopes, frozenset({"owner", "team"}), 1),
        Viewer("helper", CLIENT.scopes, CLIENT.acls, 2),
    ],
)
async def test_nobody_gets_what_another_one_asked(question: Question, other: Viewer) -> None:
    await question.ask()
    assert await question.ask(other) == 2


async def test_who_has_other_rights_begins_anew(question: Question) -> None:
    await question.ask()
    await question.ask(Viewer("helper", frozenset({"home"}), CLIENT.acls, 1))
    assert await question.ask() == 3


async def test_a_write_voids_for_those_who_may_see_it_and_for_no_others(question: Question) -> None:
    await question.ask()
    await question.ask(Viewer())
    question.cache.follow(frozenset({HIDDEN, Footprint(SEEN.rights, HIDDEN.rights), Footprint(None)}))
    assert await question.ask() == 1
    assert await question.ask(Viewer()) == 3
    question.cache.follow(frozenset({SEEN}))
    assert await question.ask() == 4


async def test_what_was_written_meanwhile_is_not_missed() -> None:
    cache = ResultCache()
    worked = []

    async def work() -> int:
        worked.append(1)
        cache.follow(frozenset({SEEN if len(worked) == 1 else HIDDEN}))
        return len(worked)

    with clock.use(NOON):
        found = [
            await cache.through(CLIENT, ("search", "x"), work, lambda _, now: Life.of(now, 1, ())) for _ in range(3)
        ]
    assert found == [1, 2, 2], "the first is not kept, and what is hidden keeps nothing from being kept"


async def test_room_is_bounded_and_everybodys_own() -> None:
    cache = ResultCache(CacheRules("t", {"search": timedelta(minutes=1)}, results=2, items=10, viewers=2))
    question = Question(cache, size=4)
    for text in "abc":
        await question.ask(text=text)
    assert [await question.ask(text=text) for text in "cb"] == [3, 2]
    assert await question.ask(text="a") == 4
    for number in range(20):
        await question.ask(Viewer(), str(number))
    assert await question.ask(text="a") == 4, "another viewer's questions push nothing out"
    big = Question(cache, size=11)
    await big.ask(text="big")
    assert await big.ask(text="big") == 2


async def test_what_has_no_life_is_not_kept() -> None:
    cache = ResultCache()
    worked = []

    async def work() -> int:
        worked.append(1)
        return len(worked)

    with clock.use(NOON):
        assert [await cache.through(CLIENT, ("search", "x"), work, lambda *_: None) for _ in range(2)] == [1, 2]
    cache.clear()


def test_the_lifetimes_are_those_of_the_rule_file() -> None:
    rules = cache_rules()
    assert {name: life.total_seconds() for name, life in rules.lifetimes.items()} == {
        "search": 120,
        "item": 120,
        "facts": 60,
        "agenda": 30,
        "tasks": 30,
    }


SCOPES = st.sampled_from(["work", "home"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), SCOPES, st.sampled_from(["a", "b"])),
        st.tuples(st.just("write"), SCOPES, st.just("")),
        st.tuples(st.just("wait"), SCOPES, st.sampled_from(["10", "70", "130"])),
    ),
    max_size=40,
)


@given(STEPS)
async def test_with_and_without_the_cache_everybody_gets_the_same(steps: list[tuple[str, str, str]]) -> None:
    cache = ResultCache()
    world = {"work": 0, "home": 0}
    now = NOON
    for step, scope, what in steps:
        viewer = Viewer(scope, frozenset({scope}), frozenset({"owner"}), 1)
        if step == "write":
            world[scope] += 1
            cache.follow(frozenset({Footprint(Rights(scope, "owner", 1))}))
        elif step == "wait":
            now += timedelta(seconds=int(what))
        else:

            async def work(scope: str = scope, what: str = what) -> str:
                return f"{scope} {what} {world[scope]}"

            with clock.use(now):
                found = await cache.through(viewer, ("search", what), work, lambda _, at: Life.of(at, 1, ()))
            assert found == await work()


@given(STEPS)
async def test_what_is_hidden_never_decides_whether_something_is_kept(steps: list[tuple[str, str, str]]) -> None:
    def without_home(all_steps: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
        return [step for step in all_steps if step[0] == "wait" or step[1] == "work"]

    seen = []
    for told in (steps, without_home(steps)):
        question, now, hits = Question(ResultCache()), NOON, []
        for step, scope, what in told:
            viewer = Viewer(scope, frozenset({scope}), frozenset({"owner"}), 1)
            if step == "write":
                question.cache.follow(frozenset({Footprint(Rights(scope, "owner", 1))}))
            elif step == "wait":
                now += timedelta(seconds=int(what))
            else:
                before = question.worked
                await question.ask(viewer, what, at=now)
                if scope == "work":
                    hits.append(question.worked == before)
        seen.append(hits)
    assert seen[0] == seen[1]
