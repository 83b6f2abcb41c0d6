"""The words and icons for the kinds of things that Famulus knows."""

from __future__ import annotations

from typing import Final

from app.domain.labels import EntryKind
from app.domain.text import Text, msg

_KINDS: Final = {
    EntryKind.DOCUMENT: (msg("document"), "file"),
    EntryKind.NOTE: (msg("note"), "note"),
    EntryKind.MAIL: (msg("mail"), "mail"),
    EntryKind.EVENT: (msg("event"), "calendar"),
    EntryKind.TASK: (msg("task"), "task"),
    EntryKind.CHAT: (msg("chat"), "chat"),
}
_SOURCES: Final = {"files": (msg("Folder"), "folder"), "ics": (msg("Calendar"), "calendar")}
_SCOPES: Final = {"personal": msg("personal"), "work": msg("work"), "imported": msg("imported")}


def kind_name(kind: EntryKind) -> Text:
    """What an entry is, as a word."""
    return _KINDS[kind][0]


def kind_icon(kind: EntryKind) -> str:
    """What an entry is, as an icon."""
    return _KINDS[kind][1]


def source_name(kind: str) -> Text:
    """What a source is; a kind that came later keeps its own word."""
    return _SOURCES[kind][0] if kind in _SOURCES else Text(kind.replace("{", "{{").replace("}", "}}"))


def source_icon(kind: str) -> str:
    """What a source is, as an icon."""
    return _SOURCES[kind][1] if kind in _SOURCES else "sources"


def scope_name(scope: str) -> str | Text:
    """A scope: ours are translated, a person's own stay as they are."""
    return _SCOPES.get(scope, scope)
