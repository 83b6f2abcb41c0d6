"""What somebody plans, as they or others tell it: their plans to come, by their day (G2.7, G3.2).

Whose a plan is stands with it: who spoke of themselves, or who was named. A plan of nobody in particular is no answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.context.stated import stated_item
from app.context.structured.people import Someone, people_called
from app.context.structured.scene import MOST_LINES, Draft
from app.context.structured.several import several
from app.context.structured.standing import holds, standing_records
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


def answer_plans(scene: Scene, asked: Asked) -> Draft | None:
    """The plans of somebody, those to come first; None where none of theirs is known."""
    if asked.is_me or not asked.who:
        return None
    people = people_called(scene.reader, asked.who, scene.visible)
    if len(people) > 1:
        return several(scene, asked.who, people, PLANS)
    if not people:
        return None
    found = _of(scene, people[0])
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
        _say(draft, record, item, people[0], is_past=is_past)
    return draft if draft.lines else None


def _of(scene: Scene, who: Someone) -> list[tuple[StoredRecord, AgendaItem]]:
    """Their plans that hold, or of which it is known why not, by their day."""
    ids = stated_ids(scene.reader, scene.seen, {RecordKind.PLAN})
    found: list[tuple[StoredRecord, AgendaItem]] = []
    for record in standing_records(scene, ids):
        heading = heading_of(scene.reader, record.entry_id)
        if heading is None or not record.owner or not _is_theirs(scene, record, who):
            continue
        origin = Origin(record.entry_id, heading.kind, heading.source_uri, heading.scope)
        found.append((record, stated_item(record, origin, scene.now)))
    return sorted(found, key=lambda one: one[1].start.timestamp() if one[1].start is not None else 0.0)


def _is_theirs(scene: Scene, record: StoredRecord, who: Someone) -> bool:
    if scene.visible.is_unrestricted and record.owner_id is not None and record.owner_id in who.ids:
        return True
    return record.owner is not None and (who.is_called(record.owner) or record.owner.casefold() in who.addresses)


def _is_ahead(item: AgendaItem, scene: Scene) -> bool:
    end = item.end or item.start
    return end is not None and end >= scene.now


def _say(draft: Draft, record: StoredRecord, item: AgendaItem, who: Someone, *, is_past: bool) -> None:
    scene = draft.scene
    said = without_label(" ".join(record.text.split()))
    line = f"{scene.day_of(item)}: {who.name}: {record.title} - {said}"
    if not holds(scene, record):
        reason = scene.reason(record.stale_reason) if record.stale_reason is not None else record.status.value
        line = scene.words.no_longer.format(reason=reason, said=line)
    elif is_past:
        line = f"{line} - {scene.words.is_past}"
    draft.say(line, draft.cite_record(record))
    draft.agenda.append(item)
