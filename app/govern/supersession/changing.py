"""Sentences that change what was said before: cancelled, moved, done, on again, decided otherwise (G2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.govern.supersession.changing_chinese import read_chinese
from app.govern.supersession.changing_english import read_english

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.govern.supersession.said import Kind, Said
    from app.govern.supersession.sentences import Sentence

_LONGEST = 600


def read_changes(sentence: Sentence) -> Iterator[Said]:
    """What a sentence changes; mostly nothing. A phrase that only says "it" gives an empty head."""
    if len(sentence.text) > _LONGEST:
        return
    reader = read_chinese if sentence.is_chinese else read_english
    seen: set[tuple[Kind, str, tuple[str, ...]]] = set()
    found = list(reader(sentence))
    named = {said.kind for said in found if said.head}
    for said in found:
        if not said.head and said.kind in named:
            continue
        if (key := (said.kind, said.head, said.marks)) not in seen:
            seen.add(key)
            yield said
