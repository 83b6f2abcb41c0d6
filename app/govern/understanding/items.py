"""Lists of things to do, as minutes end with them: a heading that says so, and a point for each (G2.4).

    Action items:                                   行动项：
    - Emma to update the project plan               - 张三：更新项目计划
    - David: coordinate with the team. Deadline: 20 May

Under such a heading a point is a task by where it stands; whoever is named at its beginning has to do it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.govern.understanding.rules import understanding_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEAD = re.compile(
    r"[\s#*_\d.)、一二三四五六七八九十]{0,8}(?:action (?:items?|points?)|next steps?|to-?dos?|to do(?: list)?|"
    r"open (?:tasks|points|items)|"
    r"follow-?ups?|tasks|assignments|行动项|待办(?:事项)?|下一步(?:工作|计划|行动)?|后续(?:工作|行动|事项)|任务(?:分工|安排|清单)?|分工)"
    r"[\s*_]{0,4}[:：]?[\s*_]{0,4}",
    re.IGNORECASE,
)
_POINT = re.compile(r"[ \t]{0,8}(?:[-*•–]|\(?\d{1,2}[.)、])[ \t]{0,4}(?=\S)")
_TICKED = re.compile(r"\[[ xX]?\]")
_OWNER = re.compile(
    r"(?P<owner>[A-Z][\w.'’-]{0,24}(?: (?:and |& )?[A-Z][\w.'’-]{0,24}){0,3})"
    r"(?:\s?[:：]\s?|\s[-–—]\s|\s(?:to|will|should|must|shall|needs to|has to|is to|are to)\s)(?=\S)"
    r"|(?P<owner_zh>[\u4e00-\u9fff]{2,4}|[A-Z][A-Za-z]{1,20})\s?(?:[:：]|负责|来|要|需|需要)\s?(?=\S)"
)
_BEHIND = re.compile(
    r"[\s.;,，。；(（-]{0,4}(?:deadline|due(?: date| by)?|by|until|before|no later than|"
    r"截止(?:日期|时间)?|期限|完成时间)\s?[:：]?\s?$",
    re.IGNORECASE,
)
_LONGEST, _SHORTEST, _MOST = 300, 4, 40


@dataclass(frozen=True, slots=True)
class Item:
    """A point of such a list; places in the text. `task` is what is to be done, without who and until when."""

    start: int
    end: int
    task: tuple[int, int]
    owner: str | None


def find_items(text: str, start: int, end: int, path: Sequence[str] = ()) -> Iterator[Item]:
    """The points of the lists of things to do within [start, end) of a text that stands under some headings."""
    is_list = bool(path) and _HEAD.fullmatch(path[-1]) is not None
    count = 0
    first = start
    while first < end and count < _MOST:
        last = text.find("\n", first, end)
        last = end if last < 0 else last
        point = _POINT.match(text, first, last)
        if point is not None and is_list:
            item = _item(text, point.end(), last)
            if item is not None:
                count += 1
                yield item
        elif text[first:last].strip():
            is_list = _HEAD.fullmatch(text, first, last) is not None
        first = last + 1


def _item(text: str, first: int, last: int) -> Item | None:
    if not _SHORTEST <= last - first <= _LONGEST or _TICKED.match(text, first, last) is not None:
        return None
    match = _OWNER.match(text, first, last)
    owner = None if match is None else match["owner"] or match["owner_zh"]
    if match is None or owner is None or owner.split()[0].lower() in understanding_rules().not_owners:
        return Item(first, last, (first, last), None)
    return Item(first, last, (match.end(), last), owner)


def without_deadline(text: str, start: int, end: int, day: int | None) -> int:
    """Where a task ends before its day: "Deadline: 20 May" is no part of it."""
    if day is None or not start < day < end:
        return end
    match = _BEHIND.search(text, start, day)
    return match.start() if match is not None and match.start() > start else end
