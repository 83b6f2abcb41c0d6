"""What a client may be called, what it may be granted, and how often it may ask (G4.6, G8.1). Pure; fails closed.

Not here: what a grant lets somebody see, which is `policy.disclosure`'s.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.clients import likeness
from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from app.domain.clients import Grant
    from app.domain.text import Text

LONGEST_NAME = 60
MOST_WORDS = 64
LONGEST_WORD = 200
MOST_A_MINUTE = 10_000
MOST_ITEMS_A_DAY = 1_000_000
MOST_DAYS = 3_650
UNKNOWN = "unknown"
"""Under whose name the audit has attempts with a token that nobody holds."""
RESERVED = frozenset({"owner", "famulus", "all", UNKNOWN, "所有者", "未知"})
A_DAY_S = 86_400.0
_WINDOW_S = 60.0
_IN_NAMES = frozenset(" -_.()")
_NAMELESS = "Program"
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters and marks that nobody sees: with one of them a name would look like another one."""


def checked_name(name: str) -> str:
    """A name that the person gives to a client, in its one form; raises `BadInput` for what cannot be one."""
    plain = " ".join(unicodedata.normalize("NFC", name[: LONGEST_NAME * 4]).split())
    is_good = bool(plain) and len(name) <= LONGEST_NAME and all(map(is_in_names, plain)) and plain[0].isalnum()
    if not is_good or not _is_whole(plain):
        raise BadInput(
            msg("That cannot be the name of a client."),
            next_step=msg(
                "Use letters, digits, spaces and - _ . ( ), beginning with a letter or a digit, {count} at most.",
                count=LONGEST_NAME,
            ),
        )
    if likeness(plain) in RESERVED:
        raise BadInput(
            msg("The name {name} has a meaning of its own.", name=plain), next_step=msg("Choose another name.")
        )
    return plain


def name_for(program: str, taken: Collection[str]) -> str:
    """A name for a program that asks for access, from its own word: cleaned, cut, and unlike those that are taken."""
    kept = (char if is_in_names(char) else " " for char in unicodedata.normalize("NFKC", program[:1000]))
    words = " ".join("".join(kept).split())
    start = next((place for place, char in enumerate(words) if char.isalnum()), len(words))
    base = unicodedata.normalize("NFC", words[start:])[: LONGEST_NAME - 6].rstrip()
    if not base or likeness(base) in RESERVED or not _is_whole(base):
        base = _NAMELESS
    used = {likeness(name) for name in taken}
    number = 1
    found = base
    while likeness(found) in used:
        number += 1
        found = f"{base} {number}"
    return found


def shown_program(program: str) -> str:
    """A program's own word for itself, fit to be shown: one line, nothing that steers a screen or turns its text."""
    kept = (char if char.isprintable() and not _UNSEEN.match(char) else " " for char in program[:1000])
    return " ".join("".join(kept).split())[:100]


def checked_grant(grant: Grant) -> Grant:
    """A grant that means something, in its one form; raises `BadInput` for one that does not."""
    try:
        ceiling = Sensitivity(grant.ceiling)
    except ValueError:
        raise _no_grant(msg("There is no such level of sensitivity.")) from None
    _within(grant.rate_per_minute, MOST_A_MINUTE, msg("requests a minute"))
    _within(grant.items_per_day, MOST_ITEMS_A_DAY, msg("items a day"))
    if grant.expires_in_days is not None:
        _within(grant.expires_in_days, MOST_DAYS, msg("days"))
    return replace(grant, scopes=_words(grant.scopes), acls=_words(grant.acls), ceiling=ceiling)


def is_in_names(char: str) -> bool:
    """Whether a character can stand in a name: letters of every script with their marks, digits, and a few others."""
    if _UNSEEN.match(char):
        return False
    return char.isalnum() or char in _IN_NAMES or unicodedata.category(char) in {"Mn", "Mc"}


class Pace:
    """How often somebody asked within the last minute. Seconds are of a clock that never jumps."""

    def __init__(self) -> None:
        self._moments_s: deque[float] = deque()

    def take(self, limit: int, now_s: float) -> float | None:
        """Count a request in; returns None, or (counting nothing) how many seconds to wait."""
        while self._moments_s and now_s - self._moments_s[0] >= _WINDOW_S:
            self._moments_s.popleft()
        if len(self._moments_s) < limit:
            self._moments_s.append(now_s)
            return None
        # with a limit that was lowered meanwhile it is a later one than the first that has to pass
        return _WINDOW_S - (now_s - self._moments_s[len(self._moments_s) - max(limit, 1)])


class Volume:
    """How many items somebody got within the last 24 hours. Seconds are of a clock that never jumps.

    What was got within one minute goes together, when the last of it does.
    """

    def __init__(self) -> None:
        self._parts: deque[tuple[float, float, int]] = deque()
        self._sum = 0

    def add(self, count: int, at_s: float) -> None:
        """Count items in, or (negative) back out; those that came later than others are added later."""
        if not count:
            return
        self._sum += count
        if self._parts and at_s - self._parts[-1][0] < _WINDOW_S:
            began_s, _, others = self._parts.pop()
            self._parts.append((began_s, at_s, others + count))
        else:
            self._parts.append((at_s, at_s, count))

    def held(self, now_s: float) -> int:
        """How many they are now."""
        while self._parts and now_s - self._parts[0][1] >= A_DAY_S:
            self._sum -= self._parts.popleft()[2]
        return self._sum


def _words(given: Iterable[str]) -> frozenset[str]:
    found = frozenset(" ".join(word.split()) for word in given)
    if not found:
        raise _no_grant(msg("A client without a scope and an access-control identifier sees nothing."))
    if len(found) > MOST_WORDS or not all(0 < len(word) <= LONGEST_WORD and word.isprintable() for word in found):
        raise _no_grant(msg("That cannot be a scope or an access-control identifier."))
    return found


def _within(number: int, most: int, what: Text) -> None:
    if not 1 <= number <= most:
        raise _no_grant(msg("{number} is no number of {what}: 1 to {most}.", number=number, what=what, most=most))


def _is_whole(text: str) -> bool:
    """Whether it can be written as UTF-8: no half of a character."""
    return text.isascii() or not any(0xD800 <= ord(char) <= 0xDFFF for char in text)  # noqa: PLR2004 - surrogates


def _no_grant(what: Text) -> BadInput:
    return BadInput(
        what,
        next_step=msg("Name what the client may see: --scope work --ceiling internal (see `famulus sources list`)."),
    )
