"""The second stage: what a passage's form says, beside its words and its meaning (G4.2).

The best passages by words and meaning are looked at once more, and each is moved up or down a little:

    speaker     who says it is the one that the question names, or is somebody else
    asks        it asks instead of telling; the share of its sentences that are questions
    says when   the question asks for a time, and it names one
    in time     the question names a time ("in May 2023"), and it is from that time
    order       the question says "last" or "first", and it is late or early among those looked at

Each clue adds its weight (resources/rules/ranking.toml) to the semantic score, which stays in 0..1. Nothing is ever
left out because of a clue: a question can be wrong about its own time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.context.speakers import label_of
from app.context.when import find_when
from app.store.distinct import distinct

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from app.context.question import Question
    from app.context.ranking import ClueWeights
    from app.context.spans import Span

    Floats = NDArray[np.float64]

ASKS_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:day|date|time|week|month|year)\b|\bhow long\b"
    r"|什么时候|哪天|哪一天|哪年|哪个月|几号|何时|几点|多久",
    re.IGNORECASE,
)
_TIME_WORDS = frozenset({
    "yesterday", "today", "tonight", "tomorrow", "ago", "last", "next", "recently", "since", "morning", "evening",
    "weekend", "weekends", "week", "weeks", "month", "months", "year", "years", "day", "days",
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
})  # fmt: skip
_CHINESE_TIME = re.compile(
    r"昨|今[天早晚年]|明[天早晚年]|[前后]天|[上下这]个?[周月]|[去前]年|星期|周[一二三四五六日末]|\d[年月日号点]"
)
_SIGNS = str.maketrans(dict.fromkeys("'\"!#$%&()*+,-./:;<=>?@[]^_`{|}~’“”", " "))
_NEWEST = re.compile(
    r"\b(?:latest|newest|most recent(?:ly)?|last time)\b|\bthe last\b|最近一次|上一?次|最新|最后", re.IGNORECASE
)
_OLDEST = re.compile(r"\b(?:earliest|oldest|first time)\b|\bthe first\b|第一次|首次|最早|最初", re.IGNORECASE)
_ASKED_FOR = re.compile(r"\bask(?:s|ed|ing)?\b|\bquestions?\b|[问題题]", re.IGNORECASE)
# Of a long passage the beginning: somewhere it names a time, whatever it is about.
_READ_CHARACTERS = 400
_QUESTION_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Clues:
    """What to look for.

    Attributes:
        speaker: the one speaker whom the question names; None for none and for several.
        span: the time that the question names.
        order: 1 for the newest first, -1 for the oldest first, 0 for neither.
    """

    speaker: str | None = None
    asks_when: bool = False
    wants_questions: bool = False
    span: Span | None = None
    order: int = 0

    @property
    def needs_times(self) -> bool:
        """Whether the passages' times matter."""
        return self.span is not None or self.order != 0


def read_clues(question: Question, now: datetime) -> Clues:
    """What a question asks for besides its subject; nothing where it is a conversation."""
    if question.is_talk:
        return Clues()
    text = question.text[:_QUESTION_CHARACTERS]
    named = find_when(text, now)
    newest, oldest = _NEWEST.search(text) is not None, _OLDEST.search(text) is not None
    return Clues(
        speaker=question.speakers[0] if len(question.speakers) == 1 else None,
        asks_when=ASKS_WHEN.search(text) is not None,
        wants_questions=_ASKED_FOR.search(text) is not None,
        span=named.span if named is not None else None,
        order=int(newest) - int(oldest),
    )


def weigh_form(text: str, clues: Clues, weights: ClueWeights) -> float:
    """What the form of a passage's text adds to its semantic score; also below zero."""
    text = text[:_READ_CHARACTERS]
    added = 0.0
    if clues.speaker is not None:
        added += weights.speaker * _spoken_by(clues.speaker, text)
    if not clues.wants_questions:
        added -= weights.asks * _share_of_questions(text)
    if clues.asks_when:
        added += weights.says_when * _names_time(text)
    return added


def most_by_form(clues: Clues, weights: ClueWeights) -> float:
    """What `weigh_form` adds at most, whatever the text."""
    added = 0.0 if clues.speaker is None else abs(weights.speaker)
    added += 0.0 if clues.wants_questions else max(-weights.asks, 0.0)
    return added + (max(weights.says_when, 0.0) if clues.asks_when else 0.0)


def weigh_times(moments: Floats, clues: Clues, weights: ClueWeights) -> Floats:
    """What the times of passages add to their semantic scores.

    Args:
        moments: float64[n], when each happens, as a time stamp, NaN where that is unknown.

    Returns:
        float64[n]
    """
    total = np.zeros(len(moments))
    if clues.span is not None:
        start, end = clues.span.start.timestamp(), clues.span.end.timestamp()
        total += weights.in_time * ((moments >= start) & (moments < end))
    if clues.order:
        total += weights.order * _order(moments, clues.order)
    return total


def _spoken_by(speaker: str, text: str) -> float:
    label = label_of(text)
    if label is None:
        return 0.0
    return 1.0 if label.casefold() == speaker.casefold() else -1.0


def _share_of_questions(text: str) -> float:
    """Of its sentences, roughly: signs are counted, which is thirty times quicker than cutting."""
    asking = text.count("?") + text.count("？")
    return asking / (asking + sum(map(text.count, ".!。！"))) if asking else 0.0


def _names_time(text: str) -> bool:
    if not text.isascii() and _CHINESE_TIME.search(text) is not None:
        return True
    return not _TIME_WORDS.isdisjoint(text.casefold().translate(_SIGNS).split())


def _order(moments: Floats, order: int) -> Floats:
    """1 for the first in the asked order, falling to 0 for the last; 0 for those without a time."""
    is_known = ~np.isnan(moments)
    known = distinct(moments[is_known])
    if len(known) < 2:  # noqa: PLR2004 - nothing to order
        return np.zeros(len(moments))
    places = np.searchsorted(known, np.where(is_known, moments, known[0])) / (len(known) - 1)
    return np.where(is_known, places if order > 0 else 1.0 - places, 0.0)
