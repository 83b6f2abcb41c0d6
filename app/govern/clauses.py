"""Clauses by their wording: conditions, decisions, and what somebody must do (G2.4, G2.7).

The span model reads clauses too, and better where the wording is free; these rules are exact where it is not, and work
without the model. They see one sentence at a time, and no meaning: "as if", 好像 and a bare "when" are left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.readings import SpanLabel, TextSpan
from app.govern.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

_SURE, _LIKELY = 0.9, 0.7
_I, _M = re.IGNORECASE, re.MULTILINE
_CLAUSE = r"[^,.;:!?，。；：！？\n]{2,120}"
_BULLET = r"[ \t]{0,40}(?:[-*•][ \t]{0,10})?"
_CONDITIONS = (
    (
        re.compile(
            rf"\b(?<!as )(?:if|unless|provided(?: that)?|in case|as long as|assuming(?: that)?)\s{_CLAUSE}",
            _I,
        ),
        _SURE,
    ),
    (re.compile(rf"\b(?:once|as soon as)\s{_CLAUSE}", _I), _LIKELY),
    (re.compile(rf"(?:如果|假如|倘若|若是|要是|除非|只要|一旦|万一)(?!说){_CLAUSE}"), _SURE),
    (re.compile(rf"(?<![\u4e00-\u9fff])若{_CLAUSE}"), _SURE),
    (re.compile(r"[^,.;:!?，。；：！？\n]{2,60}的话(?=[，,、就])"), _LIKELY),
)
# "I wonder if", "ask whether", 不知道如果: a question, not a condition.
_ASKING = re.compile(r"(?:wonder|wondering|ask|asked|know|knows|see|check|sure|unsure|tell me|remember|doubt)\s+$", _I)
_DECISIONS = (
    re.compile(
        rf"\b(?:we|the (?:team|board|group|committee)|it was|everyone)\s+(?:have |has |all |finally )?"
        rf"(?:decided|agreed|resolved|concluded)\s+(?:to |that |on )?(?P<it>{_CLAUSE})",
        _I,
    ),
    re.compile(
        rf"^{_BULLET}(?:decision|decided|agreed|resolved)\s*[:：]\s*(?P<it>{_CLAUSE})",
        _I | _M,
    ),
    re.compile(
        rf"(?:会议|大家|我们|一致|最终|最后|经讨论)?(?:决定|商定|议定|拍板|一致同意)(?!权|性|于)[：:，,]?(?P<it>{_CLAUSE})"
    ),
    re.compile(rf"(?:决议|结论|决定)\s*[:：]\s*(?P<it>{_CLAUSE})"),
)
_TASKS = (
    re.compile(
        rf"\b(?:must|has to|have to|needs? to|should|is to|are to|will need to|is supposed to|please|"
        r"remember to|don't forget to|"
        rf"remind me to)\s+(?P<it>{_CLAUSE})",
        _I,
    ),
    re.compile(rf"\b(?:is|are) responsible for\s+(?P<it>{_CLAUSE})", _I),
    re.compile(
        rf"^{_BULLET}(?:\[ \]|TODO|To do|Action(?: item)?|AI)\s*[:：]?\s+(?P<it>{_CLAUSE})",
        _I | _M,
    ),
    re.compile(rf"(?:必须|务必|需要|需|应当|应该|得|要|请|记得|别忘了|麻烦)(?P<it>{_CLAUSE})"),
    re.compile(rf"负责(?!人|任)(?P<it>{_CLAUSE})"),
    re.compile(rf"(?:待办|任务|行动项)\s*[:：]\s*(?P<it>{_CLAUSE})"),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, and where it stands."""

    start: int
    end: int


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, which together are the text; a semicolon ends one too, as minutes use it."""
    found, start = [], 0
    for sentence in split_sentences(text):
        found.append(Sentence(start, start + len(sentence)))
        start += len(sentence)
    return found


def find_conditions(text: str) -> Iterator[TextSpan]:
    """Conditions with their conjunction, not overlapping."""
    yield from _apart(
        (match.start(), match.end(), sure)
        for form, sure in _CONDITIONS
        for match in form.finditer(text)
        if not _ASKING.search(text[max(0, match.start() - 30) : match.start()])
    )


def find_decisions(text: str) -> Iterator[TextSpan]:
    """What was decided, not overlapping."""
    yield from _apart(
        ((*match.span("it"), _LIKELY) for form in _DECISIONS for match in form.finditer(text)), SpanLabel.DECISION
    )


def find_tasks(text: str) -> Iterator[TextSpan]:
    """What somebody must do, without who, not overlapping."""
    yield from _apart(
        ((*match.span("it"), _LIKELY) for form in _TASKS for match in form.finditer(text)), SpanLabel.TASK
    )


def _apart(found: Iterator[tuple[int, int, float]], label: SpanLabel = SpanLabel.CONDITION) -> Iterator[TextSpan]:
    end = 0
    for first, last, sure in sorted(found, key=lambda span: (span[0], -span[1])):
        if first >= end:
            yield TextSpan(first, last, label, sure)
            end = last
