"""Reading by the nearest examples: certainty, free conversation, examples that count at once, strange texts (L3.3)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.inference.intent.own_examples import add_example
from app.inference.intent.reader import CERTAIN, CERTAIN_TO_ACT, IntentReader
from app.inference.intent.table import FILE, RouteTable, extended, load_table
from app.inference.intent.vectors import KnownVectors, packed, table_key
from app.runtime.paths import resource
from tests.unit.inference.intent.letters import Letters

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """
[[intent]]
id = "todo_add"
acts = true
slots = { title = "text", list = "list" }
en = ["add milk to my list", "add eggs to my shopping list", "put butter on my list", "add a task"]
zh = ["把牛奶加到清单", "清单加上鸡蛋", "把黄油加到清单"]
[[intent]]
id = "reminder"
acts = true
slots = { title = "text", when = "when" }
en = ["remind me at five", "remind me to call Ann", "remind me tomorrow", "set a reminder for noon"]
zh = ["五点提醒我", "提醒我给小安打电话", "提醒我明天开会"]
[[intent]]
id = "agenda"
acts = false
en = ["what is planned today", "what do i have tomorrow", "show my agenda", "show my calendar"]
zh = ["今天有什么安排", "看一下明天的日程", "看看日历"]
[[intent]]
id = "mail_send"
acts = true
slots = { person = "person", text = "text" }
en = ["send a mail to Tom", "send an email to Ann", "write a mail to Karl"]
zh = ["给小王发邮件", "给小李发邮件", "发邮件给老张"]
[[intent]]
id = "talk"
acts = false
en = ["hello there", "how are you"]
zh = ["你好"]
[out_of_scope]
intent = "talk"
en = ["play some jazz", "who won the match"]
zh = ["放一首歌", "今天谁赢了比赛"]
"""


@pytest.fixture
def table(tmp_path: Path) -> RouteTable:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, "utf-8")
    return load_table(path)


@pytest.fixture
def reader(table: RouteTable) -> IntentReader:
    return IntentReader(table, Letters())


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("add bread to my list", "todo_add"),
        ("remind me at seven", "reminder"),
        ("what is planned tomorrow", "agenda"),
        ("把面包加到清单", "todo_add"),
        ("六点提醒我", "reminder"),
        ("play some rock", "talk"),
    ],
)
def test_the_nearest_examples_decide(reader: IntentReader, text: str, intent: str) -> None:
    reading = reader.read(text)
    assert reading.intent == intent
    assert reading.parts[0].start == 0
    assert reading.parts[0].end == len(text)
    assert all(guess.intent != intent for guess in reading.alternatives)
    assert [guess.score for guess in reading.alternatives] == sorted(
        (guess.score for guess in reading.alternatives), reverse=True
    )


def test_an_action_needs_more_certainty(reader: IntentReader) -> None:
    for text in ("add bread to my list", "milk list", "remind", "xyzzy", "加清单", "发给"):
        part = reader.read(text).parts[0]
        acts = reader.table.intents[part.intent].acts
        assert part.is_certain == (part.score >= (CERTAIN_TO_ACT if acts else CERTAIN))


@pytest.mark.parametrize("text", ["", "   ", "!?", "\u202e\u200b", "\x00\x01", "。，！"])
def test_a_text_without_a_word_is_conversation(reader: IntentReader, text: str) -> None:
    reading = reader.read(text)
    assert (reading.intent, len(reading.parts)) == ("talk", 1)


@pytest.mark.parametrize("text", ["a" * 10_000_000, "[" * 5_000, "\ud800 add milk", "然后" * 200_000, "and " * 300_000])
def test_strange_texts_are_read_all_the_same(reader: IntentReader, text: str) -> None:
    assert reader.read(text).intent in reader.table.intents


def test_invisible_characters_do_not_hide_a_wish(reader: IntentReader) -> None:
    assert reader.read("add\u200b bread\u202e to my list").intent == "todo_add"


def test_two_wishes(reader: IntentReader) -> None:
    text = "add bread to my list and remind me at five"
    reading = reader.read(text)
    assert [(part.intent, text[part.start : part.end]) for part in reading.parts] == [
        ("todo_add", "add bread to my list"),
        ("reminder", "remind me at five"),
    ]


def test_two_wishes_in_chinese(reader: IntentReader) -> None:
    text = "先看一下明天的日程，再给小王发邮件"
    reading = reader.read(text)
    assert [(part.intent, text[part.start : part.end]) for part in reading.parts] == [
        ("agenda", "看一下明天的日程"),
        ("mail_send", "给小王发邮件"),
    ]


@pytest.mark.parametrize(
    "text", ["add milk and eggs to my list", "remind me to call Ann and eat", "把牛奶和鸡蛋加到清单"]
)
def test_things_are_not_wishes(reader: IntentReader, text: str) -> None:
    assert len(reader.read(text).parts) == 1


def test_what_may_belong_to_a_reminder_is_not_sent(reader: IntentReader) -> None:
    reading = reader.read("remind me to call Ann and send a mail to Tom")
    assert not reading.is_certain


def test_an_own_example_counts_at_once(table: RouteTable) -> None:
    assert IntentReader(table, Letters()).read("zap the doohickey").intent != "agenda"
    own = extended(table, '[[intent]]\nid = "agenda"\nen = ["zap the doohickey"]')
    assert IntentReader(own, Letters()).read("zap the doohickey").intent == "agenda"


def test_without_free_conversation_every_text_gets_its_best_intent(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text('[[intent]]\nid = "a"\nen = ["alpha"]\n[[intent]]\nid = "b"\nen = ["beta"]', "utf-8")
    reader = IntentReader(load_table(path), Letters())
    assert reader.read("alpha").intent == "a"
    assert reader.read("???").score == 0.0
    assert reader.read("qqq").score < reader.read("alpha").score


def test_only_what_is_not_known_is_embedded(table: RouteTable, tmp_path: Path) -> None:
    letters = Letters()
    texts = [text for text, _ in table.examples()]
    raw = np.concatenate([letters.embed_queries(texts), letters.embed_passages(texts).astype(np.float32)], axis=1)
    np.savez(tmp_path / "known.npz", **packed(texts[1:], raw[1:], "letters 1", (0, np.zeros((0, 0), np.float32))))
    letters.read.clear()
    known = KnownVectors.read(tmp_path / "known.npz", "letters 1")
    assert IntentReader(table, letters, known).read("add bread to my list").intent == "todo_add"
    assert letters.read == [texts[0], "add bread to my list"]
    assert len(KnownVectors.read(tmp_path / "known.npz", "another model")) == 0
    assert len(KnownVectors.read(tmp_path / "none.npz", "letters 1")) == 0
    (tmp_path / "known.npz").write_bytes(b"PK nonsense")
    assert len(KnownVectors.read(tmp_path / "known.npz", "letters 1")) == 0


def test_an_example_is_added_to_the_persons_file(tmp_path: Path) -> None:
    config = tmp_path / "config"
    add_example(config, "recall", "what was that again")
    (config / FILE).write_text((config / FILE).read_text("utf-8") + "# mine\n", "utf-8")
    add_example(config, "recall", "那件事叫什么来着")
    add_example(config, "parcel", "where is my parcel", is_new=True)
    table = load_table(resource("rules", FILE), config / FILE)
    assert table.intents["recall"].own_examples == 2
    assert table.intents["recall"].examples["zh"][-1] == "那件事叫什么来着"
    assert table.intents["parcel"].examples["en"] == ("where is my parcel",)
    assert "# mine" in (config / FILE).read_text("utf-8")


@pytest.mark.parametrize(("intent", "example"), [("nothing_like_it", "x y"), ("recall", "  !"), ("recall", "x" * 301)])
def test_a_bad_example_leaves_the_file_alone(tmp_path: Path, intent: str, example: str) -> None:
    from app.domain.errors import BadInput

    with pytest.raises(BadInput):
        add_example(tmp_path, intent, example)
    assert not (tmp_path / FILE).exists()


def test_a_head_that_was_fitted_before_is_used_for_its_very_table_only(table: RouteTable, tmp_path: Path) -> None:
    letters = Letters()
    examples = table.examples()
    texts = [text for text, _ in examples]
    raw = np.concatenate([letters.embed_queries(texts), letters.embed_passages(texts).astype(np.float32)], axis=1)
    fitted = IntentReader(table, letters)
    np.savez(tmp_path / "known.npz", **packed(texts, raw, "letters 1", (table_key(examples), fitted.coefficients)))
    known = KnownVectors.read(tmp_path / "known.npz", "letters 1")
    quick = IntentReader(table, letters, known)
    np.testing.assert_allclose(quick.coefficients, fitted.coefficients, atol=2e-3)
    assert quick.coefficients is not None
    assert known.coefficients(examples) is quick.coefficients
    own = extended(table, '[[intent]]\nid = "agenda"\nen = ["zap the doohickey"]')
    assert known.coefficients(own.examples()) is None
    assert IntentReader(own, letters, known).read("zap the doohickey").intent == "agenda"


def test_examples_that_are_added_at_once_are_all_kept(tmp_path: Path) -> None:
    said = [f"what about day number {number}" for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda example: add_example(tmp_path, "agenda_query", example), said))
    kept = (tmp_path / "routes.toml").read_text("utf-8")
    assert all(example in kept for example in said)
