"""What a text holds that makes it sensitive: secrets, numbers of a person, money, health (G8.2).

The finders are those of redaction. They are dear, so each runs only where a cheap look shows that it could find
something: an identity number has digits, a secret has a name in front of it or a long random word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Kind
from app.policy.redaction.needed import may_match, searchable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from app.domain.labels import Sensitivity
    from app.policy.redaction.findings import Finding

LOOKED_AT = 200_000
"""Characters of one text that are looked through; what a novel says behind that does not make it less sensitive."""
_STRETCH = 20_000
_OVERLAP = 200
_DIGITS = re.compile(r"\d[\d xX.\-]{5,}")
_SECRETIVE = re.compile(
    r"pass|pwd|secret|token|api|key|credential|login|pin\b|cvv|otp|bearer|mnemonic|seed|密码|口令|密钥|私钥|令牌|验证码|助记词|凭证"
    r"|-----BEGIN",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"[A-Za-z0-9_+/\-]{20,}", re.IGNORECASE)
# What stands on every letterhead and every invitation is no secret of the person: numbers of firms, codes of meetings
_FIRM = re.compile(
    r"(?:\b(?:vat|ust-?id|employer|gst(?:in)?|siren|siret|cif|iva|btw|abn)\b|税号|识别号|信用代码|机构代码|营业执照|注册号|登记号)"
    r"[^\n\d]{0,24}\Z",
    re.IGNORECASE,
)
_FIRM_NUMBER = re.compile(r"[59]\d{7}[0-9A-Z]{10}\Z", re.IGNORECASE)
_MEETING = re.compile(
    r"(?:\bmeeting (?:id|number|code)\b|会议(?:号|密码|id\b)|會議(?:號|密碼)|入会密码|入會密碼)[^\n]{0,40}\Z",
    re.IGNORECASE,
)
_MEETING_CODE = re.compile(r"\d{4,10}\Z")
_BEFORE = 80


@dataclass(frozen=True, slots=True)
class ContentRule:
    """Content that makes an entry at least so sensitive.

    Attributes:
        kinds: of findings.
        words: in lower case.
        at_least: how many different ones have to occur.
    """

    rule_id: str
    sensitivity: Sensitivity
    kinds: frozenset[Kind]
    words: tuple[str, ...] = ()
    at_least: int = 1

    def matches(self, found: Iterable[tuple[Kind, str]], lowered: str) -> bool:
        """Whether a text with these findings, in lower case `lowered`, is of this kind."""
        different = {text for kind, text in found if kind in self.kinds}
        if len(different) >= self.at_least:
            return True
        different |= {word for word in self.words if _has_word(lowered, word)}
        return len(different) >= self.at_least


def personal_kinds(text: str) -> set[tuple[Kind, str]]:
    """What a text holds: kinds with the stretches themselves, in lower case; of a long text its beginning."""
    return {
        (one.kind, stretch[one.start : one.end].casefold())
        for stretch in _stretches(text[:LOOKED_AT])
        for lowered in (searchable(stretch),)
        for signs, find in _finders()
        if not signs or _has_one(signs, stretch, lowered)
        for one in find(stretch)
        if not _is_of_everybody(one, stretch)
    }


@cache
def _finders() -> tuple[tuple[tuple[re.Pattern[str], ...], Callable[[str], Iterable[Finding]]], ...]:
    """Each finder with the signs without which it would find nothing."""
    from app.policy.redaction.bank import find_bank_data  # noqa: PLC0415 - 0.17 s in all: for the first text
    from app.policy.redaction.identity_numbers import find_identity_numbers  # noqa: PLC0415
    from app.policy.redaction.secrets import find_secrets  # noqa: PLC0415
    from app.policy.redaction.terms import find_terms  # noqa: PLC0415

    return (
        ((_SECRETIVE, _LONG_WORD), find_secrets),
        ((_DIGITS,), find_identity_numbers),
        ((_DIGITS,), find_bank_data),
        ((), find_terms),
    )


def _is_of_everybody(one: Finding, stretch: str) -> bool:
    """Whether a finding is meant for whoever deals with a firm, or comes to a meeting."""
    before, value = stretch[max(0, one.start - _BEFORE) : one.start], stretch[one.start : one.end].strip()
    if one.kind is Kind.TAX_NUMBER:
        return _FIRM_NUMBER.match(value) is not None or _FIRM.search(before) is not None
    return one.kind is Kind.SECRET and _MEETING_CODE.match(value) is not None and _MEETING.search(before) is not None


def _has_one(signs: Iterable[re.Pattern[str]], text: str, lowered: str | None) -> bool:
    return any(may_match(sign, lowered) and sign.search(text) for sign in signs)


def _stretches(text: str) -> Iterator[str]:
    """Pieces that overlap a little, so that nothing is cut in two."""
    for start in range(0, max(len(text), 1), _STRETCH):
        yield text[max(0, start - _OVERLAP) : start + _STRETCH]


def _has_word(text: str, word: str) -> bool:
    """Whether a word occurs; a western one as a whole."""
    start = text.find(word)
    while start >= 0:
        if not word[0].isascii() or _is_whole(text, start, start + len(word)):
            return True
        start = text.find(word, start + 1)
    return False


def _is_whole(text: str, start: int, end: int) -> bool:
    before, behind = text[start - 1 : start], text[end : end + 1]
    return not (before.isascii() and before.isalnum()) and not (behind.isascii() and behind.isalnum())
