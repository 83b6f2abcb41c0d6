"""Answers without a language model: exact facts from structure, or an honest extract with its sources (G3.2, G4.1).

    1. a question whose form is known asks structure first: what was decided, who owes what, when somebody was last
       met, what changed, who somebody is (`structured`)
    2. a question about the calendar is answered from occurrences and due times; its form tells, or else the small
       model for intents, where there is one
    3. else the sentences that say most are quoted, each with its source, when the evidence is strong enough; what no
       longer holds is quoted only where nothing else answers, and said to be so
    4. else nothing was found, and that is said

Nothing is summed up or rephrased: what is quoted stands so in the person's entries, in its own language; the few words
of our own are in the language of the question.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from app.context.agenda import agenda_of, entry_id_of
from app.context.calendar_questions import agenda_question, read_calendar_question
from app.context.evidence import weigh
from app.context.items import Standing, context_item
from app.context.pertinent import of_whom_it_is_asked, says_what_is_asked
from app.context.phrases import phrases_for
from app.context.qualified import is_of_another
from app.context.question import read_question
from app.context.quoting import definition, going_on, labelled, listed, steps_behind
from app.context.structured.answering import StructuredAnswers
from app.context.structured.fitting import may_answer
from app.context.structured.forms import read_form
from app.context.structured.question_rules import Kind
from app.context.structured.topic import Topic, named_project
from app.context.wants import holds_what_is_wanted, wants_day, wants_first, wants_value
from app.context.warned import Warned, warned
from app.domain.context_item import Answer, SearchRequest, Viewer
from app.domain.errors import Expected
from app.domain.labels import EntryKind
from app.domain.text import Text
from app.policy.disclosure import filter_for, visible_to
from app.runtime import clock
from app.store.reading import first_passage

if TYPE_CHECKING:
    import re
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from app.context.calendar_questions import CalendarQuestion
    from app.context.evidence import Evidence
    from app.context.phrases import Phrases
    from app.context.search import ContextService, Found
    from app.context.spans import Span
    from app.context.structured.forms import Asked
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
_HALF_AS_STRONG = 0.6
_LONGEST_QUOTE = 400
_LONGEST_STEP = 160
_LONGEST_FOR_CALENDAR = 1_000
"""Characters; who writes more asks for more than a day."""
_LEADS = 0.4
"""Of a question, that the words before a list have to say."""
_CITED_EVENTS = 8
_SURELY = frozenset({Kind.LAST})
_NOT_OF_CALENDAR = frozenset({Kind.LAST, Kind.PLANS})
_SURER = 0.08
"""Where structure knew nothing of the last time of something, what is merely like it would be a guess."""
_AGENDA_INTENT = "agenda_query"
_SURELY_AGENDA = 0.8
"""From here on an intent decides against the form of a question: what the form misses is rare."""
_SAID_ON_A_DAY = frozenset({EntryKind.MAIL, EntryKind.CHAT, EntryKind.NOTE})
_log = logging.getLogger(__name__)


class AnswerService:
    """Answers questions. Its methods are called on the loop.

    Args:
        read_intent: says what a question is for, or None while there is no model for it.

    Attributes:
        structured: what answers from structure; it wants to know the person's own addresses.
    """

    def __init__(
        self, store: Store, lanes: Lanes, context: ContextService, read_intent: ReadIntent | None = None
    ) -> None:
        self._store = store
        self._lanes = lanes
        self._context = context
        self._read_intent = read_intent
        self.structured = StructuredAnswers(store, lanes, context)

    async def ask(self, text: str, viewer: Viewer | None = None) -> Answer:
        """Answer a question for a viewer, the owner by default; raises `BadInput` for an empty one."""
        who = viewer or Viewer()
        question = read_question(text)
        text = question.text
        phrases = phrases_for(question.language)
        now, form = clock.now(), None
        if not question.is_talk:
            form = await self._lanes.readers.run(read_form, text, now)
            answer = None if form is None else await self.structured.answer(form, who, now)
            if answer is not None:
                return answer
        # what is still to come is no last time, and what is on the person's days is nobody else's plan
        is_past = form is not None and form.kind in _NOT_OF_CALENDAR
        is_over = is_past or wants_first(text)
        asked = None if question.is_talk or is_over else await self._calendar_question(text, now)
        if asked is not None and asked.event is not None:
            answer = await self.structured.time_of(asked.event, who, asked.language, now)
            if answer is not None:
                return answer
        if asked is not None and asked.span is not None:
            answer = await self._agenda(asked.span, who, phrases, now)
            if answer.agenda:
                return answer
            # a note may know what the calendar does not
            extract = await self._extract(text, who, phrases, form)
            return extract if extract.items or not asked.has_named_time else answer
        return await self._extract(text, who, phrases, form)

    async def _calendar_question(self, text: str, now: datetime) -> CalendarQuestion | None:
        """By the form of the question; one whose form says nothing by its intent."""
        if len(text) > _LONGEST_FOR_CALENDAR:
            return None
        asked = await self._lanes.readers.run(read_calendar_question, text, now)
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
                mine = self.structured.oneself(reader, visible, now)
                found = [item for item in agenda_of(reader, span, visible) if not _is_others_plan(item, mine)]
                return found, _cited(reader, found, now, visible)

        found, items = await self._lanes.readers.run(read)
        said = phrases.agenda(found, span) if found else phrases.nothing_on(span)
        return Answer(text=Text(said), items=tuple(items), agenda=tuple(found), route=AGENDA)

    async def _extract(self, text: str, viewer: Viewer, phrases: Phrases, form: Asked | None) -> Answer:
        """The sentences that say most; where nothing that holds answers, what no longer holds, labelled as such."""
        is_original = wants_first(text)
        request = SearchRequest(text, limit=_LOOKED_AT, viewer=viewer, include_stale=is_original)
        quoted = await self._quotable(request, form)
        is_dated = wants_day(text)
        if is_dated or is_original:
            quoted = _by_age(quoted, is_oldest_first=is_original)
        is_stale = not quoted
        if is_stale:
            found = await self._quotable(SearchRequest(text, limit=_LOOKED_AT, viewer=viewer, include_stale=True), form)
            quoted = [item for item in found if item.ranked.item.stale_reason is not None and item.has_words]
        if not quoted:
            return Answer(text=Text(phrases.nothing_found), items=(), route=NOTHING)
        judged = await self._lanes.readers.run(self._warned, quoted)
        quoted = [one.evidence for one in judged]
        lines = []
        for place, (item, one) in enumerate(zip(quoted, judged, strict=True), start=1):
            said = _quote(item, text, phrases if is_dated else None)
            if one.lookalike or one.stranger:
                warning = phrases.lookalike if one.lookalike else phrases.stranger
                said = f"{said} - {warning.format(sender=one.lookalike or one.stranger)}"
            reason = item.ranked.item.stale_reason
            if is_stale and reason is not None:
                said = phrases.no_longer_holds(reason, said)
            lines.append(f"{said} [{place}]")
        return Answer(text=Text("\n".join(lines)), items=tuple(_source(item) for item in quoted), route=EXTRACT)

    def _of_whom(self, request: SearchRequest, found: Found, evidence: Sequence[Evidence]) -> list[Evidence]:
        visible = filter_for(request.viewer, request)
        with self._store.database.reader() as reader:
            return of_whom_it_is_asked(request.text, evidence, found, reader, visible)

    def _warned(self, quoted: Sequence[Evidence]) -> list[Warned]:
        with self._store.database.reader() as reader:
            return warned(reader, quoted)

    async def _quotable(self, request: SearchRequest, form: Asked | None) -> list[Evidence]:
        """The strongest evidence for a question, each sentence once; none where nothing is strong enough."""
        found = await self._context.find(request)
        lane = self._lanes.inference if found.semantics is not None else self._lanes.readers
        return await lane.run(self._strongest, request, found, form)

    def _strongest(self, request: SearchRequest, found: Found, form: Asked | None) -> list[Evidence]:
        """On a lane: the rules of what is asked compile with the first question, and that takes 0.1 s."""
        try:
            says = says_what_is_asked(request.text)
            evidence = weigh(found, _WEIGHED, wants_value=wants_value(request.text), says=says)
        except Expected as problem:
            _log.warning("sentences could not be weighed: %s", problem.code)
            evidence = []
        project = named_project(request.text)
        strong = [item for item in evidence if item.is_enough and (project is None or _is_of(project, item))]
        strong = [item for item in strong if holds_what_is_wanted(request.text, item.sentence)]
        strong = self._of_whom(request, found, _without_others(request.text, strong))
        if form is not None:
            strong = [item for item in strong if item.strength >= item.enough + _more(form, item)]
            strong = [item for item in strong if may_answer(form, item.ranked.passage, item.sentence, clock.now())]
        strongest = max((item.strength for item in strong), default=0.0)
        # a question of what was first is nearer to what was said last
        least = _HALF_AS_STRONG if wants_first(request.text) else _NEARLY_AS_STRONG
        near = [item for item in strong if item.strength >= least * strongest]
        return _telling(request.text, _without_repeats(near))[:_QUOTED]


def _is_others_plan(item: AgendaItem, mine: Callable[[str], bool]) -> bool:
    """Whether something is what somebody else does alone: no part of the person's days."""
    return item.kind is EntryKind.EVENT and item.owner is not None and not mine(item.owner)


