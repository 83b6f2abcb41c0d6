"""What a text names and states, as spans; and the tasks, decisions and conditions in it as records (G2.4, G2.7).

Names and clauses come from the span model where there is one; clauses also from their wording, dates from the grammar,
amounts, mail addresses and the like from their exact forms. A record ties them together by the sentence they stand in:
who has to do what, until when, under which condition. Everything keeps its place in the text and a confidence, and
what is uncertain is a suggestion, nothing more.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from app.domain.readings import DateKind, SpanLabel, TextSpan
from app.govern.amounts import find_amounts
from app.govern.clauses import Sentence, find_conditions, find_decisions, find_tasks, sentences
from app.inference.dates.reader import read_dates
from app.inference.span_limits import LONGEST_CHARACTERS, too_long
from app.policy.redaction.contacts import find_contacts
from app.policy.redaction.findings import Kind
from app.policy.redaction.phones import find_phones

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.domain.progress import StopSignal
    from app.domain.readings import DateReading
    from app.inference.spans import SpanReader
    from app.policy.redaction.findings import Finding

_NAMES = frozenset(
    {
        SpanLabel.PERSON, SpanLabel.ORGANISATION, SpanLabel.PLACE, SpanLabel.PROJECT, SpanLabel.WORK, SpanLabel.ROLE,
    }
)  # fmt: skip
_CONTACTS = {Kind.EMAIL: SpanLabel.EMAIL, Kind.URL: SpanLabel.URL, Kind.PHONE: SpanLabel.PHONE}
_OWNER_WORD = re.compile(
    r"(?:owner|responsible|assignee|assigned to|in charge|负责人|责任人|经办人|执行人)\s*[:：]?\s*$", re.IGNORECASE
)
_OWNS = re.compile(r"^\s*(?:负责|来负责|is responsible|will be responsible|owns)")
_ONE_DAY = timedelta(days=1)
_SHORTEST_NAME = 2
_MODAL_AT_END = re.compile(r"^[\u4e00-\u9fff]{2,4}[须需得]$")
_MODAL = re.compile(r"\s{0,2}(?:须|需|得|必须|务必|应|要|将|会|负责)")
_BEFORE_DATES = frozenset({"", "在", "于", "到", "等"})
_NEAR = 40
_EDGES = " \t\r\n,.;:!?，。；：！？、-*•"


_Placed = TypeVar("_Placed", "TextSpan", "DateReading")


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that a text states.

    Attributes:
        kind: task, decision or condition.
        span: where it stands.
        owner: the person who has to do it; the span of the name.
        due: until when, if it is said and understood; knows its place.
        condition: on what it depends; of a condition, what it depends on.
        consequence: of a condition, what follows from it.
        project: the project that is named beside it.
    """

    kind: SpanLabel
    span: TextSpan
    owner: TextSpan | None = None
    due: DateReading | None = None
    condition: TextSpan | None = None
    consequence: TextSpan | None = None
    project: TextSpan | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that was found in a text.

    Attributes:
        spans: names, clauses, dates, deadlines, amounts and contact data, by their place.
        dates: the readings of the dates.
        records: tasks, decisions and conditions, by their place.
    """

    spans: tuple[TextSpan, ...]
    dates: tuple[DateReading, ...]
    records: tuple[Record, ...]


class Extractor:
    """Reads texts. Call it from one lane where it has a model.

    Args:
        reader: the span model; None where there is none: names of people, places and the like are then not found.
    """

    def __init__(self, reader: SpanReader | None = None) -> None:
        self._reader = reader

    def names(self, text: str, *, stop: StopSignal | None = None, limit_s: float | None = None) -> list[TextSpan]:
        """The names in a text, without the clauses; raises like `SpanReader.read`."""
        found = self._reader.read(text, stop=stop, limit_s=limit_s) if self._reader is not None else []
        return _names(text, found, list(find_contacts(text)))

    def read(
        self, text: str, reference: datetime, *, stop: StopSignal | None = None, limit_s: float | None = None
    ) -> Extraction:
        """Everything in a text.

        Args:
            text: a note, a mail, a paragraph of minutes.
            reference: when it was written, aware; a date at its very beginning takes its place.
            stop: asked between steps; raises `Cancelled`.
            limit_s: the longest that the model may take.

        Raises:
            BadInput: the text is too long.
            Damaged, Unavailable: the model is there and cannot be used.
        """
        if len(text) > LONGEST_CHARACTERS:
            raise too_long()
        model = self._reader.read(text, stop=stop, limit_s=limit_s) if self._reader is not None else []
        dates = _dated(text, reference)
        addresses = list(find_contacts(text))
        names = _names(text, model, addresses)
        clauses = _clauses(text, [span for span in model if span.label not in _NAMES], dates)
        records = tuple(_records(text, names, clauses, dates))
        spans = [*names, *clauses, *find_amounts(text), *_contacts(text, addresses), *_date_spans(dates)]
        return Extraction(tuple(sorted(spans, key=lambda span: (span.start, -span.end, span.label))), dates, records)


def _names(text: str, found: Iterable[TextSpan], addresses: Iterable[Finding]) -> list[TextSpan]:
    """The names; what looks like one within a link or a mail address is a part of that."""
    places = sorted((one.start, one.end) for one in addresses)
    # The furthest end up to each: a name touches an address if one that begins before its end ends behind its start.
    ends = list(accumulate((end for _, end in places), max))

    def is_free(span: TextSpan) -> bool:
        before = bisect_left(places, (span.end, 0))
        return before == 0 or ends[before - 1] <= span.start

    return [_without_modal(text, span) for span in found if span.label in _NAMES and is_free(span)]


def _without_modal(text: str, span: TextSpan) -> TextSpan:
    """张三须: the name is 张三, unless the verb still follows (张必须): a name of three signs seldom ends so."""
    is_modal = span.label == SpanLabel.PERSON and span.end - span.start > _SHORTEST_NAME
    if not is_modal or _MODAL_AT_END.search(text[span.start : span.end]) is None or _MODAL.match(text, span.end):
        return span
    return replace(span, end=span.end - 1)


def _dated(text: str, reference: datetime) -> tuple[DateReading, ...]:
    """The dates, as seen from the day that the text itself begins with, where it does (minutes, diaries)."""
    found = read_dates(text, reference)
    if (
        found
        and found[0].kind is DateKind.POINT
        and found[0].is_certain
        and not text[: found[0].start].strip(" #*-\n【[")
    ):
        own = found[0].candidates[0].start
        # "Next Friday we launch": what is said by itself, or is to come, is not the day of writing
        is_written_out = any(sign.isdecimal() for sign in text[found[0].start : found[0].end])
        is_own = own is not None and is_written_out and own <= reference + _ONE_DAY
        if own is not None and is_own and own.date() != reference.date():
            head, rest = found[0].end, text[found[0].end :]
            later = read_dates(rest, own)
            return (found[0], *(_moved(reading, head) for reading in later))
    return tuple(found)


def _moved(reading: DateReading, by: int) -> DateReading:
    return replace(reading, start=reading.start + by, end=reading.end + by)


def _clauses(text: str, model: Sequence[TextSpan], dates: Sequence[DateReading]) -> list[TextSpan]:
    """The model's clauses, and those of the wording that it did not see, cut to the action itself."""
    conditions = _together(_of(model, SpanLabel.CONDITION), find_conditions(text), [])
    decisions = _together(_of(model, SpanLabel.DECISION), find_decisions(text), conditions)
    tasks = _together(_of(model, SpanLabel.TASK), find_tasks(text), [*conditions, *decisions])
    cut = (without_date(text, task, _between(dates, task.start - _NEAR, task.end + _NEAR)) for task in tasks)
    return [*conditions, *decisions, *(task for task in cut if task.end - task.start > 1)]


