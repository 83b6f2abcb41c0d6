"""The cursor row of one file: what it looked like when it was read, and which entries came out of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.domain.instants import from_ixdtf, to_ixdtf
from app.sources.intake import fragment_of
from app.sources.parsing.wire import text_from_dict, text_to_dict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.domain.text import Text
    from app.sources.intake import ReadFile

_VERSION = 1
# Raised when more kinds of files can be read: what was refused before is tried again
READERS = 2
_HASH_CHARS = 16


@dataclass(frozen=True, slots=True)
class FileRow:
    """What is known of one file.

    Attributes:
        entries: by fragment (empty for a file that is one entry), the beginning of its content hash.
        gone: fragments that the file no longer holds, whose deletion has not been told yet.
        is_fresh: the content must be compared even when the state is the same.
        refusal: why it could not be read. Entries from before it became unreadable are kept.
        readers: the version of the readers that refused it.
        read_again_after: the end of the window for its recurring events.
        waits_for: the sense with which more of it could be read.
    """

    size: int
    mtime_ns: int
    inode: int
    sha256: str
    is_fresh: bool = False
    entries: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    gone: tuple[str, ...] = ()
    refusal: Text | None = None
    readers: int = READERS
    read_again_after: datetime | None = None
    waits_for: str | None = None

    def is_as_before(self, size: int, mtime_ns: int, inode: int) -> bool:
        """Whether a file looks as it did; systems that know no inode say 0."""
        same = self.size == size and self.mtime_ns == mtime_ns
        return same and (self.inode == inode or not self.inode or not inode)

    def to_json(self) -> str:
        """The row as it is stored: short names, since there may be a hundred thousand."""
        values: dict[str, Any] = {"v": _VERSION, "s": self.size, "m": self.mtime_ns, "i": self.inode, "h": self.sha256}
        optional: dict[str, Any] = {
            "f": self.is_fresh,
            "e": dict(self.entries),
            "g": list(self.gone),
            "x": text_to_dict(self.refusal) if self.refusal is not None else None,
            "r": self.readers if self.refusal is not None else None,
            "u": to_ixdtf(self.read_again_after) if self.read_again_after is not None else None,
            "w": self.waits_for,
        }
        values.update((key, value) for key, value in optional.items() if value)
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> FileRow | None:
        """Read what `to_json` made; None for anything else, and the file will be read anew."""
        try:
            values = json.loads(text)
            if values["v"] != _VERSION:
                return None
            return cls(
                size=int(values["s"]),
                mtime_ns=int(values["m"]),
                inode=int(values["i"]),
                sha256=str(values["h"]),
                is_fresh=bool(values.get("f")),
                entries=MappingProxyType({str(key): str(value) for key, value in values.get("e", {}).items()}),
                gone=tuple(str(fragment) for fragment in values.get("g", ())),
                refusal=text_from_dict(values["x"]) if values.get("x") is not None else None,
                readers=int(values.get("r", READERS)),
                read_again_after=from_ixdtf(values["u"]) if values.get("u") else None,
                waits_for=str(values["w"]) if values.get("w") else None,
            )
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


def row_after(read: ReadFile, before: FileRow | None) -> FileRow | None:
    """The row after a file was read; None when it could not even be opened."""
    if read.state is None or read.sha256 is None:
        return None
    state = read.state
    old = before or FileRow(state.size, state.mtime_ns, state.inode, read.sha256)
    row = replace(
        old,
        size=state.size,
        mtime_ns=state.mtime_ns,
        inode=state.inode,
        sha256=read.sha256,
        is_fresh=state.is_fresh,
    )
    if read.is_known:
        return row
    if read.refusal is not None:
        return replace(row, refusal=read.refusal.reason, readers=READERS)
    entries = {fragment_of(entry.native_id): entry.content_hash[:_HASH_CHARS] for entry in read.entries}
    gone = tuple(fragment for fragment in (*old.gone, *old.entries) if fragment not in entries)
    return replace(
        row,
        entries=MappingProxyType(entries),
        gone=tuple(dict.fromkeys(gone)),
        refusal=None,
        read_again_after=read.expanded_until,
        waits_for=read.waits_for,
    )


def is_same_entry(row: FileRow | None, fragment: str, content_hash: str) -> bool:
    """Whether an entry is known with this content."""
    return row is not None and row.entries.get(fragment) == content_hash[:_HASH_CHARS]
