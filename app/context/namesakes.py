"""By which other names a question's people are known: asked for 张三, mails of Zhang San are found by words too (X9.3).

The question is asked once more with the other name in the place of the one that it uses, and of both answers the better
one counts, passage by passage: so what the question itself finds loses nothing. Only the owner's questions are read so:
an alias may come from an entry that a client may not see (G4.3). A name that several people bear is left as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.govern.people.lists import name_lists
from app.store.analyser import simplify
from app.store.name_keys import name_key
from app.store.people import bearers, full_names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.store.connection import Reader

_HAN = re.compile(r"[\u3400-\u9fff]{2,40}")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{2,20}(?:-[^\W\d_\u3400-\u9fff]{1,20})?")
_LONGEST_QUESTION = 400
_LONGEST_NAME = 40
_MOST_CANDIDATES = 60
_MOST_VARIANTS = 2


def variants(reader: Reader, text: str) -> tuple[str, ...]:
    """The question with other names of the one person whom it names; none where it names nobody, or several."""
    if len(text) > _LONGEST_QUESTION:
        return ()
    for count, candidate in enumerate(_candidates(text)):
        if count == _MOST_CANDIDATES:
            break
        key = name_key(candidate)
        found = bearers(reader, key)
        if len(found) == 1:
            others = [
                other for other in full_names_of(reader, found[0]) if sorted(other.split()) != sorted(key.split())
            ]
            return tuple(text.replace(candidate, f" {other} ") for other in others[:_MOST_VARIANTS])
    return ()


def _candidates(text: str) -> Iterator[str]:
    """What may be a full name, the longer ones first."""
    words = [match.span() for match in _WORD.finditer(text)]
    for size in (3, 2):
        for first, last in zip(words, words[size - 1 :], strict=False):
            if last[1] - first[0] <= _LONGEST_NAME:
                yield text[first[0] : last[1]]
    lists = name_lists()
    for match in _HAN.finditer(text):
        run, plain = match[0], simplify(match[0])
        for at, sign in enumerate(plain):
            sizes = (4, 3) if plain[at : at + 2] in lists.compounds else (3, 2) if sign in lists.surnames else ()
            yield from (run[at : at + size] for size in sizes if at + size <= len(run))
