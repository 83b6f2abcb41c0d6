"""A client's answers are the same whether there is something that it may not see, or not (G4.3, DESIGN 5.6).

Two worlds are made of the same entries in the same order at the same time; one of them without those that the viewer
may not see. Every question has to get the very same answer from both, to the last bit of a score and the last word of
an error; and nowhere in it a word that stands in hidden entries alone.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from app.domain.context_item import Viewer
from app.domain.labels import EntryKind
from app.runtime import clock
from tests.integration.leaks.questions import Question, questions
from tests.integration.leaks.serving import serve
from tests.integration.leaks.stories import ALL_STORIES, NOW, RIGHTS, Told, day, note, with_rights
from tests.integration.leaks.worlds import Plan, make, may_see

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.runtime.lanes import Lanes
    from tests.integration.leaks.stories import Rights

EDITOR = Viewer("editor", frozenset({"work"}), frozenset({"team"}), 1)
VIEWERS = (
    EDITOR,
    EDITOR,
    EDITOR,
    Viewer("planner", frozenset({"work", "home"}), frozenset({"team", "owner"}), 1),
    Viewer("partner", frozenset({"work"}), frozenset({"team", "owner", "boss"}), 2),
    Viewer("guest", frozenset({"work"}), frozenset({"team"}), 0),
)
NOBODY = Viewer("nobody", frozenset(), frozenset(), 3)
SEEDS = st.integers(0, 2**32)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Some stories, each entry with rights of its own; they come one after another, or through each other."""
    marks = (f"zq{number}x" for number in itertools.count(1))
    told = []
    for _ in range(draw(st.integers(3, 7))):
        story = ALL_STORIES[draw(st.integers(0, len(ALL_STORIES) - 1))]
        rights = [RIGHTS[draw(st.sampled_from((0, 0, 0, 0, 0, 0, 3, 1, 1, 2, 4, 5)))] for _ in story]
        deleted = frozenset({draw(st.integers(0, 3))} if draw(st.integers(0, 4)) == 4 else ())
        told.append(with_rights(story, rights, lambda: next(marks), deleted))
    order = draw(st.sampled_from(("as said", "mixed", "backwards")))
    entries = [one for story in told for one in story]
    if order == "mixed":
        Random(draw(SEEDS)).shuffle(entries)
    elif order == "backwards":
        entries.reverse()
    often = draw(st.integers(0, 3))
    pauses = frozenset(one.mark for at, one in enumerate(entries) if often and at % (often + 1) == 0)
    return Plan(tuple(entries), pauses, draw(st.booleans()))


