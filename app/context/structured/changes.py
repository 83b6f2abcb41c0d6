"""What changed since a moment: what governance found to be otherwise, and what came or was edited (G2.6, G3.2).

A change counts from when it holds, which is when somebody said it, and not from when Famulus read it. A change whose
subject or whose cause the viewer may not see does not exist for them (G4.3).
"""

from __future__ import annotations

from datetime import timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING

from app.context.structured.scene import MOST_LINES, Draft
from app.domain.records import RuleKind
from app.store.change_rows import Which, changes, is_repeated, thing_of
from app.store.exact import changed_since, may_be_seen
from app.store.histories import CALLED_OFF, RESUME, steps_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.context.structured.forms import Asked
    from app.context.structured.scene import Scene
    from app.domain.labels import EntryKind
    from app.store.change_rows import StoredChange
    from app.store.exact import Seen

CHANGES = "changes"
_MOST_CHANGES = 100_000
_DAYS = 7
"""Looked back where the question names no time."""


def answer_changes(scene: Scene, asked: Asked) -> Draft | None:
    """Changes first, then entries; None where a topic is asked for and nothing about it changed."""
    since = asked.span.start if asked.span is not None else scene.now - timedelta(days=_DAYS)
    until = scene.now
    if asked.span is not None and asked.span.end < scene.now and not _is_open(asked.text):
        until = asked.span.end
    made, seen = _made(scene, since, until), changed_since(scene.reader, since, until, scene.visible)
    if scene.found is not None:
        about = scene.on_topic
        made = [one for one in made if one.entry_id in about or scene.is_on_topic(_title_and_reason(scene, one))]
        seen = [one for one in seen if one.entry_id in about or scene.is_on_topic(one.title)]
    if not made and not seen:
        return None if asked.about else _nothing(scene, since, until)
    draft = Draft(scene, CHANGES)
    for one in made[:MOST_LINES]:
        line = scene.words.changed.format(
            day=scene.day(one.effective_at), title=scene.title_of(one.entry_id), reason=scene.reason(one.reason)
        )
        subject = draft.cite_entry(one.entry_id)
        draft.say(line, subject, "" if one.cause_id is None else draft.cite_entry(one.cause_id))
    shown = _of_each_kind(seen, max(2, MOST_LINES - len(made)))
    for one_seen in shown:
        draft.say(_line(scene, one_seen), draft.cite_entry(one_seen.entry_id))
    left = max(0, len(made) - MOST_LINES) + len(seen) - len(shown)
    if left:
        draft.say(scene.words.more.format(count=left))
    return draft


def _is_open(text: str) -> bool:
    """Whether a question asks from a moment until now: "since yesterday", and not "yesterday"."""
    folded = text.casefold()
    return any(word in folded for word in ("since", "after", "以来", "之后", "以后", "开始", "起", "从", "自"))


def _made(scene: Scene, since: datetime, until: datetime) -> list[StoredChange]:
    """Standing changes that came to hold in a span, each thing once, the latest first."""
    which = Which(since=since, until=until, is_standing=True, is_suggestion=False, limit=_MOST_CHANGES)
    found = sorted((one for one in changes(scene.reader, which) if not is_repeated(one.subject_key)), key=_place)
    if not scene.visible.is_unrestricted:
        found = [one for one in found if _happened(scene, one)]
    named = {one.entry_id for one in found} | {one.cause_id for one in found if one.cause_id is not None}
    visible = may_be_seen(scene.reader, named, scene.seen)
    once: dict[object, StoredChange] = {}
    for one in found:
        if one.entry_id in visible and (one.cause_id is None or one.cause_id in visible):
            key = (one.cause_key, thing_of(one.subject_key), one.kind) if one.cause_key else (one.entry_id, one.kind)
            once.setdefault(key, one)
    return sorted(once.values(), key=_place)


def _happened(scene: Scene, one: StoredChange) -> bool:
    """Whether a change is one for a viewer from whom others may be hidden.

    What a hidden entry called off was never resumed for them; and when a rule took effect may be a hidden entry's
    doing, so that they learn of it by how the task stands.
    """
    if one.kind == RESUME:
        steps = steps_of(scene.reader, one.subject, [one.subject_id], scene.seen).get(one.subject_id, [])
        return any(step.is_visible and step.kind in CALLED_OFF for step in steps)
    return one.kind != RuleKind.NOT_DONE_BY.value


def _place(one: StoredChange) -> tuple[float, int, int, str, str]:
    """The latest first; of one moment by what they are of, and never by when they were found out (G4.3)."""
    return -one.effective_at.timestamp(), one.entry_id, one.cause_id or 0, one.kind, one.subject.value


def _title_and_reason(scene: Scene, one: StoredChange) -> str:
    return f"{scene.title_of(one.entry_id)}\n{one.reason}"


def _of_each_kind(seen: Sequence[Seen], room: int) -> list[Seen]:
    """The latest of each kind in turn, as many as there is room for: a new calendar does not hide the mails."""
    by_kind: dict[EntryKind, list[Seen]] = {}
    for one in seen:
        by_kind.setdefault(one.kind, []).append(one)
    turns = [one for turn in zip_longest(*by_kind.values()) for one in turn if one is not None]
    return sorted(turns[:room], key=lambda one: one.at, reverse=True)


def _nothing(scene: Scene, since: datetime, until: datetime) -> Draft:
    draft = Draft(scene, CHANGES)
    draft.say(scene.words.nothing_changed.format(since=scene.day(since), until=scene.day(until)))
    return draft


def _line(scene: Scene, one: Seen) -> str:
    words = scene.words
    form = words.came if one.is_new else words.updated
    return form.format(day=scene.day(one.at), kind=words.kinds[one.kind], title=one.title)
