"""Answers without a language model: exact facts from structure, or an honest extract with its sources (G3.2, G4.1).

    1. a question about the calendar is answered from occurrences and due times; its form tells, or else the small
       model for intents, where there is one
    2. else the sentences that say most are quoted, each with its source, when the evidence is strong enough
    3. else nothing was found, and that is said

Nothing is summed up or rephrased: what is quoted stands so in the person's entries, in its own language; the few words
of our own are in the language of the question.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from app.context.agenda import agenda_of, entry_id_of, next_of
from app.context.calendar_questions import agenda_question, read_calendar_question
from app.context.evidence import weigh
from app.context.items import Standing, context_item
from app.context.phrases import phrases_for
from app.context.question import read_question
from app.domain.context_item import Answer, SearchRequest, Viewer
from app.domain.errors import Expected
from app.domain.labels import EntryKind
from app.domain.text import Text
from app.policy.disclosure import visible_to
from app.runtime import clock
from app.store.reading import entry_passages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from app.context.calendar_questions import CalendarQuestion
    from app.context.evidence import Evidence
    from app.context.phrases import Phrases
    from app.context.search import ContextService
    from app.context.spans import Span
    from app.domain.context_item import AgendaItem, ContextItem
    from app.domain.intents import IntentReading
    from app.domain.visibility import VisibilityFilter
    from app.runtime.lanes import Lanes
    from app.store.connection import Reader
    from app.store.store import Store

    ReadIntent = Callable[[str], Awaitable[IntentReading | None]]

AGENDA, EXTRACT, NOTHING = "agenda", "extract", "nothing"
_LOOKED_AT = 8
_QUOTED = 3
_WEIGHED = 4
_NEARLY_AS_STRONG = 0.85
_LONGEST_QUOTE = 400
_EVENT_COVERAGE = 0.5
_SEARCHED_FOR_EVENTS = 40
_CITED_EVENTS = 8
_AGENDA_INTENT = "agenda_query"
_SURELY_AGENDA = 0.8
"""From here on an intent decides against the form of a question: what the form misses is rare."""
_ASKS_WHEN = re.compile(r"\bwhen\b|\bwhat (?:day|date|time)\b|什么时候|哪天|哪一天|几号|何时|几点", re.IGNORECASE)
_log = logging.getLogger(__name__)


class AnswerService:
    """Answers questions. Its methods are called on the loop.

    Args:
        read_intent: says what a question is for, or None while there is no model for it.
    """

    def __init__(
        self, store: Store, lanes: Lanes, context: ContextService, read_intent: ReadIntent | None = None
    ) -> None:
        self._store = store
        self._lanes = lanes
        self._context = context
        self._read_intent = read_intent

    async def ask(self, text: str, viewer: Viewer | None = None) -> Answer:
        """Answer a question for a viewer, the owner by default; raises `BadInput` for an empty one."""
        who = viewer or Viewer()
        question = read_question(text)
        phrases = phrases_for(question.language)
        now = clock.now()
        asked = None if question.is_talk else await self._calendar_question(text, now)
        if asked is not None and asked.event is not None:
            answer = await self._time_of(asked.event, who, phrases, now)
            if answer is not None:
                return answer
        if asked is not None and asked.span is not None:
            answer = await self._agenda(asked.span, who, phrases, now)
            if answer.agenda:
                return answer
            # a note may know what the calendar does not
            extract = await self._extract(text, who, phrases)
            return extract if extract.items or not asked.has_named_time else answer
        return await self._extract(text, who, phrases)

    async def _calendar_question(self, text: str, now: datetime) -> CalendarQuestion | None:
        """By the form of the question; one whose form says nothing by its intent."""
        asked = read_calendar_question(text, now)
        if asked is not None or self._read_intent is None:
            return asked
        reading = await self._read_intent(text)
        if reading is None or len(reading.parts) > 1:
            return None
        is_agenda = reading.intent == _AGENDA_INTENT and reading.score >= _SURELY_AGENDA
        return agenda_question(text, now) if is_agenda else None

    async def _agenda(self, span: Span, viewer: Viewer, phrases: Phrases, now: datetime) -> Answer:
        visible = visible_to(viewer)

        def read() -> tuple[list[AgendaItem], list[ContextItem]]:
            with self._store.database.reader() as reader:
                found = agenda_of(reader, span, visible)
                return found, _cited(reader, found, now, visible)

        found, items = await self._lanes.readers.run(read)
        said = phrases.agenda(found, span) if found else phrases.nothing_on(span)
        return Answer(text=Text(said), items=tuple(items), agenda=tuple(found), route=AGENDA)

    async def _time_of(self, event: str, viewer: Viewer, phrases: Phrases, now: datetime) -> Answer | None:
        """When something is, from structure; None when the calendar knows nothing of that name."""
        found = await self._context.find(SearchRequest(event, limit=_SEARCHED_FOR_EVENTS, viewer=viewer))
        named = [
            ranked
            for ranked in found.ranked
            if ranked.passage.kind in {EntryKind.EVENT, EntryKind.TASK}
            and found.close.of_sentence(ranked.passage.title) >= _EVENT_COVERAGE
        ]
        entry_ids = list(dict.fromkeys(ranked.passage.entry_id for ranked in named))
        if not entry_ids:
            return None
        occurrences, items = await self._lanes.readers.run(self._next, entry_ids, visible_to(viewer), now)
        if not occurrences:
            return None
        lines = [f"{phrases.line(item, None)} [{place}]" for place, item in enumerate(occurrences, start=1)]
        return Answer(text=Text("\n".join(lines)), items=tuple(items), agenda=tuple(occurrences), route=AGENDA)

    def _next(
        self, entry_ids: list[int], visible: VisibilityFilter, now: datetime
    ) -> tuple[list[AgendaItem], list[ContextItem]]:
        with self._store.database.reader() as reader:
            found = next_of(reader, entry_ids, now, visible)[:_QUOTED]
            return found, _cited(reader, found, now, visible)

    async def _extract(self, text: str, viewer: Viewer, phrases: Phrases) -> Answer:
        found = await self._context.find(SearchRequest(text, limit=_LOOKED_AT, viewer=viewer))
        try:
            lane = self._lanes.inference if found.semantics is not None else self._lanes.readers
            evidence = await lane.run(weigh, found, _WEIGHED)
        except Expected as problem:
            _log.warning("sentences could not be weighed: %s", problem.code)
            evidence = []
        strong = [item for item in evidence if item.is_enough]
        strongest = max((item.strength for item in strong), default=0.0)
        near = [item for item in strong if item.strength >= _NEARLY_AS_STRONG * strongest]
        quoted = _without_repeats(near)[:_QUOTED]
        if not quoted:
            return Answer(text=Text(phrases.nothing_found), items=(), route=NOTHING)
        wants_date = _ASKS_WHEN.search(text) is not None
        lines = [
            f"{_quote(item, phrases if wants_date else None)} [{place}]" for place, item in enumerate(quoted, start=1)
        ]
        return Answer(text=Text("\n".join(lines)), items=tuple(item.ranked.item for item in quoted), route=EXTRACT)


def _without_repeats(evidence: Sequence[Evidence]) -> list[Evidence]:
    """A sentence that stands in several entries is quoted once."""
    kept: dict[str, Evidence] = {}
    for item in evidence:
        kept.setdefault(" ".join(item.sentence.casefold().split()), item)
    return list(kept.values())


def _quote(evidence: Evidence, phrases: Phrases | None) -> str:
    """The sentence, cut to a readable length; with the day of its entry where the question asks for a time."""
    sentence = " ".join(evidence.sentence.split())
    if len(sentence) > _LONGEST_QUOTE:
        sentence = sentence[: _LONGEST_QUOTE - 1].rstrip() + "…"
    event_time = evidence.ranked.item.event_time
    if phrases is None or event_time is None:
        return sentence
    return f"{sentence} ({phrases.day(event_time)})"


def _cited(
    reader: Reader, agenda: Sequence[AgendaItem], now: datetime, visible: VisibilityFilter
) -> list[ContextItem]:
    """The entries behind the first agenda items, each by its first passage; what they say is exact, not similar."""
    items = []
    for item in agenda[:_CITED_EVENTS]:
        passages = entry_passages(reader, entry_id_of(item), visible)
        if passages:
            items.append(context_item(passages[0], Standing(), now, {"exact": 1.0}))
    return items
