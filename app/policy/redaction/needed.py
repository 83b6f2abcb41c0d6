"""What a text must hold for a pattern to match anywhere in it, read from the pattern itself (L5.3).

Most patterns find nothing in most texts, and looking whether "blood pressure" stands in a text is far cheaper than a
search. The pieces are taken from the parsed pattern, so that they cannot go stale; where a pattern asks for nothing
certain, or Python cannot be asked, the pattern is always tried. Leaving out never changes what is found.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    Pieces = frozenset[str]

_ODD = re.compile("[\u0130\u0131\u017f\u212a]")
"""Letters that are the same as an ASCII one but for their case; a text with such is searched in full."""
_MOST_PIECES = 64
_PARSER: Any = getattr(re, "_parser", None)
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


def searchable(text: str) -> str | None:
    """A text as `may_match` looks at it; None where it cannot say anything of it."""
    return None if _ODD.search(text) is not None else text.lower()


def may_match(pattern: re.Pattern[str], lowered: str | None) -> bool:
    """Whether a pattern can match anywhere in a text, which `searchable` gave."""
    if lowered is None:
        return True
    pieces = _needed(pattern.pattern, pattern.flags)
    if pieces is None:
        return True
    for piece in pieces:  # noqa: SIM110 - called for every rule and text: `any` takes twice as long
        if piece in lowered:
            return True
    return False


@cache
def _needed(pattern: str, flags: int) -> Pieces | None:
    """Pieces in lower case, of which one at least stands in every match; None: not known."""
    return None if _PARSER is None else _of_sequence(_PARSER.parse(pattern, flags))


def _of_sequence(parsed: Iterable[tuple[Any, Any]]) -> Pieces | None:
    """The rarest of what each part of a sequence asks for."""
    asked: list[Pieces] = []
    run = ""
    for operation, value in (*parsed, (None, None)):
        sign = chr(value).lower() if str(operation) == "LITERAL" else ""
        if sign and _is_plain(sign):
            run += sign
            continue
        # Python takes out what branches begin with: of "i(?:f|n case)" each of them is asked for whole
        ends = {_opening(branch) for branch in value[1]} if str(operation) == "BRANCH" else {""}
        asked += [frozenset(run + end for end in ends)] if run else []
        run = ""
        inner = _of_part(str(operation), value)
        asked += [inner] if inner is not None else []
    return min(asked, key=_frequency, default=None)


def _of_part(operation: str, value: Any) -> Pieces | None:  # noqa: ANN401 - what Python's parser gives
    if operation == "SUBPATTERN":
        return _of_sequence(value[-1])
    if operation == "ATOMIC_GROUP":
        return _of_sequence(value)
    if operation in _REPEATS:
        return _of_sequence(value[2]) if value[0] > 0 else None
    if operation != "BRANCH":
        return None
    branches = [_of_sequence(branch) for branch in value[1]]
    pieces = frozenset(piece for branch in branches if branch is not None for piece in branch)
    return None if None in branches or len(pieces) > _MOST_PIECES else pieces


def _opening(parsed: Iterable[tuple[Any, Any]]) -> str:
    """The plain signs that a sequence begins with."""
    run = ""
    for operation, value in parsed:
        sign = chr(value).lower() if str(operation) == "LITERAL" else ""
        if not sign or not _is_plain(sign):
            break
        run += sign
    return run


def _is_plain(sign: str) -> bool:
    """Whether lower case cannot change a sign in more than one way: an ASCII one, or one without case."""
    return sign.isascii() or (len(sign) == 1 and sign == sign.upper() == sign.casefold())


def _frequency(pieces: Pieces) -> float:
    """Roughly how often a text has one of the pieces; every piece costs a look."""
    return sum(0.002 + (0.15 if piece.isascii() else 0.01) ** len(piece) for piece in pieces)
