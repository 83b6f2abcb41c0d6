"""To-dos in running text: check boxes (`- [ ] ...`), in notes and minutes, each an entry of its own.

Dates are taken where they are marked as one: `📅 2025-05-14`, `due: 2025-05-14`, `[due:: 2025-05-14]`,
`@due(2025-05-14)`, `截止：2025-05-14`, `by 2025-05-14`. Words such as "by Friday" stay in the text; reading them is the
business of layer two, which knows the day on which they were written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import Place
from app.domain.labels import Status
from app.sources.parsing.task_entry import Task, TaskNames, entry_of
from app.sources.parsing.vault import day_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.parsed import About, Parsed, ParsedEntry

_ITEM = re.compile(
    r"(?P<indent>[ \t]{0,200})(?:(?:[-*+]|\d{1,4}[.)])[ \t]{1,8}(?:\[(?P<box>.)\]|(?P<word>[A-Z]{3,9}))|(?P<sign>[☐☑]))"
    r"[ \t]+(?P<text>\S.*)"
)
# What Logseq and Org write below a task
_PLANNED = re.compile(r"[ \t]{0,200}(?P<what>DEADLINE|SCHEDULED): <(?P<day>\d{4}-\d\d-\d\d)[^<>]{0,40}>[ \t]*")
_LINES_BELOW = 2
_QUOTE = re.compile(r"(?:[ \t]{0,3}>[ \t]?){1,10}")
_FENCE = re.compile(r"[ \t]{0,12}(?:[-*+] )?(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_BOXES = {
    **dict.fromkeys(" /<>!☐", Status.ACTIVE),
    **dict.fromkeys("xXvV√✓✔☑", Status.DONE),
    "-": Status.CANCELED,
    **dict.fromkeys(("TODO", "DOING", "NOW", "LATER", "WAITING", "WAIT"), Status.ACTIVE),
    "DONE": Status.DONE,
    **dict.fromkeys(("CANCELED", "CANCELLED"), Status.CANCELED),
}
_DAY = r"\d{4}(?:-\d{1,2}-\d{1,2}|/\d{1,2}/\d{1,2}|年\d{1,2}月\d{1,2}日)(?:[T ]\d{1,2}:\d\d)?"
_SIGNS = {
    **dict.fromkeys("📅📆🗓", "due"),
    **dict.fromkeys("⏳⌛", "scheduled"),
    "🛫": "start",
    "➕": "created",
    **dict.fromkeys("✅☑", "done"),
    "❌": "canceled",
}
_SIGN = re.compile(rf"(?P<sign>[{''.join(_SIGNS)}])\ufe0f?[ \t]{{0,4}}(?P<day>{_DAY})")
_PRIORITIES = {"🔺": "highest", "⏫": "high", "🔼": "medium", "🔽": "low", "⏬": "lowest"}
_PRIORITY = re.compile(rf"([{''.join(_PRIORITIES)}])\ufe0f?")
_REPEAT = re.compile(r"🔁\ufe0f?[ \t]{0,4}([\w ,]{1,60})")
_OTHER_SIGN = re.compile(r"(?:🆔|⛔|🏁)\ufe0f?[ \t]{0,4}[\w,-]{1,60}")
_FIELD = re.compile(r"[\[(]([\w-]{1,30})::[ \t]{0,4}([^\[\]()\n]{1,200})[\])]")
_WORDS = {
    **dict.fromkeys(
        ("due", "deadline", "by", "before", "until", "截止", "截止日期", "截止时间", "到期", "期限"), "due"
    ),
    **dict.fromkeys(("done", "completed", "completion", "finished", "完成于", "完成时间", "完成日期"), "done"),
    **dict.fromkeys(("scheduled", "计划"), "scheduled"),
    **dict.fromkeys(("start", "开始"), "start"),
    **dict.fromkeys(("created", "创建于", "创建"), "created"),
    **dict.fromkeys(("repeat", "recurrence", "rec"), "repeat"),
    **dict.fromkeys(("owner", "assignee", "assigned", "负责人", "责任人"), "owner"),
    "priority": "priority",
    "project": "project",
    "id": "id",
}
_AT = re.compile(rf"@(due|done|start|deadline)[ \t]?\(({_DAY})\)|@\{{(?P<kanban>{_DAY})\}}", re.IGNORECASE)
_GAP = r"[ \t]{0,2}[:：][ \t]{0,2}"
_ENGLISH = rf"(?<![\w-])(?P<word>due|deadline|by|before|until|done|completed)(?:{_GAP}|[ \t]{{1,2}}(?:on[ \t])?)"
_CHINESE = rf"(?P<chinese>截止日期|截止时间|截止|到期|期限|完成于|完成时间|完成日期)(?:{_GAP}|[ \t]{{0,2}})"
_NAMED = re.compile(rf"(?:{_ENGLISH}|{_CHINESE})(?P<day>{_DAY})(?!\d)", re.IGNORECASE)
_BEFORE = re.compile(rf"(?P<day>{_DAY})[ \t]?(?:之前|以前|前(?![往后夕台端沿面]))")
_OWNER = re.compile(
    r"[(（]?(?<![\w-])(?:owner|assignee|负责人|责任人)[ \t]{0,2}[:：][ \t]{0,2}([\w·.-]{1,40})[)）]?", re.IGNORECASE
)
_BLOCK_ID = re.compile(r"[ \t]\^([A-Za-z0-9-]{1,60})[ \t]*$")
_TAG = re.compile(r"(?:^|(?<=\s))#([\w/-]{1,100})")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_EMPHASIS = re.compile(r"\*\*|__|~~|==|`")
_SPACES = re.compile(r"[ \t]{2,}")
_EMPTY = re.compile(r"(?<!\w)[(（\[【][ \t,，;；]{0,4}[)）\]】]|[（【][ \t,，;；]{0,4}[）】]")
"""Brackets of which the mark was cut out; those of a call, as in run(), stand behind a word."""
_MAX_TASKS = 5_000
_MAX_LINE = 4_000
_TAB = 4


@dataclass(slots=True)
class _Open:
    """An item under which deeper ones stand."""

    indent: int
    fragment: str
    words: str


def with_tasks(parsed: Parsed, text: str, about: About) -> Parsed:
    """Add the to-dos of a text to what it was understood as; those of a page of the web are nobody's here."""
    is_of_the_web = any(entry.metadata.get("origin") for entry in parsed.entries)
    if is_of_the_web or about.kind == "clips" or about.depth:
        return parsed
    tasks = tasks_in(text, about)
    if not tasks:
        return parsed
    facts = MappingProxyType({**parsed.facts, "todos": len(tasks)})
    return replace(parsed, entries=(*parsed.entries, *tasks), facts=facts)


