"""What a phrase speaks of: the word for the kind of thing, and the words that tell it from others of its kind.

    "our Berlin trip with Ann"   trip, berlin ann
    和李四的聚餐                    meal, 李四

There is no parser behind it: English phrases end at their first preposition, Chinese ones with their noun.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.govern.supersession.cues import rules

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9À-ɏ][A-Za-z0-9À-ɏ_&'’-]*")
_LEFT_OVER = re.compile(r"(?<!\w)['’]s\b")
"""Of "Friday's meeting" what is left without its date."""
_REASON = re.compile(
    r"^\s*(?:due to|because of|owing to|thanks to)\s+(?:[\w'’-]{1,30}\s+){1,5}?(?=(?:the|our|my|this)\s)", re.IGNORECASE
)
"""Of "due to illness the interview" what is not the interview."""
_LONGEST = 160
_HEAD_SIGNS = 2
_SHORTEST_STEM = 4


@dataclass(frozen=True, slots=True)
class Phrase:
    """A thing as it is named. `head` is empty where the phrase only points ("it", 这事)."""

    head: str
    marks: tuple[str, ...] = ()

    @property
    def points(self) -> bool:
        """Whether only what was said before tells what is meant."""
        return not self.head


def is_chinese(text: str) -> bool:
    """Whether a phrase is read as Chinese: it has a Han character."""
    return _HAN.search(text) is not None


def read_phrase(text: str) -> Phrase:
    """What a noun phrase speaks of, dates already taken out of it."""
    text = text[-_LONGEST:]
    return _chinese(text) if is_chinese(text) else _english(text)


def stem(word: str) -> str:
    """An English word without its plural and possessive endings, in lower case."""
    word = word.casefold().replace("’", "'")
    word = word.removesuffix("'s").removesuffix("s'").strip("'-")
    if len(word) >= _SHORTEST_STEM and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-3] + "y" if word.endswith("ies") and len(word) > _SHORTEST_STEM else word[:-1]
    return word


def group_of(word: str) -> str | None:
    """The kind of thing that a word names, where it is a known one."""
    known = rules().groups
    folded = word.casefold()
    return known.get(folded) or known.get(stem(word))


def words_of(text: str) -> frozenset[str]:
    """The stems of the Latin words of a text."""
    return frozenset(stem(word) for word in _WORD.findall(text))


def holds(text: str, words: frozenset[str], mark: str) -> bool:
    """Whether a text (and its stems) has a mark."""
    return mark in text.casefold() if is_chinese(mark) else mark in words


def _english(text: str) -> Phrase:
    cues = rules().english
    text = _REASON.sub("", _LEFT_OVER.sub("", text))
    split = cues["prepositions"].search(text)
    # a preposition in front is none of the thing's own
    while split is not None and not text[: split.start()].strip(" '’"):
        text = text[split.end() :]
        split = cues["prepositions"].search(text)
    core, rest = (text, "") if split is None else (text[: split.start()], text[split.end() :])
    named = [word for word in _WORD.findall(core) if not _is_empty(word)]
    if not named:
        return Phrase("")
    head = group_of(named[-1]) or stem(named[-1])
    others = [*named[:-1], *(word for word in _WORD.findall(rest) if not _is_empty(word))]
    marks = dict.fromkeys(stem(word) for word in others if cues["prepositions"].fullmatch(word) is None)
    return Phrase(head, tuple(mark for mark in marks if mark and mark != head))


def _is_empty(word: str) -> bool:
    lists = rules().english.words
    folded = word.casefold().replace("’", "'")
    return any(folded in lists[name] for name in ("determiners", "vague", "pronouns"))


def _chinese(text: str) -> Phrase:
    cues = rules().chinese
    text = _trimmed(text)
    if not text or text in cues.words["pronouns"]:
        return Phrase("")
    known = [match for match in rules().chinese_heads.finditer(text) if match.end() == len(text)]
    if known:
        head, front = rules().groups[known[0][0]], text[: known[0].start()]
    elif not is_chinese(text[-1:]) and (found := _english(text)).head:
        return Phrase(found.head, tuple(found.marks) + tuple(marks_before(text)))
    else:
        head, front = text[-_HEAD_SIGNS:], text[:-_HEAD_SIGNS]
    return Phrase(head, marks_before(front))


def marks_before(front: str) -> tuple[str, ...]:
    """The words in front of a Chinese noun that tell which one it is."""
    cues = rules().chinese
    pieces = re.split(rf"{cues['connectors'].pattern}|\s+", _trimmed(front))
    found = (stem(piece) if piece.isascii() else piece.casefold() for piece in map(_trimmed, pieces))
    english = rules().english.words["vague"] | rules().english.words["determiners"]
    return tuple(
        dict.fromkeys(mark for mark in found if mark and mark not in cues.words["vague"] and mark not in english)
    )


def _trimmed(text: str) -> str:
    """Without the words around it that are no part of it."""
    cues = rules().chinese
    before = None
    while before != text:
        before = text
        text = cues["before"].sub("", cues["behind"].sub("", text.strip(" \t，,“”\"'《》『』「」"))).strip()
    return text
