"""Tables of actions, as minutes end with them: what, who, until when, in columns (G2.4).

    Action | Owner | Due               事项 | 负责人 | 截止日期
    Send the slides | Ann | 14 May     交报告 | 张三 | 5月14日

A table counts where its header names the thing to do, and somebody or a day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_I = re.IGNORECASE
_TASK = re.compile(
    r"(?:action(?: items?| points?)?|tasks?|to-?dos?|what|next steps?|work items?|"
    r"待办(?:事项)?|任务(?:名称|内容)?|(?:工作)?事项|行动项|工作(?:内容|任务))",
    _I,
)
_OWNER = re.compile(
    r"(?:owners?|who|assignees?|assigned to|responsible|person responsible|lead|负责人|责任人|执行人|经办人|承办人|谁)",
    _I,
)
_DUE = re.compile(
    r"(?:due(?: date| by)?|deadlines?|by|by when|when|until|target date|"
    r"截止(?:日期|时间)?|期限|完成(?:时间|日期|期限)|到期日?|时限)",
    _I,
)
_STATUS = re.compile(r"(?:status|state|done|状态|进度|完成情况)", _I)
_FINISHED = re.compile(r"(?:done|finished|completed?|closed|x|✓|✔|☑|yes|已完成|完成|已关闭|是|100%)", _I)
_NOBODY = frozenset(
    {"", "-", "--", "—", "/", "tbd", "tba", "n/a", "none", "?", "待定", "无", "all", "everyone", "全体"}
)
_LEAST_COLUMNS, _MOST_COLUMNS = 2, 12
_LONGEST_LINE = 600


@dataclass(frozen=True, slots=True)
class Row:
    """A task of a table; places in the text. `is_done`: its own column says so."""

    start: int
    end: int
    task: tuple[int, int]
    owner: str | None
    due: tuple[int, int] | None
    is_done: bool


def find_rows(text: str, start: int, end: int) -> Iterator[Row]:
    """The tasks of the tables within [start, end) of a text."""
    columns: dict[str, int] | None = None
    count = 0
    for first, last in _lines(text, start, end):
        cells = _cells(text, first, last)
        if not _LEAST_COLUMNS <= len(cells) <= _MOST_COLUMNS:
            columns = None
            continue
        found = _header([text[slice(*cell)] for cell in cells])
        if found is not None:
            columns, count = found, len(cells)
        elif columns is not None and len(cells) == count:
            row = _row(text, (first, last), cells, columns)
            if row is not None:
                yield row


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    while first < end:
        last = text.find("\n", first, end)
        last = end if last < 0 else last
        if "|" in text[first : min(last, first + _LONGEST_LINE)] and last - first <= _LONGEST_LINE:
            yield first, last
        elif text[first:last].strip():
            yield first, first  # another line ends the table
        first = last + 1


def _cells(text: str, first: int, last: int) -> list[tuple[int, int]]:
    while first < last and text[first] in " \t":
        first += 1
    while last > first and text[last - 1] in " \t\r":
        last -= 1
    # a bar at the end belongs to one at the beginning; else there is an empty cell behind it
    if text.startswith("|", first, last):
        first += 1
        last -= last > first and text[last - 1] == "|"
    cells: list[tuple[int, int]] = []
    while first <= last:
        bar = text.find("|", first, last)
        stop = last if bar < 0 else bar
        left, right = first, stop
        while left < right and text[left] in " \t*_":
            left += 1
        while right > left and text[right - 1] in " \t*_\r":
            right -= 1
        cells.append((left, right))
        first = stop + 1
    return cells


def _header(cells: list[str]) -> dict[str, int] | None:
    columns: dict[str, int] = {}
    for place, cell in enumerate(cells):
        for name, form in (("task", _TASK), ("owner", _OWNER), ("due", _DUE), ("status", _STATUS)):
            if name not in columns and form.fullmatch(cell.strip()):
                columns[name] = place
                break
    return columns if "task" in columns and ("owner" in columns or "due" in columns) else None


def _row(text: str, line: tuple[int, int], cells: list[tuple[int, int]], columns: dict[str, int]) -> Row | None:
    task = cells[columns["task"]]
    title = text[slice(*task)]
    if not re.search(r"\w", title):
        return None  # the line of dashes under a header
    owner = text[slice(*cells[columns["owner"]])] if "owner" in columns else ""
    state = text[slice(*cells[columns["status"]])] if "status" in columns else ""
    return Row(
        start=line[0],
        end=line[1],
        task=task,
        owner=None if owner.strip().casefold() in _NOBODY else owner.strip(),
        due=cells[columns["due"]] if "due" in columns else None,
        is_done=_FINISHED.fullmatch(state.strip()) is not None,
    )
