"""The tokens of a text as the span model reads them, and how its scores become spans.

They are the embedder's own tokens, but for Chinese characters: a piece of several is read as single characters, since a
name may begin in the middle of a piece (6 of 100 names in Chinese news do).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.domain.readings import TextSpan
from app.inference.viterbi import best_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.inference.tokens import Tokenizer

ENTITY_LABELS = ("person", "organisation", "place", "project", "work", "role")
CLAUSE_LABELS = ("task", "decision", "condition")
OUTSIDE = "O"


def tags_for(labels: Sequence[str]) -> tuple[str, ...]:
    """The tags of a token: outside, or the beginning or the inside of a span (BIO)."""
    return (OUTSIDE, *(f"{part}-{label}" for label in labels for part in "BI"))


ENTITY_TAGS, CLAUSE_TAGS = tags_for(ENTITY_LABELS), tags_for(CLAUSE_LABELS)

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
# What cannot be the first or the last character of a span; Python's white space knows neither marks nor controls.
_UNSEEN = r"\s\x00-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_STOPS = r",;:!?，。；：！？、\"“”‘’'(（\[【<-"
_EDGES = re.compile(rf"^[{_UNSEEN}.)）\]】>{_STOPS}]+|[{_UNSEEN}{_STOPS}]+$")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: their ids, and where each stands (characters; equal where it has no width)."""

    ids: list[int]
    starts: list[int]
    ends: list[int]

    def __len__(self) -> int:
        return len(self.ids)

    def part(self, first: int, last: int) -> Tokens:
        """Some of them, `last` exclusive."""
        return Tokens(self.ids[first:last], self.starts[first:last], self.ends[first:last])


def encode(tokenizer: Tokenizer, text: str) -> Tokens:
    """The tokens of a text."""
    tokens = Tokens([], [], [])
    for token, begin, end in tokenizer.pieces(text):
        start = begin + len(text[begin:end]) - len(text[begin:end].lstrip())
        piece = text[start:end]
        if len(piece) > 1 and _HAN.search(piece):
            for place, character in enumerate(piece, start):
                tokens.ids.append(tokenizer.character_id(character))
                tokens.starts.append(place)
                tokens.ends.append(place + 1)
            continue
        tokens.ids.append(token)
        tokens.starts.append(start)
        tokens.ends.append(end)
    return tokens


def decode(scores: NDArray[np.float32], tokens: Tokens, text: str, tags: Sequence[str]) -> list[TextSpan]:
    """The spans of the best sequence of tags that is allowed (Viterbi).

    Args:
        scores: float32[tokens, tags], unnormalised.
        tokens: those that were scored.
        text: what they are of.
        tags: of `tags_for`.

    Returns:
        Spans in order, their confidence being the mean probability of their tags.
    """
    if not len(scores):
        return []
    shares = scores - scores.max(axis=1, keepdims=True)
    shares = shares - np.log(np.exp(shares).sum(axis=1, keepdims=True))
    path = _tag_path(shares, tags)
    found: list[TextSpan] = []
    first = None
    for place, tag in enumerate([*path, 0]):
        if first is not None and not tags[tag].startswith("I-"):
            found.extend(_span(shares, path, tokens, text, (first, place), tags))
            first = None
        if tags[tag].startswith("B-"):
            first = place
    return found


def _tag_path(shares: NDArray[np.float32], tags: Sequence[str]) -> list[int]:
    """The best sequence in which the inside of a span follows its beginning or its inside."""
    allowed = np.zeros((len(tags), len(tags)), np.float32)
    for column, tag in enumerate(tags):
        if tag.startswith("I-"):
            before = {f"B-{tag[2:]}", tag}
            allowed[[row for row, name in enumerate(tags) if name not in before], column] = -np.inf
    begin = np.array([-np.inf if tag.startswith("I-") else 0 for tag in tags], np.float32)
    return best_path(shares, allowed, begin)


def _span(  # noqa: PLR0917 - a step of `decode`, with what it knows
    shares: NDArray[np.float32],
    path: Sequence[int],
    tokens: Tokens,
    text: str,
    place: tuple[int, int],
    tags: Sequence[str],
) -> list[TextSpan]:
    first, last = place
    start, end = tokens.starts[first], max(tokens.ends[first:last])
    edges = _EDGES.search(text[start:end])
    while edges is not None and start < end:
        start, end = (start + edges.end(), end) if edges.start() == 0 else (start, start + edges.start())
        edges = _EDGES.search(text[start:end])
    if not _is_a_name(text, start, end):
        return []
    confidence = float(np.exp(np.mean([shares[n, path[n]] for n in range(first, last)])))
    return [TextSpan(start, end, tags[path[first]][2:], round(confidence, 3))]


def _is_a_name(text: str, start: int, end: int) -> bool:
    """Whether a stretch can be a name at all: it has a letter, and is no part of a Latin word or a number."""
    if not any(character.isalpha() for character in text[start:end]):
        return False
    return not any(
        0 < border < len(text) and _is_latin(text[border - 1]) and _is_latin(text[border]) for border in (start, end)
    )


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()
