"""Tokens for the span model, and how scores become spans (G2.4)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.inference.span_tokens import ENTITY_TAGS, Tokens, decode, encode, tags_for
from app.inference.tokens import UNKNOWN, Tokenizer

if TYPE_CHECKING:
    from app.inference.packs import ModelPack

TAGS = tags_for(("person", "place"))


def scores(*tags: str, sure: float = 9.0) -> np.ndarray:
    found = np.zeros((len(tags), len(TAGS)), np.float32)
    for row, tag in enumerate(tags):
        found[row, TAGS.index(tag)] = sure
    return found


def words(text: str) -> Tokens:
    starts, at = [], 0
    for word in text.split(" "):
        starts.append(at)
        at += len(word) + 1
    return Tokens(
        [0] * len(starts), starts, [start + len(word) for start, word in zip(starts, text.split(" "), strict=True)]
    )


def test_a_span_begins_goes_on_and_ends() -> None:
    text = "Ada Lovelace lives in London"
    found = decode(scores("B-person", "I-person", "O", "O", "B-place"), words(text), text, TAGS)
    assert [(text[span.start : span.end], span.label) for span in found] == [
        ("Ada Lovelace", "person"),
        ("London", "place"),
    ]
    assert all(span.confidence > 0.9 for span in found)


def test_two_spans_may_touch() -> None:
    text = "Ada Grace"
    assert len(decode(scores("B-person", "B-person"), words(text), text, TAGS)) == 2


def test_the_inside_of_a_span_never_stands_alone() -> None:
    """The best sequence that is allowed is taken, not the best tag of every token."""
    text = "in New York"
    unsure = scores("O", "I-place", "I-place")
    unsure[1, TAGS.index("B-place")] = 8.5
    (found,) = decode(unsure, words(text), text, TAGS)
    assert (text[found.start : found.end], found.label) == ("New York", "place")


def test_marks_at_the_edges_are_no_part_of_a_name() -> None:
    text = "“Ada”, said he"
    (found,) = decode(scores("B-person", "O", "O"), words(text), text, TAGS)
    assert text[found.start : found.end] == "Ada"


def test_nothing_is_found_in_nothing() -> None:
    assert decode(np.zeros((0, len(TAGS)), np.float32), Tokens([], [], []), "", TAGS) == []
    text = "。"
    assert decode(scores("B-person"), words(text), text, TAGS) == []


def test_chinese_is_read_character_by_character(pack: ModelPack) -> None:
    """A name may begin in the middle of a piece of the vocabulary."""
    tokenizer = Tokenizer(pack.path("tokenizer.model"))
    text = "今天你好世界"
    tokens = encode(tokenizer, text)
    spans = [(start, end) for start, end in zip(tokens.starts, tokens.ends, strict=True) if end > start]
    assert spans == [(place, place + 1) for place in range(len(text))]
    assert UNKNOWN not in tokens.ids


@given(st.text(max_size=80))
def test_every_token_stands_in_the_text(text: str) -> None:
    tokens = words(text)
    found = decode(
        np.random.default_rng(len(text)).normal(size=(len(tokens), len(ENTITY_TAGS))).astype(np.float32) * 4,
        tokens,
        text,
        ENTITY_TAGS,
    )
    assert all(0 <= span.start < span.end <= len(text) and 0 <= span.confidence <= 1 for span in found)
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))


def test_unseen_signs_at_the_edges_are_no_part_of_a_name() -> None:
    text = "\ufeff\u202eAnna\u202c\x00 x"
    tokens = Tokens([1, 2], [0, 9], [8, 10])
    (found,) = decode(scores("B-person", "O"), tokens, text, TAGS)
    assert text[found.start : found.end] == "Anna"


def test_a_part_of_a_word_and_a_number_are_no_names() -> None:
    text = "akiaEXAMPLE7 12345"
    tokens = Tokens([0, 0, 0], [0, 4, 13], [4, 12, 18])
    assert decode(scores("B-person", "O", "B-person"), tokens, text, TAGS) == []
    assert len(decode(scores("B-person", "I-person", "O"), tokens, text, TAGS)) == 1
