"""The names that a model found, as findings: whole words, sure enough, and personal where they stand (L5.3).

The model knows names of anything; a city or a company named alone is not personal in Chinese by the same rule as in
`chinese_places`, and what everybody knows stays whoever found it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.readings import SpanLabel
from app.policy.redaction.chinese_lists import chinese_lists, is_han
from app.policy.redaction.chinese_organisations import is_about_work
from app.policy.redaction.findings import Finding, Kind
from app.policy.redaction.western_lists import western_lists

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from app.domain.readings import TextSpan

_KINDS: dict[str, Kind] = {
    SpanLabel.PERSON: Kind.PERSON,
    SpanLabel.ORGANISATION: Kind.ORGANISATION,
    SpanLabel.PLACE: Kind.PLACE,
    SpanLabel.ADDRESS: Kind.ADDRESS,
}
_SUREST = 0.75
"""A rule that names the kind exactly outweighs the model."""
_WORD_END = re.compile(r"[^\W\d_]*")
_WORD_START = re.compile(r"[^\W\d_]*\Z")
_LONGEST_WORD = 40
_FEWEST_HAN = 2
# EOM, CV: abbreviations look like organisations.
_LONGEST_ABBREVIATION, _SURE_ABBREVIATION = 4, 0.85


def find_names_of_model(
    text: str, spans: Sequence[TextSpan], found: Iterable[Finding], *, least_confidence: float
) -> Iterator[Finding]:
    """What of a model's spans is kept back.

    Args:
        text: as it was given.
        spans: of the model, in any order; labels that name nobody are passed over.
        found: by the rules.
        least_confidence: from which a span counts, 0..1.
    """
    sure = [span for span in spans if span.label in _KINDS and span.confidence >= least_confidence]
    sure = [span for span in sure if 0 <= span.start < span.end <= len(text) and _is_name(text, span)]
    has_person = any(span.label == SpanLabel.PERSON for span in sure) or any(one.kind is Kind.PERSON for one in found)
    is_personal = has_person or is_about_work(text)
    for span in sure:
        kind = _KINDS[span.label]
        needed = {Kind.PLACE: has_person, Kind.ORGANISATION: is_personal}
        if is_han(text[span.start]) and not needed.get(kind, True):
            continue
        start, end = _whole_words(text, span)
        yield Finding(start, end, kind, min(span.confidence, _SUREST))


def _is_name(text: str, span: TextSpan) -> bool:
    """Whether a span may name somebody: no word of the language, no thing that everybody knows."""
    said = text[span.start : span.end]
    if is_han(said[0]):
        return len(said) >= _FEWEST_HAN and said[:2] not in chinese_lists().no_names
    if said.isupper() and len(said) <= _LONGEST_ABBREVIATION and span.confidence < _SURE_ABBREVIATION:
        return False
    lists = western_lists()
    words = said.lower().split()
    is_known = all(word in lists.public for word in words)
    is_plain = said == said.lower() and all(lists.is_word(word) and word not in lists.ambiguous for word in words)
    return not (is_known or is_plain)


def _whole_words(text: str, span: TextSpan) -> tuple[int, int]:
    """The span without spaces around it and with the rest of a Western word that it cuts."""
    start, end = span.start, span.end
    if text[start].isascii():
        before = _WORD_START.search(text, max(0, start - _LONGEST_WORD), start)
        start = before.start() if before and before[0].isascii() else start
    if text[end - 1].isascii() and text[end - 1].isalpha():
        after = _WORD_END.match(text, end, min(len(text), end + _LONGEST_WORD))
        end = after.end() if after and after[0].isascii() else end
    return start, end