def tasks_in(text: str, about: About) -> tuple[ParsedEntry, ...]:
    """An entry for each check box outside of code, in order. What stands below another one is a part of it."""
    names = TaskNames()
    noted = day_of(about.stem, about.zone)
    above: list[_Open] = []
    entries: list[ParsedEntry] = []
    for number, headings, match, planned in _items(text):
        if len(entries) == min(_MAX_TASKS, about.limits.entries):
            break
        status = _BOXES.get(match["box"] or match["word"] or match["sign"])
        found = _read(match["text"])
        found.marks.update((name, day) for name, day in planned.items() if name not in found.marks)
        if status is None or not found.words:
            continue
        indent = len(match["indent"].expandtabs(_TAB))
        while above and above[-1].indent >= indent:
            above.pop()
        parent = above[-1] if above else None
        key = found.marks.pop("id", "") or (parent.words if parent is not None else "")
        fragment = names.name("" if found.has_id else found.words, key)
        above.append(_Open(indent, fragment, found.words))
        place = Place(heading_path=headings, first_line=number, last_line=number)
        if noted is not None:
            found.marks.setdefault("created", noted.date().isoformat())  # "by Friday" is seen from the note's day
        entries.append(entry_of(_task(found, status, place, parent), fragment, about.zone))
    return tuple(entries)


