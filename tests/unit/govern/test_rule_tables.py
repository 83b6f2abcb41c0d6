"""A person's own words and numbers over the shipped rules; what a file cannot do (G2.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.govern.rule_tables import LONGEST_FILE, OPEN_TO_CHANGE, lay_over, made_of_rules, read_overlay, rule_table
from app.govern.understanding.conditionals import is_failing, is_unsettling
from app.govern.understanding.rules import freshness_rules, understanding_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = '[unsettling]\nen = ["Mothball", "put  on ice"]\nzh = ["封存"]\n'
BAD = {
    "no TOML": b"[limits",
    "no text": b"[limits]\nfloor = 1 # \xff\xfe",
    "half a sign": '[plans]\nverbs_zh = ["封存"]'.encode()[:-4],
    "a NUL": b'[plans]\nverbs_zh = ["\x00"]',
    "a lone surrogate": b'[plans]\nverbs_zh = ["\\ud800"]',
    "an unknown part": b"[nothing]\nx = 1",
    "an unknown key": b"[limits]\nx = 1",
    "a table where a list is": b"[plans.verbs_zh]\nx = 1",
    "many tables": b"[[plans]]\nverbs_zh = []",
    "a value where a table is": b"plans = 1",
    "a list of numbers": b"[plans]\nverbs_zh = [1]",
    "lists in lists": b'[plans]\nverbs_zh = [["x"]]',
    "an empty word": b'[plans]\nverbs_zh = [" "]',
    "a word without end": b'[plans]\nverbs_zh = ["' + b"x" * 101 + b'"]',
    "a text for a list": b'[plans]\nverbs_zh = "x"',
    "the signs of a text": b'[topics]\nsigns_zh = "x"',
    "the kinds that are read": b'[reading]\nkinds = ["visit"]',
    "a text for a number": b'[limits]\nlongest_title = "5"',
    "true for a number": b"[limits]\nlongest_title = true",
    "half a count": b"[limits]\nlongest_title = 0.5",
    "less than nothing": b"[limits]\nlongest_title = -1",
    "nothing": b"[limits]\ntask_confidence = 0",
    "more than sure": b"[limits]\ntask_confidence = 1.5",
    "no number": b"[limits]\ntask_confidence = nan",
    "without end": b"[limits]\ntask_confidence = inf",
    "too many digits": b"[limits]\nlongest_title = " + b"9" * 60_000,
    "too big": b"# " + b"x" * LONGEST_FILE,
    "too deep": b"plans = " + b"[" * 60_000,
    "too many parts": b"plans" + b".x" * 30_000 + b" = 1",
    "too many words": b"[plans]\nverbs_zh = [" + b",".join(b'"w%d"' % number for number in range(2_001)) + b"]",
}


@pytest.fixture(autouse=True)
def shipped() -> Iterator[None]:
    yield
    for name in OPEN_TO_CHANGE:
        lay_over(name, None)


def own(name: str, text: str) -> None:
    lay_over(name, read_overlay(name, text.encode()))


@pytest.mark.parametrize("name", OPEN_TO_CHANGE)
@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_an_empty_file_changes_nothing(name: str, text: str) -> None:
    read = read_overlay(name, text.encode())
    assert (read.table, read.words, read.numbers) == (rule_table(name), frozenset(), ())


def test_words_are_added_and_none_is_taken_away() -> None:
    read = read_overlay("freshness", WORDS.encode())
    before = rule_table("freshness")["unsettling"]
    assert read.table["unsettling"]["en"] == [*before["en"], "mothball", "put on ice"]
    assert read.table["unsettling"]["zh"] == [*before["zh"], "封存"]
    assert read.words == {"mothball", "put on ice", "封存"}
    assert read.table["failing"] == rule_table("freshness")["failing"]


def test_words_that_are_there_already_are_no_change() -> None:
    read = read_overlay("freshness", '[unsettling]\nen = ["Postpone", "new", "new"]\nzh = ["顺延"]'.encode())
    assert read.words == {"new"}


def test_numbers_replace_the_shipped_ones() -> None:
    read = read_overlay("understanding", b"[limits]\ntask_confidence = 0.9\nlongest_title = 160\nfurthest_days = 30\n")
    assert read.numbers == (("limits.task_confidence", 0.6, 0.9), ("limits.furthest_days", 1100, 30))
    assert read.table["limits"]["furthest_days"] == 30
    assert not read.words


def test_the_version_tells_one_file_from_another() -> None:
    versions = {read_overlay("freshness", text.encode()).version for text in ("", WORDS, WORDS + "# seen\n")}
    assert len(versions) == 3
    assert all(version.startswith("freshness-1") for version in versions)
    assert read_overlay("freshness", WORDS.encode("utf-8-sig")).version in versions  # as it is kept: without the mark


@pytest.mark.parametrize("what", BAD)
def test_a_wrong_file_is_refused(what: str) -> None:
    before = rule_table("understanding")
    with pytest.raises(BadInput, match=r"understanding\.toml"):
        read_overlay("understanding", BAD[what])
    assert rule_table("understanding") == before


@pytest.mark.parametrize("text", ["floor = 19", "soft = 200", "ceiling = 300", "ceiling = 501", "floor = 320"])
def test_lengths_have_to_fit_each_other_and_the_model(text: str) -> None:
    with pytest.raises(BadInput, match="ceiling"):
        read_overlay("chunking", f"[limits]\n{text}".encode())


@settings(max_examples=150)
@given(st.sampled_from(OPEN_TO_CHANGE), st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode()))
def test_whatever_stands_in_a_file_is_read_or_refused(name: str, own_file: bytes) -> None:
    try:
        read = read_overlay(name, own_file)
    except BadInput:
        return
    assert read.table.keys() == rule_table(name).keys()


def test_what_is_made_of_the_rules_follows_them() -> None:
    assert not is_unsettling("the launch is mothballed")
    assert not is_unsettling("项目封存")
    own("freshness", WORDS + '[failing]\nen = ["botched"]\nzh = ["黄了"]\n')
    assert is_unsettling("the launch is Mothballed")
    assert is_unsettling("项目封存")
    assert is_failing("the test is botched")
    assert is_failing("测试黄了")
    lay_over("freshness", None)
    assert not is_unsettling("the launch is mothballed")
    assert freshness_rules().version == "freshness-1"


def test_one_file_leaves_the_others_alone() -> None:
    before = understanding_rules()
    own("freshness", WORDS)
    assert understanding_rules() == before
    assert freshness_rules().version != "freshness-1"


def test_it_is_made_once_and_what_was_begun_before_a_change_is_not_kept() -> None:
    made: list[str] = []

    @made_of_rules
    def version() -> str:
        made.append(str(rule_table("freshness")["version"]))
        if len(made) == 1:
            own("freshness", WORDS)  # as another thread would, at the worst moment
        return made[-1]

    assert version() == "freshness-1"
    assert version().startswith("freshness-1+")
    assert version() == made[-1]
    assert len(made) == 2
