"""A result within a budget of tokens: what fits, and around the best of it what stands beside it (G4.5).

    1. the items in their order, as long as they fit; the first that does not is cut at a sentence, the rest left out
       unless it still fits
    2. with what is left of the budget, the passages before and after the best items, of the same entry and under the
       same mask, so that nothing comes in that a search could not have found

Nothing is said twice: a passage that is an item itself, or stands in one already, is not added to another one. Without
a budget every item is the passage that was found, and no more.
"""

from __future__ import annotations

from typing import Protocol

from app.govern.sentences import split_sentences

_CUT_MARK = "…"


class Counter(Protocol):
    """Counts tokens."""

    def count(self, text: str) -> int:
        """Tokens of `text`."""
        ...

    def cut(self, text: str, limit: int) -> list[str]:
        """`text` in parts of at most `limit` tokens each."""
        ...


def cut_to(text: str, budget: int, counter: Counter) -> str:
    """The beginning of a text within a budget of tokens, up to the end of a sentence.

    Where the first sentence alone is longer, up to the end of a word. A cut text ends with an ellipsis; it is empty
    where the budget is too small for anything.
    """
    room = budget - counter.count(_CUT_MARK)
    if counter.count(text) <= budget:
        return text
    if room < 1:
        return ""
    start = counter.cut(text, room)[0]
    # the part, counted alone, may have a token more than in the whole
    whole = "".join(_whole_sentences(text, len(start))).rstrip()
    kept = whole or start.rstrip()
    while kept and counter.count(f"{kept} {_CUT_MARK}") > budget:
        kept = kept[: int(len(kept) * 0.9)].rstrip() if len(kept) > 1 else ""
    return f"{kept} {_CUT_MARK}" if kept else ""


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
