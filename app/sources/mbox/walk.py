"""The mail files below a folder: by where they lie (Maildir), by their name, or by how they begin.

Maildirs call their subfolders `.Name`, so names that begin with a dot are no clutter here. Links are not followed.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from app.sources.intake import path_id
from app.sources.mbox.splitting import SEPARATOR
from app.sources.parsing.sniffing import looks_like_mail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SINGLE = frozenset((".eml", ".emlx", ".msg"))
_NOT_MAIL = frozenset((".msf", ".dat", ".json", ".sqlite", ".db", ".index", ".log", ".lock", ".tmp", ".html"))
_MAILDIR = ("cur", "new")
_FLAGS = {"S": "seen", "F": "flagged", "R": "answered", "D": "draft"}
_INFO = re.compile(r"[:;!]2,([A-Za-z]*)\Z")
_HEAD_BYTES = 16 * 1024


class Kind(Enum):
    """What a file holds."""

    ONE = "one message"
    MANY = "a mailbox file"


@dataclass(frozen=True, slots=True)
class MailFile:
    """A file with mail.

    Attributes:
        native_id: its escaped path below the root, without the flags that a Maildir writes into names.
        folder: as a mail program shows it; empty for the root.
        flags: as `Entry.metadata` has them.
    """

    path: Path
    native_id: str
    folder: str
    flags: str
    size: int
    mtime_ns: int
    inode: int

    @property
    def is_in_maildir(self) -> bool:
        """Whether it is one message of a Maildir."""
        return self.path.parent.name in _MAILDIR


@dataclass(frozen=True, slots=True)
class Hidden:
    """A file or a folder that cannot be looked at; `native_id` is of what it may hold, or the beginning of that."""

    native_id: str


def mail_files(root: Path, excluded: Sequence[Path]) -> Iterator[MailFile | Hidden]:
    """All files that may hold mail, in the order of their paths; raises OSError when the root cannot be listed."""
    left_out = frozenset(os.path.realpath(folder) for folder in excluded)
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        relative = "" if folder == root else folder.relative_to(root).as_posix()
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            if folder == root:
                raise
            yield Hidden(path_id(relative) + "/")
            continue
        inner: list[Path] = []
        for entry in entries:
            path = f"{relative}/{entry.name}" if relative else entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "tmp" and os.path.realpath(entry.path) not in left_out:
                        inner.append(Path(entry.path))
                elif (found := _file(Path(entry.path), path, entry.stat(follow_symlinks=False))) is not None:
                    yield found
            except OSError:
                yield Hidden(_id(path)[0])
        waiting.extend(reversed(inner))


def one_file(path: Path) -> MailFile:
    """A source that is one file; raises OSError."""
    status = path.stat()
    return MailFile(path, path_id(path.name), "", "", status.st_size, status.st_mtime_ns, status.st_ino)


def kind_of(file: MailFile) -> Kind | None:
    """What a file holds, by its name and by how it begins; None: no mail. Raises OSError."""
    if file.is_in_maildir or file.path.suffix.lower() in _SINGLE:
        return Kind.ONE
    with file.path.open("rb") as opened:
        head = opened.read(_HEAD_BYTES)
    if head.startswith(SEPARATOR):
        return Kind.MANY
    return Kind.ONE if looks_like_mail(head) else None


def _file(path: Path, relative: str, status: os.stat_result) -> MailFile | None:
    in_maildir = path.parent.name in _MAILDIR
    if not stat.S_ISREG(status.st_mode) or (not in_maildir and path.suffix.lower() in _NOT_MAIL):
        return None
    if not in_maildir and (path.name.startswith(("dovecot", ".")) or not status.st_size):
        return None
    native_id, flags = _id(relative) if in_maildir else (path_id(relative), "")
    return MailFile(
        path,
        native_id,
        _folder(relative, in_maildir=in_maildir),
        flags,
        status.st_size,
        status.st_mtime_ns,
        status.st_ino,
    )


def _id(relative: str) -> tuple[str, str]:
    """The path without a Maildir's flags, and those. A message that was looked at goes from `new` to `cur`."""
    found = _INFO.search(relative)
    if found is None:
        return path_id(re.sub(r"(^|/)new/(?=[^/]*\Z)", r"\1cur/", relative)), ""
    words = {_FLAGS[letter] for letter in found[1] if letter in _FLAGS}
    return path_id(relative[: found.start()]), " ".join(sorted(words))


def _folder(relative: str, *, in_maildir: bool) -> str:
    """The name of the folder: of the Maildir, of the mailbox file, or of the folder in which a single message lies."""
    parent = Path(relative).parent
    if in_maildir:
        name = parent.parent.as_posix().lstrip(".")
        return "INBOX" if name in ("", "/") else name.replace("/.", "/")
    if Path(relative).suffix.lower() in _SINGLE:
        return "" if parent == Path() else parent.as_posix()
    return relative.removesuffix(".mbox").replace(".sbd/", "/")
