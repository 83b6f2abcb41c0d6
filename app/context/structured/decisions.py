"""What was decided: the decisions that texts state, the newest that holds first, then those that do not (G3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.context.structured.scene import Draft
from app.context.structured.standing import holds, standing_records
from app.domain.records import RecordKind
from app.govern.people.keys import project_key
from app.store.exact import stated_ids

if TYPE_CHECKING:
    from app.context.structured.forms import Asked
    from app.context.structured.scene import Scene
    from app.store.records import StoredRecord

DECISIONS = "decisions"
_MOST_HELD, _MOST_GONE = 5, 3


def answer_decisions(scene: Scene, asked: Asked) -> Draft | None:
    """The decisions about a topic, or of a time; None where no decision of the sort is known."""
    known = standing_records(
        scene, stated_ids(scene.reader, scene.seen, {RecordKind.DECISION}, among=scene.found_entries)
    )
    chosen = [record for record in known if _is_about(scene, record, asked.about)]
    if not chosen and asked.about:
        near = scene.meaning([f"{scene.title_of(record.entry_id)}: {record.text}" for record in known])
        chosen = [record for record, fits in zip(known, near, strict=True) if fits]
    if asked.span is not None:
        within = [one for one in chosen if one.valid_from and asked.span.start <= one.valid_from < asked.span.end]
        # a topic may end with a time that is part of it: "the budget of May"
        chosen = within or (chosen if asked.about else [])
    chosen = _each_once(chosen)
    if not chosen:
        return None
    draft = Draft(scene, DECISIONS)
    held: list[StoredRecord] = []
    gone: list[StoredRecord] = []
    for record in chosen:
        (held if holds(scene, record) else gone).append(record)
    for record in held[:_MOST_HELD]:
        draft.say(_line(scene, record), draft.cite_record(record))
    for record in gone[:_MOST_GONE]:
        reason = scene.reason(record.stale_reason) if record.stale_reason is not None else record.status.value
        line = scene.words.no_longer.format(reason=reason, said=_line(scene, record))
        draft.say(line, draft.cite_record(record))
    return draft


def _is_about(scene: Scene, record: StoredRecord, topic: str) -> bool:
    if not topic:
        return True
    if scene.is_on_topic(record.text, scene.title_of(record.entry_id)):
        return True
    project = scene.project_of(record)
    return bool(project) and project_key(project) == project_key(topic)


def _each_once(records: list[StoredRecord]) -> list[StoredRecord]:
    """A decision that several entries repeat is one."""
    kept: dict[str, StoredRecord] = {}
    for record in records:
        kept.setdefault(" ".join(record.text.casefold().split()), record)
    return list(kept.values())


def _line(scene: Scene, record: StoredRecord) -> str:
    said = " ".join(record.text.split())
    return said if record.valid_from is None else f"{scene.day(record.valid_from)}: {said}"
