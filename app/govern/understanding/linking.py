"""What a condition waits for, and what it takes back: by the noun that both name, within an entry or its thread (G2.7).

A condition that speaks of nothing known, and is over on no day, is no record: manuals are full of them. A rule is armed
only where something must be done until a day, and something that was planned is taken back when it is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.records import RecordKind
from app.govern.understanding.rules import freshness_rules
from app.govern.understanding.topics import shared, topic_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.govern.understanding.statements import Statement
    from app.store.records import StoredRecord

_LEAST = 0.5
_NEAR_CHARACTERS = 400
_SUBJECT_EN = re.compile(
    r"^(?P<it>[^,;]{2,80}?)\s+(?:is|are|was|were|has|have|does|do|did|will|can|could|isn't|aren't|hasn't|haven't|doesn't|won't|"
    r"can't|fails?|misses|has not|cannot|remains?|stays?)\b",
    re.IGNORECASE,
)
_VERB_EN = re.compile(
    r"^(?:finish|complete|deliver|submit|send|sign|approve|pay|file|hand in|prepare|write|do|make|get|fix|review)\s+",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(r"^(?:but|and|so|then|that|但是?|那么?就?|就|则)\s*")
_UNTIL_ZH = re.compile(
    r"^[^\n]{0,12}?(?:之前|以前|前|内)(?:仍|还|尚)?(?:未能|没能|没有|未|没|不能|无法)?"
    r"|^(?:仍|还|尚)?(?:未能|没能|没有|未|没|不能|无法)"
)
_VERB_ZH = re.compile(
    r"^(?:完成|提交|交付|交出|交上|交|发送|发|签好?|签署|付|支付|准备好?|写完?|做完?|修好?|确认|审核|审批)"
)


@dataclass(frozen=True, slots=True)
class Link:
    """A record: by its place among the statements, or by its id where it stands in another entry."""

    index: int | None = None
    record_id: int | None = None


@dataclass(frozen=True, slots=True)
class Arming:
    """A rule to be armed: unless `watched` is done before `due_at`, `target` becomes pending.

    Attributes:
        what: the thing that is to be done, as the text calls it.
    """

    target: Link
    watched: Link
    due_at: datetime
    what: str
    consequence: str


@dataclass(frozen=True, slots=True)
class _Known:
    """A record that a condition may speak of."""

    link: Link
    kind: RecordKind
    title: str
    topics: frozenset[str]
    due_at: datetime | None
    place: int


def linked(
    text: str, statements: Sequence[Statement], thread: Sequence[StoredRecord]
) -> tuple[list[Statement], list[Arming]]:
    """The statements with their conditions linked, without conditions that hang on nothing; and the rules."""
    known = [_here(index, one) for index, one in enumerate(statements) if one.kind is not RecordKind.CONDITION]
    known += [_there(one) for one in thread if one.kind is not RecordKind.CONDITION]
    found = list(statements)
    armings: list[Arming] = []
    kept: set[int] = set()
    for index, one in enumerate(statements):
        if one.kind is not RecordKind.CONDITION:
            kept.add(index)
            continue
        watched = _watched(text, one, known)
        target = _target(text, one, known, watched)
        arming = _arming(text, one, index, watched, target)
        if arming is None and not _is_worth_keeping(one, watched, target):
            continue
        kept.add(index)
        found[index] = _tied(text, one, watched, target, found)
        if arming is not None:
            armings.append(arming)
    return _renumbered(found, armings, sorted(kept))


def _is_worth_keeping(one: Statement, watched: _Known | None, target: _Known | None) -> bool:
    conditional = one.conditional
    return conditional is not None and conditional.is_failure and (watched is not None or target is not None)


def _watched(text: str, one: Statement, known: Sequence[_Known]) -> _Known | None:
    """The task that a condition waits for."""
    conditional = one.conditional
    tasks = [each for each in known if each.kind is RecordKind.TASK]
    if conditional is None or not conditional.is_failure:
        return None
    if conditional.condition is None:
        return _before(tasks, conditional.start)
    clause = text[slice(*conditional.condition)]
    if _is_pronoun(clause) or not topic_words(clause):
        return _before(tasks, conditional.start)
    return _most_alike(clause, tasks)


def _target(text: str, one: Statement, known: Sequence[_Known], watched: _Known | None) -> _Known | None:
    """What a consequence takes back: a plan before a decision before a task."""
    conditional = one.conditional
    if conditional is None or not conditional.is_unsettling:
        return None
    clause = text[slice(*conditional.consequence)]
    others = [each for each in known if watched is None or each.link != watched.link]
    if _is_pronoun(clause):
        return _before([each for each in others if each.kind is RecordKind.PLAN], conditional.start)
    for kind in (RecordKind.PLAN, RecordKind.DECISION, RecordKind.TASK):
        best = _most_alike(clause, [each for each in others if each.kind is kind])
        if best is not None:
            return best
    return None


def _arming(text: str, one: Statement, index: int, watched: _Known | None, target: _Known | None) -> Arming | None:
    conditional = one.conditional
    if conditional is None or not (conditional.is_failure and conditional.is_unsettling):
        return None
    due_at = one.due.at if one.due is not None else watched.due_at if watched is not None else None
    if due_at is None:
        return None
    itself = Link(index=index)
    what = _what(text, one, watched)
    return Arming(
        target=target.link if target is not None else itself,
        watched=watched.link if watched is not None else itself,
        due_at=due_at,
        what=what,
        consequence=text[slice(*conditional.consequence)],
    )


def _what(text: str, one: Statement, watched: _Known | None) -> str:
    """The thing itself: "the test report" of "the test report is not finished", else what the task names."""
    clause = (
        "" if one.conditional is None or one.conditional.condition is None else text[slice(*one.conditional.condition)]
    )
    match = _SUBJECT_EN.match(clause)
    if match is not None and not _is_pronoun(match["it"]) and re.search("[a-z]{3}", match["it"]):
        return match["it"]
    if watched is None:
        return _UNTIL_ZH.sub("", one.title) or one.title
    title = watched.title
    return _VERB_ZH.sub("", _VERB_EN.sub("", title)) or title


def _tied(
    text: str, one: Statement, watched: _Known | None, target: _Known | None, found: list[Statement]
) -> Statement:
    """The condition with its link; what stands under it in this entry says so."""
    said = text[one.record.span.start : one.record.span.end].strip(" \t\r\n,.;，。；")
    for each in (watched, target):
        if each is not None and each.link.index is not None and found[each.link.index].condition is None:
            found[each.link.index] = replace(found[each.link.index], condition=said, consequence=one.consequence)
    main = watched or target
    condition = one.condition if one.condition is not None else (watched.title if watched is not None else None)
    title = watched.title if watched is not None and one.condition is None else one.title
    return replace(one, link=None if main is None else main.link, condition=condition, title=title)


def _before(known: Sequence[_Known], place: int) -> _Known | None:
    """The last one before a place in this entry, not far from it."""
    near = [one for one in known if one.link.index is not None and 0 <= place - one.place <= _NEAR_CHARACTERS]
    return near[-1] if near else None


def _most_alike(clause: str, known: Sequence[_Known]) -> _Known | None:
    """What shares most words with a clause; of equals the last one, for people speak of what was just said."""
    words = topic_words(clause)
    best, most = None, 0.0
    for one in known:
        likeness = shared(words, one.topics)
        if likeness >= max(most, _LEAST if len(words & one.topics) == 1 else 0.3):
            best, most = one, likeness
    return best


def _is_pronoun(clause: str) -> bool:
    english, chinese = freshness_rules().pronouns
    words = _CONJUNCTION.sub("", clause.lower().strip())
    first = re.match(r"[a-z']+", words)
    return (first is not None and first.group() in english) or words.startswith(chinese)


def _here(index: int, one: Statement) -> _Known:
    due = one.due.at if one.due is not None else None
    return _Known(Link(index=index), one.kind, one.title, topic_words(one.title), due, one.record.span.start)


def _there(one: StoredRecord) -> _Known:
    return _Known(Link(record_id=one.record_id), one.kind, one.title, topic_words(one.title), one.due_at, -1)


def _renumbered(
    found: Sequence[Statement], armings: Sequence[Arming], kept: Sequence[int]
) -> tuple[list[Statement], list[Arming]]:
    """With places among those that are kept."""
    places = {old: new for new, old in enumerate(kept)}

    def moved(link: Link) -> Link:
        return link if link.index is None else Link(index=places[link.index])

    statements = [
        found[index] if (link := found[index].link) is None else replace(found[index], link=moved(link))
        for index in kept
    ]
    return statements, [replace(one, target=moved(one.target), watched=moved(one.watched)) for one in armings]
