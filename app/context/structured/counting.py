"""How many meetings, events or tasks there are in a span, counted from structure.

A meeting is an event with somebody else. What is canceled, or no meeting, is named and not counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.context.agenda import agenda_of
from app.context.spans import Today
from app.context.structured.question_rules import Kind, question_rules
from app.context.structured.scene import MOST_LINES, Draft
from app.context.structured.tasks import listed_tasks, my_tasks
from app.domain.labels import EntryKind, Status

if TYPE_CHECKING:
    from app.context.spans import Span
    from app.context.structured.forms import Asked
    from app.context.structured.scene import Scene
    from app.domain.context_item import AgendaItem

AGENDA = "agenda"
_DAYS = 7
_TASKS = frozenset({"tasks", "to-dos", "todos", "deadlines", "任务", "待办", "截止"})
_MEETINGS = frozenset({"meetings", "meeting", "calls", "会议", "会"})
_OTHERS = 4
_OVER = frozenset({Status.CANCELED, Status.SUPERSEDED})


def answer_count(scene: Scene, asked: Asked) -> Draft | None:
    """The number, and what is counted; of tasks without a span all that the person has to do, whenever it is due."""
    is_task = asked.what in _TASKS
    if is_task and asked.span is None:
        return _open_tasks(scene)
    span = asked.span or _coming_week(scene)
    wanted = EntryKind.TASK if is_task else EntryKind.EVENT
    found = [item for item in agenda_of(scene.reader, span, scene.visible) if item.kind is wanted]
    held = [item for item in found if item.status not in _OVER]
    words, phrases = scene.words, scene.phrases
    meetings: list[AgendaItem] = []
    others: list[AgendaItem] = []
    if asked.what in _MEETINGS:
        for item in held:
            (meetings if _is_meeting(scene, item) else others).append(item)
    # where a calendar names nobody at all, every event may be a meeting
    is_told = bool(meetings)
    counted = meetings or held
    what = words.things["tasks" if is_task else "meetings" if is_told else "events"]
    draft = Draft(scene, AGENDA)
    head = words.counted if counted else words.counted_none
    draft.say(head.format(span=phrases.span(span), count=len(counted), what=what))
    for item in counted[:MOST_LINES]:
        _say(draft, item, span)
    if len(counted) > MOST_LINES:
        draft.say(words.more.format(count=len(counted) - MOST_LINES))
    for item in others[: _OTHERS if is_told else 0]:
        _say(draft, item, span, words.not_counted)
    for item in [item for item in found if item.status in _OVER][:2]:
        _say(draft, item, span, words.canceled_too)
    return draft


def _open_tasks(scene: Scene) -> Draft | None:
    mine = my_tasks(scene)
    if not mine:
        return None
    draft = listed_tasks(scene, mine, Kind.MINE)
    draft.lines.insert(0, scene.words.open_count.format(count=len(mine)))
    return draft


def _is_meeting(scene: Scene, item: AgendaItem) -> bool:
    """Whether somebody else takes part in an event, and it is no deadline or day off."""
    return question_rules().no_meeting.search(item.title) is None and any(not scene.is_me(name) for name in item.people)


def _say(draft: Draft, item: AgendaItem, span: Span, more: str = "") -> None:
    line = draft.scene.phrases.line(item, span)
    draft.say(f"{line} ({more})" if more else line, draft.cite_entry(item.entry_id))
    draft.agenda.append(item)


def _coming_week(scene: Scene) -> Span:
    today = Today.of(scene.now)
    return today.days(today.day, _DAYS)
