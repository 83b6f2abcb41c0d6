"""What the sentence around an expression says of it: whether it is a time at all, and whether it is over."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.inference.dates.english_words import AFTER_AN_HOUR, AMBIGUOUS_ALONE, SEASONS

if TYPE_CHECKING:
    from app.inference.dates.moments import Found

_PREPOSITION = re.compile(
    r"\b(?:in|on|by|since|until|till|for|of|during|from|to|before|after|this|next|last|through|every|each|around|and|or|"
    r"late|early|mid|past)\s+$|^\W*$|[,(]\s*$"
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|didn't|went|came|met|saw|made|took|gave|got|said|told|left|been|ago|sent|wrote|bought|"
    r"started|ended|happened|finished|visited|arrived|called|worked|received|moved|signed|paid|held|spent|began|ran|"
    r"fell|became|could have|last)\b"
)
_COMING = re.compile(
    r"\b(?:will|won't|shall|going to|let's|let us|remind|schedule|book|plan|planning|please|must|should|need to|"
    r"can you|could you|'ll|want to|would like|arrange|upcoming|next|due|deadline)\b|'ll\b"
)
_COUNTED = re.compile(
    r"\s?(?:percent|per cent|percentage|dollars|usd|euros?|pounds|kg|km|miles|people|persons|points|million|billion|"
    r"thousand|mph|degrees|stars|items|users|times|pages|inch(?:es)?|cups?|tsp|tbsp|oz|lbs?|mm|cm|ft|feet|px|%|x\s?\d)",
    re.IGNORECASE,
)
_VERBS = frozenset({"may", "march", "mar", "sun", "sat", "wed"})
_YEAR_DIGITS, _LIKELY_YEARS = 4, range(1500, 2101)
_YEAR_LED = re.compile(
    r"\b(?:in|since|until|till|of|from|before|after|by|during|around|circa|through|late|early|mid|year|for|and|or|not)\s+$"
    r"|^\W*$|[,(]\s*$"
)
_COMPACT = 8
"""Figures of a date without separators: 20261130."""
_SCENES = frozenset({*SEASONS, "sunset", "sunrise", "dawn", "dusk", "nightfall", "daybreak", "weekend"})
_LED = re.compile(r"\b(?:in|during|by|since|until|till|before|after|this|next|last|through|every|each|at|over|for)\s+$")
_GREETING = re.compile(r"\b(?:good|happy|merry)\s+$")
# People who are called like a month, by what is said of them.
_NAMES = frozenset({"april", "may", "june", "august", "jan", "dawn"})
_TO_A_PERSON = re.compile(
    r"(?:\b(?:call|called|ask|asked|tell|told|invite|invited|thank|thanked|thanks|email|emailed|text|texted|phone|phoned|"
    r"message|dear|hi|hello|hey|visit|met|love|miss|marry|hug|mrs|ms|miss|dr|aunt|sister|wife|daughter|friend|named)\.?|"
    r"(?<!starting)(?<!beginning)(?<!start)(?<!begin)(?<!ending)(?<!compared)\swith)\s+$",
    re.IGNORECASE,
)
_OF_A_PERSON = re.compile(
    r"(?:\s+[A-Z][a-z]{1,20})?(?:\s+(?:said|says|told|tells|asked|asks|called|calls|wants|wanted|likes|"
    r"liked|loves|loved|thinks|thought|knows|knew|sang|resigned|wrote|sent|replied|lives|works|and I|and me|"
    r"is coming (?:over|to|with|along|for))\b|"
    r"['’]s\s+(?:birthday|mother|mum|mom|father|dad|house|phone|email|car|husband|wife|brother|sister|son|daughter|place)\b)"
)
_RELATIVE = re.compile(
    r"the (?:next|following|previous|preceding|same) (?:day|morning|afternoon|evening|night)|the day (?:before|after)$|"
    r"that (?:day|morning|afternoon|evening|night)|.{1,40} (?:later|earlier|after|before)$"
)
_UNTOLD = 0.6
"""How likely what counts from another day is meant to count from the reference, where the text tells of the past."""
_NEXT_WORD = re.compile(r"\s+(\w+)")
_REACH = 120


def is_plausible(text: str, start: int, end: int, words: list[str]) -> bool:
    """Whether a stretch that reads like a time stands where a time can stand."""
    core = words[:-1] if words[-1] == "." else words
    is_free = _stands_free(text, start, end, is_compact=len(words[0]) == _COMPACT)
    if not is_free or _is_of_something_else(text, start, end, core):
        return False
    if text[end - 1].isdigit() and _COUNTED.match(text[end : end + 14]) is not None:
        return False
    if _GREETING.search(text[max(0, start - 12) : start].lower()) is not None and (
        len(words) == 1 or words[0] == "new"
    ):
        return False
    if core[-1] in _VERBS and core[-2:-1] in (["the"], ["this"], ["that"]) and f" {core[-1]}" in text[start:end]:
        # "the sun", "this may work"
        return core[-2] == "this" and re.match(r"\s+[a-z]", text[end:]) is None
    if core[-1] in _SCENES and core[:-1] in ([], ["the"]) and not _is_scene_timed(text, start, end):
        return False
    return len(core) > 1 or _is_word_of_time(text, start, core[0])


def _is_of_something_else(text: str, start: int, end: int, core: list[str]) -> bool:
    """A person called April; "now and then"; "two days after the party", which counts from what nobody knows."""
    if core == ["now"]:
        return text[end : end + 9].lower() == " and then"
    if core[0] in _NAMES and len(core) == 1 and text[start].isupper():
        return (
            _TO_A_PERSON.search(text, max(0, start - 24), start) is not None
            or _OF_A_PERSON.match(text[end : end + 60]) is not None
        )
    following = _NEXT_WORD.match(text, end)
    is_counted = core[-1] in {"after", "before"} and len(core) > 1 and core[0] != "the"
    return is_counted and following is not None and following[1].lower() not in {"and", "or", "but"}


def _is_scene_timed(text: str, start: int, end: int) -> bool:
    """Whether "summer" or "sunset" is said as a time: behind a preposition, and before no noun of its own."""
    before, after = text[max(0, start - 12) : start], _NEXT_WORD.match(text[end : end + 20].lower())
    if not before.strip() and not text[end:].strip(" .,!?"):
        return True
    return _LED.search(before.lower()) is not None and (
        after is None or after[1] in AFTER_AN_HOUR or after[1].isdigit()
    )


def _stands_free(text: str, start: int, end: int, *, is_compact: bool) -> bool:
    """Whether no letter or figure touches it that would make it part of something else, such as a price or a number."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    first, last = text[start], text[end - 1]
    is_priced = before[-1:] in {"$", "€", "£", "#", "_"} and first.isdigit() and not is_compact
    is_grown = before[-1:].isalnum() and first.isalnum() and first.isdigit() != before[-1:].isdigit()
    is_tail = first.isdigit() and len(before) == 2 and before[1] in "-/.:+" and before[0].isdigit()  # noqa: PLR2004
    is_head = last.isdigit() and len(after) == 2 and after[0] in "-/.:" and after[1].isdigit()  # noqa: PLR2004
    is_followed = after[:1] in {"%", "°", "€", "$"} or (after[:1].isalnum() and last.isalnum())
    is_head = is_head or (len(after) == 2 and after[0] == "/" and after[1].isdigit())  # noqa: PLR2004 - 12/Oct > /2016
    return not (is_priced or is_grown or is_tail or is_head or is_followed)


