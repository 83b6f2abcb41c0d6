"""The cursor of a mailbox: which message lies under which number, a row for every few hundred numbers of a folder.

A row is written anew when something under its numbers changes, so a mailbox of 100,000 messages moves its cursor by
some kilobytes for each mail that comes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.sources.parsing.wire import text_from_dict, text_to_dict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.domain.text import Text
    from app.sources.contract import CursorReader

_BLOCK = 256
_FOLDER, _MESSAGES = "folder", "messages"
READERS_KEY = "readers"
Numbering = tuple[str, int]
"""A folder's name and the validity of its numbers."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A message under a number. `reason`: why it could not be read; None: it is an entry."""

    native_id: str
    flags: str
    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A folder at the end of the last whole sync; see `connection.FolderState`."""

    validity: int
    next_uid: int
    count: int
    modseq: int


Messages = dict[Numbering, dict[int, Lying]]


@dataclass(slots=True)
class MailboxRows:
    """All rows, read."""

    folders: dict[str, FolderRow] = field(default_factory=dict)
    messages: Messages = field(default_factory=dict)


def read_rows(cursor: CursorReader) -> MailboxRows:
    """What the cursor says; a row that makes no sense is as if it were not there, and its messages are read anew."""
    rows = MailboxRows()
    for key, text in cursor.items():
        try:
            _take(rows, key, json.loads(text))
        except (ValueError, TypeError, KeyError, AttributeError, IndexError):
            continue
    return rows


def forget_refusals(rows: MailboxRows) -> None:
    """Since more can be read now, what was refused before is to be tried again, and looked for in its folder."""
    for (name, _), held in rows.messages.items():
        refused = [uid for uid, lying in held.items() if lying.reason is not None]
        for uid in refused:
            del held[uid]
        if refused:
            rows.folders.pop(name, None)


def message_rows(numbering: Numbering, messages: Mapping[int, Lying], uids: Iterable[int]) -> dict[str, str | None]:
    """The rows that hold these numbers; None for one that is empty."""
    name, validity = numbering
    rows: dict[str, str | None] = {}
    for block in sorted({uid // _BLOCK for uid in uids}):
        held = {
            str(uid): _values(messages[uid]) for uid in range(block * _BLOCK, (block + 1) * _BLOCK) if uid in messages
        }
        rows[f"{_MESSAGES} {validity} {block} {name}"] = _json(held) if held else None
    return rows


def folder_row(name: str, row: FolderRow | None) -> dict[str, str | None]:
    """The row of a folder; None removes it."""
    text = None if row is None else _json([row.validity, row.next_uid, row.count, row.modseq])
    return {f"{_FOLDER} {name}": text}


def _take(rows: MailboxRows, key: str, values: Any) -> None:  # noqa: ANN401 - it is what is being checked
    kind, _, rest = key.partition(" ")
    if kind == _FOLDER:
        rows.folders[rest] = FolderRow(*(int(value) for value in values))
    elif kind == _MESSAGES:
        validity, _, name = rest.split(" ", 2)
        held = {int(uid): _lying(*value) for uid, value in values.items()}
        rows.messages.setdefault((name, int(validity)), {}).update(held)


def _lying(native_id: str, flags: str, reason: object = None) -> Lying:
    return Lying(str(native_id), str(flags), None if reason is None else text_from_dict(reason))


def _values(lying: Lying) -> list[object]:
    values: list[object] = [lying.native_id, lying.flags]
    return values if lying.reason is None else [*values, text_to_dict(lying.reason)]


def _json(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
