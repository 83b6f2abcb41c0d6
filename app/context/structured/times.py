"""When something is: an event of a calendar, a to-do, or a plan that a text states; and when it is off, that it is.

Whatever still holds comes first: what is to come before what is over. What was called off, moved or replaced is said
to be so, by what, and what day it would have been (G2.6, G4.4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.context.agenda import next_of
from app.context.owners import read_owners
from app.context.pertinent import Told, are_about
from app.context.quoting import body
from app.context.stated import stated_item
from app.context.structured.scene import Draft
from app.context.structured.standing import holds, standing_records
from app.context.when import find_when
from app.domain.context_item import AgendaItem
from app.domain.labels import EntryKind, Status
from app.domain.records import RecordKind
from app.govern.sentences import split_sentences
from app.runtime import clock
from app.store.change_rows import Which, changes
from app.store.exact import heading_of, may_be_seen, occasions, stated_ids
from app.store.reading import first_passage
from app.store.record_agenda import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.context.structured.scene import Scene
    from app.domain.text import Text
    from app.store.reading import Passage
    from app.store.records import StoredRecord

AGENDA = "agenda"
_SHOWN, _GONE_SHOWN = 3, 2
_NEARLY_ALL = 0.75
"""Of a topic, that a sentence has to say."""
_ABOUT_AS_WELL = 0.15
_LOOKED_AT = 12
_HALF, _ALL = 0.45, 0.95
_TELLING = frozenset({EntryKind.MAIL, EntryKind.CHAT, EntryKind.NOTE})
_OFF = frozenset({Status.CANCELED, Status.SUPERSEDED})


@dataclass(frozen=True, slots=True)
class Dated:
    """Something with its day. `reason`: why it is off; None while it holds."""

    item: AgendaItem
    record: StoredRecord | None = None
    reason: Text | None = None
    is_off: bool = False
    fit: float = 1.0


def answer_time(scene: Scene) -> Draft | None:
    """When what the scene's topic names is; None where structure knows nothing of that name."""
    if scene.found is None:
        return None
    found = _best([*_of_entries(scene), *_stated(scene)])
    held = _each_once([one for one in found if not one.is_off])
    coming = _latest_word_first([one for one in held if _end(one, scene.now) >= scene.now])
    past = sorted((one for one in held if one not in coming), key=lambda one: _end(one, scene.now), reverse=True)
    off = _each_once([one for one in found if one.is_off])
    if not coming and not off and not past:
        return _said_off(scene)
    draft = Draft(scene, AGENDA)
    for one in coming[:_SHOWN]:
        _say(draft, one)
    if coming:
        _say_otherwise(draft, coming)
    if not coming:
        for one in off[:_GONE_SHOWN]:
            _say_off(draft, one)
        # what is over tells little where the coming one was called off
        for one in past[: 0 if off else 1]:
            _say(draft, one, scene.words.is_past)
    return draft


def _of_entries(scene: Scene) -> list[Dated]:
    """Events and to-dos of that name; those that do not hold any more too."""
    assert scene.found is not None and scene.topic is not None  # noqa: S101, PT018 - the caller has looked
    found = _passages_of_whom(scene)
    named = {one.entry_id: fit for one in found if (fit := scene.topic.names(one.title))}
    if not named:
        named = _meant(scene, found)
    coming = {item.entry_id: item for item in next_of(scene.reader, list(named), scene.now, scene.visible)}
    dated: list[Dated] = []
    for entry_id, fit in named.items():
        if entry_id in coming:
            dated.append(Dated(coming[entry_id], is_off=coming[entry_id].status in _OFF, fit=fit))
        elif (gone := _gone(scene, entry_id)) is not None:
            dated.append(replace(gone, fit=fit))
    return dated


def _meant(scene: Scene, found: Sequence[Passage]) -> dict[int, float]:
    """Events and to-dos that mean what none is called."""
    titles = {one.entry_id: one.title for one in found}
    near = scene.meaning(list(titles.values()), are_titles=True)
    return {entry_id: _NEARLY_ALL for entry_id, fits in zip(titles, near, strict=True) if fits}