def _source(evidence: Evidence) -> ContextItem:
    """What is cited; of a row of a table its own line."""
    item = evidence.ranked.item
    if evidence.line is None:
        return item
    return replace(item, place=replace(item.place, first_line=evidence.line, last_line=evidence.line))


def _by_age(quoted: list[Evidence], *, is_oldest_first: bool) -> list[Evidence]:
    """What was said on different days, the latest word first: when something is, it may have changed (G4.4)."""
    if any(item.ranked.passage.kind not in _SAID_ON_A_DAY for item in quoted):
        return quoted

    def age(item: Evidence) -> float:
        return (item.ranked.passage.event_time or item.ranked.passage.updated_at).timestamp()

    return sorted(quoted, key=age, reverse=not is_oldest_first)


def _is_of(project: re.Pattern[str], evidence: Evidence) -> bool:
    """Whether a passage is about the project asked for: what is said of Project A answers nothing about Project B."""
    passage = evidence.ranked.passage
    return project.search(f"{passage.title}\n{passage.text}") is not None


def _more(form: Asked, item: Evidence) -> float:
    """How much stronger than else evidence has to be; of a plan in another language no word of its topic tells."""
    is_told = form.kind is not Kind.PLANS or not form.about or item.ranked.passage.language == form.language
    return 0.0 if form.kind not in _SURELY and is_told else _SURER


