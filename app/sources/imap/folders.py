"""Which of a mailbox's folders are collected: by what the server calls them (RFC 6154), or by their usual names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import Unavailable
from app.domain.text import Text, msg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sources.imap.connection import Folder

EVERYTHING = "*"
_KEPT = frozenset(("\\archive", "\\all", "\\sent"))
_LEFT_OUT = frozenset(("\\trash", "\\junk", "\\drafts"))
_USUAL_NAMES = {
    "\\sent": ("sent", "sent items", "sent messages", "sent mail", "已发送", "已发送邮件", "已傳送", "寄件備份"),
    "\\archive": ("archive", "archives", "归档", "存档", "封存"),
    "\\trash": ("trash", "deleted items", "deleted messages", "bin", "已删除", "已删除邮件", "垃圾桶", "刪除的郵件"),
    "\\junk": ("junk", "spam", "junk e-mail", "junk email", "bulk mail", "垃圾邮件", "垃圾箱", "垃圾郵件"),
    "\\drafts": ("drafts", "draft", "草稿", "草稿箱", "草稿匣"),
}
_PREFIXES = ("inbox.", "inbox/", "[gmail]/", "[google mail]/")


def chosen(folders: Sequence[Folder], option: str) -> tuple[Sequence[Folder], Sequence[Text]]:
    """The folders to collect, the inbox first, and what to warn of.

    Args:
        option: names separated by commas; nothing, or `*`, for all but drafts, junk and trash.

    Raises:
        Unavailable: there is none.
    """
    names = [name for name in map(str.strip, option.split(",")) if name not in {"", EVERYTHING}]
    warnings: list[Text] = []
    if names:
        found = [folder for folder in folders if _is_named(folder, names)]
        missing = [name for name in names if not any(_is_named(folder, [name]) for folder in found)]
        warnings = [msg("There is no folder named {name}.", name=name) for name in missing]
    else:
        # Not just the inbox: mail that is filed into a folder of one's own is not gone.
        found = [folder for folder in folders if not use(folder) & _LEFT_OUT]
    if not found:
        raise Unavailable(
            msg("The server shows none of the folders that are to be collected."),
            lost=msg("Nothing was deleted."),
            next_step=msg("Check the option `folders` of this source."),
        )
    return sorted(found, key=lambda folder: (not _is_inbox(folder), folder.name)), warnings


def drafts(folders: Sequence[Folder]) -> Folder | None:
    """Where drafts are kept."""
    return next((folder for folder in folders if "\\drafts" in use(folder)), None)


def inbox(folders: Sequence[Folder]) -> Folder | None:
    """Where new mail arrives."""
    return next((folder for folder in folders if _is_inbox(folder)), None)


def use(folder: Folder) -> frozenset[str]:
    """What a folder is for: as the server says, or by its name where it says nothing."""
    told = folder.flags & (_KEPT | _LEFT_OUT)
    if told:
        return told
    name = folder.name.lower()
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return frozenset(kind for kind, names in _USUAL_NAMES.items() if name in names)


def _is_inbox(folder: Folder) -> bool:
    return folder.name.upper() == "INBOX"


def _is_named(folder: Folder, names: Sequence[str]) -> bool:
    return folder.name in names or (_is_inbox(folder) and any(name.upper() == "INBOX" for name in names))
