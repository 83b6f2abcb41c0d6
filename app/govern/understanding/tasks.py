"""Which of the clauses that look like a task are one, who has to do it, and until when (G2.4, G2.7).

A manual says "you must", a newsletter "please click". A task has somebody who owes it, or a day, or stands in a list of
things to do; what has none of these is left alone. Better none than a wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain, SpanLabel
from app.govern.rule_tables import made_of_rules
from app.govern.understanding.rules import understanding_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.readings import Candidate, DateReading, TextSpan

_I = re.IGNORECASE
_CLOCK = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.PART_OF_DAY})
_LONG = frozenset({Grain.DECADE, Grain.CENTURY, Grain.YEAR, Grain.HALF_YEAR})
_NOT_EN = re.compile(
    r"(?:\b(?:not|never|no longer|hardly|cannot)|n't)(?:\s{1,4}(?:have|need|needs|supposed|required|yet))?"
    r"(?:\s{1,4}to)?\s{0,4}$"
    r"|\b(?:had|was|were|used|did|would have|should have)(?:\s{1,4}to)?\s{0,4}$",
    _I,
)
_POSSIBLE = re.compile(r"\b(?:can|could|may|might|would|you)(?:\s{1,4}\w+ly)?\s{0,4}$|(?:可以|能够?|会|可)$", _I)
_NOT_ZH = re.compile(
    r"(?:[不无没未勿别]|不是|原本|本来|曾经?)(?:需要|需|必须|必|要|应该|应当|应|得|用|负责)?(?:在|于)?$"
)
_NO_ACTION = re.compile(
    r"(?:be|been|have|has|know|note|think|see|say|admit|hear|mean|look|seem|feel|like|understand|find attached|"
    r"keep in mind|remember|believe|hope|expect|wonder|click|unsubscribe|visit|contact|refer|feel free|"
    r"let (?:me|us) know|reply|not)\b",
    _I,
)
_NO_ACTION_ZH = re.compile(r"[的地得了着过]|是|有|点击|查收|知悉|注意|问|求|见|看|想|说|知道|联系|参考|回复|不|别|么")
_MARKED = re.compile(
    r"^[ \t]{0,40}(?:[-*•]\s{0,4})?(?:TODO|To do|Action(?: item)?s?|AI|待办|任务|行动项)\s{0,4}[:：]", _I
)
_REMINDED = re.compile(r"\b(?:remember to|don't forget to|remind me to)\s{0,4}$|(?:记得|别忘了|不要忘记)$", _I)
_MINE = re.compile(
    r"\b(?:i|we)(?:'ve)?\s{1,4}(?:really\s{1,4}|still\s{1,4}|also\s{1,4})?"
    r"(?:must|have to|need to|have got to|has to)\s{0,4}$"
    r"|(?:我们?|咱们?)(?:还|也)?(?:必须|得|要|需要|需)$",
    _I,
)
_OWNER_EN = re.compile(
    r"(?:^|[,;:.!?\n]|\b(?:and|but|so|that))\s{0,4}(?:[-*•\d.)]{1,4}\s{0,4})?"
    r"(?P<owner>[A-Z][\w.'-]{0,30}(?:\s[A-Z][\w.'-]{0,30}){0,2})\s{1,4}"
    r"(?:still\s{1,4}|also\s{1,4}|then\s{1,4})?(?:must|has to|have to|needs? to|should|is to|will|shall|"
    r"is responsible for|to|is going to|is supposed to|agreed to|promised to|is in charge of)\s{0,4}$"
)  # fmt: skip
_WILL = re.compile(
    r"^\s{0,4}(?:(?:will|'ll|to|shall|is going to|agreed to|promised to|plans to|is to|must|has to|needs to)\s{1,4})?"
    r"(?P<it>[a-z][\w-]*(?:\s[^,;:.!?\n]{1,120})?)\s{0,4}$"
)
_OWES = re.compile(
    r"(?:\s(?:from|of|at|in)\s[A-Za-z ]{2,24}?)?[\s,:：，、(（)）-]*(?:and\s|also\s|still\s|then\s|please\s)?"
    r"(?:(?:will|'ll|must|has to|have to|needs? to|should|is to|are to|"
    r"shall|to|is responsible for|are responsible for|is in charge of|is going to|is supposed to|agreed to|promised to|"
    r"will need to|has agreed to|volunteered to|is asked to|please|still has to|owns)\b)?\s{0,4}"
    r"|\s{0,4}(?:同学|老师|经理|总|先生|女士)?(?:还|也|会|将|来|请|就)?"
    r"(?:需要|需|必须|要|负责|应该|应当|应|得|务必|须|去|把|记得)?(?:在|于)?\s{0,4}",
    _I,
)
_NAMED_WILL = re.compile(
    r"^[\s\-*•\d.)]{0,8}(?P<owner>[A-Z][\w.'-]{0,30}(?:\s[A-Z][\w.'-]{0,30}){0,2})\s{1,4}"
    r"(?:will|'ll|to|shall|is going to|agreed to|promised to|is to)\s{1,4}"
    r"(?P<it>[a-z][\w-]*(?:\s[^,;:.!?\n]{1,120})?)\s{0,4}$"
)
_REQUEST = re.compile(
    r"\b(?:could|can|would|will) you\s{1,4}(?:please\s{1,4}|kindly\s{1,4}|maybe\s{1,4})?"
    r"(?P<it>(?!believe|imagine|tell me|let me know|see|come|make it|be\b)[a-z][^?;\n]{3,120}?)\s{0,4}\?",
    _I,
)
_FAVOUR_ZH = re.compile(
    r"(?:请|麻烦|能不能|能否|可以|方便的话)?(?:你)?(?:帮我|替我|帮忙)(?P<it>(?!看看吗|问候)[^，。；！？,;!?\n]{3,60}?)(?:吗|好吗|吧)?(?=[，。；！？,;!?\n\s]|$)"
)
_BY = re.compile(r"\b(?:by|before|until|no later than|not later than|latest)\s{0,4}$", re.IGNORECASE)
_IS = re.compile(
    r"^(?:is|are|was|were|has|have|had|can|could|may|might|would|did|does|do|and|or|but|who|said|says|thinks|not)\b"
)
_EDGES = " \t\r\n,.;:!?，。；：！？、-*•"
_SHORTEST, _LONGEST = 2, 160
_NEAR = 60


@dataclass(frozen=True, slots=True)
class Due:
    """Until when, exclusive."""

    at: datetime
    is_whole_day: bool
    score: float


def due_of(
    date: DateReading | None, written_at: datetime, span: tuple[int, int], *, is_apart: bool = False
) -> Due | None:
    """What a date says about a task at the places `span`: the coming one of its readings; None for none.

    A date that is not said as a deadline counts only where it does not lie in the past, and is not part of the thing
    itself ("review the 2024 report").

    Args:
        is_apart: whether the date stands in another clause than the task.
    """
    if date is None or not date.candidates or date.kind not in {DateKind.POINT, DateKind.RANGE}:
        return None
    is_inside = span[0] < date.start and date.end < span[1]
    if not date.is_deadline and (is_inside or is_apart or date.candidates[0].grain in _LONG):
        return None
    today = written_at.replace(hour=0, minute=0, second=0, microsecond=0)
    best = coming(date, today)
    if best is None:
        return None
    moment = best.end or best.start
    if moment is None or best.grain is Grain.SECOND or (best.is_time_only and not date.is_deadline):
        return None
    limits = understanding_rules().limits
    if moment > today + timedelta(days=limits.furthest_days) or (moment < today and not date.is_deadline):
        return None
    return Due(moment, best.grain not in _CLOCK, best.score)


def coming(date: DateReading, today: datetime) -> Candidate | None:
    """The most likely reading that is not over before a day; else that of a deadline with one reading."""
    ahead = [one for one in date.candidates if ((one.end or one.start) or today) > today]
    if ahead:
        return ahead[0]
    return date.candidates[0] if date.is_deadline and len(date.candidates) == 1 else None


def is_task(text: str, span: TextSpan, before: str, *, is_owed: bool, is_own: bool) -> bool:
    """Whether a clause is something to do.

    Args:
        before: what stands before it in its sentence, without dates.
        is_owed: whether it has an owner or a due time.
        is_own: whether it stands in the person's notes, mails or chats, where "I must" means the writer.
    """
    clause = text[span.start : span.end]
    if not _SHORTEST <= len(clause) <= _LONGEST:
        return False
    if (
        _NOT_EN.search(before[-_NEAR:])
        or _POSSIBLE.search(before[-_NEAR:].rstrip())
        or _NOT_ZH.search(before.rstrip())
        or _NO_ACTION.match(clause)
    ):
        return False
    if _has_han(clause[:1]) and _NO_ACTION_ZH.match(clause):
        return False
    if span.confidence < understanding_rules().limits.task_confidence and not is_owed:
        return False
    if is_owed or _MARKED.match(before):
        return True
    return is_own and bool(_REMINDED.search(before) or _MINE.search(before.rstrip() if _has_han(before) else before))


def is_owner(between: str) -> bool:
    """Whether what stands between a name and a task says that the one owes the other."""
    return _OWES.fullmatch(between) is not None


def owner_before(text: str, start: int, end: int) -> str | None:
    """Who is named in front of a task by its form alone: "Zhang San must", 张三需."""
    before = text[start:end]
    english = _OWNER_EN.search(before[-90:])
    if english is not None:
        name = english["owner"]
        return name if name.split()[0].lower() not in understanding_rules().not_owners else None
    chinese = _owner_zh().search(before[-16:].rstrip())
    if chinese is None or chinese["owner"] in understanding_rules().not_owners:
        return None
    return chinese["owner"]


def requested(text: str, start: int, end: int) -> tuple[int, int, bool] | None:
    """What a sentence asks of its reader: "Could you send it by Friday?", 帮我把花浇一下.

    Returns:
        start and end, and whether it is asked in so many words that it needs no day.
    """
    english = _REQUEST.search(text, start, end)
    if english is not None and _NO_ACTION.match(english["it"]) is None:
        return english.start("it"), english.end("it"), False
    chinese = _FAVOUR_ZH.search(text, start, end)
    return None if chinese is None else (chinese.start("it"), chinese.end("it"), True)


def promised(
    text: str, clause: tuple[int, int], date: DateReading, people: Sequence[TextSpan]
) -> tuple[int, int, str] | None:
    """A task said by its deadline alone: "Ann sends the slides by Monday", 张三周三前交报告: (start, end, owner)."""
    named = [
        one for one in people if one.label == SpanLabel.PERSON and clause[0] <= one.start and one.end <= date.start
    ]
    if not named:
        return _promised_by_form(text, clause[0], date.start)
    owner = named[-1]
    between = text[owner.end : date.start]
    if _has_han(text[owner.start : owner.end] + between):
        return _promised_zh(text, clause, date, owner)
    match = _WILL.match(_BY.sub("", between))
    if match is None or _IS.match(match["it"]) or _NO_ACTION.match(match["it"]):
        return None
    start = owner.end + match.start("it")
    return start, start + len(match["it"].rstrip()), text[owner.start : owner.end]


def _promised_by_form(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Who is named by the form alone, where the model saw nobody: "Uma to deliver the photos"."""
    before = _BY.sub("", text[start:end])
    match = _NAMED_WILL.match(before)
    if match is None or match["owner"].split()[0].lower() in understanding_rules().not_owners:
        return None
    if _IS.match(match["it"]) or _NO_ACTION.match(match["it"]):
        return None
    return start + match.start("it"), start + match.start("it") + len(match["it"].rstrip()), match["owner"]


