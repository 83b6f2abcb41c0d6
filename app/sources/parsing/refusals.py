"""Why a file cannot be read, in words for people. Every parser refuses through here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import Unreadable
from app.domain.text import msg

if TYPE_CHECKING:
    from app.domain.text import Text


def unreadable(what: Text, next_step: Text | None = None) -> Unreadable:
    """The error for a file that cannot be understood."""
    return Unreadable(what, next_step=next_step or msg("Open it in the program that made it, and save it anew."))


def not_read_yet(kind: Text) -> Unreadable:
    """The error for a kind of file that Famulus does not read."""
    return Unreadable(
        kind, next_step=msg("Save it as text, Markdown, HTML, PDF or DOCX if Famulus should know its content.")
    )


def too_big(size_bytes: int, limit_bytes: int) -> Unreadable:
    """The error for a file over the size limit."""
    size, limit = size_bytes >> 20, limit_bytes >> 20
    return Unreadable(
        msg("It has {size} MiB, and files over {limit} MiB are not read.", size=size, limit=limit),
        next_step=msg("Split it, or raise the limit in the settings (files.max_size_mib)."),
    )


def encrypted() -> Unreadable:
    """The error for a document under a password."""
    return Unreadable(
        msg("It is protected by a password."),
        next_step=msg("Save a copy without the password if Famulus should know its content."),
    )


def damaged(kind: str) -> Unreadable:
    """The error for a document whose structure is broken."""
    return unreadable(msg("It is not a valid {kind} file, or it is damaged.", kind=kind))
