"""The forms of resources/rules/questions.toml, compiled when they are first needed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LANGUAGES = ("en", "zh")
_PART = re.compile(r"\{([a-z]+_?)\}")
_GROUP = re.compile(r"\(\?P<(\w+?)>")


class Kind(StrEnum):
    """What is asked for; each has one answerer."""

    DECISIONS = "decisions"
    OVERDUE = "overdue"
    WAITING = "waiting"
    MINE = "mine"
    EVERYONES = "everyones"
    THEIRS = "theirs"
    LAST = "last"
    NEXT = "next"
    CHANGES = "changes"
    FACTS = "facts"
    PERSON = "person"
    COUNT = "count"
    SAID = "said"
    I_OWE = "i_owe"
    OWED = "owed"
    PLANS = "plans"


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask for something; the pattern has to fit the whole question."""

    kind: Kind
    language: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Shape:
    """How a Chinese phrase says what was done with whom; `verb` as in `QuestionRules.verbs`, or "about"."""

    verb: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class QuestionRules:
    """The whole file.

    Attributes:
        forms: in the order in which they are tried.
        head, tail: politeness at both ends of a question, by language.
        attributes, verbs: what a word means, folded.
        recent: words for the last `recent_days` days.
        no_meeting: in the title of an event that is none, whoever takes part.
    """

    version: str
    forms: Sequence[Form]
    head: Mapping[str, re.Pattern[str]]
    tail: Mapping[str, re.Pattern[str]]
    attributes: Mapping[str, str]
    verbs: Mapping[str, str]
    shapes: Sequence[Shape]
    recent: frozenset[str]
    recent_days: int
    no_meeting: re.Pattern[str]


@cache
def question_rules() -> QuestionRules:
    """The rules in force, read once."""
    table = resource_table("rules", "questions.toml")
    parts, polite = table["parts"], table["polite"]
    forms = [
        Form(Kind(form["kind"]), language, _compiled(text, parts[language]))
        for form in table["form"]
        for language in LANGUAGES
        for text in form[language]
    ]
    return QuestionRules(
        version=table["version"],
        forms=tuple(forms),
        head={language: re.compile(rf"(?:{'|'.join(polite[language])})", re.IGNORECASE) for language in LANGUAGES},
        tail={language: re.compile(f"{polite[f'tail_{language}']}$", re.IGNORECASE) for language in LANGUAGES},
        attributes=_by_word(table["attributes"]),
        verbs=_by_word(table["verbs"]),
        shapes=tuple(
            Shape(shape["verb"], _compiled(text, parts["zh"])) for shape in table["shape"] for text in shape["zh"]
        ),
        recent=frozenset(polite["recent"]),
        recent_days=polite["recent_days"],
        no_meeting=re.compile(table["counting"]["no_meeting"], re.IGNORECASE),
    )


def _compiled(text: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    """A pattern with its parts filled in; a group that comes twice gets a number, as `read` expects it."""
    whole = text
    for _ in range(3):
        whole = _PART.sub(lambda match: parts[match[1]], whole)
    seen: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        name = match[1]
        seen[name] = seen.get(name, 0) + 1
        return f"(?P<{name}{seen[name] if seen[name] > 1 else ''}>"

    return re.compile(_GROUP.sub(numbered, whole), re.IGNORECASE)


def _by_word(table: Mapping[str, Any]) -> dict[str, str]:
    return {word: name for name, words in table.items() for word in words}