def _of(spans: Iterable[TextSpan], label: SpanLabel) -> list[TextSpan]:
    return [span for span in spans if span.label == label]


def _together(model: Sequence[TextSpan], rules: Iterable[TextSpan], taken: Sequence[TextSpan]) -> list[TextSpan]:
    """The model's, and of the rules' those that overlap none of the model's nor what is taken already."""
    busy = sorted([*model, *taken], key=lambda span: span.start)
    free = [span for span in rules if not any(span.start < other.end for other in _until(busy, span))]
    return sorted([*model, *free], key=lambda span: span.start)


def _until(spans: Sequence[TextSpan], span: TextSpan) -> Sequence[TextSpan]:
    """The last few of spans in order that begin before another one ends: of a kind none overlap, and kinds are few."""
    last = bisect_left(spans, span.end, key=lambda other: other.start)
    return spans[max(0, last - len(SpanLabel)) : last]


def _between(found: Sequence[_Placed], start: int, end: int) -> Sequence[_Placed]:
    """Of what stands in order that which begins between two places."""
    first = bisect_left(found, start, key=lambda one: one.start)
    return found[first : bisect_left(found, end, lo=first, key=lambda one: one.start)]


def without_date(text: str, task: TextSpan, dates: Sequence[DateReading]) -> TextSpan:
    """A task without the date at its beginning or end: "send it by Friday" is to send it."""
    start, end = task.start, task.end
    for date in dates:
        if start < date.start < end <= date.end + 1:
            end = date.start
        elif start < date.end < end and text[start : date.start].strip() in _BEFORE_DATES:
            start = date.end
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return TextSpan(start, end, task.label, task.confidence)


