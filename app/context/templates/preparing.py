"""From a template and its fields to a briefing: part by part, each asked of the context service as its viewer (G4.5).

Nothing is read here but through that service, so a briefing holds nothing that its viewer may not see. What an entry
says fills no blank of a query but titles and names, and is never taken for a wish (X9.1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from app.context.templates.choosing import following, has_word, is_in, is_of, occurrence, speaking_of
from app.context.templates.declaration import Origin, TaskChoice, in_language
from app.context.templates.writing import write
from app.context.when import read_when
from app.domain.context_item import OWNER, SearchRequest
from app.domain.errors import BadInput
from app.domain.progress import Progress
from app.domain.serving import Briefing, BriefingPart
from app.domain.text import Text, msg
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.context.spans import Span
    from app.context.templates.declaration import Part, Template
    from app.domain.context_item import AgendaItem, Answer, ContextItem, Viewer
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.serving import Fact

_LONGEST_FIELD = 300
_LONGEST_QUERY = 600
_MOST_DATES = 30
_MOST_LOOKED_AT = 40
"""Passages among which those with a word of the query are."""
_PLACE = re.compile(r"\{([^{}]{0,40})\}")


class Looks(Protocol):
    """The context service, as far as templates ask it (`app.context.desk`)."""

    async def search(self, request: SearchRequest, *, stop: StopSignal | None = None) -> list[ContextItem]:
        """Passages, best first."""
        ...

    async def item(self, viewer: Viewer, item_id: str, *, budget_tokens: int | None = None) -> list[ContextItem]:
        """An entry with what stands around it."""
        ...

    async def agenda(self, viewer: Viewer, when: str | None = None) -> list[AgendaItem]:
        """Dates of a span."""
        ...

    async def tasks(self, viewer: Viewer, *, owner: str | None = None, include_done: bool = False) -> list[AgendaItem]:
        """Tasks."""
        ...

    async def facts(self, viewer: Viewer, subject: str, predicate: str | None = None) -> list[Fact]:
        """Key-value facts."""
        ...

    async def ask(self, viewer: Viewer, text: str) -> Answer:
        """An answer with its sources."""
        ...


@dataclass(slots=True)
class _Gathered:
    """What was found so far: nothing is handed out twice."""

    seen: set[str] = field(default_factory=set)
    dates: set[tuple[str, datetime | None]] = field(default_factory=set)
    left: int = 0
    titles: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)


class Preparation:
    """One briefing in the making.

    Args:
        language: of our own sentences, and of the queries: en or zh.
    """

    def __init__(self, looks: Looks, viewer: Viewer, template: Template, language: str) -> None:
        self._looks = looks
        self._viewer = viewer
        self._template = template
        self._language = language
        self._fields: dict[str, str] = {}
        self._stop: StopSignal | None = None
        self._found = _Gathered(left=template.candidates)

    async def prepare(self, fields: Mapping[str, str], *, progress: ProgressSink, stop: StopSignal | None) -> Briefing:
        """Ask for every part.

        Raises:
            BadInput: a field is missing, unknown, too long, or names a time that is not understood.
            Cancelled: the asker said stop.
        """
        self._fields, self._stop = filled(self._template, fields), stop
        parts: list[BriefingPart] = []
        total = len(self._template.parts)
        for done, part in enumerate(self._template.parts):
            progress(Progress("prepare", msg("Looking up what the task needs"), done, total))
            parts.append(await self._part(part))
        progress(Progress("prepare", msg("Looking up what the task needs"), total, total))
        kept = tuple(part for part in parts if part.items or part.agenda or part.facts)
        if not kept:
            self._found.notes.append(msg("Nothing was found for this."))
        briefing = Briefing(
            request_id="",
            template=self._template.name,
            title=_said(in_language(self._template.title, self._language)),
            instructions=_said(in_language(self._template.instructions, self._language)),
            parts=kept,
            text="",
            notes=tuple(self._found.notes),
        )
        return replace(briefing, text=write(briefing, self._language))

    async def _part(self, part: Part) -> BriefingPart:
        empty = BriefingPart(_said(in_language(part.heading, self._language)), must_cite=part.must_cite)
        words = in_language(part.query, self._language)
        is_blank = bool(part.needs) and not self._fields.get(part.needs)
        # searching for what stands in no blank would find anything at all; dates and tasks are just not narrowed by it
        is_searched = bool(part.query) and part.origin not in {Origin.AGENDA, Origin.TASKS}
        if is_blank or (is_searched and not self._has_substance(words)):
            return empty
        query = self._fill(words)
        if part.origin is Origin.AGENDA:
            return replace(empty, agenda=await self._agenda(part, query))
        if part.origin is Origin.TASKS:
            return replace(empty, agenda=await self._tasks(part, query))
        if part.origin is Origin.FACTS:
            return replace(empty, facts=tuple(await self._looks.facts(self._narrowed(), query)))
        return await self._passages(part, query, empty)

    async def _passages(self, part: Part, query: str, empty: BriefingPart) -> BriefingPart:
        if self._found.left <= 0:
            return empty
        if part.origin is Origin.ANSWER:
            return await self._answer(part, query, empty)
        if part.origin is Origin.WHOLE:
            return replace(empty, items=await self._whole(part, query))
        return replace(empty, items=await self._search(part, query, self._most(part)))

    async def _search(self, part: Part, query: str, most: int) -> tuple[ContextItem, ...]:
        span = self._span(part)
        request = SearchRequest(
            query,
            limit=(_MOST_LOOKED_AT if part.needs_word else most) + len(self._found.seen),
            scope=self._template.scope,
            viewer=self._viewer,
            kinds=part.kinds,
            since=None if span is None else span.start,
            until=None if span is None else self._end(span),
        )
        found = await self._looks.search(request, stop=self._stop)
        return self._take([item for item in found if has_word(item, part)] if part.needs_word else found, most)

    async def _whole(self, part: Part, query: str) -> tuple[ContextItem, ...]:
        """The best entry for the query, read through as far as its share of the budget goes."""
        best = await self._search(part, query, 1)
        if not best:
            return ()
        share = max(1, part.share) / self._template.candidates
        budget = max(200, int(self._template.budget_tokens * min(0.5, 2 * share)))
        whole = await self._looks.item(self._viewer, best[0].item_id, budget_tokens=budget)
        return best + self._take(whole, self._most(part))

    async def _agenda(self, part: Part, query: str) -> tuple[AgendaItem, ...]:
        window = self._fill(part.window)
        if not window:
            return ()
        if part.is_after and (span := self._span(part)) is not None:
            window = f"{span.start.date().isoformat()} to {span.last_day.isoformat()}"
        return self._dates(speaking_of(await self._looks.agenda(self._viewer, window), query))

    async def _tasks(self, part: Part, query: str) -> tuple[AgendaItem, ...]:
        found = await self._looks.tasks(self._viewer, include_done=part.tasks is TaskChoice.DONE)
        span = self._span(part)
        wanted = [item for item in found if is_of(item, part.tasks) and is_in(item, span)]
        if part.tasks is TaskChoice.DONE:
            wanted.sort(key=lambda item: (item.done_at is None, item.done_at and item.done_at.timestamp()))
        return self._dates(speaking_of(wanted, query))

    async def _answer(self, part: Part, query: str, empty: BriefingPart) -> BriefingPart:
        answer = await self._looks.ask(self._narrowed(), query)
        scope = self._template.scope
        inside = [item for item in answer.items if scope is None or item.scope == scope]
        return replace(empty, items=self._take(inside, self._most(part)), agenda=self._dates(answer.agenda))

    def _take(self, items: Sequence[ContextItem], most: int) -> tuple[ContextItem, ...]:
        taken = [item for item in items if item.item_id not in self._found.seen][:most]
        self._found.seen |= {item.item_id for item in taken}
        self._found.left -= len(taken)
        return tuple(taken)

    def _dates(self, items: Sequence[AgendaItem]) -> tuple[AgendaItem, ...]:
        scope = self._template.scope
        inside = [
            item
            for item in items
            if (scope is None or item.scope == scope) and occurrence(item) not in self._found.dates
        ]
        if len(inside) > _MOST_DATES:
            self._found.notes.append(msg("More than {count} dates or tasks: the first are shown.", count=_MOST_DATES))
        for item in inside[:_MOST_DATES]:
            self._found.dates.add(occurrence(item))
            self._found.titles.append(item.title)
            self._found.people += [person for person in item.people if person not in self._found.people]
        return tuple(inside[:_MOST_DATES])

    def _most(self, part: Part) -> int:
        return min(part.share or self._found.left, self._found.left)

    def _span(self, part: Part) -> Span | None:
        window = self._fill(part.window)
        span = read_when(window, clock.now()) if window else None
        return following(span) if span is not None and part.is_after else span

    def _narrowed(self) -> Viewer:
        """The viewer, kept to the template's scope, for questions that take none."""
        scope, seen = self._template.scope, self._viewer.scopes
        if scope is None or (seen is None and self._viewer.name != OWNER):
            return self._viewer
        return replace(self._viewer, scopes=frozenset({scope}) if seen is None else seen & {scope})

    def _end(self, span: Span) -> datetime:
        """The end of a span; one that ends with yesterday, as "the last three months", goes on to the present."""
        now = clock.now()
        return now if span.end <= now and span.end.date() == now.astimezone(span.end.tzinfo).date() else span.end

    def _value(self, name: str) -> str:
        if name == "agenda":
            return " ".join(dict.fromkeys(self._found.titles))
        if name == "people":
            return " ".join(self._found.people[:8])
        return self._fields.get(name, "")

    def _fill(self, text: str) -> str:
        """A text with its blanks filled, once: what a field says is never looked at for blanks again."""
        return " ".join(_PLACE.sub(lambda match: self._value(match[1]), text).split())[:_LONGEST_QUERY]

    def _has_substance(self, text: str) -> bool:
        """Whether there is anything in the blanks of a query, or it has none but such as may stay empty."""
        names = _PLACE.findall(text)
        required = {one.name for one in self._template.fields if one.is_required}
        if not names or any(self._value(name) for name in names):
            return True
        without = _PLACE.sub("", text).strip()
        return bool(without) and not (set(names) & required)


def filled(template: Template, fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of a template with their defaults.

    Raises:
        BadInput: one is unknown, missing or too long.
    """
    known = {one.name for one in template.fields}
    unknown = sorted(fields.keys() - known)
    if unknown:
        raise BadInput(
            msg("The template {template} has no field {name}.", template=template.name, name=unknown[0][:40]),
            next_step=msg("Use one of: {names}.", names=", ".join(sorted(known)) or "-"),
        )
    values = {one.name: " ".join(fields.get(one.name, "").split()) or one.default for one in template.fields}
    for one in template.fields:
        if one.is_required and not values[one.name]:
            raise BadInput(
                msg("The template {template} needs {name}.", template=template.name, name=one.name),
                next_step=msg("Say it, such as: {name}=...", name=one.name),
            )
        if len(values[one.name]) > _LONGEST_FIELD:
            raise BadInput(
                msg("{name} is too long; {most} characters at most.", name=one.name, most=_LONGEST_FIELD),
                next_step=msg("Say it in fewer words."),
            )
    return values


def _said(words: str) -> Text:
    return Text("{words}", {"words": words})
