"""The words and icons for the kinds of things that Famulus knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.domain.clients import ClientState
from app.domain.context_item import OWNER
from app.domain.labels import EntryKind, Sensitivity
from app.domain.text import Text, msg
from app.domain.words import word

if TYPE_CHECKING:
    from app.domain.collecting import SourceInfo

DOT: Final = "  \N{MIDDLE DOT}  "
"""Between facts on one line."""
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
_SENSITIVITY_ICONS: Final = {
    Sensitivity.PUBLIC: "eye",
    Sensitivity.INTERNAL: "folder",
    Sensitivity.CONFIDENTIAL: "lock",
    Sensitivity.HIGHLY_SENSITIVE: "shield",
}
_CLIENT_STATES: Final = {
    ClientState.WAITING: ("asks", "asks", msg("asks you")),
    ClientState.ACTIVE: ("done", "accent", msg("may read")),
    ClientState.REVOKED: ("stop", "ink_soft", msg("revoked")),
    ClientState.EXPIRED: ("clock", "asks", msg("expired")),
}
_LAID_OUT: Final = frozenset("\n\t \N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}\N{ZERO WIDTH JOINER}")
"""Spaces, and what joins the parts of one emoji."""
_ACTIONS: Final = {
    "search": ("search", msg("Search")),
    "ask": ("ask", msg("Question")),
    "item": ("file", msg("One item")),
    "agenda": ("calendar", msg("Agenda")),
    "tasks": ("task", msg("Tasks")),
    "facts": ("info", msg("Facts")),
    "prepare": ("prepare", msg("Prepare")),
    "remember": ("inbox", msg("Suggestion")),
    "outcome": ("check", msg("Told how an answer was")),
    "hello": ("agents", msg("Said hello")),
    "templates": ("prepare", msg("Templates")),
    "ask_access": ("asks", msg("Access was asked for")),
    "allow": ("done", msg("Access was allowed")),
    "deny": ("stop", msg("Access was denied")),
    "change": ("settings", msg("Access was changed")),
    "revoke": ("stop", msg("Access was revoked")),
    "remove": ("trash", msg("The agent was removed")),
    "token": ("key", msg("A new token was made")),
}
_REFUSALS: Final = {
    "denied": msg("it may not"),
    "refused": msg("beyond its limits"),
    "rate_limited": msg("too many requests"),
    "bad_input": msg("it could not be understood"),
    "cancelled": msg("it was stopped"),
    "unavailable": msg("not available then"),
    "too_big": msg("too big"),
}
_SPANS: Final = {
    "next 7 days": msg("next 7 days"),
    "next 14 days": msg("next 14 days"),
    "next 3 months": msg("next 3 months"),
    "last 3 months": msg("last 3 months"),
    "last 6 months": msg("last 6 months"),
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


def span_names(window: str) -> list[str | Text]:
    """The spans that a template looks at; one that a field gives is told by that field."""
    return [_SPANS.get(span, span) for span in window.split(", ") if span and "{" not in span]


def sensitivity_icon(level: Sensitivity) -> str:
    """How much harm a leak would do, as an icon."""
    return _SENSITIVITY_ICONS[level]


def client_state(state: ClientState) -> tuple[str, str, Text]:
    """Whether a client gets anything: an icon, its colour, and a word."""
    return _CLIENT_STATES[state]


def client_name(name: str) -> str | Text:
    """Who asked; the person's own shells are the person."""
    return msg("you") if name == OWNER else name


def action_name(action: str) -> str | Text:
    """What was asked for, as words."""
    return _ACTIONS[action][1] if action in _ACTIONS else action


def action_icon(action: str) -> str:
    """What was asked for, as an icon."""
    return _ACTIONS[action][0] if action in _ACTIONS else "search"


def refusal_reason(code: str) -> str | Text:
    """Why a request got nothing, from the code of its error."""
    return _REFUSALS.get(code, code)


def in_plain_sight(text: str) -> str:
    """What a stranger wrote, in its lines, without marks that turn or hide letters: all of it is seen."""
    return "".join(letter for letter in text if letter in _LAID_OUT or letter.isprintable())


def in_one_line(text: str, most: int) -> str:
    """What a stranger wrote, as one line without marks that turn or hide letters, and no longer than `most`."""
    seen = (letter for letter in text[: 4 * most] if letter.isprintable() or letter.isspace())
    line = " ".join("".join(seen).split())
    return line if len(line) <= most else f"{line[: most - 1]}\N{HORIZONTAL ELLIPSIS}"
