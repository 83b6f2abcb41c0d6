"""The words and icons for the kinds of things that Famulus knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.domain.labels import EntryKind
from app.domain.text import Text, msg
from app.domain.words import word

if TYPE_CHECKING:
    from app.domain.collecting import SourceInfo

_KIND_ICONS: Final = {
    EntryKind.DOCUMENT: "file",
    EntryKind.NOTE: "note",
    EntryKind.MAIL: "mail",
    EntryKind.EVENT: "calendar",
    EntryKind.TASK: "task",
    EntryKind.CHAT: "chat",
    EntryKind.CONTACT: "note",
    EntryKind.BOOKMARK: "open",
    EntryKind.VISIT: "history",
    EntryKind.PICTURE: "eye",
    EntryKind.VOICE: "chat",
}
_IMPORTS: Final = "imports"
_HANDED_OVER: Final = frozenset({_IMPORTS, "clips"})
_SOURCE_ICONS: Final = {
    "files": "folder",
    "ics": "calendar",
    "caldav": "calendar",
    "imap": "mail",
    "mbox": "mail",
    "chat": "chat",
    "notes": "note",
    "clips": "note",
    "todo": "task",
    "history": "history",
    "bookmarks": "open",
    _IMPORTS: "file",
}
_SCOPES: Final = {"personal": msg("personal"), "work": msg("work"), "imported": msg("imported")}


def kind_name(kind: EntryKind) -> Text:
    """What an entry is, as a word."""
    return word(kind.value)


def kind_icon(kind: EntryKind) -> str:
    """What an entry is, as an icon."""
    return _KIND_ICONS[kind]


def source_icon(kind: str) -> str:
    """What a source is, as an icon."""
    return _SOURCE_ICONS.get(kind, "sources")


def source_name(source: SourceInfo) -> str | Text:
    """What a source is called; the one of files that were taken in once has no name of its own."""
    return msg("Files taken in once") if source.kind == _IMPORTS else source.name


def is_followed(source: SourceInfo) -> bool:
    """Whether its changes are collected; what was taken in once has none."""
    return source.source_id not in _HANDED_OVER


def scope_name(scope: str) -> str | Text:
    """A scope: ours are translated, a person's own stay as they are."""
    return _SCOPES.get(scope, scope)