def empty(folder: Path) -> None:
    """Make room for two worlds."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("whole", "seen"):
        (folder / name).mkdir(parents=True)


async def compare(  # noqa: PLR0917 - two worlds and what they are asked
    folder: Path, lanes: Lanes, plan: Plan, viewer: Viewer, seed: int, count: int
) -> int:
    """Ask both worlds; returns how many questions were asked."""
    empty(folder)
    whole = await make(folder / "whole", lanes, plan)
    seen = await make(folder / "seen", lanes, plan.without_hidden(viewer))
    hidden = [told.mark for told in plan.told if not may_see(viewer, told.rights)]
    try:
        with clock.use(NOW):
            asked = questions(Random(seed), plan.told, sorted(whole.numbers), count)
            for question in asked:
                with clock.use(question.at):
                    mine, theirs = await question.ask(whole, viewer), await question.ask(seen, viewer)
                assert mine == theirs, question
                said = repr(mine)
                assert not [mark for mark in hidden if mark in said and mark not in repr(question)], question
    finally:
        whole.close()
        seen.close()
    return len(asked)


async def compare_served(  # noqa: PLR0917 - two worlds and what they are asked
    folder: Path, lanes: Lanes, plan: Plan, viewer: Viewer, seed: int, count: int
) -> int:
    """The same as a client asks: with a token, within limits, under ids of its own."""
    empty(folder)
    random = Random(seed)
    worlds = [
        await make(folder / "whole", lanes, plan),
        await make(folder / "seen", lanes, plan.without_hidden(viewer)),
    ]
    items_a_day = random.choice((3, 40, 100_000))
    with clock.use(NOW):
        whole, seen = [await serve(made, folder, viewer, items_a_day) for made in worlds]
        try:
            for question in questions(random, plan.told, sorted(worlds[0].numbers), count):
                with clock.use(question.at):
                    mine, theirs = await whole.told(question), await seen.told(question)
                assert mine == theirs, question
        finally:
            for served in (whole, seen):
                await served.close()
                served.made.close()
    return count


@settings(max_examples=3, suppress_health_check=list(HealthCheck), derandomize=True)
@given(plans(), st.sampled_from(VIEWERS), SEEDS)
def test_nor_to_what_a_client_is_served(basedir: Path, lanes: Lanes, plan: Plan, viewer: Viewer, seed: int) -> None:
    asyncio.run(compare_served(basedir / "worlds", lanes, plan, viewer, seed, 40))


@settings(max_examples=5, suppress_health_check=list(HealthCheck), derandomize=True)
@given(plans(), st.sampled_from(VIEWERS), SEEDS)
def test_what_is_hidden_makes_no_difference(basedir: Path, lanes: Lanes, plan: Plan, viewer: Viewer, seed: int) -> None:
    asyncio.run(compare(basedir / "worlds", lanes, plan, viewer, seed, 60))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
@pytest.mark.timeout(600)
def test_ten_thousand_questions_tell_nothing(basedir: Path, lanes: Lanes, part: int) -> None:
    asked = 0

    # the same worlds in every run, and others in each part
    @settings(max_examples=40, suppress_health_check=list(HealthCheck), database=None)
    @seed(part)
    @given(plans(), st.sampled_from(VIEWERS), SEEDS)
    def ask(plan: Plan, viewer: Viewer, number: int) -> None:
        nonlocal asked
        asked += asyncio.run(compare(basedir / f"worlds{part}", lanes, plan, viewer, number, 125))

    ask()
    assert asked >= 5_000


def test_of_two_that_say_the_same_at_the_same_time_the_same_one_is_quoted(basedir: Path, lanes: Lanes) -> None:
    """Records are made anew when something hidden comes; what is quoted goes by the entries, and not by them."""
    seen, hidden = RIGHTS[0], RIGHTS[2]
    people = (("Ben Cole", "ben@example.com", "author"), ("Me", "me@home.example", "recipient"))

    def taxi(text: str, at: int, rights: Rights, mark: str) -> Told:
        return Told(EntryKind.MAIL, "Taxi", text, day(at), people, rights=rights, mark=mark)

    owed, paid = "You still owe me 30 euros for the taxi.", "I got your transfer of 10 euros, we are even."
    told = (
        taxi(paid, 10, hidden, "zq1x"),
        note("Done", "Paid Ben Cole back 30 euros.", day(9), rights=hidden, mark="zq2x"),
        taxi(owed, 4, seen, "zq3x"),
        taxi(paid, 10, hidden, "zq4x"),
        note("Done", "Paid Ben Cole back 30 euros.", day(9), rights=hidden, mark="zq5x"),
        taxi(owed, 4, seen, "zq6x"),
    )

    async def run() -> None:
        plan = Plan(told, frozenset({"zq2x", "zq4x"}), has_model=True)
        empty(basedir / "worlds")
        whole = await make(basedir / "worlds" / "whole", lanes, plan)
        part = await make(basedir / "worlds" / "seen", lanes, plan.without_hidden(EDITOR))
        with clock.use(NOW):
            for text in ("我还欠谁钱？", "How much do I owe Ben?"):
                question = Question("ask", (text,))
                mine = await question.ask(whole, EDITOR)
                assert "30 euros" in repr(mine)
                assert mine == await question.ask(part, EDITOR)
        whole.close()
        part.close()

    asyncio.run(run())


async def test_a_plan_that_two_moved_is_found_by_its_id_as_one_that_one_moved(tmp_path: Path, lanes: Lanes) -> None:
    """One of the two who moved it is hidden; for the viewer it is moved either way."""
    story = next(one for one in ALL_STORIES if any("workshop in York is on" in told.text for told in one))
    seen, hidden = RIGHTS[0], next(one for one in RIGHTS if (one.scope, one.acl) == ("work", "owner"))
    marks = (f"zq{number}x" for number in itertools.count(1))
    told = [
        *with_rights(story, [seen] * 4, lambda: next(marks), frozenset()),
        *with_rights(story, [seen, seen, hidden, hidden], lambda: next(marks), frozenset()),
    ]
    plan = Plan(tuple(reversed(told)), frozenset(), has_model=False)
    empty(tmp_path)
    worlds = [
        await make(tmp_path / "whole", lanes, plan),
        await make(tmp_path / "seen", lanes, plan.without_hidden(EDITOR)),
    ]
    try:
        names = [name for name in sorted(worlds[1].numbers) if name.startswith("record")]
        assert len(names) > 3
        with clock.use(NOW):
            for name in names:
                question = Question("item", (name, 4_000, True), NOW)
                mine, theirs = [await question.ask(one, EDITOR) for one in worlds]
                assert mine == theirs, name
    finally:
        for one in worlds:
            one.close()


OWNED = (
    (
        "Emma to order",
        ("Emma", "emma johnson"),
        ("What are Emma's tasks?", "What has Emma Johnson to do?", "What does Emma Weber have to do?"),
    ),
    ("小浩：", ("小浩", "wang hao"), ("王浩有什么任务？", "小浩要做什么？", "What has Wang Hao to do?")),
)


@pytest.mark.parametrize(("text", "owners", "asked"), OWNED, ids=("english", "chinese"))
@pytest.mark.parametrize("is_backwards", [False, True])
async def test_whose_a_task_is_hangs_on_nothing_hidden(  # noqa: PLR0917 - two worlds and what they are asked
    tmp_path: Path, lanes: Lanes, text: str, owners: Sequence[str], asked: Sequence[str], is_backwards: bool
) -> None:
    """Each of the entries that settle whom a name means is hidden in turn; so are all of them."""
    story = next(one for one in ALL_STORIES if any(text in told.text for told in one))
    seen, hidden = RIGHTS[0], RIGHTS[2]
    questions_ = [Question("ask", (one,)) for one in asked]
    questions_ += [Question("tasks", (owner, True)) for owner in (*owners, None)]
    for away in ({1}, {2}, {3}, {1, 2, 3}):
        marks = map("zq{}x".format, itertools.count(1))
        told = with_rights(story, [hidden if at in away else seen for at in range(4)], marks.__next__)
        plan = Plan(tuple(reversed(told) if is_backwards else told), frozenset(), has_model=True)
        empty(tmp_path)
        worlds = [
            await make(tmp_path / "whole", lanes, plan),
            await make(tmp_path / "seen", lanes, plan.without_hidden(EDITOR)),
        ]
        try:
            with clock.use(NOW):
                for question in questions_:
                    mine, theirs = [await question.ask(one, EDITOR) for one in worlds]
                    assert mine == theirs, (away, question)
        finally:
            for one in worlds:
                one.close()