def _contacts(text: str, addresses: Sequence[Finding]) -> list[TextSpan]:
    found = [*addresses, *find_phones(text)]
    return [TextSpan(one.start, one.end, _CONTACTS[one.kind]) for one in found if one.kind in _CONTACTS]


def _date_spans(dates: Iterable[DateReading]) -> list[TextSpan]:
    return [
        TextSpan(
            date.start,
            date.end,
            SpanLabel.DEADLINE if date.is_deadline else SpanLabel.DATE,
            date.candidates[0].score if date.candidates else 1.0,
        )
        for date in dates
    ]


def _records(
    text: str, names: Sequence[TextSpan], clauses: Sequence[TextSpan], dates: Sequence[DateReading]
) -> Iterable[Record]:
    names = sorted(names, key=lambda span: span.start)
    clauses = sorted(clauses, key=lambda span: span.start)
    for sentence in sentences(text):
        own = _between(clauses, sentence.start, sentence.end)
        if not own:
            continue
        inside = _Surroundings(
            text,
            sentence,
            _between(names, sentence.start, sentence.end),
            _between(dates, sentence.start, sentence.end),
            own,
        )
        yield from (inside.record(clause) for clause in own)


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """A sentence with what stands in it."""

    text: str
    sentence: Sentence
    names: Sequence[TextSpan]
    dates: Sequence[DateReading]
    clauses: Sequence[TextSpan]

    def record(self, clause: TextSpan) -> Record:
        condition = next((other for other in _of(self.clauses, SpanLabel.CONDITION) if other is not clause), None)
        project = next((name for name in self.names if name.label == SpanLabel.PROJECT), None)
        label = SpanLabel(clause.label)
        if label is SpanLabel.CONDITION:
            return Record(label, clause, condition=clause, consequence=self._consequence(clause), project=project)
        return Record(label, clause, self._owner(clause), self._due(clause), condition, project=project)

    def _owner(self, task: TextSpan) -> TextSpan | None:
        """Who is named as responsible; else the last person before the task; else the one right behind it."""
        people = [name for name in self.names if name.label == SpanLabel.PERSON]
        outside = [person for person in people if not (task.start <= person.start < task.end)]
        for person in outside:
            if self._is_owner(person):
                return person
        before = [person for person in outside if person.end <= task.start]
        return before[-1] if before else None

    def _is_owner(self, person: TextSpan) -> bool:
        before = self.text[max(0, person.start - _NEAR) : person.start]
        behind = self.text[person.end : person.end + _NEAR]
        return _OWNER_WORD.search(before) is not None or _OWNS.match(behind) is not None

    def _due(self, task: TextSpan) -> DateReading | None:
        """The deadline of the sentence, the nearest to the task; else a date that touches it."""
        readable = [date for date in self.dates if date.candidates]
        deadlines = [date for date in readable if date.is_deadline] or readable
        return min(deadlines, key=lambda date: _distance(date, task), default=None)

    def _consequence(self, condition: TextSpan) -> TextSpan | None:
        """The rest of the sentence behind the condition, or the part before it where it comes last."""
        start, end = condition.end, self.sentence.end
        if not self.text[start:end].strip(_EDGES):
            start, end = self.sentence.start, condition.start
        while start < end and self.text[start] in _EDGES:
            start += 1
        while end > start and self.text[end - 1] in _EDGES:
            end -= 1
        return TextSpan(start, end, "consequence", condition.confidence) if start < end else None


def _distance(date: DateReading, task: TextSpan) -> int:
    return max(date.start - task.end, task.start - date.end, 0)
