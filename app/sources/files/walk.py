"""The walk through a folder: every file that is to be collected, and every place that could not be looked at.

Symbolic links are not followed: they lead out of the folder that the person chose, or round in circles.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.text import Text, msg
from app.sources.files.ignore import IGNORE_FILE, IgnoreRules, is_clutter, is_unread_kind, read_ignore_file
from app.sources.intake import path_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.sources.parsing.parsed import Sense

_HIDDEN_ATTRIBUTE = 2


@dataclass(frozen=True, slots=True)
class Found:
    """A file. `native_id` is its escaped path below the root."""

    path: Path
    native_id: str
    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Unseen:
    """A place that could not be looked at: of what is there, or below it, nothing is known."""

    path: Path
    native_id: str
    reason: Text
    is_folder: bool


class Walk:
    """One walk.

    Args:
        root: an absolute folder.
        excluded: absolute folders that are left out wherever they are met.
        senses: what is read beyond text; other pictures and recordings are passed over.

    Attributes:
        unread_kinds: how many files were passed over because of their kind.
        links: how many symbolic links were not followed.
    """

    def __init__(self, root: Path, excluded: Sequence[Path] = (), senses: frozenset[Sense] = frozenset()) -> None:
        self._root = root
        self._senses = senses
        self._excluded = frozenset(os.path.realpath(folder) for folder in excluded)
        self.unread_kinds = 0
        self.links = 0

    def __iter__(self) -> Iterator[Found | Unseen]:
        """Files in the order of their paths; raises OSError when the root itself cannot be listed."""
        waiting: list[tuple[Path, str, IgnoreRules]] = [(self._root, "", IgnoreRules())]
        while waiting:
            folder, relative, rules = waiting.pop()
            try:
                entries = _listed(folder)
            except OSError:
                if folder == self._root:
                    raise
                reason = msg("This folder may not be opened, or cannot be read.")
                yield Unseen(folder, path_id(relative), reason, is_folder=True)
                continue
            if any(entry.name == IGNORE_FILE for entry in entries):
                rules = rules.below(relative, read_ignore_file(folder) or "")
            inner: list[tuple[Path, str, IgnoreRules]] = []
            for entry in entries:
                path = f"{relative}/{entry.name}" if relative else entry.name
                seen = self._look(entry, path, rules)
                if seen is _FOLDER:
                    inner.append((folder / entry.name, path, rules))
                elif isinstance(seen, Found | Unseen):
                    yield seen
            waiting.extend(reversed(inner))

    def _look(self, entry: os.DirEntry[str], relative: str, rules: IgnoreRules) -> Found | Unseen | object | None:
        """A file, a place that cannot be looked at, `_FOLDER`, or None for what is left out."""
        try:
            if entry.is_symlink() or _is_junction(entry):
                self.links += not is_clutter(entry.name, is_folder=False)
                return None
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_clutter(entry.name, is_folder=is_folder) or rules.ignores(relative, is_folder=is_folder):
                return None
            if is_folder:
                return None if self._is_excluded(entry) else _FOLDER
            return self._file(entry, entry.stat(follow_symlinks=False), relative)
        except OSError:
            return Unseen(Path(entry.path), path_id(relative), msg("This file cannot be looked at."), is_folder=False)

    def _file(self, entry: os.DirEntry[str], status: os.stat_result, relative: str) -> Found | None:
        if not stat.S_ISREG(status.st_mode) or getattr(status, "st_file_attributes", 0) & _HIDDEN_ATTRIBUTE:
            return None
        if is_unread_kind(entry.name, self._senses):
            self.unread_kinds += 1
            return None
        return Found(Path(entry.path), path_id(relative), status.st_size, status.st_mtime_ns, status.st_ino)

    def _is_excluded(self, entry: os.DirEntry[str]) -> bool:
        return bool(self._excluded) and os.path.realpath(entry.path) in self._excluded


_FOLDER = object()


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    """All entries of a folder by name; an error in the middle is an error, and never a shorter list."""
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether this is a link of the kind that Windows has besides symbolic ones."""
    check = getattr(entry, "is_junction", None)
    return bool(check and check())
