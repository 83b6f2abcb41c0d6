"""Who works where, who has which role, who leads which project, where a text says it in so many words (G2.4).

It wants the plain statement, with nothing between the two names but the words for it: "Anna works at Acme", 张三在示例
公司工作, "Anna Weber, CTO". Questions, conditions and denials are none. What is missed here costs little, and a wrong
job is told to others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.readings import SpanLabel
from app.govern.people.rules import rules
from app.store.entities import ORGANISATION, OWNER_OF, PERSON, PROJECT, ROLE_OF, WORKS_AT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.readings import TextSpan
    from app.govern.people.mentions import Mention

_FARTHEST = 40
_NOW = re.compile(r"^(?:now|currently|still|also|现在|目前|如今|仍然|仍|还)\s*|\s*(?:now|currently)$")
_DOUBT = re.compile(
    r"\b(?:if|whether|would|might|could|should|maybe|perhaps|not|never|used to|until|wants?|hopes?)\b|[?？]"
    r"|如果|要是|假如|是否|也许|可能|不|没|曾经|以前|想|希望|据说|吗",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?。！？；;\n]")
_JOINS = re.compile(r"^(?:\s*[,，(（]\s*(?:the |our |a )?|\s+is (?:the |our |a )|是|\s*[-–—|]\s*)$", re.IGNORECASE)
_LONGEST_SENTENCE = 300


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text says of somebody: a relation to another mention, or (of a role) to a text."""

    subject: Mention
    predicate: str
    target: Mention | None
    text: str | None
    confidence: float


def find_statements(text: str, mentions: Sequence[Mention], spans: Sequence[TextSpan]) -> list[Statement]:
    """All statements about jobs and projects in a text."""
    people = [mention for mention in mentions if mention.entity_type == PERSON]
    targets = [mention for mention in mentions if mention.entity_type in {ORGANISATION, PROJECT}]
    found: list[Statement] = []
    for person in people:
        for target in targets:
            gap = target.span.start - person.span.end
            if 0 <= gap <= _FARTHEST and _says(text, person, target) and not _is_doubtful(text, person, target):
                predicate = WORKS_AT if target.entity_type == ORGANISATION else OWNER_OF
                found.append(Statement(person, predicate, target, None, rules().confidence["stated_job"]))
    return found + _roles(text, people, spans)


def _says(text: str, person: Mention, target: Mention) -> bool:
    between = text[person.span.end : target.span.start].strip().casefold()
    between = _NOW.sub("", between).strip()
    behind = text[target.span.end : target.span.end + 12]
    if target.entity_type == PROJECT:
        owns = rules().phrases["owner_of"]
        return between in owns["english"] or between in owns["chinese"]
    phrases = rules().phrases["works_at"]
    if between in phrases["weak"]:
        return False
    if between in phrases["english"]:
        return True
    if between not in phrases["chinese_before"]:
        return False
    return between not in phrases["needs_after"] or behind.lstrip().startswith(phrases["chinese_after"])


def _is_doubtful(text: str, person: Mention, target: Mention) -> bool:
    start = max(
        (match.end() for match in _ENDS.finditer(text, max(0, person.span.start - 200), person.span.start)), default=0
    )
    end = _ENDS.search(text, target.span.end)
    stop = min(end.end() if end else len(text), start + _LONGEST_SENTENCE)
    own = (
        text[start : person.span.start]
        + " "
        + text[person.span.end : target.span.start]
        + " "
        + text[target.span.end : stop]
    )
    return _DOUBT.search(own) is not None


def _roles(text: str, people: Sequence[Mention], spans: Sequence[TextSpan]) -> list[Statement]:
    """A role right behind a name: "Anna Weber, CTO"; 张三是项目经理."""
    found: list[Statement] = []
    for span in spans:
        if span.label != SpanLabel.ROLE:
            continue
        for person in people:
            between = text[person.span.end : span.start]
            if 0 < len(between) <= _FARTHEST and _JOINS.match(between):
                role = " ".join(text[span.start : span.end].split())
                found.append(Statement(person, ROLE_OF, None, role, rules().confidence["stated_job"]))
    return found
