"""A result within a budget of tokens: what fits, and around the best of it what stands beside it (G4.5).

    1. the items in their order, as long as they fit; the first that does not is cut at a sentence, the rest left out
       unless it still fits
    2. with what is left of the budget, the passages before and after the best items, of the same entry and under the
       same mask, so that nothing comes in that a search could not have found

Nothing is said twice: a passage that is an item itself, or stands in one already, is not added to another one. Without
a budget every item is the passage that was found, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from app.domain.text import Text, msg
from app.govern.sentences import split_sentences
from app.store.reading import passages_beside

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.context.ranked import Ranked
    from app.domain.context_item import ContextItem
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.reading import Passage
    from app.store.visibility import View

_LEAST_WHOLE = 0.25
"""Of what there is room for, that whole sentences have to fill."""
_JOINER = "\u200d"
_CUT_MARK = "…"
LEAST_CUT = 16
"""Tokens; less of a passage than this says nothing, and it is left out."""
_WORTH = 0.8
"""Passages around an item are added where its score is at least this share of the best one's."""
_AROUND = 12
"""Passages on either side that are looked at, at most; fewer where the budget has no room for so many."""
_TYPICAL = 100
"""Tokens of a short passage."""


class Counter(Protocol):
    """Counts tokens."""

    def count(self, text: str) -> int:
        """Tokens of `text`."""
        ...

    def cut(self, text: str, limit: int) -> list[str]:
        """`text` in parts of at most `limit` tokens each."""
        ...


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a request brought. `notes`: what its asker should know of it."""

    items: tuple[ContextItem, ...] = ()
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """By what passages beside an item are found: only what the same mask lets through."""

    reader: Reader
    view: View
    visible: VisibilityFilter

    def beside(self, passages: Sequence[Passage], reach: int) -> dict[int, list[list[Passage]]]:
        """By passage the unbroken runs behind it and before it (nearest first), in the same voice (`Place`)."""
        found = passages_beside(self.reader, passages, self.visible, reach=reach)
        runs: dict[int, list[list[Passage]]] = {}
        for passage in passages:
            beside = found[passage.chunk_id]
            after = [one for one in beside if one.ordinal > passage.ordinal]
            before = [one for one in reversed(beside) if one.ordinal < passage.ordinal]
            runs[passage.chunk_id] = [run for side in (after, before) if (run := list(self._run(passage, side)))]
        return runs

    def _run(self, passage: Passage, others: Sequence[Passage]) -> Iterator[Passage]:
        ordinal = passage.ordinal
        for one in others:
            is_seen = one.chunk_id < len(self.view.mask) and bool(self.view.mask[one.chunk_id])
            is_same_voice = (one.place.is_quoted, one.place.is_signature) == (
                passage.place.is_quoted,
                passage.place.is_signature,
            )
            if not is_seen or not is_same_voice or abs(one.ordinal - ordinal) != 1:
                return
            ordinal = one.ordinal
            yield one


class _Piece:
    """An item that grows: the passages of it, and what they cost together."""

    def __init__(self, ranked: Ranked, text: str, size: int) -> None:
        self.ranked = ranked
        self.size = size
        self.is_cut = text != ranked.passage.text
        self._parts = {ranked.passage.ordinal: (ranked.passage, text)}
        self._sides: list[list[Passage]] = []

    def may_grow(self, sides: list[list[Passage]]) -> None:
        """By these passages, the nearest of each side first."""
        self._sides = sides

    def grow(self, left: int, used: set[int], counter: Counter) -> int:
        """Add the next passage, if it fits into what is left; returns what it cost, 0 when nothing was added."""
        while self._sides:
            side = self._sides.pop(0)
            passage = side.pop(0)
            if passage.chunk_id in used:
                continue
            grown = {**self._parts, passage.ordinal: (passage, passage.text)}
            cost = counter.count(_joined(grown)) - self.size
            if cost > left:
                continue
            self._parts, self.size = grown, self.size + cost
            used.add(passage.chunk_id)
            if side:
                self._sides.append(side)
            return max(cost, 1)
        return 0

    def item(self) -> ContextItem:
        """The item as it is handed out; its place is still that of the passage that was found."""
        item = self.ranked.item
        extra = {"neighbours": float(len(self._parts) - 1), "cut": float(self.is_cut)}
        return replace(item, content=_joined(self._parts), explanation=MappingProxyType({**item.explanation, **extra}))


def within_budget(ranked: Sequence[Ranked], around: Around, counter: Counter, budget: int) -> Gathered:
    """The best items within a budget of tokens, with what stands around them; see the module docstring."""
    pieces, notes = _fitting(ranked, counter, budget)
    left = budget - sum(piece.size for piece in pieces)
    used = {piece.ranked.passage.chunk_id for piece in pieces}
    best = max((piece.ranked.item.final_score for piece in pieces), default=0.0)
    growing = [piece for piece in pieces if not piece.is_cut and piece.ranked.item.final_score >= _WORTH * best]
    if growing and left > 0:
        reach = min(_AROUND, 1 + left // (_TYPICAL * len(growing)))
        sides = around.beside([piece.ranked.passage for piece in growing], reach)
        for piece in growing:
            piece.may_grow(sides[piece.ranked.passage.chunk_id])
    while left > 0 and growing:
        still: list[_Piece] = []
        for piece in growing:
            cost = piece.grow(left, used, counter)
            left -= cost
            if cost:
                still.append(piece)
        growing = still
    return Gathered(tuple(piece.item() for piece in pieces), tuple(notes))


def _fitting(ranked: Sequence[Ranked], counter: Counter, budget: int) -> tuple[list[_Piece], list[Text]]:
    """The items that fit, in their order, the first that does not cut; and what to say of the others."""
    pieces: list[_Piece] = []
    left, is_cut, is_left_out = budget, False, False
    for one in ranked:
        text = one.passage.text
        size = counter.count(text)
        if size > left and not is_cut and left >= LEAST_CUT:
            text = cut_to(text, left, counter)
            size = counter.count(text)
            is_cut = bool(text)
        if size > left or not text:
            is_left_out = True
            continue
        pieces.append(_Piece(one, text, size))
        left -= size
    notes = []
    if is_cut:
        notes.append(msg("A passage was shortened to keep within {budget} tokens.", budget=budget))
    if is_left_out:
        notes.append(msg("Passages were left out to keep within {budget} tokens.", budget=budget))
    return pieces, notes


def _joined(parts: dict[int, tuple[Passage, str]]) -> str:
    """Passages in the order of their entry; where a new heading begins and does not stand there, it is put in front."""
    texts: list[str] = []
    heading: tuple[str, ...] | None = None
    for ordinal in sorted(parts):
        passage, text = parts[ordinal]
        path = passage.place.heading_path
        is_new = heading is not None and path != heading and bool(path) and not text.lstrip("# ").startswith(path[-1])
        if is_new and not passage.place.is_quoted and not passage.place.is_signature:
            texts.append(" > ".join(path))
        texts.append(text)
        heading = path
    return "\n\n".join(texts)


def cut_to(text: str, budget: int, counter: Counter) -> str:
    """The beginning of a text within a budget of tokens, up to the end of a sentence.

    Where the first sentence alone is longer, or hardly more than a heading ends within it, up to the end of a word. A
    cut text ends with an ellipsis; it is empty where the budget is too small for anything.
    """
    room = budget - counter.count(_CUT_MARK)
    if counter.count(text) <= budget:
        return text
    if room < 1:
        return ""
    start = counter.cut(text, room)[0]
    sentences = _whole_sentences(text, len(start))
    # the part, counted alone, may have a token more than in the whole
    while sentences and counter.count(_marked("".join(sentences))) > budget:
        sentences.pop()
    whole = "".join(sentences)
    kept = whole if len(whole) >= _LEAST_WHOLE * len(start) else start
    while kept.strip() and counter.count(_marked(kept)) > budget:
        kept = kept[: len(kept) * 9 // 10]
    return _marked(kept) if kept.strip() else ""


def _marked(text: str) -> str:
    # an emoji of several ends with no joiner
    return f"{text.rstrip().rstrip(_JOINER)} {_CUT_MARK}"


def _whole_sentences(text: str, length: int) -> list[str]:
    """The sentences that end within the first `length` characters."""
    found: list[str] = []
    end = 0
    # a sentence border needs a little of what follows
    for sentence in split_sentences(text[: length + 200]):
        end += len(sentence.rstrip())
        if end > length:
            break
        end += len(sentence) - len(sentence.rstrip())
        found.append(sentence)
    return found
