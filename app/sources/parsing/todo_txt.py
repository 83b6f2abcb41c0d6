"""Lists in the todo.txt format: a task on each line, with priority, dates, `+project`, `@context` and `key:value`."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import Place
from app.domain.labels import Status
from app.domain.text import msg
from app.sources.parsing.parsed import Parsed
from app.sources.parsing.plain_text import decoding_warnings
from app.sources.parsing.task_entry import Task, TaskNames, entry_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.text import Text
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About, ParsedEntry

_DONE = re.compile(r"[xX] +")
_PRIORITY = re.compile(r"\(([A-Z])\) +")
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?: +|$)")
# A name has a letter: +1 is praise
_PROJECT = re.compile(r"(?:^|(?<=\s))\+(?=\S{0,99}[^\W\d_])([^\s\[\]()]{1,100})")
_CONTEXT = re.compile(r"(?:^|(?<=\s))@(?=\S{0,99}[^\W\d_])([^\s\[\]()]{1,100})")
# A value is no address (https://...), and a clock (10:30) is no key
_PAIR = re.compile(r"(?:^|(?<=\s))([A-Za-z][\w-]{0,30}):(?!//)(\S{1,200})(?=\s|$)")
# Behind the sentence they sort it; within it they are words of it
_TRAILING = re.compile(r"(?:(?:^|\s+)[+@](?=\S{0,99}[^\W\d_])[^\s\[\]()]{1,100}){1,50}$")
_SPACES = re.compile(r"\s+")
_KNOWN_KEYS = frozenset({"due", "rec", "t", "pri", "id", "p", "h", "uuid"})
_MAX_LINE = 20_000


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read the list; the facts count its tasks."""
    names = TaskNames()
    entries: list[ParsedEntry] = []
    warnings: tuple[Text, ...] = decoding_warnings(decoded)
    for number, line in _lines(decoded.text):
        if len(entries) == about.limits.entries:
            warnings += (msg("Only the first {count} entries were taken in.", count=len(entries)),)
            break
        if (task := read_line(line, number)) is not None:
            entries.append(entry_of(task, names.name(task.text, task.key), about.zone))
    return Parsed("todo.txt", tuple(entries), warnings, facts=MappingProxyType({"todos": len(entries)}))


def read_line(line: str, number: int) -> Task | None:
    """One line as a task; None for one without words."""
    rest, is_done = _cut(_DONE, line.strip()[:_MAX_LINE])
    rest, priority = _cut(_PRIORITY, rest)
    rest, first = _cut(_DATE, rest)
    rest, second = _cut(_DATE, rest) if is_done and first else (rest, "")
    completed, created = (first, second) if is_done else ("", first)
    pairs = {key.lower(): value for key, value in _PAIR.findall(rest) if key.lower() in _KNOWN_KEYS}
    text = _PAIR.sub(lambda match: "" if match[1].lower() in _KNOWN_KEYS else match[0], rest).strip()
    words = _SPACES.sub(" ", _TRAILING.sub("", text)) or text
    projects, contexts = _PROJECT.findall(rest), _CONTEXT.findall(rest)
    if not words:
        return None
    tags = " ".join(dict.fromkeys([*projects, *contexts]))
    metadata = {
        "priority": priority or pairs.get("pri", ""),
        "tags": tags,
        "project": projects[0] if projects else "",
        "start": pairs.get("t", ""),
        "recurrence": pairs.get("rec", ""),
    }
    return Task(
        text=words,
        status=Status.DONE if is_done else Status.ACTIVE,
        # a task that comes again is another one: its day of creation tells them apart
        key=created if "rec" in pairs else "",
        due=pairs.get("due", ""),
        completed=completed,
        created=created,
        place=Place(first_line=number, last_line=number),
        metadata=MappingProxyType(metadata),
    )


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """What follows a mark at the beginning, and the mark (or the part of it that tells something)."""
    match = pattern.match(text)
    if match is None:
        return text, ""
    return text[match.end() :], match[1] if match.lastindex else match[0]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        if line.strip():
            yield number, line
