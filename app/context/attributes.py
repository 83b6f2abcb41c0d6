"""What a question asks of somebody or something, and whether a text says it: a rent, a phone number, a mother (G3.2).

Likeness does not tell a rent from an address: both are of the same flat. Where a question names what it wants by a word
of resources/rules/attributes.toml, the answer has to say it by one of its words, or to look like it, in whichever
language it is. What is in no list is left to its meaning; nothing is understood here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from app.govern.amounts import find_amounts
from app.runtime.paths import resource_table
from app.store.analyser import simplify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LONGEST_QUESTION, _LONGEST = 300, 4_000
_DATES = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}[:：]\d\d|\d{1,4}[年月日号点]|\d{1,2}(?:st|nd|rd|th)\b|\b(?:19|20)\d\d\b"
    r"|\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\d|[一二两三四五六七八九十百千]+[百千万]|\b(?:free|nothing|gratis|included|hundred|thousand)\b|免费|不要钱|不花钱|包含",
    re.IGNORECASE,
)
_FORMS = {
    "phone": re.compile(r"(?:\d[\s()/.-]{0,2}){6}"),
    "address": re.compile(
        r"(?-i:[A-Z])\w{3,} \d{1,4}(?!\w)"
        r"|(?<!\w)\d{1,4} (?-i:[A-Z])\w+|[\u3400-\u9fff]{2,}\d+号",
        re.IGNORECASE,
    ),
    "small_number": re.compile(r"(?<![\d.,])\d{1,3}(?![\d.,])|[一二三四五六七八九十]", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """One thing that can be asked for.

    Attributes:
        said: the words of an answer; None where its form alone tells.
        form: how an answer looks; empty where its words alone tell.
        is_both: whether words and form are needed.
    """

    name: str
    asked: Mapping[str, re.Pattern[str] | None]
    unless: Mapping[str, re.Pattern[str] | None]
    said: re.Pattern[str] | None
    form: str
    is_both: bool = False

    def is_in(self, text: str) -> bool:
        """Whether a text says it."""
        text = simplify(text[:_LONGEST])
        has_words = self.said is not None and self.said.search(text) is not None
        if not self.form:
            return has_words
        has_form = _has_form(self.form, text)
        return (has_words and has_form) if self.is_both else (has_words or has_form)


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody who is named by what they are to somebody else, in both languages."""

    name: str
    words: Mapping[str, re.Pattern[str]]
    said: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Whether a text names such a one."""
        return self.said.search(simplify(text[:_LONGEST])) is not None


def attributes_asked(question: str, language: str) -> tuple[Attribute, ...]:
    """What a question asks for, as far as the list knows it."""
    text = simplify(question[:_LONGEST_QUESTION])
    return tuple(
        one
        for one in _rules().attributes
        if (asked := one.asked[language]) is not None
        and asked.search(text) is not None
        and ((unless := one.unless[language]) is None or unless.search(text) is None)
    )


def attribute_place(question: str, attributes: Sequence[Attribute], language: str) -> int | None:
    """Where in a question the first word stands that asks for one of some attributes."""
    text = simplify(question[:_LONGEST_QUESTION])
    found = [match.start() for one in attributes if (asked := one.asked[language]) and (match := asked.search(text))]
    return min(found, default=None)


@lru_cache(maxsize=64)
def kin_asked(question: str, language: str) -> tuple[tuple[Kin, ...], ...]:
    """Who is named by their kinship: for each word all that it may mean (a grandmother is 外婆 or 奶奶)."""
    text = simplify(question[:_LONGEST_QUESTION])
    found: dict[tuple[int, int], list[Kin]] = {}
    for kin in _rules().kin:
        for match in kin.words[language].finditer(text):
            if language == "zh" or not _is_title(text, match):
                found.setdefault(match.span(), []).append(kin)
    # of 外婆 the whole word is meant, and not 婆
    spans = [
        span
        for span in found
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in found)
    ]
    return tuple(tuple(found[span]) for span in spans)


def _is_title(text: str, match: re.Match[str]) -> bool:
    """Whether it only stands before a name, which tells who it is: Grandma Edith."""
    return re.match(r"\s+[A-Z]", text[match.end() :]) is not None


def _has_form(form: str, text: str) -> bool:
    if form == "money":
        return next(find_amounts(text), None) is not None or _SUM.search(_DATES.sub(" ", text)) is not None
    return _FORMS[form].search(_DATES.sub(" ", text) if form == "address" else text) is not None


@dataclass(frozen=True, slots=True)
class _Rules:
    attributes: Sequence[Attribute]
    kin: Sequence[Kin]


@cache
def _rules() -> _Rules:
    """The rules in force, read once."""
    table = resource_table("rules", "attributes.toml")
    return _Rules(
        tuple(_attribute(name, one) for name, one in table["attribute"].items()),
        tuple(_kin(name, one) for name, one in table["kin"].items()),
    )


def _kin(name: str, one: Mapping[str, str]) -> Kin:
    english = "|".join(filter(None, (one["en"], one.get("said_en"))))
    chinese = "|".join(filter(None, (one["zh"], one.get("said_zh"))))
    said = re.compile(rf"{_whole_words(english)}|{chinese}", re.IGNORECASE)
    return Kin(name, {"en": re.compile(_whole_words(one["en"]), re.IGNORECASE), "zh": re.compile(one["zh"])}, said)


def _attribute(name: str, one: Mapping[str, Any]) -> Attribute:
    parts = [_whole_words(one["said_en"]) if "said_en" in one else "", one.get("said_zh", "")]
    return Attribute(
        name=name,
        asked={"en": _english(one.get("asked_en", "")), "zh": _chinese(one.get("asked_zh", ""))},
        unless={"en": _english(one.get("unless_en", "")), "zh": _chinese(one.get("unless_zh", ""))},
        said=re.compile("|".join(filter(None, parts)), re.IGNORECASE) if any(parts) else None,
        form=one.get("form", ""),
        is_both=one.get("both_needed", False),
    )


def _english(words: str) -> re.Pattern[str] | None:
    return re.compile(_whole_words(words), re.IGNORECASE) if words else None


def _whole_words(words: str) -> str:
    return rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])"


def _chinese(words: str) -> re.Pattern[str] | None:
    return re.compile(words) if words else None
