"""Sentences that say what happens unless something is done: if not, unless, otherwise; 如果未, 除非, 否则 (G2.7).

They are read by their form. What "the launch" and "the report" in them are is found out in `linking`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.govern.rule_tables import made_of_rules
from app.govern.understanding.rules import freshness_rules
from app.policy.redaction.needed import may_match, searchable

if TYPE_CHECKING:
    from collections.abc import Iterator

_I = re.IGNORECASE
_PART = r"[^,;:.!?，；：。！？\n]{2,160}"
_SIGN = r"\s{0,3}[,，:：]?\s{0,3}"
# (form, whether what it states must fail for the consequence to come)
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\b(?P<all>unless\s(?P<if>{_PART})[,，]\s{{0,4}}(?P<then>{_PART}))", _I), "unless"),
    (re.compile(rf"(?P<all>(?P<then>{_PART}?)[,，]?\s{{1,4}}unless\s(?P<if>{_PART}))", _I), "unless"),
    (
        re.compile(rf"\b(?P<all>(?:otherwise|or else|failing (?:that|which)|if not)\b{_SIGN}(?P<then>{_PART}))", _I),
        "otherwise",
    ),
    (
        re.compile(
            rf"\b(?P<all>(?:if|in case|should|in the event that)\s(?P<if>{_PART})"
            rf"(?:[,，]\s{{0,4}}(?:then\s)?|\s{{1,4}}then\s)(?P<then>{_PART}))",
            _I,
        ),
        "if",
    ),
    (re.compile(rf"(?P<all>(?P<then>{_PART}?)[,，]?\s{{1,4}}(?:if|in case)\s(?P<if>{_PART}))", _I), "if"),
    (re.compile(rf"(?P<all>除非(?P<if>{_PART})[,，]\s{{0,4}}(?:否则|不然)?(?:就|则|将)?(?P<then>{_PART}))"), "unless"),
    (re.compile(rf"(?P<all>(?P<then>{_PART}?)[,，]?\s{{0,4}}除非(?P<if>{_PART}))"), "unless"),
    (re.compile(rf"(?P<all>(?:否则|要不然|不然的话|不然|要不){_SIGN}(?:就|则|将)?(?P<then>{_PART}))"), "otherwise"),
    (
        re.compile(
            rf"(?P<all>(?:如果|假如|倘若|若是|要是|万一|一旦|如若|如|若)(?P<if>{_PART}?)(?:的话)?"
            rf"(?:[,，]\s{{0,4}}(?:那么?)?(?:就|则|将)?|则|那么|就(?=[顺推延取作终暂改]))(?P<then>{_PART}))"
        ),
        "if",
    ),
    (
        re.compile(
            r"(?P<all>(?<![\u4e00-\u9fff])(?P<if>(?:[^,;:.!?，；：。！？\n]{0,20})(?:前仍未|前还没|前未|前没有?|内未|(?:未能|没能|未|没有|没)(?:按时|按期|如期|及时|准时|在))"
            rf"[^,;:.!?，；：。！？\n]{{1,40}}?)(?:的话|的)?(?:[,，]\s{{0,4}}(?:就|则|将)?|则|将|就)(?P<then>{_PART}))"
        ),
        "if",
    ),
    (
        re.compile(rf"(?P<all>(?P<if>(?:逾期|到期|过期|超期)(?:未|不|没有?)?[^,，；。\n]{{0,20}})[,，]\s{{0,4}}(?:则|就|将)?(?P<then>{_PART}))"),
        "if",
    ),
)  # fmt: skip
_ASKS = re.compile(r"(?:\?|？|吗)\s{0,4}$")
_ASKING = re.compile(
    r"\b(?:wonder|wondering|ask|asked|asks|know|knows|see|check|unsure|not sure|doubt|even|as|what)\s{0,4}$", _I
)
_NO_IF_ZH = re.compile(r"(?:例|比|假|诸|犹|不|何|譬)$")
_FAILING_EN = re.compile(r"[a-z']+(?: one)?", _I)
_EDGES = " \t\r\n,.;:!?，。；：！？、\"'“”‘’()（）-*•"
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Conditional:
    """A condition with what follows; places in the text that was read.

    Attributes:
        condition: None after "otherwise": what was asked for just before.
        is_failure: whether the consequence comes when something is *not* done.
        is_unsettling: whether the consequence takes something back that was planned.
    """

    start: int
    end: int
    condition: tuple[int, int] | None
    consequence: tuple[int, int]
    is_failure: bool
    is_unsettling: bool


def find_conditionals(text: str) -> Iterator[Conditional]:
    """Those of one sentence, not overlapping; a question has none.

    Args:
        text: one sentence, as `govern.clauses.sentences` cuts them.
    """
    if _ASKS.search(text):
        return
    lowered = searchable(text)
    taken: list[tuple[int, int]] = []
    for form, word in _FORMS:
        if not may_match(form, lowered):
            continue
        for match in form.finditer(text):
            span = match.span("all")
            if any(start < span[1] and span[0] < end for start, end in taken) or _is_other(text, match, word):
                continue
            found = _read(text, match, word)
            if found is not None:
                taken.append(span)
                yield found


def is_unsettling(text: str) -> bool:
    """Whether a clause takes back what was planned: postponed, cancelled, 顺延, 作废."""
    _, chinese = freshness_rules().unsettling
    return _unsettling_en().search(text.lower()) is not None or any(word in text for word in chinese)


@made_of_rules
def _unsettling_en() -> re.Pattern[str]:
    english, _ = freshness_rules().unsettling
    return re.compile(rf"(?<![a-z])(?:{'|'.join(re.escape(word) for word in english)})")


def is_failing(text: str) -> bool:
    """Whether a clause says that something is not so."""
    english, chinese = freshness_rules().failing
    lowered = text.lower()
    words = set(_FAILING_EN.findall(lowered)) | set(re.findall(r"[a-z']+", lowered))
    return "n't" in lowered or bool(words & set(english)) or any(word in text for word in chinese)


def _is_other(text: str, match: re.Match[str], word: str) -> bool:
    """Whether "if" is no condition here: "I wonder if", 例如."""
    before = text[max(0, match.start("if") - 40) : match.start("if")] if word == "if" and match["if"] else ""
    before = re.sub(r"\b(?:if|in case)\s{0,4}$", "", before, flags=_I)
    head = text[max(0, match.start("all") - 2) : match.start("all")]
    return bool(_ASKING.search(before)) or (match["all"][:1] in "如若" and _NO_IF_ZH.search(head) is not None)


def _read(text: str, match: re.Match[str], word: str) -> Conditional | None:
    condition = None if word == "otherwise" else _trimmed(text, *match.span("if"))
    consequence = _trimmed(text, *match.span("then"))
    if consequence[1] - consequence[0] < _SHORTEST:
        return None
    clause = "" if condition is None else text[slice(*condition)]
    failing = word in {"unless", "otherwise"} or is_failing(clause)
    if word == "unless" and is_failing(clause):
        failing = False  # "unless nobody comes": two negations, better not guessed at
    return Conditional(
        start=match.start("all"),
        end=match.end("all"),
        condition=condition,
        consequence=consequence,
        is_failure=failing,
        is_unsettling=is_unsettling(text[slice(*consequence)]),
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return start, end
