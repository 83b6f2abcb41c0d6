"""The search with the real model: languages meet, and the bound between answer and silence holds (X9.3, G4.2)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from app.context.answers import EXTRACT, NOTHING, AnswerService
from app.domain.context_item import SearchRequest
from app.inference.embedder import Embedder
from tests.model_pack import model_pack
from tests.unit.govern.makers import entry, paragraph

if TYPE_CHECKING:
    from app.domain.entries import Entry
    from tests.integration.context.makers import World

_PAIRS = yaml.safe_load((Path(__file__).parents[1] / "inference" / "cross_lingual.yaml").read_text("utf-8"))
_OTHERS = [
    "Anna bought a used bookshelf on Saturday and carried it up to the third floor.",
    "Recipe: fry onions slowly, add lentils and a spoon of vinegar.",
    "The film about the lighthouse keeper is three hours long.",
    "小安周六买了个二手书架，一直搬到三楼。",
    "洋葱慢慢炒，再放小扁豆和一勺醋。",
    "那部讲灯塔看守人的电影片长三小时。",
]


@pytest.fixture(scope="module")
def model() -> Embedder:
    return Embedder(model_pack(), threads=1)


def note(name: str, text: str) -> Entry:
    return entry([paragraph(text)], native_id=name, title="", source_id="notes", source_uri=f"file:///{name}")


@pytest.fixture
async def mixed(empty: World, model: Embedder) -> World:
    texts = [pair["answer"] for pair in _PAIRS] + _OTHERS
    await empty.add(*(note(str(number), text) for number, text in enumerate(texts)))
    await empty.learn(model)
    return empty


async def test_a_question_in_one_language_finds_the_entry_in_the_other(mixed: World) -> None:
    first, third = 0, 0
    for number, pair in enumerate(_PAIRS):
        found = await mixed.context.search(SearchRequest(pair["question"], limit=3))
        uris = [item.source_uri for item in found]
        first += uris[0] == f"file:///{number}"
        third += f"file:///{number}" in uris
    assert len(_PAIRS) >= 20
    assert first >= 0.8 * len(_PAIRS)
    assert third >= 0.95 * len(_PAIRS)


async def test_answers_and_silence(mixed: World) -> None:
    answers = AnswerService(mixed.store, mixed.lanes, mixed.context)
    known = await answers.ask("How long does the sourdough bake?")
    assert known.route == EXTRACT
    assert "45 minutes" in str(known.text)
    for question in ("What is the capital of Australia?", "飞艇公司的总裁是谁？", "Who won the chess match in Lisbon?"):
        assert (await answers.ask(question)).route == NOTHING


async def test_scores_say_which_passage_is_related(mixed: World) -> None:
    found = await mixed.context.search(SearchRequest("钢琴老师换成谁了?", limit=20))
    assert "Emil" in found[0].content
    assert found[0].semantic_score > 0.4
    assert found[-1].semantic_score < 0.35
