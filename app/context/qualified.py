"""Whether a passage is about another thing of the kind asked for: household insurance, and not the car insurance.

Likeness does not tell them apart: all words but one are the same. Where a passage has the kind of thing, never with the
word that tells which one, and always with another word in its place, it is no answer (G3.2). By words alone, so a
passage in another language is left to its meaning, and so is one that has the kind of thing without any such word.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from app.store.analyser import analyse, simplify
from app.store.stop_words import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.store.reading import Passage

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HAN = re.compile("[\u3400-\u9fff]")
_HAN_PAIR = re.compile("(?P<which>[\u3400-\u9fff]{2,6})的(?P<what>[\u3400-\u9fff]{2,8})")
_OPENING = re.compile("^(?:我们|我|你们|你|咱们|大家|请问|关于|那个|这个)*")
_ASKS = re.compile("(?:是|有|在)?(?:多少|什么|哪|几|谁|怎么|为什么|吗|呢).*$|是$")
_NO_WHICH = re.compile(
    "[买去做说住看定要会给写开用到来在是有和跟]|现在|目前|最新|最近|最后|上次|下次|今年|明年|去年|今天|明天|昨天|每月|每年|所有|全部|主要|新|旧"
)
_NEUTRAL = frozenset({
    "new", "old", "current", "next", "last", "first", "previous", "final", "latest", "own", "main", "default", "total",
    "whole", "full", "exact", "annual", "yearly", "monthly", "weekly", "daily", "regular", "usual", "phone", "mobile",
    "telephone", "cell", "contact", "home", "private", "personal", "same", "other", "big", "small", "good", "best",
    "planned", "agreed", "upcoming", "right", "actual", "original", "many", "much",
})  # fmt: skip
"""Words before a thing that tell it from no other one, or for which there are too many words."""
_BEFORE_NAMES = frozenset({
    "the", "a", "an", "my", "our", "your", "his", "her", "their", "this", "that", "of", "for", "in", "about", "on",
    "with", "at", "is", "are", "was", "were",
})  # fmt: skip
_LONGEST = 4_000
_LONGEST_QUESTION = 300


def is_of_another(question: str, passage: Passage, sentence: str) -> bool:
    """Whether a passage, or the sentence of it that would be quoted, is about another thing of the kind asked for."""
    question = question[:_LONGEST_QUESTION]
    text = f"{passage.title}\n{passage.text[:_LONGEST]}"
    if _HAN.search(question) is not None:
        near = simplify(f"{passage.title} {sentence}")
        return passage.language == "zh" and _is_another_zh(question, simplify(text), near)
    return passage.language != "zh" and _is_another(_pairs(question), text)


@lru_cache(maxsize=64)
def _pairs(question: str) -> Sequence[tuple[str, str]]:
    """Two words of weight beside each other: which one, and of which kind."""
    words = ["", *(match[0].casefold() for match in _WORD.finditer(question))]
    return tuple(
        (which, what)
        for before, which, what in zip(words, words[1:], words[2:], strict=False)
        if _tells(which) and _tells(what) and not {which, what} & _NEUTRAL and _is_before_name(before)
    )


def _is_before_name(word: str) -> bool:
    """Whether what follows a word is a thing's name, and not what somebody does."""
    return word in _BEFORE_NAMES or word.endswith(("'s", "’s"))


def _is_another(pairs: Sequence[tuple[str, str]], text: str) -> bool:
    if not pairs:
        return False
    said = analyse(text).keys()
    words = [(match[0].casefold(), match.start(), match.end()) for match in _WORD.finditer(text)]
    return any(not analyse(which).keys() & said and _others(what, words, text) for which, what in pairs)


def is_another(which: str, what: str, text: str) -> bool:
    """Whether a kind of thing is in an English text, and everywhere with another word before it than `which`."""
    return _is_another([(which.casefold(), what.casefold())], text)


def _others(what: str, words: Sequence[tuple[str, int, int]], text: str) -> bool:
    """Whether a kind of thing is there, and everywhere behind a word that tells which one."""
    stems = analyse(what).keys()
    places = [at for at, (word, _, _) in enumerate(words) if word[:1] == what[:1] and analyse(word).keys() & stems]
    return bool(places) and all(at > 0 and _is_which(words[at - 1], words[at], text) for at in places)


def _is_which(before: tuple[str, int, int], word: tuple[str, int, int], text: str) -> bool:
    is_beside = text[before[2] : word[1]] == " "
    return is_beside and before[0] not in _NEUTRAL and _tells(before[0])


def _tells(word: str) -> bool:
    return word not in ENGLISH and len(word) > 1


def _is_another_zh(question: str, text: str, near: str) -> bool:
    for match in _HAN_PAIR.finditer(simplify(question)):
        which, what = _OPENING.sub("", match["which"]), _ASKS.sub("", match["what"])
        if len(which) < 2 or len(what) < 2 or _NO_WHICH.search(which) is not None:  # noqa: PLR2004
            continue
        is_there = any(pair in text for pair in _bigrams(what))
        # 爸爸 is called 爸 too, and whoever signs a letter is not who it is about
        is_meant = which[0] in near if which[0] == which[1] else any(pair in text for pair in _bigrams(which))
        if is_there and not is_meant:
            return True
    return False


def _bigrams(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(len(text) - 1)]
