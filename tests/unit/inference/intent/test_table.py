"""The routing table: what comes with Famulus, what a person may add, and what is refused with which words (L3.3)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.domain.intents import ModelTier, SlotKind
from app.inference.intent.mood import mood_texts
from app.inference.intent.table import FILE, LONGEST_EXAMPLE, extended, load_table
from app.inference.intent.vectors import KnownVectors, space_of
from app.runtime.paths import resource

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.intent.table import RouteTable

SHIPPED = resource("rules", FILE)
SMALL = """
format = 1
[[intent]]
id = "tea"
acts = true
tier = "small"
tools = ["kettle.boil"]
slots = { cup = "text", when = "when" }
en = ["make tea", "tea please"]
zh = ["泡茶"]
[[intent]]
id = "talk"
acts = false
en = ["hello"]
[out_of_scope]
intent = "talk"
en = ["play a song"]
"""


def table_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "routes.toml"
    path.write_text(text, "utf-8")
    return path


def refusal(tmp_path: Path, text: str, own: str | None = None) -> str:
    def read() -> None:
        extended(load_table(table_of(tmp_path, text)), own or "")

    with pytest.raises(BadInput) as caught:
        read()
    return str(caught.value.what)


def test_the_shipped_table_has_examples_of_both_languages_for_every_intent() -> None:
    table = load_table(SHIPPED)
    assert 25 <= len(table.intents) <= 30
    assert table.outside == "conversation"
    for intent in table.intents.values():
        assert min(len(intent.examples["en"]), len(intent.examples["zh"])) >= 18, intent.id
        assert intent.about
    assert not table.intents["agenda_query"].acts
    assert table.intents["mail_send"].acts


def test_the_vectors_that_ship_cover_every_example() -> None:
    known = KnownVectors.read(resource("models", "examples.npz"), space_of("multilingual-e5-small", "1"))
    texts = [text for text, _ in load_table(SHIPPED).examples()] + mood_texts()
    assert [text for text in texts if text not in known] == []
    assert known.coefficients(load_table(SHIPPED).examples()) is not None, "run packaging/models/examples.py"


def test_fields_are_read(tmp_path: Path) -> None:
    tea = load_table(table_of(tmp_path, SMALL)).intents["tea"]
    assert (tea.acts, tea.tier, tea.tools) == (True, ModelTier.SMALL, ("kettle.boil",))
    assert tea.slots == {"cup": SlotKind.TEXT, "when": SlotKind.WHEN}
    assert tea.examples["zh"] == ("泡茶",)


def test_a_person_adds_examples_and_intents(tmp_path: Path) -> None:
    own = table_of(
        tmp_path, '[[intent]]\nid = "tea"\nen = ["a  cuppa"]\n[[intent]]\nid = "walk"\nother = ["promenade"]'
    )
    table = load_table(SHIPPED_SMALL(tmp_path), own)
    assert table.intents["tea"].examples["en"][-1] == "a cuppa"
    assert table.intents["tea"].own_examples == 1
    assert table.intents["tea"].tools == ("kettle.boil",)
    assert table.intents["walk"].acts, "who does not say is asked before anything happens"
    assert ("promenade", "walk") in table.examples()


def SHIPPED_SMALL(tmp_path: Path) -> Path:  # noqa: N802 - a constant that needs a folder
    folder = tmp_path / "shipped"
    folder.mkdir()
    return table_of(folder, SMALL)


def test_the_person_is_right_where_both_have_a_sentence(tmp_path: Path) -> None:
    table = load_table(table_of(tmp_path, SMALL))
    changed = extended(
        table, '[[intent]]\nid = "tea"\nen = ["Play a song"]\n[[intent]]\nid = "walk"\nen = ["make tea"]'
    )
    assert dict(changed.examples())["Play a song"] == "tea"
    assert dict(changed.examples())["make tea"] == "walk"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[intent]]\nid = ", "line 2"),
        ("colour = 1", "unknown field: colour"),
        ("format = 9", "format 9"),
        ("intent = 3", "begin each with [[intent]]"),
        ("[[intent]]\nen = ['a']", "Intent 1 has no “id”"),
        ("[[intent]]\nid = 'Big One'\nen = ['a']", "Big One"),
        ("[[intent]]\nid = 'a'\nen = ['a']\n[[intent]]\nid = 'a'\nen = ['b']", "“a” stands twice"),
        ("[[intent]]\nid = 'a'", "no examples"),
        ("[[intent]]\nid = 'a'\nen = 'a'", "“en” is no list"),
        ("[[intent]]\nid = 'a'\nen = ['...']", "“en” is empty"),
        (f"[[intent]]\nid = 'a'\nzh = ['{'好' * (LONGEST_EXAMPLE + 1)}']", "longer than 300"),
        ("[[intent]]\nid = 'a'\nen = ['a']\nexamples = ['b']", "unknown field: examples"),
        ("[[intent]]\nid = 'a'\nen = ['a']\nslots = {x = 'colour'}", "kind colour"),
        ("[[intent]]\nid = 'a'\nen = ['a']\nslots = {'X y' = 'text'}", "no good name"),
        ("[[intent]]\nid = 'a'\nen = ['a']\nslots = 'x'", "“slots” is no table"),
        ("[[intent]]\nid = 'a'\nen = ['a']\ntier = 'huge'", "huge; it must be one of none, small, large"),
        ("[[intent]]\nid = 'a'\nen = ['a']\ntools = ['rm -rf']", "“tools”"),
        ("[[intent]]\nid = 'a'\nen = ['a']\nacts = 'no'", "neither true nor false"),
        ("[[intent]]\nid = 'a'\nen = ['a']\nabout = 4", "“about” is no text"),
        ("[[intent]]\nid = 'a'\nen = ['x']\n[[intent]]\nid = 'b'\nen = ['X']", "stands under “a” and under “b”"),
        ("[[intent]]\nid = 'a'\nen = ['x']\n[out_of_scope]\nintent = 'b'", "names no intent of the table: b"),
        ("out_of_scope = 1", "write [out_of_scope]"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, says: str) -> None:
    assert says in refusal(tmp_path, text)


def test_of_a_shipped_intent_only_examples_can_be_changed(tmp_path: Path) -> None:
    assert "not acts" in refusal(tmp_path, SMALL, '[[intent]]\nid = "tea"\nacts = false\nen = ["x"]')


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "routes.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="UTF-8"):
        load_table(path)
    path.write_bytes(b"a = 1\n" * 1_000_000)
    with pytest.raises(BadInput, match="larger"):
        load_table(path)
    path.write_text("intent = " + "[" * 5_000, "utf-8")
    with pytest.raises(BadInput):
        load_table(path)


@functools.cache
def shipped() -> RouteTable:
    return load_table(SHIPPED)


@given(st.text(max_size=200))
def test_any_text_is_a_table_or_refused(text: str) -> None:
    table = shipped()
    try:
        found = extended(table, text)
    except BadInput:
        return
    assert set(table.intents) <= set(found.intents)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.lists(st.text(max_size=5), max_size=2)
)


@given(st.dictionaries(st.sampled_from(["id", "acts", "tier", "tools", "slots", "en", "zh", "about", "x"]), VALUES))
def test_any_row_is_an_intent_or_refused(row: dict[str, object]) -> None:
    text = tomlkit.dumps({"intent": [{key: value for key, value in row.items() if value is not None}]})
    try:
        found = extended(shipped(), text)
    except BadInput:
        return
    assert row["id"] in found.intents
