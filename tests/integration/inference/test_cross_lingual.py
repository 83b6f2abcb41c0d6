"""A question in one language finds an answer in the other one, in a store that is full of both (X9.3)."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import yaml

if TYPE_CHECKING:
    from app.inference.embedder import Embedder

_PAIRS = yaml.safe_load(Path(__file__).with_name("cross_lingual.yaml").read_text("utf-8"))
_OTHER = {"en": "zh", "zh": "en"}

# Twelve people do ten things at some time: 120 passages in each language that are about much and answer nothing.
_PEOPLE = {
    "en": ["Anna", "Bruno", "Carla", "David", "Elif", "Frank", "Gloria", "Hassan", "Irene", "Jakub", "Karin", "Liang"],
    "zh": ["小安", "老布", "卡卡", "大卫", "艾丽", "阿强", "桂花", "哈山", "伊琳", "小雅", "凯琳", "梁工"],
}
_DOINGS = {
    "en": [
        "{} bought a used bookshelf on Saturday and carried it up to the third floor.",
        "In the afternoon {} called about the invoice and promised to pay it within a week.",
        "{} has read the second draft and suggests a shorter introduction.",
        "Photo: {} on the pier, just before the storm came in.",
        "{} asks whether the training on Wednesday can be held online.",
        "Reminder: give {} back the drill and the two screwdrivers.",
        "{} was late again because the train from the airport did not come.",
        "Recipe from {}: fry onions slowly, add lentils and a spoon of vinegar.",
        "The new colleague {} will sit in room 214 and works mostly on reports.",
        "{} recommended the film about the lighthouse keeper, three hours long.",
    ],
    "zh": [
        "{}周六买了个二手书架，一直搬到三楼。",
        "下午{}打电话来问发票的事，答应一周之内付款。",
        "{}看完了第二稿，建议把引言写短一点。",
        "照片：{}在码头上，暴风雨马上就要来了。",
        "{}问星期三的培训能不能改成线上。",
        "提醒：把电钻和两把螺丝刀还给{}。",
        "{}又迟到了，因为机场过来的火车没来。",
        "{}的菜谱：洋葱慢慢炒，再放小扁豆和一勺醋。",
        "新同事{}坐在214房间，主要写报告。",
        "{}推荐了那部讲灯塔看守人的电影，片长三小时。",
    ],
}


@pytest.fixture(scope="module")
def store(embedder: Embedder) -> tuple[list[str], np.ndarray, list[str]]:
    """Texts, vectors and languages of a mixed store: 20 answers and 240 passages that answer nothing."""
    texts = [pair["answer"] for pair in _PAIRS]
    languages = [_OTHER[pair["language"]] for pair in _PAIRS]
    for language in ("en", "zh"):
        made = [doing.format(person) for person, doing in itertools.product(_PEOPLE[language], _DOINGS[language])]
        texts += made
        languages += [language] * len(made)
    return texts, embedder.embed_passages(texts).astype(np.float32), languages


def _rank(embedder: Embedder, store: tuple[list[str], np.ndarray, list[str]], number: int) -> int:
    """At which place the answer stands, counted from 0."""
    _texts, vectors, languages = store
    pair = _PAIRS[number]
    calibration = embedder.calibration
    meaning = calibration.meaning_of(embedder.embed_queries([pair["question"]])[0], pair["language"])
    scores = np.zeros(len(vectors), np.float32)
    for language in ("en", "zh"):
        rows = [row for row, spoken in enumerate(languages) if spoken == language]
        scores[rows] = calibration.score(
            calibration.cosines(meaning, vectors[rows], language), pair["language"], language
        )
    return int((scores > scores[number]).sum())


def test_an_answer_in_the_other_language_is_among_the_first_three(
    embedder: Embedder, store: tuple[list[str], np.ndarray, list[str]]
) -> None:
    assert len(store[0]) - len(_PAIRS) >= 200
    ranks = [_rank(embedder, store, number) for number in range(len(_PAIRS))]
    for language in ("en", "zh"):
        of_language = [rank for rank, pair in zip(ranks, _PAIRS, strict=True) if pair["language"] == language]
        assert sum(rank < 3 for rank in of_language) >= 9, (language, of_language)


def test_a_plain_cosine_would_not_find_them(embedder: Embedder, store: tuple[list[str], np.ndarray, list[str]]) -> None:
    """Why the offsets are there: when this fails, the model has changed and they should be measured again."""
    _texts, vectors, _languages = store
    questions = embedder.embed_queries([pair["question"] for pair in _PAIRS])
    cosines = questions @ vectors.T
    ranks = (cosines > np.diag(cosines[:, : len(_PAIRS)])[:, None]).sum(axis=1)
    assert (ranks < 3).mean() <= 0.5
