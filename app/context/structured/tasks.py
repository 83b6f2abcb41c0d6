"""Who owes what to whom: tasks of lists and of texts, by who has to do them and for whom (G2.7, G3.2).

A task without a name is the person's own where it stands in their own lists and notes, or where somebody asks them for
it in a mail; for whom it is, is then whoever wrote. What the person asks of others without saying "I" is owed by those
who got the mail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.context.stated import tasks_of
from app.context.structured.called import Called
from app.context.structured.debt_ledger import is_debt
from app.context.structured.debts import DEBTS, debts_of, say_debts
from app.context.structured.people import Someone, people_called
from app.context.structured.question_rules import Kind
from app.context.structured.same_name import may_be_one, names_in_text
from app.context.structured.scene import MOST_LINES, Draft
from app.context.structured.several import several
from app.domain.labels import EntryKind, Status, Trust
from app.govern.people.keys import project_key
from app.runtime import clock
from app.store.name_keys import name_key
from app.store.reading import passages
from app.store.records import records_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.context.structured.forms import Asked
    from app.context.structured.scene import Scene
    from app.domain.context_item import AgendaItem
    from app.store.records import StoredRecord

TASKS = "tasks"
_SAID = frozenset({EntryKind.MAIL, EntryKind.CHAT})
_OWN = frozenset({EntryKind.TASK, EntryKind.VOICE})
_I = re.compile(r"\b(?:i|we)\b|(?<![给向跟找帮对让请叫把])我", re.IGNORECASE)
"""Who speaks takes it on: "I will send you", and not "please send me"."""
_MYSELF = frozenset({"i", "me", "we", "myself", "我", "我们", "本人"})
_OWING = frozenset({Kind.MINE, Kind.THEIRS, Kind.WAITING})
_MOST_LOOKED_AT = 400
_POINTS = re.compile(r"\b(?:the following|these|as follows|below)\b|以下|如下|下列", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:[-*•]|\(?\d{1,2}[.)、])\s*\S")
_MOST_LISTED, _LONGEST_LISTED = 20, 120


@dataclass(frozen=True, slots=True)
class Owed:
    """A task with its parties.

    Attributes:
        owner: who has to do it; empty for the person, and for nobody named.
        asker: for whom it is, where that is told.
        is_sure: whether it is told, or plain, whose it is.
    """

    item: AgendaItem
    record: StoredRecord | None
    owner: str
    is_mine: bool
    asker: str = ""
    is_sure: bool = True


def answer_tasks(scene: Scene, asked: Asked) -> Draft | None:
    """Open tasks as a question wants them; None where there is none of the sort."""
    who: Someone | None = None
    if asked.who:
        people = people_called(scene.reader, asked.who, scene.visible)
        if len(people) > 1:
            return several(scene, asked.who, people, TASKS)
        # who is named by nothing but their task is known by it
        who = people[0] if people else Someone(asked.who, (), keys=frozenset({name_key(asked.who)}))
    debts = debts_of(scene, asked.kind, who) if asked.kind in _OWING and not asked.about else []
    called = Called(scene)
    owed = _all(scene, called)
    wanted = [one for one in owed if _is_wanted(called, asked.kind, one, who) and _is_in_time(one, asked)]
    chosen = [one for one in wanted if _is_about(scene, one, asked.about)]
    if not chosen and asked.about:
        near = scene.meaning([_text(scene, one) for one in wanted])
        chosen = [one for one, fits in zip(wanted, near, strict=True) if fits]
    if not chosen and asked.kind is Kind.MINE and asked.about:
        people = people_called(scene.reader, asked.about, scene.visible)
        chosen = [one for one in wanted if len(people) == 1 and _is_for(one, people[0])]
    if not chosen and asked.kind is Kind.EVERYONES and asked.about:
        # "the tasks of Anna" are hers
        people = people_called(scene.reader, asked.about, scene.visible)
        chosen = [one for one in owed if len(people) == 1 and _is_wanted(called, Kind.THEIRS, one, people[0])]
    if not chosen and not debts:
        return _none_overdue(scene, owed) if asked.kind is Kind.OVERDUE else None
    if asked.kind in {Kind.EVERYONES, Kind.THEIRS, Kind.WAITING}:
        # those of one person together, as they are shown, and each person's as before: by their day
        chosen = sorted(chosen, key=lambda one: _shown_owner(one, asked.kind).casefold())
    draft = Draft(scene, TASKS if chosen else DEBTS)
    say_debts(draft, [one for one in debts if not one.is_settled] if chosen or who is None else debts)
    return listed_tasks(scene, chosen, asked.kind, draft)


def listed_tasks(scene: Scene, chosen: Sequence[Owed], kind: Kind, begun: Draft | None = None) -> Draft:
    """Tasks, each in a line, as an answer to a kind of question; behind what was said already."""
    draft = begun or Draft(scene, TASKS)
    for one in chosen[:MOST_LINES]:
        citation = draft.cite_record(one.record) if one.record is not None else draft.cite_entry(one.item.entry_id)
        line = _line(scene, one, kind)
        if one.is_mine and _is_by_stranger(draft, citation):
            line = f"{line} - {scene.words.stranger}"
        draft.say(line, citation)
        draft.agenda.append(one.item)
    if len(chosen) > MOST_LINES:
        draft.say(scene.words.more.format(count=len(chosen) - MOST_LINES))
    return draft


def _is_by_stranger(draft: Draft, citation: str) -> bool:
    """Whether who says that it is to be done is nobody whom the person knows (X9.1)."""
    return citation != "" and draft.items[int(citation.strip("[]")) - 1].trust <= Trust.STRANGER


def open_tasks_of(scene: Scene, who: Someone) -> list[Owed]:
    """What somebody has to do, by its day."""
    is_self, called = scene.me is not None and bool(set(who.ids) & set(scene.me.ids)), Called(scene)
    return [
        one
        for one in _all(scene, called)
        if (one.is_mine if is_self else not one.is_mine and _is_owned_by(called, one, who))
    ]


def my_tasks(scene: Scene) -> list[Owed]:
    """What the person has to do, and what nobody is named for, by its day."""
    return [one for one in _all(scene, Called(scene)) if one.is_mine]


def _all(scene: Scene, called: Called) -> list[Owed]:
    items = tasks_of(scene.reader, scene.now, scene.visible)[:_MOST_LOOKED_AT]
    numbers = [int(item.item_id[1:]) for item in items if item.item_id.startswith("r")]
    records = {record.record_id: record for record in records_with(scene.reader, numbers)}
    # a debt of money is told by itself, with what of it was paid back
    money = {f"r{number}" for number, record in records.items() if is_debt(record)}
    items = [item for item in items if item.item_id not in money]
    found = [
        _owed(scene, item, records.get(int(item.item_id[1:])) if item.item_id.startswith("r") else None, called)
        for item in items
    ]
    return sorted(found, key=lambda one: _order(scene, one))


def _order(scene: Scene, one: Owed) -> tuple[bool, str, str, str, int]:
    """By their day; then by what cannot vary with the order in which entries came."""
    start, ordinal = one.item.start, one.record.ordinal if one.record is not None else 0
    day = "" if start is None else start.astimezone(clock.zone()).isoformat()
    return start is None, day, one.item.title, scene.title_of(one.item.entry_id), ordinal


def _owed(scene: Scene, item: AgendaItem, record: StoredRecord | None, called: Called) -> Owed:
    kind = scene.kind_of(item.entry_id)
    authors = scene.people_of(item.entry_id, "author") if kind in _SAID else []
    is_own_word = scene.me is not None and any(scene.is_me(name) for name in authors)
    asker = "" if is_own_word or not authors else authors[0]
    if item.owner:
        is_mine = item.owner.casefold() in _MYSELF or (
            record is not None and scene.me is not None and _owner_id(scene, record) in scene.me.ids
        )
        is_mine = is_mine or scene.is_me(item.owner) or (scene.me is not None and called.is_one(item.owner, scene.me))
        return Owed(item, record, "" if is_mine else item.owner, is_mine, asker)
    says_i = record is not None and _I.search(record.text) is not None
    if kind not in _SAID or record is None:
        return Owed(item, record, "", is_mine=True, is_sure=says_i or record is None or kind in _OWN)
    if is_own_word:
        others = scene.words.between.join(scene.people_of(item.entry_id, "recipient")[:3])
        return (
            Owed(item, record, "", is_mine=True, asker=others) if says_i else Owed(item, record, others, is_mine=False)
        )
    if scene.me is None:
        return Owed(item, record, "", is_mine=not says_i, asker=asker)
    # what somebody else promises they owe; what they ask for is asked of whoever got it
    return Owed(item, record, asker, is_mine=False) if says_i else Owed(item, record, "", is_mine=True, asker=asker)


def _is_wanted(called: Called, kind: Kind, one: Owed, who: Someone | None) -> bool:
    if kind is Kind.OVERDUE:
        return one.item.is_overdue
    if kind is Kind.MINE:
        return one.is_mine and (who is None or _is_for(one, who))
    if kind is Kind.WAITING:
        return (not one.is_mine and bool(one.owner)) or one.item.status is Status.PENDING
    if kind is Kind.THEIRS:
        return who is not None and not one.is_mine and _is_owned_by(called, one, who)
    return True


def _is_for(one: Owed, who: Someone) -> bool:
    """Whether a task is for somebody: they ask for it, or it names them."""
    if one.asker and (who.is_called(one.asker) or may_be_one(who.name, one.asker)):
        return True
    text = one.item.title if one.record is None else one.record.title
    return names_in_text(who.name, text)


def _owner_id(scene: Scene, record: StoredRecord) -> int | None:
    """Who was found to be meant by the owner's name; for the owner alone, since any entry may have told it (G4.3)."""
    return record.owner_id if scene.visible.is_unrestricted else None