def _is_word_of_time(text: str, start: int, word: str) -> bool:
    """One word alone: "may" and "sat" need a capital, or a preposition before them; a year needs a preposition."""
    before = text[max(0, start - 12) : start].lower()
    if word.isdigit():
        rest = text[start + len(word) : start + len(word) + 2]
        if rest[:1] in {"-", "/"} and rest[1:].isalnum():
            return False
        is_year = len(word) == _YEAR_DIGITS and int(word) in _LIKELY_YEARS and _YEAR_LED.search(before) is not None
        return len(word) in {1, 2, _COMPACT} or is_year
    if word not in AMBIGUOUS_ALONE:
        return True
    if _PREPOSITION.search(before) is not None and before.strip():
        return True
    if not before.strip():
        return not text[start + len(word) :].strip(" .,!?")  # the word is the whole text
    return text[start].isupper() and before.rstrip()[-1:] not in ".!?"


def tensed(found: Found, folded: str) -> Found:
    """Where a past and a coming one are possible, the one that the sentence's tense means; a deadline is to come."""
    if _RELATIVE.match(folded[found.start : found.end]) is not None:
        before = _PAST.search(_sentence(folded, found.start, found.end))
        return found if before is None else replace(found, certainty=_UNTOLD)
    if found.is_deadline or len({moment.side for moment in found.moments}) == 1:
        return found
    sentence = _sentence(folded, found.start, found.end)
    is_past, is_coming = _PAST.search(sentence) is not None, _COMING.search(sentence) is not None
    if is_past == is_coming:
        return found
    factor = 6.0 if is_past else 1 / 3
    moments = tuple(
        replace(moment, score=moment.score * factor) if moment.side < 0 else moment for moment in found.moments
    )
    return replace(found, moments=moments)


def _sentence(folded: str, start: int, end: int) -> str:
    """The sentence around a stretch, without it."""
    before = re.split(r"[.!?\n;]\s", folded[max(0, start - _REACH) : start])[-1]
    after = re.split(r"[.!?\n;]\s", folded[end : end + _REACH])[0]
    return f"{before} {after}"
