"""What both languages share in reading sentences that change something: labels, new times, sorts of work."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from app.domain.readings import DateKind
from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import Phrase, read_phrase
from app.govern.supersession.said import Days, Kind, Said
from app.govern.supersession.sentences import is_whole_day, split_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.govern.supersession.sentences import Sentence

DECISION = "decision"
"""The head of all decisions: their words tell them apart."""
GOING = "go"
"""The head of going somewhere, where no journey is named."""
_SHIFT_NEAR = 14
_LABEL_END = re.compile(
    r"^(?P<it>.{3,120}?)\s*[-–—:：(\[（【]\s*(?:now\s+|is\s+)?(?:cancell?ed|called off|已?取消)[!.]?\s*[)\]）】]?$",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"forward|提前|earlier|up\b", re.IGNORECASE)


def labelled(sentence: Sentence, label: str, kind: Kind) -> Iterator[Said]:
    """What a label says: "Cancelled: Berlin trip", "Berlin trip - CANCELLED", 【取消】柏林之行."""
    head = _head(sentence.cues[label].pattern).match(sentence.plain)
    phrase = Phrase("")
    if head is not None and (head["sep"] or sentence.is_title):
        phrase = read_phrase(sentence.clause_behind(head.end()))
    elif kind is Kind.CANCEL and (tail := _LABEL_END.match(sentence.plain.strip())) is not None:
        phrase = read_phrase(tail["it"])
    if phrase.head and not sentence.is_asked:
        yield said_of(sentence, kind, phrase, sentence.days_in(0, len(sentence.text)), is_sure=True)


@cache
def _head(label: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:\[|【)?(?:{label})(?:\]|】)?\s*(?P<sep>[:：–—-]|\bof\b|】|\])?\s*", re.IGNORECASE)


def moved_to(sentence: Sentence, said: Said, at: int) -> Said:
    """A move with the new time, or by how much it moves, as far as either is said behind a place."""
    for moment in sentence.moments:
        if moment.start < at:
            continue
        if moment.reading.kind is DateKind.DURATION and moment.reading.duration is not None:
            if moment.start - at > _SHIFT_NEAR:
                continue
            sign = -1 if _EARLIER.search(sentence.text[max(0, at - _SHIFT_NEAR) : moment.end + _SHIFT_NEAR]) else 1
            return replace(said, shift_s=sign * int(moment.reading.duration.total_seconds()))
        old, new = split_move(sentence, moment)
        days = None if new is None else sentence.days_of(new, is_ahead=True)
        if new is None or days is None:
            continue
        before = said.days or old
        return replace(said, days=before, new=days, is_whole_day=is_whole_day(new))
    return said


def is_open_move(sentence: Sentence, cue: str) -> bool:
    """Whether a cue takes the old time away though it names no new one."""
    return sentence.cues["move_openly"].search(cue) is not None


def said_of(sentence: Sentence, kind: Kind, phrase: Phrase, days: tuple[Days, ...], *, is_sure: bool) -> Said:
    """A statement that a sentence makes of what a phrase names."""
    return Said(
        kind=kind,
        head=phrase.head,
        marks=phrase.marks,
        days=days,
        text=sentence.text.strip(),
        start=0 if sentence.is_title else sentence.start,
        end=0 if sentence.is_title else sentence.start + len(sentence.text),
        is_sure=is_sure,
    )


def sorts_of(verb: str) -> tuple[str, ...]:
    """What sort of work a verb does; empty for an unknown one."""
    known = rules().verbs
    folded = verb.casefold().split()[0] if verb.strip() else ""
    irregular = {"sent": "send", "paid": "pay", "wrote": "write", "written": "write", "bought": "buy", "did": "do"}
    endings = ("ed", "d", "ted", "ped")
    for form in (folded, irregular.get(folded, folded), *(folded.removesuffix(ending) for ending in endings)):
        if form in known:
            return tuple(sorted(known[form]))
    return ()
