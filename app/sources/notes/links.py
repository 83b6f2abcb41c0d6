"""Which note a link means: by its path from the vault's folder, from the note's own one, or by its name alone."""

from __future__ import annotations

import posixpath
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING, Self

from app.sources.files.walk import Found, Walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_NO_NOTE = ("http:", "https:", "mailto:")


class NoteNames:
    """The native ids of all notes, by path and by name; names are compared without case, as vaults do."""

    def __init__(self, native_ids: Iterable[str]) -> None:
        self._by_path: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for native_id in native_ids:
            path = _folded(native_id)
            self._by_path.setdefault(path, native_id)
            self._by_path.setdefault(_without_suffix(path), native_id)
            self._by_name[_without_suffix(posixpath.basename(path))].append(native_id)

    @classmethod
    def of_folder(cls, folder: Path, takes: Callable[[str], bool]) -> Self:
        """The notes in a folder; empty where it cannot be listed."""
        if not folder.is_dir():
            return cls(())
        try:
            return cls(place.native_id for place in Walk(folder) if isinstance(place, Found) and takes(place.path.name))
        except OSError:
            return cls(())

    def find(self, link: str, origin: str) -> str | None:
        """The native id of the note that a link in the note `origin` means; None for none.

        Of several notes with the name, the one with the shortest path is meant.
        """
        if link.lower().startswith(_NO_NOTE):
            return None
        target = _folded(link.strip().replace("\\", "/").replace("%", "%25").replace("#", "%23"))
        folder = posixpath.dirname(_folded(origin))
        for path in (target.lstrip("/"), posixpath.normpath(posixpath.join(folder, target))):
            if (found := self._by_path.get(path)) is not None:
                return found
        wanted = _without_suffix(target)
        bearers = self._by_name.get(posixpath.basename(wanted), [])
        if "/" in wanted:
            bearers = [one for one in bearers if _without_suffix(_folded(one)).endswith(f"/{wanted}")]
        return min(bearers, key=lambda native_id: (native_id.count("/"), len(native_id), native_id), default=None)


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _without_suffix(path: str) -> str:
    head, dot, suffix = path.rpartition(".")
    return head if dot and suffix in ("md", "markdown", "mdown", "mkd") else path
