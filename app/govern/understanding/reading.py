"""An entry as it is read: its passages as one text, each read by itself, the results put together again (G2.4).

The span model costs about as much a passage as the embedding does, so it reads what people say to each other and short
texts whole, and of long ones only the passages in which a cue stands (docs/governance.md has the figures).
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.domain.readings import Grain
from app.govern.extraction import Extraction
from app.govern.understanding.contract import Passage, StoredEntry
from app.govern.understanding.rules import understanding_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.readings import DateReading, TextSpan
    from app.govern.extraction import Record
    from app.store.understanding_rows import EntryRow

_ONE_DAY = timedelta(days=1)
_BETWEEN = "\n\n"
_CUE = re.compile(
    r"\b(?:must|has to|have to|needs? to|responsible|in charge|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"deadline|unless|otherwise|decided|agreed|action item|todo|to-do|owner|assigned|due)\b"
    r"|\b(?:cancel\w*|postpon\w*|reschedul\w*|called off|scheduled|planned|tentative\w*|no longer)\b"
    r"|\b(?:owes?|paid back|lent|borrowed)\b"
    r"|取消|推迟|延期|改期|顺延|暂定|定于|计划于|不再|作废|必须|务必|需要?在|负责|截止|之?前(?:完成|提交|交)|否则|除非|如果未|决定|待办|行动项|责任人"
    r"|欠|还了|借",
    re.IGNORECASE,
)
_SPOKEN = frozenset({EntryKind.MAIL, EntryKind.CHAT})
_DAY_IN_TITLE = re.compile(r"(?<!\d)(?P<y>20\d\d)[-_.年/]?(?P<m>\d{2})[-_.月/]?(?P<d>\d{2})(?!\d)")


def stored_entry(row: EntryRow) -> StoredEntry:
    """An entry with its text and the places of its passages in it."""
    rules = understanding_rules().reading
    passages: list[Passage] = []
    parts: list[str] = []
    start = 0
    for one in row.passages[: rules.longest_passages]:
        passages.append(Passage(one.chunk_id, start, start + len(one.text), one.place))
        parts.append(one.text)
        start += len(one.text) + len(_BETWEEN)
    return StoredEntry(
        entry_id=row.entry_id,
        source_id=row.source_id,
        native_id=row.native_id,
        kind=row.kind,
        title=row.title,
        text=_BETWEEN.join(parts),
        passages=tuple(passages),
        written_at=_written_at(row),
        event_time=row.event_time,
        language=row.language,
        status=row.status,
        people=row.people,
        thread=row.thread,
        metadata=row.metadata,
        scope=row.scope,
        acl=row.acl,
        sensitivity=row.sensitivity,
        trust=row.trust,
        version=row.version,
    )


def states_records(entry: StoredEntry) -> bool:
    """Whether an entry's text is read for what it states: not what is structure already, and no page of the web."""
    is_web = entry.metadata.get("origin", "").strip().casefold() in {"web", "html", "bookmark"}
    return entry.kind in understanding_rules().reading.kinds and not is_web


def passages_for_model(entry: StoredEntry) -> set[int]:
    """The chunks that the span model reads."""
    rules = understanding_rules().reading
    own = [one for one in entry.passages if one.place.is_own_words]
    if entry.kind in rules.model_kinds and len(own) <= rules.model_passages:
        return {one.chunk_id for one in own}
    cued = [one for one in own if _CUE.search(entry.text, one.start, one.end)]
    return {one.chunk_id for one in cued[: rules.model_cued_passages]}


def passages_to_read(entry: StoredEntry) -> set[int]:
    """The chunks that are read at all: all of a text that a person reads at once, the cued ones of a longer one."""
    rules = understanding_rules().reading
    own = [one for one in entry.passages if one.place.is_own_words]
    if len(own) <= rules.whole_passages:
        return {one.chunk_id for one in entry.passages}
    first = {one.chunk_id for one in own[:1]}
    return first | {one.chunk_id for one in own if _CUE.search(entry.text, one.start, one.end)}


def joined(parts: Sequence[tuple[Passage, Extraction]]) -> Extraction:
    """What was read of the passages, as places in the whole text."""
    spans: list[TextSpan] = []
    dates: list[DateReading] = []
    records: list[Record] = []
    for passage, found in parts:
        by = passage.start
        spans += [_span(one, by) for one in found.spans]
        dates += [_date(one, by) for one in found.dates]
        records += [_record(one, by) for one in found.records]
    return Extraction(tuple(spans), tuple(dates), tuple(records))


def reference_of(entry: StoredEntry, first: Extraction | None) -> datetime:
    """The time from which the dates of an entry's later passages are seen: its own day, where it begins with one."""
    own = None if first is None or not first.dates else first.dates[0]
    if own is not None and own.is_certain and own.candidates[0].start is not None:
        head = entry.text[: own.start].strip(" #*-\n【[")
        day = own.candidates[0].start
        # a text that begins with a day to come was not written on it
        if not head and own.candidates[0].grain is Grain.DAY and day <= entry.written_at + _ONE_DAY:
            return day
    return entry.written_at


def _written_at(row: EntryRow) -> datetime:
    if row.event_time is not None and row.kind in _SPOKEN:
        return row.event_time
    if row.event_time is not None and row.kind not in {EntryKind.EVENT, EntryKind.TASK}:
        return row.event_time
    named = _DAY_IN_TITLE.search(row.title)
    if named is not None:
        try:
            return row.updated_at.replace(
                year=int(named["y"]),
                month=int(named["m"]),
                day=int(named["d"]),
                hour=12,
                minute=0,
                second=0,
                microsecond=0,
            )
        except ValueError:
            return row.updated_at
    return row.updated_at


def _span(one: TextSpan, by: int) -> TextSpan:
    return replace(one, start=one.start + by, end=one.end + by)


def _date(one: DateReading, by: int) -> DateReading:
    return replace(one, start=one.start + by, end=one.end + by)


def _record(one: Record, by: int) -> Record:
    return replace(
        one,
        span=_span(one.span, by),
        owner=None if one.owner is None else _span(one.owner, by),
        due=None if one.due is None else _date(one.due, by),
        condition=None if one.condition is None else _span(one.condition, by),
        consequence=None if one.consequence is None else _span(one.consequence, by),
        project=None if one.project is None else _span(one.project, by),
    )
