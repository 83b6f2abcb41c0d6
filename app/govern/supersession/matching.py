"""What a later statement speaks of among earlier ones; in doubt of nothing (G2.6, X9.1).

Two things are one where the word for them is the same, what tells them from others fits, their days meet, and they are
of one scope. Several that fit must be one and the same thing, else nothing is changed. Who may change what: whoever is
trusted as much, its own author or organiser, and who takes part in the same conversation or is invited to the event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Trust
from app.govern.supersession.aiming import completes
from app.govern.supersession.cues import rules
from app.govern.supersession.gist import names_of
from app.govern.supersession.kinship import kin_of, nearest
from app.govern.supersession.phrases import holds, words_of
from app.govern.supersession.said import Kind, Said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.govern.supersession.said import Days

_CHANGES: dict[Kind, frozenset[Kind]] = {
    Kind.CANCEL: frozenset({Kind.PLAN, Kind.TASK, Kind.GIST}),
    Kind.MOVE: frozenset({Kind.PLAN, Kind.TASK, Kind.GIST}),
    Kind.RESUME: frozenset({Kind.PLAN, Kind.TASK}),
    Kind.COMPLETE: frozenset({Kind.TASK, Kind.GIST}),
    Kind.REVERSE: frozenset({Kind.DECISION, Kind.TASK, Kind.PLAN}),
    Kind.REPLACE: frozenset({Kind.FACT, Kind.REPLACE, Kind.GIST}),
}
_SAME_WEEKS = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Voice:
    """Where a statement stands.

    Attributes:
        said_at: aware; orders statements, whatever the order in which they were taken in.
        authors: addresses of who wrote it, or names where there is no address, in lower case; of an event its
            organiser. names: the names of them. people: like `authors`, of all who take part.
        words: of the entry's title, place and people, in which the marks of a thing are looked for.
        days: when the thing happens by structure: an event's occurrences, a task's due day, a record's.
        is_open: of a to-do, that it is not done. is_recurring: an event of several days.
        sensitivity, acl: who may hear of it.
    """

    entry_id: int
    kind: EntryKind
    title: str
    scope: str
    trust: Trust
    said_at: datetime
    thread: str | None = None
    authors: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    words: str = ""
    days: tuple[Days, ...] = ()
    is_open: bool = True
    is_recurring: bool = False
    sensitivity: int = 0
    acl: str = ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A statement with its voice and the ids of what it stands in."""

    statement_id: int
    said: Said
    voice: Voice
    chunk_id: int | None = None
    record_id: int | None = None

    @property
    def days(self) -> tuple[Days, ...]:
        """When its thing happens: as the sentence says, else by structure."""
        return self.said.days or self.voice.days

    @property
    def context(self) -> str:
        """In which the marks of another statement are looked for."""
        return f"{self.said.text}\n{self.voice.title}\n{self.voice.words}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a statement changes.

    `is_sure` is False where a person has to decide; `later` is the statement with what was concluded of it.
    """

    targets: Sequence[Spoken] = field(default_factory=tuple)
    is_sure: bool = True
    later: Spoken | None = None


NOTHING = Verdict()


def changed_by(kind: Kind) -> frozenset[Kind]:
    """Which statements one of a kind can change."""
    return _CHANGES.get(kind, frozenset())


def decide(later: Spoken, earlier: Sequence[Spoken]) -> Verdict:
    """Which of some earlier statements a later one changes.

    Args:
        earlier: those with its head, and where it has none those of its thread.
    """
    if later.said.gist is not None:
        return _decide_whole(later, earlier)
    fitting = [one for one in earlier if speaks_of(later, one)]
    near = _nearest(later, fitting)
    if not near or not _are_one(later, near):
        return NOTHING
    allowed = [one for one in near if may_change(later, one) and not one.voice.is_recurring]
    if not later.said.is_sure or not allowed:
        return Verdict(near, is_sure=False)
    return Verdict(allowed)


def _decide_whole(later: Spoken, earlier: Sequence[Spoken]) -> Verdict:
    """Which earlier entry a freely worded one ends."""
    kin = nearest(later, [one for one in earlier if one.said.kind is Kind.GIST])
    if kin is None:
        return NOTHING
    is_sure = kin.is_plain and later.said.is_sure and may_change(kin.later, kin.one) and not kin.one.voice.is_recurring
    return Verdict([kin.one], is_sure=is_sure, later=kin.later)


def speaks_of(later: Spoken, one: Spoken) -> bool:
    """Whether a later statement may mean an earlier one."""
    said, other = later.said, one.said
    if said.gist is not None or other.gist is not None:
        return other.kind is Kind.GIST and kin_of(later, one) is not None
    if other.kind not in changed_by(said.kind) or later.voice.scope != one.voice.scope or not _is_later(later, one):
        return False
    if said.kind is Kind.REPLACE:
        return other.head == said.head and other.value != said.value and _same_person(later, one)
    if said.kind is Kind.REVERSE and other.kind is not Kind.DECISION:
        return False
    if not said.head:
        return later.voice.thread is not None and later.voice.thread == one.voice.thread and _is_ahead(later, one)
    is_work = said.kind is not Kind.COMPLETE or (
        completes(said, other) and _is_his(later, one) and not _names_others(said.text, other.text)
    )
    is_it = other.head == said.head and is_work and _marks_fit(later, one)
    return is_it and _days_fit(later, one) and _is_ahead(later, one)


def repeats(quote: Spoken, later: Spoken, targets: Sequence[Spoken]) -> bool:
    """Whether a quote repeats what a statement takes away: a sentence of that, or one that the same mail answers."""
    if any(is_same_text(quote, one) for one in targets):
        return True
    is_own = quote.voice.entry_id == later.voice.entry_id
    return is_own and later.said.is_sure and quote.said.head == later.said.head and _marks_fit(later, quote)


def is_same_text(quote: Spoken, one: Spoken) -> bool:
    """Whether a quote repeats the very sentence of a statement, or a part of it."""
    text, other = _bare(quote.said.text), _bare(one.said.text)
    return bool(text) and (text in other or other in text)


def _bare(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


_NOTES = frozenset({EntryKind.NOTE, EntryKind.DOCUMENT})
_PLANS_CHANGE = frozenset({Kind.CANCEL, Kind.MOVE, Kind.RESUME})


def may_change(later: Spoken, one: Spoken) -> bool:
    """Whether the one who says something may change what stands there (X9.1).

    People whom the person knows may call off and move what a note of theirs says; a calendar's own entry only if they
    have a part in it, and never what is done.
    """
    mine, theirs = later.voice, one.voice
    if mine.trust >= theirs.trust or mine.authors & theirs.authors:
        return True
    is_told = later.said.kind in _PLANS_CHANGE or (later.said.kind is Kind.REPLACE and later.said.gist is not None)
    if mine.trust >= Trust.KNOWN_SENDER and theirs.kind in _NOTES and is_told:
        return True
    is_part = bool(mine.authors & theirs.people)
    if theirs.kind is EntryKind.EVENT or mine.thread is None or mine.thread != theirs.thread:
        return is_part and mine.trust >= Trust.KNOWN_SENDER
    return is_part


def _is_later(later: Spoken, one: Spoken) -> bool:
    if later.voice.entry_id == one.voice.entry_id:
        return one.said.end > 0 and one.said.end <= later.said.start
    return one.voice.said_at < later.voice.said_at


def _marks_fit(later: Spoken, one: Spoken) -> bool:
    words = words_of(one.context)
    missing = [mark for mark in later.said.marks if not holds(one.context, words, mark)]
    if not missing:
        return True
    if later.said.kind is Kind.COMPLETE and one.said.marks == ():
        return False
    # "the trip" of a conversation about the Berlin trip
    is_one_talk = later.voice.thread is not None and later.voice.thread == one.voice.thread
    return is_one_talk and not one.said.marks


def _days_fit(later: Spoken, one: Spoken) -> bool:
    """The days that are named meet; without any, the later statement is of the weeks in which the plan is open."""
    said, known = later.said, one.days
    if said.kind is Kind.COMPLETE:
        return True
    if said.new is not None and known and all(days.meets(said.new) for days in known) and not said.days:
        return not said.is_whole_day and any(days.start != said.new.start for days in known) and _has_time(known)
    if said.days and known:
        return any(days.meets(mine) for days in known for mine in said.days)
    if said.days:
        is_one_talk = later.voice.thread is not None and later.voice.thread == one.voice.thread
        return is_one_talk or later.voice.said_at - one.voice.said_at <= _SAME_WEEKS
    return True


def _has_time(days: Sequence[Days]) -> bool:
    return any(one.end - one.start < timedelta(hours=23) for one in days)


def _is_ahead(later: Spoken, one: Spoken) -> bool:
    """What is over cannot be called off; a plan without a day is taken for open for some weeks."""
    at, limits = later.voice.said_at, rules().limits
    if one.said.kind in {Kind.DECISION, Kind.FACT}:
        return True
    if one.said.kind is Kind.TASK:
        return at - one.voice.said_at <= timedelta(days=limits["open_days"]) and one.voice.is_open
    if one.days:
        return any(days.end.astimezone(at.tzinfo).date() >= at.date() for days in one.days)
    return at - one.voice.said_at <= timedelta(days=limits["undated_days"])


def _same_person(later: Spoken, one: Spoken) -> bool:
    mine, theirs = later.said.who, one.said.who
    if mine and theirs:
        return mine == theirs
    if mine or theirs:
        return mine in one.voice.names if mine else theirs in later.voice.names
    if not later.voice.authors and not one.voice.authors:
        return True
    return bool(later.voice.authors & one.voice.authors)


def _names_others(text: str, task: str) -> bool:
    """Whether what was done and what is to be done each name somebody, and nobody both: a card to Bert, not to Ann."""
    mine, its = set(names_of(text)), set(names_of(task))
    return bool(mine and its) and not mine & its


def _is_his(later: Spoken, task: Spoken) -> bool:
    """Whether the task is that of the one who did it, where both are named."""
    owner, who = task.said.who, later.said.who.casefold()
    if not owner:
        return not who or any(who in name for name in later.voice.names)
    if who:
        return who in owner or owner in who
    return not later.voice.names or any(owner in name or name in owner for name in later.voice.names)


def _nearest(later: Spoken, found: Sequence[Spoken]) -> list[Spoken]:
    """Where several fit: those of the same conversation; else those named just alike by the same author; else all."""
    mine = later.voice
    talk = [one for one in found if mine.thread is not None and one.voice.thread == mine.thread]
    if talk and not _are_one(later, found):
        return talk
    if _are_one(later, found):
        return list(found)
    alike = [
        one
        for one in found
        if set(one.said.marks) == set(later.said.marks)
        and (one.voice.authors & mine.authors or one.voice.entry_id == mine.entry_id)
    ]
    return alike or list(found)


def _are_one(later: Spoken, found: Sequence[Spoken]) -> bool:
    """Whether all of some statements may be about one and the same thing."""
    return all(_agree(later, one, other) for at, one in enumerate(found) for other in found[at + 1 :])


def _agree(later: Spoken, one: Spoken, other: Spoken) -> bool:
    if one.voice.entry_id == other.voice.entry_id and one.said.kind is other.said.kind is Kind.TASK:
        return False
    if one.days and other.days and not any(a.meets(b) for a in one.days for b in other.days):
        return later.said.kind is Kind.COMPLETE and one.said.marks == other.said.marks
    mine, theirs = set(one.said.marks), set(other.said.marks)
    if later.said.kind in {Kind.REPLACE, Kind.REVERSE}:
        return True
    named = set(later.said.marks)
    if later.said.kind is Kind.COMPLETE:
        return mine <= theirs or theirs <= mine
    return bool(named) or mine <= theirs or theirs <= mine