def _gone(scene: Scene, entry_id: int) -> Dated | None:
    """An event or to-do that does not hold any more, with why."""
    passage = first_passage(scene.reader, entry_id, scene.visible)
    part = occasions(scene.reader, entry_id, scene.now)
    if passage is None or passage.stale_reason is None or part is None:
        return None
    at = part.at.astimezone(clock.zone())
    item = AgendaItem(
        item_id=f"e{entry_id}",
        kind=part.kind,
        title=part.title,
        start=at,
        end=at,
        is_all_day=False,
        location="",
        status=passage.status,
        source_uri=passage.source_uri,
        scope=passage.scope,
        reason=passage.stale_reason,
        entry_id=entry_id,
    )
    return Dated(item, None, passage.stale_reason, is_off=True)


def _stated(scene: Scene) -> list[Dated]:
    """Plans and tasks of that name which texts state."""
    assert scene.topic is not None  # noqa: S101 - the caller has looked
    found: list[Dated] = []
    ids = stated_ids(
        scene.reader, scene.seen, {RecordKind.PLAN, RecordKind.TASK}, among=scene.found_entries, has_day=True
    )
    records = _records_of_whom(scene, standing_records(scene, ids))
    fits = [max(scene.topic.names(record.title), scene.topic.share(record.text)) for record in records]
    if max(fits, default=0.0) < _NEARLY_ALL:
        near = scene.meaning([record.text for record in records])
        fits = [_NEARLY_ALL if is_near else fit for fit, is_near in zip(fits, near, strict=True)]
    for record, fit in zip(records, fits, strict=True):
        heading = heading_of(scene.reader, record.entry_id) if fit >= _NEARLY_ALL else None
        if heading is not None:
            origin = Origin(record.entry_id, heading.kind, heading.source_uri, heading.scope)
            item = stated_item(record, origin, scene.now)
            found.append(Dated(item, record, record.stale_reason, is_off=not holds(scene, record), fit=fit))
    return found


def _of_whom(scene: Scene, told: Sequence[Told]) -> list[bool]:
    """Of each text, whether it is about whom the topic names: one operation is not another's (G3.2)."""
    assert scene.topic is not None  # noqa: S101 - the caller has looked
    owners = read_owners(scene.topic.text, scene.language)
    return [True] * len(told) if owners.is_anybody else are_about(owners, told, scene.found)


def _passages_of_whom(scene: Scene) -> list[Passage]:
    """The events and to-dos that a search for the topic found, and that are about whom it names."""
    assert scene.found is not None  # noqa: S101 - the caller has looked
    found = [one.passage for one in scene.found.ranked if one.passage.kind in {EntryKind.EVENT, EntryKind.TASK}]
    told = [Told(f"{one.title}\n{one.text}", one.language, one.title) for one in found]
    return [one for one, is_about in zip(found, _of_whom(scene, told), strict=True) if is_about]


def _records_of_whom(scene: Scene, records: Sequence[StoredRecord]) -> list[StoredRecord]:
    """The records that are about whom the topic names, as far as their entries tell."""
    told: list[Told] = []
    for record in records:
        passage = first_passage(scene.reader, record.entry_id, scene.seen)
        around = "" if passage is None else f"\n{passage.title}\n{passage.text}"
        language = "en" if passage is None else passage.language
        told.append(Told(f"{record.text}\n{record.title}{around}", language, record.text))
    return [one for one, is_about in zip(records, _of_whom(scene, told), strict=True) if is_about]


def _latest_word_first(coming: list[Dated]) -> list[Dated]:
    """Of what texts alone say the latest word first: they may speak of one thing, and the later knows better."""
    said = [one for one in coming if one.record is not None]
    if len(said) != len(coming):
        return coming
    return sorted(said, key=_said_at, reverse=True)


def _said_at(one: Dated) -> float:
    at = one.record.valid_from if one.record is not None else None
    return 0.0 if at is None else at.timestamp()


def _best(found: Sequence[Dated]) -> list[Dated]:
    """Those that are named about as well as the best."""
    best = max((one.fit for one in found), default=0.0)
    return [one for one in found if one.fit >= best - _ABOUT_AS_WELL]