def _without_others(question: str, evidence: list[Evidence]) -> list[Evidence]:
    """Without what is about another thing of the kind, and without what is less like it and shares no word with it."""
    others = [item for item in evidence if is_of_another(question, item.ranked.passage, item.sentence)]
    if not others:
        return evidence
    least = max(item.strength for item in others)
    return [item for item in evidence if item not in others and (item.strength >= least or item.ranked.coverage > 0)]


def _without_repeats(evidence: Sequence[Evidence]) -> list[Evidence]:
    """A sentence that stands in several entries is quoted once."""
    kept: dict[str, Evidence] = {}
    for item in evidence:
        kept.setdefault(" ".join(item.sentence.casefold().split()), item)
    return list(kept.values())


def _telling(question: str, evidence: list[Evidence]) -> list[Evidence]:
    """Where it is asked what something is, which there are, or how, only who says so; else all of it."""
    topic = Topic(question)
    first: list[Evidence] = []
    for item in evidence:
        text = item.ranked.passage.text
        said = definition(question, text) if item.ranked.item.stale_reason is None else None
        points = listed(question, text)
        if said is None and points is not None and topic.share(points[0]) >= _LEADS:
            said = "\n".join((points[0], *points[1]))
        if said is not None:
            first.append(replace(item, sentence=said))
    if first or not evidence:
        return first
    evidence = [
        replace(item, sentence=said, line=None)
        if item.line is None and (said := labelled(question, item.ranked.passage)) is not None
        else item
        for item in evidence
    ]
    best = evidence[0]
    has_steps = bool(steps_behind(question, best.sentence, best.ranked.passage.text))
    return [best] if has_steps else evidence


def _quote(evidence: Evidence, question: str, phrases: Phrases | None) -> str:
    """The sentence, cut to a readable length; with the steps behind it or the day of its entry, if these are asked for.

    A question how wants steps, a question when the day on which it was said.
    """
    passage = evidence.ranked.passage
    said, *points = evidence.sentence.split("\n") if listed(question, passage.text) else [evidence.sentence]
    steps = points or steps_behind(question, evidence.sentence, passage.text)
    sentence = " ".join((said if steps or evidence.is_whole else going_on(said, passage)).split())
    if len(sentence) > _LONGEST_QUOTE:
        sentence = sentence[: _LONGEST_QUOTE - 1].rstrip() + "…"
    event_time = evidence.ranked.item.event_time
    if phrases is not None and event_time is not None and passage.kind not in {EntryKind.EVENT, EntryKind.TASK}:
        sentence = f"{sentence} ({phrases.day(event_time)})"
    return "\n".join([sentence, *(" ".join(step.split())[:_LONGEST_STEP] for step in steps)])


def _cited(reader: Reader, agenda: Sequence[AgendaItem], now: datetime, visible: VisibilityFilter) -> list[ContextItem]:
    """The entries behind the first agenda items, each by its first passage; what they say is exact, not similar."""
    items = []
    for item in agenda[:_CITED_EVENTS]:
        passage = first_passage(reader, entry_id_of(item), visible)
        if passage is not None:
            items.append(context_item(passage, Standing(), now, {"exact": 1.0}))
    return items