def _promised_zh(text: str, clause: tuple[int, int], date: DateReading, owner: TextSpan) -> tuple[int, int, str] | None:
    if (
        re.fullmatch(r"\s{0,4}(?:将|会|要|需|须|负责|应|得|必须)?(?:在|于)?\s{0,4}", text[owner.end : date.start])
        is None
    ):
        return None
    start, end = date.end, clause[1]
    match = re.compile(r"(?:之前|以前|前|内)?(?:需要|需|要|必须|应|得|将|会)?").match(text, start, end)
    start = match.end() if match else start
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    if end - start < _SHORTEST or _NO_ACTION_ZH.match(text[start:end]):
        return None
    return start, end, text[owner.start : owner.end]


@made_of_rules
def _owner_zh() -> re.Pattern[str]:
    surnames = understanding_rules().surnames
    return re.compile(
        rf"(?:^|[，。；：！？、,;:\s\n]|由|请|让)(?P<owner>[{surnames}][\u4e00-\u9fff]{{1,2}}?)(?<![主重只需将不首必次摘纪变觉获取使值懂记显免非])"
        r"(?:还|也|同学|老师|经理|总)?(?:需要|需|必须|要|应该|应当|负责|务必|须)(?:在|于)?$"
    )


def _has_han(text: str) -> bool:
    return re.search("[\u4e00-\u9fff]", text) is not None
