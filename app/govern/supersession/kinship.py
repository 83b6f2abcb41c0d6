"""Whether a freely worded entry ends an earlier one: what both have in common, and what speaks against it (G2.6, G4.4).

Nothing here is sure of itself. Several signs have to come together: one conversation, one author, one title, one day,
the same words; and a single contradiction (another day, another name, a value that the earlier one never gave) is
enough to let things stand. A wrong ending would hide what still holds, which is worse than a miss.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Trust
from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import holds, words_of
from app.govern.supersession.said import Days, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.govern.supersession.gist import Gist
    from app.govern.supersession.matching import Spoken
    from app.govern.supersession.said import Said

_ANY = frozenset({"decision", "go"})
_DAY = timedelta(days=1)
_REACH = timedelta(days=200)
LONG_REACH = timedelta(days=400)
"""How long before something may have been said: with a day, and without one."""
_LEAST_FAR = 2.0
_LEAST_DONE = 1.4
_MOSTLY = 0.6
_CODE = 4
_SORTS = frozenset(
    "code password number price total address phone mobile email account rate fee cost sum amount euro pound hour"
    " 密码 号码 电话 手机 价格 总价 合计 地址 邮箱 账号 账户 费用 金额 小时 一小".split()
)
_MARGIN = 0.75
_LEAST = {Kind.CANCEL: 3.0, Kind.MOVE: 3.0, Kind.COMPLETE: 2.0, Kind.REPLACE: 3.0}


@dataclass(frozen=True, slots=True)
class Kin:
    """How near two entries are; `later` has the new time in it, where one was moved."""

    score: float
    later: Spoken
    one: Spoken


def nearest(later: Spoken, earlier: Sequence[Spoken]) -> Kin | None:
    """The one of some earlier entries that a later one ends; None where none is near, or two are as near."""
    found = sorted((kin for one in earlier if (kin := kin_of(later, one)) is not None), key=lambda kin: -kin.score)
    if not found:
        return None
    rivals = [kin for kin in found[1:] if found[0].score - kin.score < _MARGIN and not _alike(kin.one, found[0].one)]
    return None if rivals else found[0]


def kin_of(later: Spoken, one: Spoken) -> Kin | None:
    """How near an earlier entry is to what ends it; None where it does not."""
    mine, theirs = later.said.gist, one.said.gist
    if mine is None or theirs is None or later.voice.entry_id == one.voice.entry_id:
        return None
    age = later.voice.said_at - one.voice.said_at
    if not timedelta(0) < age <= (_REACH if one.days else LONG_REACH) or later.voice.scope != one.voice.scope:
        return None
    aimed = _aimed(later, one)
    if aimed is None:
        return None
    score = _score(aimed, one)
    return Kin(score, aimed, one) if score >= _LEAST[later.said.kind] else None


def _aimed(later: Spoken, one: Spoken) -> Spoken | None:
    """The later statement as it would change the earlier one; None where it cannot."""
    kind, mine, theirs = later.said.kind, later.said.gist, one.said.gist
    if mine is None or theirs is None:
        return None
    is_task = "task" in theirs.sorts
    is_plan = one.voice.kind is EntryKind.EVENT or ("plan" in theirs.sorts and one.voice.kind is not EntryKind.TASK)
    if any(value not in theirs.values and not _has_time(one, value) for value in mine.denied):
        return None
    if mine.named and not any(_holds(one, named.split()) for named in mine.named):
        return None
    if kind is Kind.COMPLETE:
        return None if _is_other_name(mine, theirs) else later if is_task and completes(later.said, one.said) else None
    if (is_plan or is_task) and one.days and not any(days.end.astimezone(later.voice.said_at.tzinfo).date() >= later.voice.said_at.date() for days in one.days):
        return None
    if kind is Kind.CANCEL:
        if one.voice.kind is EntryKind.TASK or (is_plan and not _is_open(later, one)):
            return None
        return later
    if kind is Kind.MOVE:
        return _moved(later, one) if is_plan or (is_task and one.days) else None
    if _is_other_name(mine, theirs) and not (_is_talk(later, one) and _same_author(later, one)):
        return None
    if kind is Kind.REPLACE and not _same_author(later, one) and any(name not in (*theirs.keys, *theirs.names) for name in mine.names):
        return None
    if "rename" in mine.sorts:
        return later if not is_plan and not is_task else None
    if "choice" in mine.sorts:
        own = [key for key in theirs.focus if key not in _SORTS and not key.startswith("%")]
        is_it = _common(mine.focus, own) > 0 or _is_talk(later, one)
        is_choice = "choice" in theirs.sorts or ("weak" not in mine.sorts and _same_author(later, one))
        return later if (not is_plan or _is_far(one)) and is_choice and is_it else None
    is_it = _is_about(mine, theirs) or (_is_talk(later, one) and later.voice.kind is EntryKind.MAIL)
    is_value = not is_plan and one.voice.kind is not EntryKind.TASK and is_it
    other = [value for value in mine.values if value not in theirs.values]
    return later if is_value and bool(theirs.values) and bool(other) else None


def _holds(one: Spoken, named: Sequence[str]) -> bool:
    """Whether an entry speaks of a thing: of its kind, and with all that tells it from others."""
    keys = () if one.said.gist is None else one.said.gist.keys
    words = words_of(one.context)
    return all(f"%{word}" in keys or word in keys or holds(one.context, words, word) for word in named if word not in _ANY)


def completes(said: Said, task: Said) -> bool:
    """Whether this sort of work is that of the task: sending a report does not review it."""
    mine, its = set(said.verb), set(task.verb)
    if not its or not mine:
        return True
    if mine & its or ("done" in mine and not its & {"pay", "give", "get"}):
        return True
    return mine == {"give"} and "make" in its


def _is_open(later: Spoken, one: Spoken) -> bool:
    """Whether the days that a cancellation names are those of the thing."""
    if not later.said.days or not one.days:
        return True
    return any(days.meets(mine) for days in one.days for mine in later.said.days)


def _moved(later: Spoken, one: Spoken) -> Spoken | None:
    """With the first day that it names and that is not the old one; else with another time of the old day."""
    gist = later.said.gist
    if gist is None or not one.days:
        return None
    today = later.voice.said_at.date()
    for days, is_whole in zip(later.said.days, gist.wholes, strict=False):
        if days.end - days.start > 8 * _DAY or days.start.date() < today:
            continue
        if not any(days.meets(old) for old in one.days):
            return replace(later, said=replace(later.said, new=days, is_whole_day=is_whole))
    old = one.days[0]
    if old.end - old.start >= timedelta(hours=23):
        return None
    zone = later.voice.said_at.tzinfo
    start = old.start.astimezone(zone)
    for minutes in gist.times:
        if f"{minutes // 60}{minutes % 60:02}" not in gist.denied and minutes != start.hour * 60 + start.minute and minutes >= 300:
            begin = start.replace(hour=minutes // 60, minute=minutes % 60)
            new = Days(begin, begin + (old.end - old.start))
            return replace(later, said=replace(later.said, new=new, is_whole_day=False))
    return None


def _has_time(one: Spoken, value: str) -> bool:
    """Whether a denied number is the old hour, or the old day of the month."""
    for days in one.days:
        local = days.start
        if value in {f"{local.hour}{local.minute:02}", str(local.hour), str(local.hour % 12 or 12), str(local.day), f"{local.hour % 12 or 12}{local.minute:02}"}:
            return True
    return False


def _score(later: Spoken, one: Spoken) -> float:
    mine, theirs = later.said.gist, one.said.gist
    if mine is None or theirs is None:
        return 0.0
    is_talk = _is_talk(later, one)
    is_titled = bool(mine.title) and mine.title == theirs.title and later.voice.kind is one.voice.kind
    is_same = _same_author(later, one)
    if "weak" in mine.sorts and not (is_same and (is_talk or is_titled)):
        return 0.0
    if later.said.kind is Kind.CANCEL and not one.days and not is_talk and mine.focus and theirs.focus:
        if _common(mine.keys, theirs.focus) <= 0:
            return 0.0
    day = _names_day(later, one)
    common = _common(mine.keys, theirs.keys)
    near = _common(mine.focus, theirs.keys)
    near_bonus = 0.5 * min(near, 2.0)
    score = near_bonus + 2.0 * is_talk + 1.5 * (is_titled and not is_talk) + 1.0 * is_same + 1.5 * day + min(common, 3.0)
    if later.said.kind is Kind.CANCEL and mine.focus and not near and not is_talk and not is_titled:
        if not is_same or common < _LEAST_FAR:
            return 0.0
        score -= 0.5
    if later.said.kind is Kind.REPLACE:
        score += 1.5 * _is_same_shape(mine, theirs)
    covered = _covered(mine, theirs)
    if later.said.kind is Kind.COMPLETE and not is_talk and (covered <= 0 or (covered < _MOSTLY and common < _LEAST_DONE)):
        return 0.0
    score += 1.0 * (covered >= _MOSTLY and later.said.kind is not Kind.REPLACE)
    strangers = [name for name in mine.names if name not in theirs.keys]
    if strangers and not near and later.said.kind in {Kind.CANCEL, Kind.COMPLETE}:
        score -= 1.5
    if "personal" in mine.sorts and not is_same and not is_talk:
        return 0.0
    if not is_same and not is_talk and not is_titled:
        score -= 0.5
    return score


def _is_same_shape(mine: Gist, theirs: Gist) -> bool:
    """Whether a new value is written like the old one: both telephone numbers, addresses, codes of one length."""
    return any(
        one != other and (one[0] == other[0] == "#" or ("@" in one and "@" in other) or (len(one) == len(other) >= _CODE))
        for one in mine.values
        for other in theirs.values
    )


def _common(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """The weight of what two lists of keys share: a pair of Han characters counts for less than a word."""
    known, score, seen = set(theirs), 0.0, set[str]()
    for key in mine:
        if key not in known or key in seen:
            continue
        seen.add(key)
        score += 0.5 if key.startswith(("%", "@")) else 1.0 if key.isascii() else 0.7
    return score


def _names_day(later: Spoken, one: Spoken) -> bool:
    return bool(one.days) and any(days.meets(old) and old.end - old.start <= 8 * _DAY for days in later.said.days for old in one.days)


def _same_author(later: Spoken, one: Spoken) -> bool:
    mine, theirs = later.voice.authors, one.voice.authors
    if later.voice.trust >= Trust.OWN_FILES and one.voice.trust >= Trust.OWN_FILES and not (mine and theirs):
        return True
    return bool(mine & theirs)


def _covered(mine: Gist, theirs: Gist) -> float:
    """How much of what an entry is about the other one names, from 0 to 1; its verbs do not count."""
    own = theirs.focus or theirs.keys
    core = [key for key in own if not key.startswith(("%", "@")) and key not in rules().verbs]
    return sum(key in mine.keys for key in core) / len(core) if core else 0.0


def _is_talk(later: Spoken, one: Spoken) -> bool:
    """Whether both are of one conversation, or the later one's title says that it answers."""
    mine, theirs = later.said.gist, one.said.gist
    if later.voice.thread is not None and later.voice.thread == one.voice.thread:
        return True
    return mine is not None and theirs is not None and mine.is_reply and bool(mine.title) and mine.title == theirs.title


def _is_far(one: Spoken) -> bool:
    """Whether a plan is of no day but of a month or a year."""
    return all(days.end - days.start > 8 * _DAY for days in one.days)


def _is_about(mine: Gist, theirs: Gist) -> bool:
    """Whether a value is one of the same thing: a word of it that is more than a sort of value stands in both."""
    own = [key for key in theirs.focus if not key.startswith("%") and key not in _SORTS]
    return not own or any(key in mine.focus for key in own)


def _is_other_name(mine: Gist, theirs: Gist) -> bool:
    """Whether each names somebody or some place that the other does not, and none that both do."""
    strangers = [name for name in mine.names if name not in theirs.keys and name not in theirs.names]
    own = [name for name in theirs.names if name not in mine.keys and name not in mine.names]
    return bool(strangers and own) and len(own) == len(theirs.names)


def _alike(one: Spoken, other: Spoken) -> bool:
    """Whether two are the same thing told twice."""
    mine, theirs = one.said.gist, other.said.gist
    if mine is None or theirs is None:
        return False
    return mine.title == theirs.title and any(days.meets(old) for days in one.days for old in other.days)
