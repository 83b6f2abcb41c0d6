"""Whether what was found says what is asked for, and of whom it is asked (G3.2).

What a question asks (`attributes`) and whose it is (`owners`) are read from its words; here they are held against the
sentences and the passages that a search found. A message of a conversation says little by itself: whom it is about may
stand in the messages beside it.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.context.attributes import attributes_asked
from app.context.owners import enough_for, is_open, is_said, read_owners, says_names, share_of
from app.context.question import read_question
from app.context.wants import is_of_other_turn
from app.domain.errors import Expected
from app.domain.labels import EntryKind
from app.store.analyser import analyse
from app.store.reading import passages_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.context.evidence import Evidence
    from app.context.owners import Owners
    from app.context.search import Found
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.reading import Passage

_LONGEST_QUESTION = 300
_REACH = 3
"""Messages before and behind one."""
_LONGEST = 600
_LEAST_REST = 0.38
"""Of what a question asks of somebody: from this nearness on a text may mean it that says no word of it."""
_HAN = re.compile("[\u3400-\u9fff]")
_log = logging.getLogger(__name__)


def language_of(question: str) -> str:
    """By which rules a question is read."""
    return "zh" if _HAN.search(question) is not None else "en"


def says_what_is_asked(question: str) -> Callable[[str], bool] | None:
    """Tells whether a sentence says what a question asks for; None where it is long, or a conversation."""
    if len(question) > _LONGEST_QUESTION or "\n" in question:
        return None
    attributes = attributes_asked(question, language_of(question))

    def says(sentence: str) -> bool:
        if is_of_other_turn(question, sentence):
            return False
        return all(one.is_in(sentence) for one in attributes)

    return says


def of_whom_it_is_asked(
    question: str, evidence: Sequence[Evidence], found: Found, reader: Reader, visible: VisibilityFilter
) -> list[Evidence]:
    """The evidence that is about whom or what a question names; on the inference lane where there is a model."""
    if len(question) > _LONGEST_QUESTION or "\n" in question:
        return list(evidence)
    owners = read_owners(question, language_of(question))
    if owners.is_anybody or not evidence:
        return list(evidence)
    talk = [item.ranked.passage for item in evidence if item.ranked.passage.kind is EntryKind.CHAT]
    beside = passages_beside(reader, talk, visible, reach=_REACH)
    told = [
        _told(item.ranked.passage, beside.get(item.ranked.passage.chunk_id, ()), item.sentence) for item in evidence
    ]
    return [item for item, is_about in zip(evidence, are_about(owners, told, found), strict=True) if is_about]


@dataclass(frozen=True, slots=True)
class Told:
    """What is said somewhere, in which language; `quoted`: the sentence of it that would be shown."""

    text: str
    language: str
    quoted: str

    def is_across(self, owners: Owners) -> bool:
        """Whether it is in another language than the question."""
        return (self.language == "zh") != (owners.language == "zh")


def are_about(owners: Owners, told: Sequence[Told], found: Found | None) -> list[bool]:
    """Of each text, whether it names everybody who has to be named, and each thing, or means it where it names none."""
    kept = [says_names(owners, one.text, one.language) for one in told]
    for thing in (*owners.things, *owners.whats):
        is_what = thing in owners.whats
        left = [at for at, is_kept in enumerate(kept) if is_kept and not (is_what and told[at].is_across(owners))]
        for at, is_about in zip(left, _about(thing, owners, [told[at] for at in left], found), strict=True):
            kept[at] = is_about
    if not owners.rest:
        return kept
    near = _nearness(owners.rest, told, found)
    return [
        is_kept and (one.is_across(owners) or score is None or score >= _LEAST_REST or _says_any(owners.rest, one))
        for is_kept, one, score in zip(kept, told, near, strict=True)
    ]


def _says_any(rest: str, told: Told) -> bool:
    """Whether a text says any word of some."""
    return not analyse(rest).keys().isdisjoint(analyse(told.text))


def _told(passage: Passage, beside: Sequence[Passage], quoted: str) -> Told:
    """What a passage says with its titles and, in a conversation, with what stands beside it."""
    parts = (passage.title, *passage.place.heading_path, passage.text, *(one.text for one in beside))
    return Told("\n".join(parts), passage.language, quoted)


def _about(thing: str, owners: Owners, told: Sequence[Told], found: Found | None) -> list[bool]:
    """Of each text, whether it names a thing, or means it where it names no part of it."""
    shares = [0.0 if one.is_across(owners) else share_of(thing, one.text, one.language) for one in told]
    kept = [is_said(share) for share in shares]
    open_ = [at for at, share in enumerate(shares) if is_open(share)]
    near = _nearness(thing, [told[at] for at in open_], found)
    for at, score in zip(open_, near, strict=True):
        is_across = told[at].is_across(owners)
        # without a model nothing tells what a text in another language is about
        kept[at] = is_across if score is None else score >= enough_for(shares[at], owners.language, is_across=is_across)
    return kept


def _nearness(thing: str, told: Sequence[Told], found: Found | None) -> list[float | None]:
    """How much each text, or what would be quoted of it, means a thing; None where no model tells."""
    if found is None or found.semantics is None or not told:
        return [None] * len(told)
    semantics = found.semantics
    try:
        meaning = semantics.meaning(read_question(thing))
        vectors = semantics.embed([*(one.text[:_LONGEST] for one in told), *(one.quoted[:_LONGEST] for one in told)])
    except Expected as problem:
        _log.warning("whose something is was compared by words alone: %s", problem.code)
        return [None] * len(told)
    near: list[float | None] = []
    for row, one in enumerate(told):
        language = semantics.nearest(one.language)
        near.append(float(semantics.scores(meaning, vectors[[row, row + len(told)]], language).max()))
    return near
