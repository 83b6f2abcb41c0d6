"""Who speaks and when, through a real database: what the second stage changes, and what a viewer gets of it (G4.3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from app.context import speakers
from app.context.speakers import Speakers
from app.domain.context_item import SearchRequest, Viewer
from app.domain.labels import Sensitivity
from app.policy.disclosure import filter_for
from app.store.reading import passages
from app.store.writes import note_rules
from tests.integration.context.makers import LittleModel
from tests.integration.context.test_search import chat, note, seen
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import numpy as np

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.reading import Passage
    from tests.integration.context.makers import World

PRIVATE = source_info("notes", scope="private", acl="owner", sensitivity=Sensitivity.CONFIDENTIAL)
CLIENT = Viewer(name="editor", scopes=frozenset({"work"}), acls=frozenset({"team"}), ceiling=1)
TALK = [
    line
    for day in range(14)
    for line in (f"Anna: The garden kept me busy on day {day}.", f"Ben: Good for you, Anna, number {day}!")
]
CHINESE = [line for day in range(14) for line in (f"小红：第{day}天我在花园里忙。", f"大明：小红真勤快，第{day}次了。")]


def named(world: World, text: str, now: datetime, viewer: Viewer | None = None) -> tuple[str, ...]:
    visible = filter_for(viewer or Viewer(), SearchRequest(text))
    view = world.store.visibility.view(visible, now)
    return Speakers(world.store.database, world.store.lexical).named_in(text, view, visible)


async def test_speakers_are_found_in_both_languages_however_they_are_typed(empty: World, now: datetime) -> None:
    await empty.add(chat("talk", *TALK), chat("zh", *CHINESE), note("n", "Carla: nobody else says this."))
    assert named(empty, "Where did Anna buy a bike?", now) == ("Anna",)
    assert named(empty, "where did anna buy a bike", now) == ("Anna",)
    assert named(empty, "Did Ben meet Anna?", now) == ("Anna", "Ben")
    assert named(empty, "小红在哪里买的车？", now) == ("小红",)
    assert named(empty, "How was the Garden?", now) == ()
    assert named(empty, "What did Carla say?", now) == ()


async def test_a_speaker_whom_one_may_not_see_is_none(empty: World, now: datetime) -> None:
    await empty.add(chat("talk", *TALK), source=PRIVATE)
    assert named(empty, "Where did Anna buy a bike?", now) == ("Anna",)
    assert named(empty, "Where did Anna buy a bike?", now, CLIENT) == ()


async def test_who_is_named_for_the_first_time_is_taken_off_the_meaning_as_ever_after(empty: World) -> None:
    class Listening(LittleModel):
        def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
            asked.extend(texts)
            return super().embed_queries(texts)

    asked: list[str] = []
    await empty.add(chat("talk", *TALK))
    await empty.learn(Listening())
    question = SearchRequest("How busy was Anna in the garden?")
    first = await empty.context.search(question)
    assert asked[-1] == "How busy was in the garden?"
    asked.clear()
    assert seen(await empty.context.search(question)) == seen(first)
    # whoever is known is expected, so that nothing is embedded twice
    assert asked == ["How busy was in the garden?"]
    asked.clear()
    hidden = replace(question, viewer=CLIENT)
    assert await empty.context.search(hidden) == []
    assert asked == ["How busy was Anna in the garden?"]


async def test_the_guess_looks_closely_at_whom_the_question_may_name_alone(
    empty: World, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    original = speakers.stands_in

    def stands_in(name: str, text: str) -> bool:
        looked.append(name)
        return original(name, text)

    names = [f"Name{chr(97 + at)}{chr(97 + at)}" for at in range(9)]
    for name in names:
        lines = [f"{one}: the {name} garden, day {day}" for day in range(14) for one in (name, f"{name}s {day % 2}")]
        await empty.add(chat(name, *lines))
    found = Speakers(empty.store.database, empty.store.lexical)
    visible = filter_for(Viewer(), SearchRequest("x"))
    view = empty.store.visibility.view(visible, now)
    for name in names:
        assert name in found.named_in(f"Did {name} go?", view, visible)
    monkeypatch.setattr(speakers, "stands_in", stands_in)
    assert found.known_in("did NAMEAA go?", visible) == ("Nameaa",)
    # a pattern for each of hundreds of labels would hold the loop
    assert looked == ["Nameaa"]
    assert found.known_in("did NAMEAA go?", filter_for(CLIENT, SearchRequest("x"))) == ()


async def test_what_the_named_one_said_comes_before_what_was_said_to_them(empty: World) -> None:
    said, answered = "Ben: Anna, you bought a red bike.", "Anna: I bought a red bike."
    await empty.add(chat("talk", *TALK, said, answered))
    items = await empty.context.search(SearchRequest("Which bike bought Anna?"))
    texts = [item.content for item in items]
    assert texts.index(answered) < texts.index(said)
    by_text = {item.content: item for item in items}
    assert by_text[answered].explanation["clues"] > 0 > by_text[said].explanation["clues"]


async def test_a_named_time_moves_up_what_is_from_it(empty: World, now: datetime) -> None:
    texts = [f"The plumber came about pipe {number}." for number in range(3)]
    months = [now.replace(month=month, day=10) - timedelta(days=730) for month in (2, 3, 4)]
    await empty.add(*(note(f"n{at}", texts[at], event_time=months[at]) for at in range(3)))
    asked = f"What about the plumber in March {months[1].year}?"
    assert (await empty.context.search(SearchRequest(asked)))[0].title == "n1"
    first, *_ = await empty.context.search(SearchRequest("the first time the plumber came"))
    assert first.title == "n0"


async def test_an_item_says_what_its_clues_added_and_the_formula_still_holds(empty: World) -> None:
    await empty.add(chat("talk", *TALK))
    final = empty.context.weights.final
    for item in await empty.context.search(SearchRequest("When was Anna in the garden?")):
        parts = (
            final.semantic * item.semantic_score
            + final.lexical * item.lexical_score
            + final.freshness * item.freshness_score
            + final.confidence * item.confidence
        )
        assert abs(parts - item.final_score) < 1e-6
        assert 0 <= item.semantic_score <= 1
        assert "clues" in item.explanation


async def test_what_two_entries_say_takes_one_place_unless_it_differs(empty: World) -> None:
    await empty.add(
        note("diary", "The rent is 1,180 euros a month."),
        note("letter", "The rent is 1,180 euros a month!"),
        note("offer", "The rent is 1,280 euros a month."),
    )
    await empty.learn()
    found = [item.title for item in await empty.context.search(SearchRequest("how much is the rent"))]
    assert "offer" in found
    assert len({"diary", "letter"} & set(found)) == 1


async def test_rules_are_noted_once_with_the_time_of_their_first_use(empty: World, now: datetime) -> None:
    for hours in (0, 5):
        with empty.store.database.write() as tx:
            note_rules(tx, empty.context.weights.version, now=now + timedelta(hours=hours))
    with empty.store.database.reader() as reader:
        rows = list(reader.rows("SELECT * FROM rule_version WHERE version = ?", empty.context.weights.version))
    assert len(rows) == 1


@pytest.mark.parametrize("viewer", [Viewer(), CLIENT])
async def test_passages_that_cannot_come_among_the_best_are_not_read(
    empty: World, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        f"{who}: The garden {what} on day {day}{sign}"
        for day in range(20)
        for who, what, sign in (("Anna", "was busy", "."), ("Ben", "was it fine", "?"), ("Cem", "grew last week", "."))
    ]
    await empty.add(
        chat("talk", *lines),
        chat("zh", *CHINESE),
        source=source_info("notes", scope="work", acl="team", sensitivity=Sensitivity.INTERNAL),
    )
    await empty.learn(LittleModel())
    read: list[int] = []

    def reading(reader: Reader, chunk_ids: Sequence[int], visible: VisibilityFilter) -> list[Passage]:
        read.extend(chunk_ids)
        return passages(reader, chunk_ids, visible)

    monkeypatch.setattr("app.context.ranked.passages", reading)
    texts = [
        "How busy was the garden?", "When was Anna in the garden?", "What did Ben ask about the garden?",
        "the garden last week", "小红哪天在花园里忙？", "What did Cem say first of the garden?",
    ]  # fmt: skip
    for text in texts:
        request = SearchRequest(text, viewer=viewer)
        read.clear()
        found = await empty.context.search(request)
        few = len(read)
        with monkeypatch.context() as everything:
            everything.setattr("app.context.ranked.most_by_form", lambda *_: 10.0)
            read.clear()
            assert await empty.context.search(request) == found
        assert found
        assert few < len(read)
