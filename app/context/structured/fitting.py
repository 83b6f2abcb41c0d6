"""What a passage has to fulfil to be quoted where structure knew nothing of a question whose form is known (G3.2).

Likeness does not tell one person from another, nor what was from what is to come: of what Bob owes, a sentence about
Li Si says nothing, and what is on Saturday was not the last time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.context.structured.question_rules import Kind
from app.context.structured.topic import Topic
from app.domain.labels import EntryKind
from app.govern.amounts import find_amounts
from app.govern.people.names import parse
from app.govern.understanding.debts import find_debts, may_owe
from app.govern.understanding.voices import without_label
from app.store.analyser import simplify
from app.store.name_keys import name_key

if TYPE_CHECKING:
    from datetime import datetime

    from app.context.structured.forms import Asked
    from app.store.reading import Passage

_HAN = re.compile("[\u3400-\u9fff]")
_HOLDS = {
    "phone": re.compile(r"(?:\d\W{0,2}){5}"),
    "email": re.compile("[@＠]"),
    "address": re.compile(
        r"\d|\b(?:lives?|living|lived|moved?|moving|address|street|road|lane)\b|\b(?:in|at|near) (?-i:[A-Z])"
        r"|住|搬|在|地址|[街路号]",
        re.IGNORECASE,
    ),
    "birthday": re.compile(r"birthday|\bborn\b|\bbirth\b|生日|出生|岁", re.IGNORECASE),
}
"""How what is asked for looks, whoever it is of."""
_NUMBER = re.compile(r"\d|[一二两三四五六七八九十百千万]{2}")
_OF_DUTY = frozenset({Kind.MINE, Kind.THEIRS})
_DUTY = re.compile(
    r"\b(?:must|ha(?:ve|s) to|needs? (?:to|you)|should|please|(?:could|can|would|will) you|ow(?:e|es)|promise[sd]?"
    r"|remember to|don['’]t forget|i['’]ll|i will|waiting for|by (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|请|麻烦|帮|要|得(?!到)|需|必须|应该|记得|别忘|欠|答应|等你",
    re.IGNORECASE,
)
"""What somebody owes is said by a word of duty, or it is no answer."""
_RELATION = re.compile(r".+?['’]s (?P<what>[\w -]{2,40})|.+?的(?P<what_zh>[\u3400-\u9fff]{1,8})")
_MY = re.compile(r"(?:my|our|i)\b|我", re.IGNORECASE)
_SAID_BY_OTHERS = frozenset({EntryKind.MAIL, EntryKind.CHAT})
_OF_SOMEBODY = frozenset(
    {Kind.MINE, Kind.THEIRS, Kind.SAID, Kind.LAST, Kind.NEXT, Kind.FACTS, Kind.PLANS, Kind.I_OWE, Kind.OWED}
)
_OF_MONEY = frozenset({Kind.I_OWE, Kind.OWED})


def may_answer(asked: Asked, passage: Passage, sentence: str, now: datetime) -> bool:
    """Whether a sentence of a passage can answer, by whom it is about, when it is, and what it holds."""
    if asked.kind is Kind.LAST and passage.kind is EntryKind.EVENT and _is_ahead(passage, now):
        return False
    if asked.kind is Kind.PERSON:
        return _says_who(asked.who, passage, sentence)
    # a debt that a sentence tells by its form is in the ledger, which knew of none such
    if asked.kind in _OF_MONEY and (not _tells_money(sentence) or _tells_debt(sentence)):
        return False
    return asked.kind not in _OF_SOMEBODY or not asked.who or _is_of(asked, passage, sentence)


def _is_of(asked: Asked, passage: Passage, sentence: str) -> bool:
    """Whether a sentence is about whom the question names."""
    if asked.kind in _OF_DUTY and _DUTY.search(sentence) is None:
        return False
    if asked.kind is Kind.PLANS and asked.about and not _says_any(asked.about, passage):
        return False
    if asked.kind is not Kind.FACTS:
        return _names(f"{passage.title} {passage.text}", asked.who, passage.language)
    if passage.kind not in _SAID_BY_OTHERS and _MY.match(sentence.strip()) is not None:
        return False
    holds = _HOLDS.get(asked.attribute)
    return (holds is None or holds.search(sentence) is not None) and _names(
        f"{passage.title} {_paragraph(passage.text, sentence)}", asked.who, passage.language
    )


def _tells_money(sentence: str) -> bool:
    """Whether a sentence has a sum, or a number and a word of debts."""
    if next(find_amounts(sentence), None) is not None:
        return True
    return _NUMBER.search(sentence) is not None and may_owe(sentence)


def _tells_debt(sentence: str) -> bool:
    return bool(find_debts(without_label(" ".join(sentence.split()))))


def _says_any(words: str, passage: Passage) -> bool:
    """Whether a passage says any of some words; one of another language may say them otherwise."""
    is_chinese = _HAN.search(words) is not None
    if is_chinese != (passage.language == "zh"):
        return True
    return Topic(words).share(f"{passage.title} {passage.text}") > 0


def _says_who(who: str, passage: Passage, sentence: str) -> bool:
    """Whether a sentence tells who somebody is: a name alone does not, nor one about Walter of Walter's wife."""
    if name_key(sentence) in {name_key(who), ""}:
        return False
    match = _RELATION.fullmatch(who.strip())
    if match is None:
        return True
    return _says_any(match["what"] or match["what_zh"], passage)


def _is_ahead(passage: Passage, now: datetime) -> bool:
    return passage.event_time is not None and passage.event_time > now


def _paragraph(text: str, sentence: str) -> str:
    """The paragraph in which a sentence stands; all of the text where it is no part of one."""
    return next((part for part in text.split("\n\n") if sentence in part), text)


def _names(text: str, who: str, language: str) -> bool:
    """Whether a text bears a name; everything does for what is no name, or may be written in other letters."""
    name, is_chinese = parse(who), _HAN.search(who) is not None
    if not name.is_full if is_chinese else not who[:1].isupper():
        return True
    if (is_chinese or name.is_chinese) and is_chinese != (language == "zh"):
        return True
    # a text is no name: longer ones have no key
    said = " ".join(simplify(text).casefold().split())
    return name_key(who) in said if is_chinese else any(_says(said, word) for word in name_key(who).split())


def _says(text: str, word: str) -> bool:
    # beside Chinese no border of a word is to be expected
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None