def _is_owned_by(called: Called, one: Owed, who: Someone) -> bool:
    if one.record is not None and _owner_id(called.scene, one.record) in who.ids:
        return True
    if not one.owner:
        return False
    return who.is_called(one.owner) or name_key(one.owner) == name_key(who.name) or called.is_one(one.owner, who)


def _is_about(scene: Scene, one: Owed, topic: str) -> bool:
    if not topic:
        return True
    text = one.item.title if one.record is None else f"{one.record.title} {one.record.text}"
    if scene.is_on_topic(text, scene.title_of(one.item.entry_id)):
        return True
    project = scene.project_of(one.record) if one.record is not None else ""
    return bool(project) and project_key(project) == project_key(topic)


def _is_in_time(one: Owed, asked: Asked) -> bool:
    """Whether a task is due until the end of the time asked for; what has no day may be."""
    return asked.span is None or one.item.start is None or one.item.start < asked.span.end


def _text(scene: Scene, one: Owed) -> str:
    text = one.item.title if one.record is None else f"{one.record.title} {one.record.text}"
    return f"{scene.title_of(one.item.entry_id)}: {text}"


def _none_overdue(scene: Scene, owed: Sequence[Owed]) -> Draft | None:
    """That nothing is late, where there are tasks at all that could be."""
    if not owed:
        return None
    draft = Draft(scene, TASKS)
    draft.say(scene.words.nothing_overdue)
    return draft


