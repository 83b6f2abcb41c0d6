"""To-dos as entries, whichever list they stand in: todo.txt, Taskwarrior, a check box in a note.

A task is known by its words and not by its line: moved, ticked or given another date it is the same task, and the store
keeps its versions in a chain (G3.3).
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import Block, Place, TaskFacts
from app.domain.labels import BlockKind, EntryKind, Status
from app.sources.parsing.blocks import clean, one_line
from app.sources.parsing.dates import read_instant
from app.sources.parsing.parsed import ParsedEntry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

_SPACES = re.compile(r"\s+")
_MAX_TEXT = 20_000
_MAX_VALUE = 500
_MAX_DATE = 40


@dataclass(frozen=True, slots=True)
class Task:
    """One to-do as its list has it.

    Attributes:
        text: what is to be done, without marks.
        key: what it is known by, apart from its words: an id of the list's own, the words of its parent.
        due, completed: as written; what is no date counts as none.
        notes: further lines of it.
        parent: the fragment of the task that it is a part of.
    """

    text: str
    status: Status
    key: str = ""
    due: str = ""
    completed: str = ""
    created: str = ""
    notes: str = ""
    parent: str | None = None
    place: Place = field(default_factory=Place)
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class TaskNames:
    """Gives every task of a file its fragment. Tasks with the same words are counted, in their order."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def name(self, text: str, key: str = "") -> str:
        """The fragment of the next task with these words."""
        words = _SPACES.sub(" ", unicodedata.normalize("NFKC", clean(text))).strip().casefold()
        digest = hashlib.sha256(f"{key}\n{words}".encode()).hexdigest()[:20]
        count = self._counts[digest] = self._counts.get(digest, 0) + 1
        return f"task-{digest}" if count == 1 else f"task-{digest}-{count}"


def entry_of(task: Task, fragment: str, zone: tzinfo) -> ParsedEntry:
    """The entry of one task. A day without a time is its first instant in `zone`."""
    due, completed, created = (
        read_instant(value[:_MAX_DATE], zone) if value else None for value in (task.due, task.completed, task.created)
    )
    text = clean(task.text).strip()[:_MAX_TEXT]
    title = one_line(text)
    metadata = {key: one_line(value, _MAX_VALUE) for key, value in task.metadata.items() if value.strip()}
    facts = TaskFacts(task.status, due, completed, metadata.get("owner"), task.parent)
    lines = [text, metadata.get("tags", ""), clean(task.notes).strip()[:_MAX_TEXT]]
    if due is not None and due.date().isoformat() not in text:
        lines.insert(1, due.date().isoformat())
    canonical = [lines, task.status.value, str(due), str(completed), task.parent, sorted(metadata.items())]
    return ParsedEntry(
        kind=EntryKind.TASK,
        title=title,
        blocks=(Block(BlockKind.PARAGRAPH, "\n".join(filter(None, lines)), task.place),),
        fragment=fragment,
        content_hash=hashlib.sha256(json.dumps(canonical, ensure_ascii=False).encode()).hexdigest(),
        created_at=created,
        event_time=due,
        status=task.status,
        task=facts,
        metadata=MappingProxyType(metadata),
    )