@dataclass(frozen=True, slots=True)
class _Found:
    """The text of an item, taken apart. `has_id`: it bears a name of its own, which stays when its words change."""

    words: str
    marks: dict[str, str]
    tags: str
    has_id: bool


def _task(found: _Found, status: Status, place: Place, parent: _Open | None) -> Task:
    marks = found.marks
    metadata = {name: marks.get(name, "") for name in ("owner", "priority", "project", "scheduled", "start")}
    return Task(
        text=found.words,
        status=status,
        due=marks.get("due", ""),
        completed=marks.get("done", "") if status is Status.DONE else "",
        created=marks.get("created", ""),
        parent=parent.fragment if parent is not None else None,
        place=place,
        metadata=MappingProxyType({**metadata, "recurrence": marks.get("repeat", ""), "tags": found.tags}),
    )


def _items(text: str) -> Iterator[tuple[int, tuple[str, ...], re.Match[str], dict[str, str]]]:
    """Lines with a check box, with their numbers (from 1), the headings above them, and the dates below them."""
    fence = ""
    headings: list[tuple[int, str]] = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, raw in enumerate(lines, start=1):
        line = raw[:_MAX_LINE]
        quote = _QUOTE.match(line)
        line = line[quote.end() :] if quote is not None else line
        mark = _FENCE.match(line)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        if fence or mark is not None:
            continue
        if (heading := _HEADING.match(line)) is not None:
            level = len(heading[1])
            headings = [*(one for one in headings if one[0] < level), (level, heading[2].strip()[:200])]
        elif (match := _ITEM.match(line)) is not None:
            planned = _planned(lines[number : number + _LINES_BELOW])
            yield number, tuple(name for _, name in headings), match, planned


def _planned(below: list[str]) -> dict[str, str]:
    found = {}
    for line in below:
        match = _PLANNED.fullmatch(line[:_MAX_LINE])
        if match is None:
            break
        found["due" if match["what"] == "DEADLINE" else "scheduled"] = match["day"]
    return found


def _read(text: str) -> _Found:
    """Take the marks out of an item's text."""
    marks: dict[str, str] = {}
    block_id = _BLOCK_ID.search(text)
    text = _BLOCK_ID.sub("", text)

    def keep(name: str, value: str) -> str:
        marks.setdefault(name, value.strip())
        return ""

    def field(match: re.Match[str]) -> str:
        name = _WORDS.get(match[1].lower())
        return match[0] if name is None else keep(name, match[2])

    def at(match: re.Match[str]) -> str:
        return keep("due", match["kanban"]) if match["kanban"] else keep(_WORDS[match[1].lower()], match[2])

    text = _FIELD.sub(field, text)
    text = _SIGN.sub(lambda match: keep(_SIGNS[match["sign"]], match["day"]), text)
    text = _REPEAT.sub(lambda match: keep("repeat", match[1]), text)
    text = _PRIORITY.sub(lambda match: keep("priority", _PRIORITIES[match[1]]), text)
    text = _AT.sub(at, _OTHER_SIGN.sub("", text))
    text = _NAMED.sub(lambda match: keep(_WORDS[(match["word"] or match["chinese"]).lower()], match["day"]), text)
    text = _BEFORE.sub(lambda match: keep("due", match["day"]), text)
    text = _OWNER.sub(lambda match: keep("owner", match[1]), text)
    tags = " ".join(dict.fromkeys(_TAG.findall(text)))
    text = _WIKILINK.sub(lambda match: match[2] or match[1], _TAG.sub("", text))
    if marks:
        text = _EMPTY.sub("", text)
    words = _SPACES.sub(" ", _EMPHASIS.sub("", text)).strip(" \t,，;；")
    if block_id is not None:
        marks.setdefault("id", block_id[1])
    return _Found(words, marks, tags, has_id="id" in marks)
