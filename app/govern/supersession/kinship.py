"""Whether a freely worded entry ends an earlier one: how much speaks for it (G2.6, G4.4).

Nothing here is sure of itself. Several signs have to come together: one conversation, one author, one title, one day,
the same words; what speaks against it is in `aiming`. A wrong ending would hide what still holds, which is worse than a
miss.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Trust
from app.govern.supersession.aiming import aimed
from app.govern.supersession.pairing import Pairing, common
from app.govern.supersession.said import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.govern.supersession.matching import Spoken

_REACH = timedelta(days=200)
LONG_REACH = timedelta(days=400)
"""How long before something may have been said: with a day, and without one."""
_LEAST = {Kind.CANCEL: 3.0, Kind.MOVE: 3.0, Kind.COMPLETE: 2.0, Kind.REPLACE: 3.0}
_MARGIN = 0.75
"""By how much the nearest one must be nearer than the next."""
_TALK, _TITLE, _AUTHOR, _DAY, _SHAPE, _COVERED = 2.0, 1.5, 1.0, 1.5, 1.5, 1.0
_MOST_COMMON, _MOST_NEAR = 3.0, 1.0
_LEAST_FAR = 2.0
"""What has to be shared where the sentence that says what changes shares nothing."""
_LEAST_DONE, _MOSTLY = 1.4, 0.6
_SOME = 0.3
_LEAST_SHARED = 2.0
_MOST_ALIKE = 4
"""Entries that have as much in common with the later one, be it a title or a conversation: more of them say nothing."""
_STRANGER, _FAR, _ELSEWHERE = -1.5, -0.5, -0.5


@dataclass(frozen=True, slots=True)
class Kin:
    """How near two entries are.

    Attributes:
        later: has the new time in it, where one was moved.
        is_plain: of one conversation, or of a day that both name (a task's day names nothing). Of 80 endings and 60
            near misses that no rule was written for, such kin were 9 endings and no near miss; the others 14 and 9, so
            that a person has to decide.
    """

    score: float
    later: Spoken
    one: Spoken
    is_plain: bool


def nearest(later: Spoken, earlier: Sequence[Spoken]) -> Kin | None:
    """The one of some earlier entries that a later one ends; None where none is near, or two are as near."""
    found = sorted((kin for one in earlier if (kin := kin_of(later, one)) is not None), key=lambda kin: -kin.score)
    if not found or _is_lost_among(found[0], earlier):
        return None
    rivals = [kin for kin in found[1:] if found[0].score - kin.score < _MARGIN and not _alike(kin.one, found[0].one)]
    return None if rivals else found[0]


def kin_of(later: Spoken, one: Spoken) -> Kin | None:
    """How near an earlier entry is to what ends it; None where it does not."""
    pair = _paired(later, one)
    if pair is None or later.voice.entry_id == one.voice.entry_id:
        return None
    age = later.voice.said_at - one.voice.said_at
    if not timedelta(0) < age <= (_REACH if one.days else LONG_REACH) or later.voice.scope != one.voice.scope:
        return None
    as_aimed = aimed(pair)
    if as_aimed is None or _is_apart(pair) or _is_guess(pair):
        return None
    score = _score(pair)
    is_plain = pair.is_talk or (pair.names_day and later.said.kind is not Kind.COMPLETE)
    return Kin(score, as_aimed, one, is_plain) if score >= _LEAST[later.said.kind] else None


def _is_lost_among(kin: Kin, earlier: Sequence[Spoken]) -> bool:
    """Whether many entries have as much in common with the later one: who writes of one topic ends nothing by it."""
    pairs = {one.voice.entry_id: pair for one in earlier if (pair := _paired(kin.later, one)) is not None}
    pair = pairs[kin.one.voice.entry_id]
    if pair.names_day:
        return False
    is_near = pair.is_talk or pair.is_titled
    beside = [one for one in pairs.values() if one.is_talk or one.is_titled] if is_near else list(pairs.values())
    if is_near and len(beside) > _MOST_ALIKE and pair.covered < _MOSTLY:
        return True
    least = _shared(pair)
    return sum(_shared(one) >= least for one in beside) > _MOST_ALIKE


def _paired(later: Spoken, one: Spoken) -> Pairing | None:
    mine, theirs = later.said.gist, one.said.gist
    return None if mine is None or theirs is None else Pairing(later, one, mine, theirs)


def _shared(pair: Pairing) -> float:
    """How much of what the earlier one is about the sentence that says what changes names."""
    return common(pair.mine.focus, pair.own_words)


def _is_guess(pair: Pairing) -> bool:
    """Whether the earlier one says nothing that could end, or nothing that the later one clearly means."""
    if pair.one.voice.kind in {EntryKind.EVENT, EntryKind.TASK}:
        return False
    if pair.later.said.kind is Kind.REPLACE:
        return not _is_replaced(pair)
    if pair.one.days:
        # a note of one's own names many days that nothing depends upon, and much is done on the day of a task
        is_vague = pair.one.voice.kind is EntryKind.NOTE or (pair.later.said.kind is Kind.COMPLETE and not pair.is_talk)
        return is_vague and pair.covered < _MOSTLY
    if pair.is_talk:
        return not _shared(pair) and pair.covered < _MOSTLY
    return pair.is_titled or _shared(pair) < _LEAST_SHARED or pair.covered < _MOSTLY


def _is_replaced(pair: Pairing) -> bool:
    """Whether a choice or a value is clearly the one that the later one has another for."""
    shared = _shared(pair)
    if pair.is_talk or pair.is_titled:
        if "choice" in pair.mine.sorts:
            is_clear = shared >= _LEAST_SHARED or pair.covered >= _MOSTLY
            return is_clear and "choice" in pair.theirs.sorts
        return shared > 0 and pair.covered >= _SOME
    if pair.theirs.values and pair.is_same_shape:
        return shared > 0
    return shared >= _LEAST_SHARED and pair.covered >= _MOSTLY


def _is_apart(pair: Pairing) -> bool:
    """Whether what has to be there of all signs is missing."""
    kind, mine = pair.later.said.kind, pair.mine
    if "weak" in mine.sorts and not (pair.is_same and (pair.is_talk or pair.is_titled)):
        return True
    if "personal" in mine.sorts and not pair.is_same and pair.later.voice.trust < Trust.OWN_FILES:
        return True  # who cannot come takes nothing off for the others
    if kind is Kind.COMPLETE and not pair.is_talk:
        is_little = pair.covered < _MOSTLY and common(mine.keys, pair.theirs.keys) < _LEAST_DONE
        return pair.covered <= 0 or is_little
    if kind is not Kind.CANCEL or pair.is_talk or not mine.focus:
        return False
    if not pair.one.days and pair.theirs.focus and common(mine.keys, pair.theirs.focus) <= 0:
        return True
    return _is_from_afar(pair) and (not pair.is_same or common(mine.keys, pair.theirs.keys) < _LEAST_FAR)


def _is_from_afar(pair: Pairing) -> bool:
    """Whether the sentence that calls something off shares no word with what it calls off."""
    return not (pair.is_talk or pair.is_titled) and bool(pair.mine.focus) and not _near(pair)


def _near(pair: Pairing) -> float:
    return common(pair.mine.focus, pair.theirs.keys)


def _score(pair: Pairing) -> float:
    kind, near = pair.later.said.kind, _near(pair)
    score = min(0.5 * near, _MOST_NEAR) + min(common(pair.mine.keys, pair.theirs.keys), _MOST_COMMON)
    score += _TALK if pair.is_talk else _TITLE if pair.is_titled else 0.0
    score += _AUTHOR * pair.is_same + _DAY * pair.names_day
    if kind is Kind.REPLACE:
        score += _SHAPE * pair.is_same_shape
    elif pair.covered >= _MOSTLY:
        score += _COVERED
    if kind is Kind.CANCEL and _is_from_afar(pair):
        score += _FAR
    if kind in {Kind.CANCEL, Kind.COMPLETE} and pair.strangers and not near:
        score += _STRANGER
    return score + (0.0 if pair.is_same or pair.is_talk or pair.is_titled else _ELSEWHERE)


def _alike(one: Spoken, other: Spoken) -> bool:
    """Whether two are the same thing told twice."""
    mine, theirs = one.said.gist, other.said.gist
    if mine is None or theirs is None:
        return False
    return mine.title == theirs.title and any(days.meets(old) for days in one.days for old in other.days)
