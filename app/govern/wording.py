"""Events, mails and tasks as sentences, so that words and meaning find them by date, place and people (G2.3, X9.3).

The sentences become part of the passage and are in the language of the title. Structure stays the truth: what is due
when is answered from occurrences and tasks, not from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Status
from app.govern.language import detect_question

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.entries import Entry, EventFacts, Occurrence, TaskFacts

_WEEKDAYS_EN = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAYS_ZH = ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Words:
    """The few words that the sentences need."""

    at: str
    with_people: str
    written_by: str
    sent_to: str
    due: str
    repeats: str
    all_day: str
    canceled: str
    done: str
    between_people: str


_EN = _Words("at", "with", "from", "to", "due", "repeats until", "all day", "canceled", "done", ", ")
_ZH = _Words("地点：", "参与者：", "发件人：", "收件人：", "截止：", "重复至", "全天", "已取消", "已完成", "、")


def opening(entry: Entry) -> str:
    """The sentence that stands before an entry's own text; empty for documents and notes."""
    is_chinese = detect_question(entry.title or entry.blocks[0].text if entry.blocks else entry.title) == "zh"
    words = _ZH if is_chinese else _EN
    if entry.event is not None:
        return _lines(entry.title, *_event_lines(entry, entry.event, words))
    if entry.task is not None:
        return _lines(entry.title, *_task_lines(entry, entry.task, words))
    if entry.kind is EntryKind.MAIL:
        return _lines(entry.title, *_mail_lines(entry, words))
    return ""


def day_words(instant: datetime, *, is_chinese: bool) -> str:
    """A date as people write it, with its weekday, in the zone that it came with."""
    if is_chinese:
        return f"{instant.year}年{instant.month}月{instant.day}日 {_WEEKDAYS_ZH[instant.weekday()]}"
    return f"{_WEEKDAYS_EN[instant.weekday()]} {instant.day} {_MONTHS[instant.month - 1]} {instant.year}"


def _lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part.strip())


def _event_lines(entry: Entry, event: EventFacts, words: _Words) -> list[str]:
    lines = []
    if event.occurrences:
        first, last = event.occurrences[0], event.occurrences[-1]
        lines.append(_span_words(first, words))
        if event.is_recurring and last is not first:
            lines.append(f"{words.repeats} {day_words(last.start, is_chinese=words is _ZH)}")
        if all(occurrence.is_canceled for occurrence in event.occurrences):
            lines.append(words.canceled)
    if event.location:
        lines.append(_joined(words.at, event.location))
    people = _people(entry, {"organizer", "attendee", "owner"}, words)
    if people:
        lines.append(_joined(words.with_people, people))
    return lines


def _span_words(occurrence: Occurrence, words: _Words) -> str:
    is_chinese = words is _ZH
    start, end = occurrence.start, occurrence.end
    day = day_words(start, is_chinese=is_chinese)
    if occurrence.is_all_day:
        last_day = max(start, end - timedelta(days=1))
        until = "" if last_day.date() <= start.date() else f" - {day_words(last_day, is_chinese=is_chinese)}"
        return f"{day}{until}, {words.all_day}"
    until = f"{end:%H:%M}" if end.date() == start.date() else f"{day_words(end, is_chinese=is_chinese)} {end:%H:%M}"
    return f"{day}, {start:%H:%M} - {until}"


def _task_lines(entry: Entry, task: TaskFacts, words: _Words) -> list[str]:
    lines = []
    if task.due_at is not None:
        lines.append(_joined(words.due, day_words(task.due_at, is_chinese=words is _ZH)))
    if task.status is Status.DONE:
        lines.append(words.done)
    if task.status is Status.CANCELED:
        lines.append(words.canceled)
    owner = task.owner or _people(entry, {"owner"}, words)
    if owner:
        lines.append(_joined(words.with_people, owner))
    return lines


def _mail_lines(entry: Entry, words: _Words) -> list[str]:
    lines = []
    authors, recipients = _people(entry, {"author"}, words), _people(entry, {"recipient"}, words)
    if authors:
        lines.append(_joined(words.written_by, authors))
    if recipients:
        lines.append(_joined(words.sent_to, recipients))
    if entry.event_time is not None:
        lines.append(day_words(entry.event_time, is_chinese=words is _ZH))
    return lines


def _people(entry: Entry, roles: set[str], words: _Words) -> str:
    """Up to ten names; a person without a name is called by their address."""
    names = [person.name or person.address for person in entry.people if person.role in roles]
    return words.between_people.join(dict.fromkeys(name for name in names[:10] if name))


def _joined(word: str, rest: str) -> str:
    return f"{word}{rest}" if word.endswith("：") else f"{word} {rest}"
