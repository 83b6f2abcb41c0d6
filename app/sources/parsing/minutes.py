"""Meeting minutes among notes and documents: when the meeting was, and who was there (G1.1, G2.3).

They are known by what they say of themselves (a heading, labels for date and participants), in English and Chinese. A
note that only opens with a date gets that date and stays a note. Nothing is read out of running text here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import Block, PersonRef, Place
from app.domain.labels import BlockKind, EntryKind
from app.sources.parsing.blocks import one_line
from app.sources.parsing.minutes_dates import date_at_start, date_within

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime, tzinfo

    from app.sources.parsing.parsed import Parsed, ParsedEntry

_KINDS = frozenset({EntryKind.NOTE, EntryKind.DOCUMENT})
_HEAD_BLOCKS = 24
_HEAD_LINES = 60
_TITLE_CHARS = 100
_ITEM_CHARS = 60
_NAME_CHARS = 40
_MOST_PEOPLE = 60
_LOG_DAYS = 3
_TWO = 2

_ADDRESS = re.compile(r"[\w.+\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,5}")
_STRONG_TITLE = re.compile(
    r"\bminutes\b|\bmeeting notes\b|会议纪要|会议记录|例会纪要|周会纪要|会议备忘|纪要$", re.IGNORECASE
)
_TITLE = re.compile(
    r"\b(?:meeting|stand-?up|sync|retrospective|kick-?off)\b|例会|周会|晨会|月会|评审会|启动会|会议", re.IGNORECASE
)
_MARK = r"[\s#>*_\-•]{0,8}"
_COLON = r"[*_\s]{0,4}(?:[:：]|\|)[*_\s]{0,4}"
_PEOPLE = re.compile(
    rf"{_MARK}(?:attendees|participants|present|in attendance|attending|与会人员?|与会者|参会人员?|参会者|"
    rf"出席人员?|出席|参加人员?)"
    rf"(?:\s?[(（][^()（）]{{0,20}}[)）])?{_COLON}(?P<value>.{{0,600}})",
    re.IGNORECASE,
)
_CHAIR = re.compile(
    rf"{_MARK}(?:chair(?:ed by|person|man)?|facilitator|organi[sz]er|host|主持人?|召集人|会议主持){_COLON}"
    r"(?P<value>.{1,100})",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"{_MARK}(?:date|time|when|date and time|meeting date|日期|时间|会议时间|会议日期|开会时间){_COLON}"
    r"(?P<value>.{1,100})",
    re.IGNORECASE,
)
_PEOPLE_HEADING = re.compile(
    r"(?:attendees|participants|present|与会人员?|与会者|参会人员?|出席人员?|参加人员?)[:：]?", re.IGNORECASE
)
_SECTION = re.compile(
    rf"{_MARK}(?:\d{{1,2}}[.)、]\s?|[一二三四五六七八九十]{{1,2}}、)?"
    r"(?:agenda|action items?|decisions?|discussion|next steps|议程|议题|会议内容|会议议题|讨论事项|决议|会议决定|"
    r"待办事项?|行动项|下一步)(?!\w)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s{0,3}(?:[,，、;；|\n]|\band\b|\s&\s|(?<=[\u4e00-\u9fff])[和及](?=[\u4e00-\u9fff]))\s{0,3}", re.IGNORECASE
)
_REMARK = re.compile(r"\s?[(（][^()（）]{0,60}[)）]")
_NO_NAME = re.compile(r"(?:\d+|all|everyone|team|n/?a|none|tbd|等|全体\w{0,4}|所有人|无|\W*)", re.IGNORECASE)
_ABSENT = re.compile(
    r"[(（][^()（）]{0,40}(?:absent|apolog|excused|not present|regrets|请假|缺席|未出席|未到|因故)[^()（）]{0,40}[)）]",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(r"(?:no|absent|apologies|excused|regrets|n|✗|×|否|缺席|请假|未到|未出席|\[ \])", re.IGNORECASE)
_NAME_COLUMN = re.compile(r"(?:name|attendees?|participants?|姓名|与会人员?|参会人员?|出席人员?)", re.IGNORECASE)
_THERE_COLUMN = re.compile(
    r"(?:present|attended|attendance|attending|出席|出席情况|到会|到会情况|签到|是否出席|是否到会|考勤)[?？]?",
    re.IGNORECASE,
)
_GROUP = re.compile(r"[^\s:：@]{1,20}[:：]\s?(?=\S)")
_TICKED = re.compile(r"\[[xX✓]\]")
_CHECK_BOX = re.compile(r"\[[ xX✓]\]\s{0,3}")
_HAN_NAMES = re.compile(r"[\u4e00-\u9fff]{2,4}(?:[ \u3000]{1,3}[\u4e00-\u9fff]{2,4}){1,59}")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)、])\s*")
_ITEM = re.compile(
    r"\s{0,3}(?:\d{1,2}[.)、]\s?\S|[一二三四五六七八九十]{1,3}[、.]|议题|(?:item|topic)\s\d)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Meeting:
    """What minutes say of their meeting."""

    title: str
    at: datetime | None
    people: tuple[PersonRef, ...]


def with_meeting(parsed: Parsed, zone: tzinfo) -> Parsed:
    """Add the date of a note that opens with one, and what minutes say of their meeting."""
    is_plain = parsed.format == "text"
    entries = tuple(
        _looked_at(entry, zone, is_plain=is_plain) if entry.kind in _KINDS else entry for entry in parsed.entries
    )
    return replace(parsed, entries=entries) if entries != parsed.entries else parsed


def _looked_at(entry: ParsedEntry, zone: tzinfo, *, is_plain: bool) -> ParsedEntry:
    lines = list(_lines(entry))
    meeting = _meeting(entry, lines, zone)
    if meeting is not None:
        metadata = {**entry.metadata, "kind": "minutes"}
        known = {person.name for person in entry.people}
        return replace(
            entry,
            title=meeting.title,
            event_time=entry.event_time or meeting.at,
            people=entry.people + tuple(person for person in meeting.people if person.name not in known),
            blocks=tuple(_by_items(entry.blocks)) if is_plain else entry.blocks,
            metadata=MappingProxyType(metadata),
        )
    if entry.event_time is None and lines and (at := _opening_date(entry, lines, zone)) is not None:
        return replace(entry, event_time=at)
    return entry


def _lines(entry: ParsedEntry) -> Iterator[str]:
    count = 0
    for block in entry.blocks[:_HEAD_BLOCKS]:
        if block.kind is BlockKind.CODE:
            continue
        for line in block.text.split("\n"):
            if line.strip():
                yield line
                count += 1
            if count >= _HEAD_LINES:
                return


def _opening_date(entry: ParsedEntry, lines: Sequence[str], zone: tzinfo) -> datetime | None:
    """The date of the first line; none where more lines open with other dates, since that is a log of many days."""
    first = entry.blocks[0].text if entry.blocks else ""
    at = date_at_start(first, zone)
    if at is None:
        return None
    days = {found.date() for line in lines if (found := date_at_start(line, zone)) is not None}
    return at if len(days) < _LOG_DAYS else None


def _meeting(entry: ParsedEntry, lines: Sequence[str], zone: tzinfo) -> _Meeting | None:
    if not lines:
        return None
    heads = [one_line(entry.title), *(block.text for block in entry.blocks[:2] if block.kind is BlockKind.HEADING)]
    opening = lines[0].strip().strip("#*_ ").strip()
    if len(opening) <= _TITLE_CHARS:
        heads.append(opening)
    dated = next((match["value"] for line in lines if (match := _DATE.match(line)) is not None), None)
    people = tuple(_people(entry, lines))
    has_sections = any(_SECTION.match(line) is not None for line in lines)
    is_strong = any(_STRONG_TITLE.search(head) for head in heads)
    is_meeting = is_strong or any(_TITLE.search(head) for head in heads)
    signs = (dated is not None) + bool(people) + has_sections
    is_minutes = (is_strong and signs >= 1) or (is_meeting and people) or (signs >= _TWO and (people or is_meeting))
    if not is_minutes:
        return None
    at = date_within(dated, zone) if dated is not None else None
    at = at or next((found for head in heads if (found := date_within(head, zone)) is not None), None)
    return _Meeting(_title(entry, opening), at or date_at_start(lines[0], zone), people)


def _title(entry: ParsedEntry, opening: str) -> str:
    """The entry's own title, unless it is only a file's name and the first line is one."""
    if entry.blocks and entry.blocks[0].kind is BlockKind.HEADING:
        return entry.title
    is_title = len(opening) <= _TITLE_CHARS and (_STRONG_TITLE.search(opening) or _TITLE.search(opening))
    has_label = any(pattern.match(opening) for pattern in (_PEOPLE, _DATE, _CHAIR))
    return one_line(opening) if is_title and not has_label and opening[-1:] not in "。.；;" else entry.title


def _people(entry: ParsedEntry, lines: Sequence[str]) -> Iterator[PersonRef]:
    seen: set[str] = set()
    listed = [*_listed(entry.blocks[:_HEAD_BLOCKS]), *_roster(entry.blocks[:_HEAD_BLOCKS])]
    found = [(match["value"], "organizer") for line in lines if (match := _CHAIR.match(line)) is not None][:1]
    found += [(match["value"], "attendee") for line in lines if (match := _PEOPLE.match(line)) is not None][:1]
    for value, role in (*found, *((name, "attendee") for name in listed)):
        for name, address in _names(value):
            if name not in seen and len(seen) < _MOST_PEOPLE:
                seen.add(name)
                yield PersonRef(name, address, role)


def _listed(blocks: Sequence[Block]) -> list[str]:
    """The names in a list under a heading or a bare label "Attendees"."""
    for before, block in pairwise(blocks):
        label = before.text.rsplit("\n", 1)[-1].strip().strip("*_# ")
        if _PEOPLE_HEADING.fullmatch(label) and block.kind in {BlockKind.LIST, BlockKind.PARAGRAPH}:
            lines = [_BULLET.sub("", line) for line in block.text.split("\n")[:_MOST_PEOPLE]]
            # where some are ticked, the others were not there
            has_ticks = any(_TICKED.match(line) for line in lines)
            return [_CHECK_BOX.sub("", line) for line in lines if not (has_ticks and line.startswith("[ ]"))]
    return []


def _roster(blocks: Sequence[Block]) -> list[str]:
    """The names in a table with a column of names and one of who was there."""
    for block in blocks:
        if block.kind is not BlockKind.TABLE:
            continue
        rows = [[cell.strip() for cell in line.split(" | ")] for line in block.text.split("\n")[: 1 + _MOST_PEOPLE]]
        names = [at for at, cell in enumerate(rows[0]) if _NAME_COLUMN.fullmatch(cell)]
        there = [at for at, cell in enumerate(rows[0]) if _THERE_COLUMN.fullmatch(cell)]
        if names and there:
            wide = [row for row in rows[1:] if len(row) > max(names[0], there[0])]
            return [row[names[0]] for row in wide if row[there[0]] and not _NOT_THERE.fullmatch(row[there[0]])]
    return []


def _names(value: str) -> Iterator[tuple[str, str]]:
    for part in _parts(value):
        if _ABSENT.search(part):
            continue
        text = _GROUP.sub("", part.strip(), count=1).rstrip("。.").strip("*_ ")
        found = _ADDRESS.search(text)
        address = found[0] if found is not None else ""
        shown = _REMARK.sub("", text.replace(address, "") if address else text).strip().strip("<>()（）").strip()
        shown = shown or address.partition("@")[0]
        if shown and len(shown) <= _NAME_CHARS and not _NO_NAME.fullmatch(shown):
            yield shown, address


def _parts(value: str) -> Iterator[str]:
    """The names of a list; Chinese ones may stand behind each other with a space alone between them."""
    for part in _BETWEEN.split(value):
        text = part.strip().rstrip("。")
        yield from text.split() if _HAN_NAMES.fullmatch(text) else (part,)


def _by_items(blocks: Sequence[Block]) -> Iterator[Block]:
    """Paragraphs of plain text cut where an agenda item begins; a short one with text below it is a heading."""
    for block in blocks:
        lines = block.text.split("\n")
        starts = [number for number, line in enumerate(lines) if _ITEM.match(line)]
        if block.kind not in {BlockKind.PARAGRAPH, BlockKind.LIST} or block.place.first_line is None or not starts:
            yield block
            continue
        edges = sorted({0, *starts, len(lines)})
        for start, end in pairwise(edges):
            yield from _item(block, lines[start:end], start, is_item=start in starts)


def _item(block: Block, lines: list[str], start: int, *, is_item: bool) -> Iterator[Block]:
    first = (block.place.first_line or 1) + start
    head = lines[0].strip()
    if is_item and len(lines) > 1 and len(head) <= _ITEM_CHARS and head[-1:] not in "。.;；!！?？":
        yield Block(BlockKind.HEADING, head, replace(block.place, first_line=first, last_line=first))
        below = Place((*block.place.heading_path, head), None, first + 1, first + len(lines) - 1)
        yield Block(BlockKind.PARAGRAPH, "\n".join(lines[1:]), below)
        return
    kind = BlockKind.PARAGRAPH if len(lines) == 1 else block.kind
    place = replace(block.place, first_line=first, last_line=first + len(lines) - 1)
    yield Block(kind, "\n".join(lines), place)