def _say_otherwise(draft: Draft, coming: Sequence[Dated]) -> None:
    """What mails and notes say of it that names another day to come than the calendar does."""
    scene = draft.scene
    assert scene.found is not None and scene.topic is not None  # noqa: S101, PT018 - the caller has looked
    days = {one.item.start.date() for one in coming if one.item.start is not None}
    cited = {item.item_id for item in draft.items}
    for passage in (ranked.passage for ranked in scene.found.ranked[:_LOOKED_AT]):
        if passage.kind not in _TELLING or passage.stale_reason is not None or f"c{passage.chunk_id}" in cited:
            continue
        for sentence in split_sentences(body(passage)):
            if scene.topic.share(sentence) < _HALF or scene.topic.share(f"{passage.title} {sentence}") < _ALL:
                continue
            when = find_when(sentence, passage.event_time or passage.updated_at)
            if (
                when is None
                or not when.span.is_one_day
                or when.span.start < scene.now
                or when.span.start.date() in days
            ):
                continue
            days.add(when.span.start.date())
            draft.say(
                scene.words.otherwise.format(
                    title=passage.title, day=scene.phrases.day(when.span.start), said=sentence.strip()
                ),
                draft.cite_entry(passage.entry_id, passage.chunk_id),
            )


def _said_off(scene: Scene) -> Draft | None:
    """What a text said of it and was taken back; None where something later speaks of it, which may know better."""
    assert scene.found is not None and scene.topic is not None  # noqa: S101, PT018 - the caller has looked
    gone: list[tuple[str, Text, Passage]] = []
    latest: datetime | None = None
    for passage in (ranked.passage for ranked in scene.found.ranked):
        parts = dict(passage.stale_parts)
        for sentence in split_sentences(passage.text):
            if scene.topic.share(sentence) < _NEARLY_ALL:
                continue
            reason = passage.stale_reason or next((why for part, why in parts.items() if part in sentence), None)
            if reason is not None:
                gone.append((sentence.strip(), reason, passage))
            else:
                at = passage.event_time or passage.updated_at
                latest = at if latest is None else max(latest, at)
    draft = Draft(scene, AGENDA)
    for sentence, reason, passage in gone[:_GONE_SHOWN]:
        known = _causes(scene, passage.entry_id)
        if latest is not None and known and latest > max(known.values()):
            return None
        cause = max(known, key=lambda entry_id: (known[entry_id], entry_id)) if known else None
        line = scene.words.no_longer.format(reason=scene.reason(reason), said=sentence)
        citation = draft.cite_entry(passage.entry_id, passage.chunk_id)
        draft.say(line, citation, "" if cause is None else draft.cite_entry(cause))
    return draft if draft.lines else None


def _causes(scene: Scene, entry_id: int) -> dict[int, datetime]:
    """The entries that changed something in one, with when they said so; those that may be seen."""
    known = changes(scene.reader, Which(entry_id=entry_id, is_standing=True, is_suggestion=False))
    said: dict[int, datetime] = {}
    for one in known:
        if one.cause_id is not None and one.cause_id != entry_id:
            said[one.cause_id] = one.effective_at
    visible = may_be_seen(scene.reader, said, scene.seen)
    return {cause: moment for cause, moment in said.items() if cause in visible}


def _each_once(found: Sequence[Dated]) -> list[Dated]:
    """Of things that begin together, as a calendar and a mail tell them, the first; by their day."""
    kept: dict[object, Dated] = {}
    for one in found:
        start = one.item.start
        key = one.item.item_id if start is None else start.date()
        kept.setdefault(key, one)
    return list(kept.values())


def _end(one: Dated, now: datetime) -> datetime:
    return one.item.end or one.item.start or now


def _say(draft: Draft, one: Dated, more: str = "") -> None:
    line = draft.scene.phrases.line(one.item, None)
    citation = draft.cite_record(one.record) if one.record is not None else draft.cite_entry(one.item.entry_id)
    draft.say(f"{line} - {more}" if more else line, citation)
    draft.agenda.append(one.item)


def _say_off(draft: Draft, one: Dated) -> None:
    """That it is off, by what, and which day it was to be; the entry that says so is cited too."""
    scene = draft.scene
    citation = draft.cite_record(one.record) if one.record is not None else draft.cite_entry(one.item.entry_id)
    line = scene.phrases.line(replace(one.item, status=None), None)
    if one.reason is None:
        draft.say(f"{line} - {scene.phrases.canceled}", citation)
    else:
        draft.say(
            scene.words.no_longer.format(reason=scene.reason(one.reason), said=line), citation, _cause(draft, one)
        )
    draft.agenda.append(one.item)


def _cause(draft: Draft, one: Dated) -> str:
    """The entry that says that it is off, where the viewer may see it."""
    known = _causes(draft.scene, one.item.entry_id)
    return draft.cite_entry(max(known, key=lambda entry_id: (known[entry_id], entry_id))) if known else ""
