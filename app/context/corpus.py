"""A labelled corpus as entries: every row is a message of a conversation, or a memory by itself (see `batch`)."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from app.context.when import find_when
from app.domain.entries import Block, Entry, Place
from app.domain.errors import BadInput
from app.domain.labels import BlockKind, EntryKind
from app.domain.text import msg
from app.govern.language import detect
from app.sources.parsing.dates import storable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    Row = Mapping[str, Any]

SHARED = "everyone"
"""The scope of rows that belong to no user."""

_CLOCK = re.compile(r"\b(?P<hour>\d{1,2}):(?P<minute>\d\d)(?:\s*(?P<half>[ap])\.?m\b)?", re.IGNORECASE)


def scope_of(user: object) -> str:
    """The scope that keeps a user's rows from others."""
    return SHARED if user is None else f"user-{user}"


def read_corpus(path: Path) -> list[Row]:
    """The rows of a corpus; raises `BadInput` naming the first bad one."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError) as error:  # no UTF-8, or no name that a file can have
        raise _bad(msg("The corpus {name} cannot be read.", name=path.name)) from error
    rows: list[Row] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if (
            not isinstance(row, dict)
            or not isinstance(row.get("id"), str | int)
            or not isinstance(row.get("text"), str)
        ):
            raise _bad(msg("Line {line} of the corpus {name} has no id and text.", line=number, name=path.name))
        rows.append(row)
    return rows


def entries_of(rows: Sequence[Row], source_id: str, scope: str, now: datetime) -> Iterator[Entry]:
    """The rows of one scope, a conversation for each session and an entry for each row without one."""
    sessions: dict[str, list[Row]] = {}
    for place, row in enumerate(rows):
        if scope_of(row.get("user")) == scope:
            session = row.get("session")
            sessions.setdefault(f"row-{place}" if session is None else f"session-{session}", []).append(row)
    for name, members in sessions.items():
        yield _entry(members, name, source_id, now)


def _entry(rows: Sequence[Row], name: str, source_id: str, now: datetime) -> Entry:
    blocks = tuple(
        Block(BlockKind.PARAGRAPH, _said(row), Place(message_id=str(row["id"]))) for row in rows if row["text"].strip()
    )
    moment = _moment(rows[0].get("time"), now)
    text = "\n".join(block.text for block in blocks)
    return Entry(
        source_id=source_id,
        native_id=name,
        kind=EntryKind.CHAT,
        title="",
        source_uri=f"corpus:{name}",
        content_hash=hashlib.sha256(f"{name}\n{text}".encode("utf-8", "surrogatepass")).hexdigest(),
        blocks=blocks,
        created_at=moment or now,
        updated_at=moment or now,
        event_time=moment,
        language=detect(text),
    )


def _said(row: Row) -> str:
    speaker = row.get("speaker")
    return f"{speaker}: {row['text']}" if isinstance(speaker, str) and speaker else str(row["text"])


def _moment(text: object, now: datetime) -> datetime | None:
    """The time of a row: ISO 8601, or a date and a time of day in words; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        found = find_when(text, now)
        if found is None:
            return None
        moment = datetime.combine(found.span.start, _time_of_day(text))
    return storable(moment, now.tzinfo or UTC)


def _time_of_day(text: str) -> time:
    match = _CLOCK.search(text)
    if match is None:
        return time.min
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return time(hour, int(match["minute"]))
    except ValueError:
        return time.min


def _bad(what: Any) -> BadInput:  # noqa: ANN401 - a Text
    return BadInput(
        what,
        next_step=msg(
            "Give a file with one JSON object a line: id, text, and where known time, speaker, session, user."
        ),
    )
