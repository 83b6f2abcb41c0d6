"""Which tasks, dates and passages belong into a part of a briefing, by how they stand and what they say (G4.5)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.context.templates.declaration import TaskChoice
from app.domain.labels import Status
from app.store.analyser import analyse, query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.context.spans import Span
    from app.context.templates.declaration import Part
    from app.domain.context_item import AgendaItem, ContextItem

_PLACE = re.compile(r"\{([^{}]{0,40})\}")
_OPEN = frozenset({Status.ACTIVE, Status.PENDING, Status.DRAFT})
_FEW = 3
"""So many are never too many to tell anything."""


def is_of(item: AgendaItem, choice: TaskChoice) -> bool:
    """Whether a task is open, done or late, as a part wants it."""
    if choice is TaskChoice.DONE:
        return item.status is Status.DONE
    if choice is TaskChoice.OVERDUE:
        return item.is_overdue
    return item.status in _OPEN and not item.is_overdue


def is_in(item: AgendaItem, span: Span | None) -> bool:
    """Whether it touches a span; one without a day touches none. What is done is in the span in which that was said."""
    if span is None:
        return True
    if item.done_at is not None:
        return span.start <= item.done_at < span.end
    return item.start is not None and item.start < span.end and (item.end or item.start) >= span.start


def speaking_of(items: Sequence[AgendaItem], query: str) -> list[AgendaItem]:
    """Those that have a word of the query; all of them without one.

    A word that stands in many of them, as "project" does, tells none from another while the query has others.
    """
    if not query:
        return list(items)
    words = {term.term for term in query_terms(query)}
    said = [analyse(f"{item.title} {item.owner or ''} {item.condition or ''}").keys() & words for item in items]
    counts = Counter(word for found in said for word in found)
    most = max(_FEW, len(items) // 3)
    telling = {word for word in words if counts[word] <= most} or words
    return [item for item, found in zip(items, said, strict=True) if found & telling]


def has_word(item: ContextItem, part: Part) -> bool:
    """Whether a passage has a word of the part's own: who writes in another language is found too."""
    terms = [term.term for text in part.query.values() for term in query_terms(_PLACE.sub(" ", text))]
    words = {term for term in terms if len(term) > 1}  # the last character of a word is a term, and in many words
    return bool(words & analyse(f"{item.title} {item.content}").keys())


def occurrence(item: AgendaItem) -> tuple[str, datetime | None]:
    """A date by which it is known again: a series has one id."""
    return item.item_id, item.start


def following(span: Span) -> Span:
    """As many days again, from where a span ends."""
    days = max(1, (span.end.date() - span.start.date()).days)
    return replace(span, start=span.end, end=span.end + timedelta(days=days))