def _spelled_out(scene: Scene, record: StoredRecord) -> str:
    """What "do the following" means: the list that stands behind it."""
    if _POINTS.search(record.title) is None or record.chunk_id is None:
        return ""
    found = passages(scene.reader, [record.chunk_id], scene.visible)
    text = found[0].text if found else ""
    at = text.find(record.title)
    if at < 0:
        return ""
    listed: list[str] = []
    for line in text[at:].splitlines()[1:_MOST_LISTED]:
        if _LISTED.match(line) is not None:
            listed.append(" ".join(line.split()))
        elif listed and line.strip():
            # an item goes on over the end of its line
            listed[-1] = f"{listed[-1]} {line.strip()}"
        elif listed:
            break
    return " ".join(one if len(one) <= _LONGEST_LISTED else f"{one[:_LONGEST_LISTED]}…" for one in listed)


def _shown_owner(one: Owed, kind: Kind) -> str:
    """How whoever has to do it is called; the person themselves only among all others."""
    if kind is Kind.MINE:
        return ""
    return one.owner or (one.item.owner or "" if kind is Kind.EVERYONES else "")


def _line(scene: Scene, one: Owed, kind: Kind) -> str:
    words, item = scene.words, one.item
    title = one.record.title if one.record is not None else item.title
    owner = _shown_owner(one, kind)
    if owner:
        title = f"{owner}: {title}"
    parts = [title]
    if item.start is not None:
        parts.append(words.due.format(day=scene.day_of(item)))
    if not one.is_sure:
        parts.append(words.nobody)
    if one.is_mine and one.asker:
        parts.append(words.for_whom.format(who=one.asker))
    if item.status is Status.PENDING:
        parts.append(words.pending)
    if item.reason is not None:
        parts.append(scene.reason(item.reason))
    line = " - ".join(parts)
    listed = "" if one.record is None else _spelled_out(scene, one.record)
    return f"{line}: {listed}" if listed else line
