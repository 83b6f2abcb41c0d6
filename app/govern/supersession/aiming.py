"""What a freely worded entry would do to an earlier one, if it speaks of it; and where it cannot (G2.6).

A single contradiction is enough: another day, another name, a value that the earlier one never gave, another sort of
work.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.govern.supersession.pairing import SHORT, common
from app.govern.supersession.said import Days, Kind

if TYPE_CHECKING:
    from app.govern.supersession.matching import Spoken
    from app.govern.supersession.pairing import Pairing
    from app.govern.supersession.said import Said

_WHOLE = timedelta(hours=23)
_EARLIEST = 5 * 60
"""Of the day, in minutes: before, nothing is moved to."""


def aimed(pair: Pairing) -> Spoken | None:
    """The later statement as it would change the earlier one, a move with its new time; None where it cannot."""
    kind = pair.later.said.kind
    if pair.denies() or (pair.mine.named and not any(pair.holds(named.split()) for named in pair.mine.named)):
        return None
    if kind is Kind.COMPLETE:
        is_it = pair.is_task and not pair.is_other_name and completes(pair.later.said, pair.one.said)
        return pair.later if is_it else None
    if (pair.is_plan or pair.is_task) and not pair.is_ahead:
        return None
    if kind is Kind.CANCEL:
        is_it = pair.one.voice.kind is not EntryKind.TASK and (not pair.is_plan or _is_open(pair))
        return pair.later if is_it else None
    if kind is Kind.MOVE:
        return _moved(pair.later, pair.one) if pair.is_plan or pair.is_task else None
    return pair.later if _replaces(pair) else None


def completes(said: Said, task: Said) -> bool:
    """Whether this sort of work is that of the task: sending a report does not review it."""
    mine, its = set(said.verb), set(task.verb)
    if not its or not mine:
        return True
    if mine & its or ("done" in mine and not its & {"pay", "give", "get"}):
        return True
    return mine == {"give"} and "make" in its


def _replaces(pair: Pairing) -> bool:
    """Whether another name, choice or value stands where the earlier one has its own."""
    if pair.is_other_name and not (pair.is_talk and pair.is_same):
        return False
    if not pair.is_same and pair.strangers:
        return False
    sorts = pair.mine.sorts
    if "rename" in sorts:
        return not pair.is_plan and not pair.is_task
    if "choice" in sorts:
        is_choice = "choice" in pair.theirs.sorts or ("weak" not in sorts and pair.is_same)
        is_it = pair.is_talk or common(pair.mine.focus, pair.own_words) > 0
        return is_choice and is_it and (not pair.is_plan or pair.is_far)
    if pair.is_plan or pair.one.voice.kind is EntryKind.TASK or not pair.theirs.values:
        return False
    is_about = not pair.own_words or any(key in pair.mine.focus for key in pair.own_words)
    is_about = is_about or (pair.is_talk and pair.later.voice.kind is EntryKind.MAIL)
    return is_about and any(value not in pair.theirs.values for value in pair.mine.values)


def _is_open(pair: Pairing) -> bool:
    """Whether the days that a cancellation names are those of the thing."""
    mine, theirs = pair.later.said.days, pair.one.days
    return not mine or not theirs or any(old.meets(days) for old in theirs for days in mine)


def _moved(later: Spoken, one: Spoken) -> Spoken | None:
    """With the first day that it names and that is not the old one; else with another time of the old day."""
    gist = later.said.gist
    if gist is None or not one.days:
        return None
    today = later.voice.said_at.date()
    for days, is_whole in zip(later.said.days, gist.wholes, strict=False):
        is_day = days.end - days.start <= SHORT and days.start.date() >= today
        if is_day and not any(days.meets(old) for old in one.days):
            return replace(later, said=replace(later.said, new=days, is_whole_day=is_whole))
    new = _other_time(later, one.days[0])
    return None if new is None else replace(later, said=replace(later.said, new=new, is_whole_day=False))


def _other_time(later: Spoken, old: Days) -> Days | None:
    gist = later.said.gist
    if gist is None or old.end - old.start >= _WHOLE:
        return None
    start = old.start.astimezone(later.voice.said_at.tzinfo)
    for minutes in gist.times:
        is_denied = f"{minutes // 60}{minutes % 60:02}" in gist.denied
        if not is_denied and minutes != start.hour * 60 + start.minute and minutes >= _EARLIEST:
            begin = start.replace(hour=minutes // 60, minute=minutes % 60)
            return Days(begin, begin + (old.end - old.start))
    return None
