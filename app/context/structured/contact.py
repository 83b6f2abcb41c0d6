"""When somebody was last met, written to or heard from, when something last was, and what comes next (G3.2)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from app.context.agenda import agenda_of
from app.context.spans import Span
from app.context.structured.people import people_called
from app.context.structured.scene import Draft
from app.context.structured.several import several
from app.context.structured.topic import Topic
from app.domain.labels import EntryKind, Status
from app.store.exact import Part, happened, meetings_of, parts_of

if TYPE_CHECKING:
    from app.context.search import Found
    from app.context.structured.forms import Asked
    from app.context.structured.people import Someone
    from app.context.structured.scene import Scene

PEOPLE, AGENDA = "people", "agenda"
_WRITTEN = (EntryKind.MAIL, EntryKind.CHAT)
_TALKS = frozenset({EntryKind.MAIL, EntryKind.CHAT, EntryKind.EVENT})
_BACK, _AHEAD = timedelta(days=3650), timedelta(days=400)
_SHOWN, _TOPICS = 3, 3
_ABOUT_AS_WELL = 0.15
_SORT = re.compile(
    r"\s+(?:appointment|visit|meeting|session|date|check-?up)s?$|(?:预约|会面|就诊|活动)$", re.IGNORECASE
)
"""What sort of event is meant, behind what names it."""
_MEETS = frozenset({"meet", "do"})
_MEETING_WORDS = frozenset({"meeting", "meetings", "call", "calls", "会议", "会"})
_DUE_WORDS = frozenset({"deadline", "deadlines", "截止日期", "截止时间", "截止", "期限"})


def answer_last(scene: Scene, asked: Asked) -> Draft | None:
    """The latest of what a question asks for that is not in the future; None where nothing of the sort is known."""
    if asked.verb != "about":
        people = people_called(scene.reader, asked.who, scene.visible) if asked.who else []
        others = [one for one in people if scene.me is None or not set(one.ids) & set(scene.me.ids)]
        if len(others) > 1:
            return several(scene, asked.who, others, PEOPLE)
        if others:
            return _last_with(scene, others[0], asked.verb)
        return _last_event(scene)
    return _last_about(scene)


def answer_next(scene: Scene, asked: Asked) -> Draft | None:
    """What comes next: with somebody, of any sort, or the next deadline; None where nothing is known to come."""
    if asked.who:
        people = people_called(scene.reader, asked.who, scene.visible)
        if len(people) != 1:
            return several(scene, asked.who, people, PEOPLE) if people else None
        coming = meetings_of(scene.reader, people[0].ids, scene.visible, since=scene.now, until=scene.now + _AHEAD)
        wanted = {part.entry_id for part in coming}
        return _coming(scene, only=wanted) if wanted else None
    if asked.what in _MEETING_WORDS and (found := _coming(scene, is_with_others=True)) is not None:
        return found
    return _coming(scene, is_due=asked.what in _DUE_WORDS)


def last_contact(scene: Scene, who: Someone) -> Part | None:
    """The latest mail, chat or meeting with somebody that is not in the future."""
    return next(iter(_contacts(scene, who, "talk")), None)


def _coming(
    scene: Scene, *, only: set[int] | None = None, is_due: bool = False, is_with_others: bool = False
) -> Draft | None:
    span = Span(scene.now, scene.now + _AHEAD)
    kind = EntryKind.TASK if is_due else EntryKind.EVENT
    found = [
        item
        for item in agenda_of(scene.reader, span, scene.visible)
        if item.kind is kind
        and item.start is not None
        and (item.start >= scene.now or item.is_all_day)
        and item.status not in {Status.CANCELED, Status.DONE}
        and (only is None or item.entry_id in only)
        and (not is_with_others or any(not scene.is_me(name) for name in item.people))
    ]
    if not found:
        return None
    first = found[0].start
    draft = Draft(scene, AGENDA)
    for item in [item for item in found if item.start == first][:_SHOWN]:
        draft.say(scene.phrases.line(item, None), draft.cite_entry(item.entry_id))
        draft.agenda.append(item)
    return draft


def _last_with(scene: Scene, who: Someone, verb: str) -> Draft | None:
    found = _contacts(scene, who, verb)
    if found:
        draft = Draft(scene, PEOPLE)
        draft.say(_line(scene, found[0]), draft.cite_entry(found[0].entry_id))
        return draft
    anything = _contacts(scene, who, "talk")
    if not anything:
        return None
    last, words = anything[0], scene.words
    sought = words.things["meet" if verb in _MEETS else "mail" if verb.startswith("mail") else "talk"]
    line = words.last_other.format(
        sought=sought, who=who.name, day=scene.day(last.at), kind=words.kinds[last.kind], title=last.title
    )
    draft = Draft(scene, PEOPLE)
    draft.say(line, draft.cite_entry(last.entry_id))
    return draft


def _contacts(scene: Scene, who: Someone, verb: str) -> list[Part]:
    """Contacts of a sort, the latest first."""
    reader, now = scene.reader, scene.now
    met: list[Part] = []
    if verb not in {"mail_to", "mail_from"}:
        # an occurrence that has only begun is one
        met = meetings_of(reader, who.ids, scene.visible, since=now - _BACK, until=now)
        if verb in _MEETS:
            return met[::-1]
    written = parts_of(reader, who.ids, scene.visible, kinds=_WRITTEN, until=now)
    if verb == "mail_from":
        return [part for part in written if part.role == "author"]
    if verb == "mail_to":
        written = [part for part in written if part.role == "recipient"]
        return [part for part in written if scene.me is None or _is_by_me(scene, part)]
    return sorted([*met, *written], key=lambda part: part.at, reverse=True)


def _is_by_me(scene: Scene, part: Part) -> bool:
    return any(scene.is_me(name) for name in scene.people_of(part.entry_id, "author"))


def _last_event(scene: Scene) -> Draft | None:
    """When an event of that name last was."""
    if scene.found is None or scene.topic is None:
        return None
    # what only is to come is no last time, however well it is named; "my dentist appointment" may be "Dentist Dr. Lee"
    bare = _SORT.sub("", scene.topic.text).strip()
    for topic in (scene.topic, *([Topic(bare)] if bare and bare != scene.topic.text else [])):
        past = _past_named(scene, scene.found, topic)
        if past:
            break
    else:
        past = _past_meant(scene, scene.found)
        if not past:
            return None
    draft = Draft(scene, AGENDA)
    draft.say(_line(scene, past[0]), draft.cite_entry(past[0].entry_id))
    return draft


def _past_named(scene: Scene, among: Found, topic: Topic) -> list[Part]:
    """Past events that a topic names about as well as any past event, the latest first."""
    fits = {
        ranked.passage.entry_id: fit
        for ranked in among.ranked
        if ranked.passage.kind is EntryKind.EVENT and (fit := topic.names(ranked.passage.title))
    }
    past = happened(scene.reader, list(fits), scene.visible, scene.now)
    best = max((fits[part.entry_id] for part in past), default=0.0)
    return [part for part in past if fits[part.entry_id] >= best - _ABOUT_AS_WELL]


def _past_meant(scene: Scene, among: Found) -> list[Part]:
    """Past events that mean what none is called, the latest first: the dentist, of 看牙."""
    events = {one.passage.entry_id: one.passage.title for one in among.ranked if one.passage.kind is EntryKind.EVENT}
    near = scene.meaning(list(events.values()), are_titles=True)
    chosen = [entry_id for entry_id, fits in zip(events, near, strict=True) if fits]
    return happened(scene.reader, chosen, scene.visible, scene.now)


def _last_about(scene: Scene) -> Draft | None:
    """The latest mails, chats and meetings about a topic."""
    if scene.found is None:
        return None
    talks = [ranked.passage for ranked in scene.found.ranked if ranked.passage.kind in _TALKS]
    fitting = scene.fitting([f"{passage.title}\n{passage.text}" for passage in talks])
    told = [passage for passage, fits in zip(talks, fitting, strict=True) if fits]
    events = {passage.entry_id for passage in told if passage.kind is EntryKind.EVENT}
    began = {part.entry_id: part.at for part in happened(scene.reader, events, scene.visible, scene.now)}
    found: dict[int, tuple[Part, int]] = {}
    for passage in told:
        at = began.get(passage.entry_id) if passage.kind is EntryKind.EVENT else passage.event_time
        if at is not None and at <= scene.now:
            part = Part(passage.entry_id, passage.kind, passage.title, at, "")
            found.setdefault(passage.entry_id, (part, passage.chunk_id))
    latest = sorted(found.values(), key=lambda pair: pair[0].at, reverse=True)[:_TOPICS]
    if not latest:
        return None
    draft = Draft(scene, PEOPLE)
    for part, chunk_id in latest:
        draft.say(_line(scene, part), draft.cite_entry(part.entry_id, chunk_id))
    return draft


def _line(scene: Scene, part: Part) -> str:
    return scene.words.last.format(day=scene.day(part.at), kind=scene.words.kinds[part.kind], title=part.title)
