"""Placeholders: what stands in a text for what was kept back, and how it is found again in a reply (L5.3).

`[PERSON_1]`: brackets and a word in ASCII, since language models copy such a token unchanged, understand what it
stands for, and spend few tokens on it; rarer brackets get lost. What a model does to it all the same is undone: other
case, other brackets, spaces, a lost underscore, a backslash of Markdown.

Within a conversation one value has one number, whatever its kind was said to be. A different spelling of it (spaces
in a number, a name in capitals) has the same number and a letter, `[PHONE_1b]`: it comes back as it was written.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Kind
from app.policy.redaction.folding import fold
from app.policy.redaction.rules import bare

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = "|".join(sorted((kind.value for kind in Kind), key=len, reverse=True))
_OPEN, _CLOSE = r"[\[\uff3b\u3010\u27e6\u300c{(<]", r"[\]\uff3d\u3011\u27e7\u300d})>]"
PLACEHOLDER = re.compile(
    rf"(?P<quoted>\")?(?P<escaped>\\)?{_OPEN}[ *_]{{0,2}}(?P<kind>{_KINDS})[ \\_#:-]{{0,3}}"
    rf"(?P<number>[0-9]{{1,6}})(?P<letters>[a-z]{{0,4}})[ *_]{{0,2}}(?(escaped)\\){_CLOSE}"
    rf"(?(quoted)(?P<closed>\")?)"
    rf"|(?<![A-Za-z0-9_])(?P<bare_kind>{_KINDS})_(?P<bare_number>[0-9]{{1,6}})"
    rf"(?P<bare_letters>[a-z]{{0,4}})(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
"""A placeholder in any form that is understood. What of a text looks like one is kept back, and never mistaken."""

_EXACT_KINDS = frozenset({Kind.SECRET, Kind.URL, Kind.LITERAL, Kind.USER_NAME})
_SPACE = re.compile(r"\s+")
_LETTERS = 26


@dataclass(frozen=True, slots=True)
class Kept:
    """A value that was kept back.

    Attributes:
        value: as a person reads it.
        raw: how it is spelled inside a JSON text, where that is not plainly `value`.
        is_number: whether it stands without quotes in JSON, and its placeholder with them.
    """

    value: str
    raw: str | None = None
    is_number: bool = False


class Placeholders:
    """The values of one conversation and their placeholders."""

    def __init__(self) -> None:
        self._by_token: dict[str, Kept] = {}
        self._by_kept: dict[Kept, str] = {}
        self._numbers: dict[str, tuple[Kind, int]] = {}
        self._spellings: dict[str, int] = {}
        self._counts: dict[Kind, int] = {}

    def stand_in(self, kept: Kept, kind: Kind) -> str:
        """The placeholder of a value; the same one whenever it comes again."""
        token = self._by_kept.get(kept)
        if token is None:
            token = self._new_token(kept, kind)
            self._by_kept[kept] = token
            self._by_token[token] = kept
        return f'"[{token}]"' if kept.is_number else f"[{token}]"

    def values(self, kinds: frozenset[Kind]) -> Iterator[tuple[str, Kind]]:
        """The values of some kinds, in the order in which they came."""
        for token, kept in self._by_token.items():
            kind = Kind(token.partition("_")[0])
            if kind in kinds and kept.raw is None:
                yield kept.value, kind

    def restore(self, text: str, *, is_json: bool = False) -> str:
        """Values for the placeholders of this conversation; what looks like another one stays."""

        def value(found: re.Match[str]) -> str:
            kept = self._by_token.get(_token_of(found))
            if kept is None:
                return found[0]
            quotes = (found["quoted"] or "", found["closed"] or "")
            if kept.is_number and all(quotes):
                return kept.value
            said = kept.value if not is_json else _in_json(kept)
            return f"{quotes[0]}{said}{quotes[1]}"

        return PLACEHOLDER.sub(value, text)

    def _new_token(self, kept: Kept, kind: Kind) -> str:
        key = kept.value if kind in _EXACT_KINDS else _canonical(kept.value)
        if key not in self._numbers:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._numbers[key] = (kind, self._counts[kind])
        kind, number = self._numbers[key]
        spelling = self._spellings.get(key, 0)
        self._spellings[key] = spelling + 1
        return f"{kind.value}_{number}{_letters(spelling)}"


def _token_of(found: re.Match[str]) -> str:
    kind = found["kind"] or found["bare_kind"]
    number = found["number"] or found["bare_number"]
    letters = found["letters"] or found["bare_letters"] or ""
    return f"{kind.upper()}_{int(number)}{letters.lower()}"


def _canonical(value: str) -> str:
    """What the spellings of one value share."""
    plain = fold(value).text
    number = bare(plain)
    return number.casefold() if any(map(str.isdigit, number)) else _SPACE.sub(" ", plain).strip().casefold()


def _in_json(kept: Kept) -> str:
    return kept.raw if kept.raw is not None else json.dumps(kept.value, ensure_ascii=False)[1:-1]


def _letters(spelling: int) -> str:
    """Nothing for the first spelling, then b, c, ... z, bb, ...: as many as come."""
    letters = ""
    while spelling > 0:
        spelling, place = divmod(spelling, _LETTERS)
        letters = chr(ord("a") + place) + letters
    return letters
