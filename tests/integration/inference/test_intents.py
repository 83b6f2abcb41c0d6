"""Intents and moods with the real model, on sentences of our own that are not in the tables (L3.3, A5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.bootstrap.batches.classify import open_task
from app.cli.wiring import BatchRequest
from app.domain.moods import Polarity
from app.inference.embedder import Embedder
from app.inference.intent.features import raw_vectors
from app.inference.intent.opening import open_mood_reader, open_reader
from app.inference.intent.table import FILE, load_table
from app.inference.intent.vectors import KnownVectors, space_of
from app.runtime.paths import Paths, resource
from tests.model_pack import model_pack, models_folder

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.intent.reader import IntentReader

REQUESTS = {
    "agenda_query": ["is there anything in my diary for sunday evening", "周二早上我排了什么"],
    "event_add": ["put the school play in my calendar for the 9th at six", "下个月三号跟律师见面，排进日历"],
    "event_change": ["can we shift the plumber from tuesday to thursday", "把周三的瑜伽挪到周四晚上"],
    "event_cancel": ["the barbecue is off, take it out of the calendar", "周日的野餐不办了，把日程删掉"],
    "todo_add": ["stick printer paper on the shopping list", "购物清单上再写一瓶酱油"],
    "todo_done": ["i've sent off the parcel, tick that off", "水费已经交了，把那条勾掉"],
    "todo_list": ["what have i still got on my list for the move", "搬家的清单还剩什么"],
    "reminder": ["ping me at quarter past eight to feed the fish", "晚上十点提醒我关窗户"],
    "note_add": ["take a note: the gate code is on the back of the photo", "记个笔记，大门密码写在照片背面"],
    "remember": ["remember that i can't stand coriander", "记住我不吃香菜"],
    "forget": ["forget what i said about my knee", "把我膝盖的事忘掉吧"],
    "recall": ["what did the architect say about the staircase", "建筑师关于楼梯是怎么说的"],
    "file_find": ["where's the pdf with the floor plans", "户型图的pdf放哪儿了"],
    "mail_find": ["has anything come in from the tax office", "税务局来邮件了吗"],
    "mail_send": ["email Greta that the keys are under the pot", "给小冯发邮件说钥匙在花盆底下"],
    "contact_find": ["what's the chimney sweep's phone number", "修水管师傅的电话多少"],
    "weather": ["is it going to pour on saturday", "周六会不会下大雨"],
    "translate": ["how would you say 'well done' in Danish", "辛苦了用法语怎么说"],
    "conversation": [
        "put on some blues",
        "who invented the zip",
        "来一首民谣",
        "拉链是谁发明的",
        "hi famulus",
        "你好呀",
    ],
}


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder(model_pack(), threads=2)


@pytest.fixture(scope="module")
def reader(embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> IntentReader:
    return open_reader(embedder, tmp_path_factory.mktemp("config"))


def test_fresh_requests_are_understood(reader: IntentReader) -> None:
    cases = [(text, intent) for intent, texts in REQUESTS.items() for text in texts]
    read = [(text, intent, reader.read(text)) for text, intent in cases]
    missed = [(text, reading.intent) for text, intent, reading in read if reading.intent != intent]
    assert len(missed) <= len(cases) // 10, missed
    acted_wrongly = [
        text
        for text, intent, reading in read
        if reading.intent != intent and reading.is_certain and reader.table.intents[reading.intent].acts
    ]
    assert len(acted_wrongly) <= 1, acted_wrongly


@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("put olives on my list and remind me at six to call Gran", ["todo_add", "reminder"]),
        ("先看看明天的日程，然后给小冯发邮件", ["agenda_query", "mail_send"]),
        ("add salt and pepper to the shopping list", ["todo_add"]),
        ("把盐和胡椒加到购物清单", ["todo_add"]),
    ],
)
def test_several_wishes(reader: IntentReader, text: str, intents: list[str]) -> None:
    assert [part.intent for part in reader.read(text).parts] == intents


def test_moods(embedder: Embedder) -> None:
    moods = open_mood_reader(embedder)
    cases = [
        ("we're getting married!", Polarity.POSITIVE),
        ("昨晚真是太愉快了", Polarity.POSITIVE),
        ("thanks for lending me your bike", Polarity.POSITIVE),
        ("it still hurts to think of her", Polarity.NEGATIVE),
        ("房东又把我惹火了", Polarity.NEGATIVE),
        ("i can hardly keep my eyes open", Polarity.NEGATIVE),
        ("the contract ends in december", Polarity.NEUTRAL),
        ("合同十二月到期", Polarity.NEUTRAL),
    ]
    missed = [text for text, polarity in cases if moods.read(text).polarity is not polarity]
    assert len(missed) <= 1, missed


def test_the_vectors_that_ship_are_the_models(embedder: Embedder) -> None:
    texts = [text for text, _ in load_table(resource("rules", FILE)).examples()][::200]
    known = KnownVectors.read(resource("models", "examples.npz"), space_of(embedder.model_id, embedder.version))
    shipped, made = known.raw(texts, embedder), raw_vectors(embedder, texts)
    likeness = (shipped * made).sum(axis=1) / np.linalg.norm(shipped, axis=1) / np.linalg.norm(made, axis=1)
    assert likeness.min() > 0.995


def test_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAMULUS_MODELS", str(models_folder()))
    table = tmp_path / "two.toml"
    table.write_text(
        '[[intent]]\nid = "tea"\nen = ["make tea"]\n[[intent]]\nid = "walk"\nen = ["take a walk"]', "utf-8"
    )
    task = open_task(Paths(tmp_path), BatchRequest("classify", [], routes=table))
    found = task.result({"text": "brew some tea"})
    assert (found["intent"], found["acts"]) == ("tea", True)
    assert 0 < found["score"] <= 1
    task.close()
