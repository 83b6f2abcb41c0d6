"""What somebody plans, as they or others tell it: their plans to come, by their day (G2.7, G3.2).

Whose a plan is stands with it: who spoke of themselves, or who was named. A plan of nobody in particular is no answer.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from app.context.spans import Span
from app.context.stated import stated_item
from app.context.structured.people import Someone, people_called
from app.context.structured.same_name import may_be_one
from app.context.structured.scene import MOST_LINES, Draft
from app.context.structured.several import several
from app.context.structured.standing import holds, standing_records
from app.domain.labels import EntryKind
from app.domain.records import RecordKind
from app.govern.understanding.voices import without_label
from app.store.exact import heading_of, stated_ids
from app.store.record_agenda import Origin

if TYPE_CHECKING:
    from app.context.structured.forms import Asked
    from app.context.structured.scene import Scene
    from app.domain.context_item import AgendaItem
    from app.store.records import StoredRecord

PLANS = "plans"
_MOST_PAST = 2
_ONE_DAY = timedelta(days=1)
_WE = re.compile(r"\b(?:we|our|us)\b|我们|咱们|全家", re.IGNORECASE)
_SPOKEN = frozenset({EntryKind.MAIL, EntryKind.CHAT})


def answer_plans(scene: Scene, asked: Asked) -> Draft | None:
    """The plans of somebody, those to come first; None where none of theirs is known."""
    if asked.is_me or not asked.who:
        return None
    people = people_called(scene.reader, asked.who, scene.visible)
    if len(people) > 1:
        return several(scene, asked.who, people, PLANS)
    who = people[0] if people else Someone(asked.who, ())
    found = _of(scene, who)
    if asked.about:
        fitting = scene.fitting([f"{record.title} {record.text}" for record, _ in found])
        found = [one for one, fits in zip(found, fitting, strict=True) if fits]
    if asked.span is not None:
        span = asked.span
        found = [
            (record, item)
            for record, item in found
            if item.start is not None and item.start < span.end and (item.end or item.start) >= span.start
        ]
    coming = [one for one in found if _is_ahead(one[1], scene)]
    draft = Draft(scene, PLANS)
    for record, item in coming[:MOST_LINES] or found[-_MOST_PAST:]:
        is_past = not coming
        _say(draft, record, item, who, is_past=is_past)
    return draft if draft.lines else None


def _of(scene: Scene, who: Someone) -> list[tuple[StoredRecord, AgendaItem]]:
    """Their plans that hold, or of which it is known why not, by their day."""
    ids = stated_ids(scene.reader, scene.seen, {RecordKind.PLAN})
    found: list[tuple[StoredRecord, AgendaItem]] = []
    for record in standing_records(scene, ids):
        heading = heading_of(scene.reader, record.entry_id)
        if heading is None or not _is_theirs(scene, record, who):
            continue
        origin = Origin(record.entry_id, heading.kind, heading.source_uri, heading.scope)
        found.append((record, stated_item(record, origin, scene.now)))
    return sorted(found, key=lambda one: one[1].start.timestamp() if one[1].start is not None else 0.0)


def _is_theirs(scene: Scene, record: StoredRecord, who: Someone) -> bool:
    if scene.visible.is_unrestricted and record.owner_id is not None and record.owner_id in who.ids:
        return True
    if record.owner:
        return _is(who, record.owner)
    # what "we" do they do too
    if _WE.search(record.text) is None or scene.kind_of(record.entry_id) not in _SPOKEN:
        return False
    authors = scene.people_of(record.entry_id, "author")
    return len(authors) == 1 and _is(who, authors[0])


def _is(who: Someone, name: str) -> bool:
    return who.is_called(name) or name.casefold() in who.addresses or may_be_one(who.name, name)


def _is_ahead(item: AgendaItem, scene: Scene) -> bool:
    end = item.end or item.start
    return end is not None and end >= scene.now


def _days(scene: Scene, item: AgendaItem) -> str:
    if item.start is None or item.end is None or item.end - item.start <= _ONE_DAY:
        return scene.day_of(item)
    return scene.phrases.span(Span(item.start, item.end))


def _say(draft: Draft, record: StoredRecord, item: AgendaItem, who: Someone, *, is_past: bool) -> None:
    scene = draft.scene
    said = without_label(" ".join(record.text.split()))
    line = f"{_days(scene, item)}: {who.name}: {record.title} - {said}"
    if not holds(scene, record):
        reason = scene.reason(record.stale_reason) if record.stale_reason is not None else record.status.value
        line = scene.words.no_longer.format(reason=reason, said=line)
    elif is_past:
        line = f"{line} - {scene.words.is_past}"
    draft.say(line, draft.cite_record(record))
    draft.agenda.append(item)
