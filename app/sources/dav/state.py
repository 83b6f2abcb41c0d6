"""The cursor of a WebDAV source: where its collections are, how far each one is known, and each resource with its etag.

home                 the paths under which the collections lie
c:<path>             a collection: its sync-token, or its ctag
r:<path>             a resource: its etag, and the entries that came out of it
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.domain.instants import from_ixdtf, to_ixdtf
from app.sources.intake import fragment_of
from app.sources.parsing.wire import text_from_dict, text_to_dict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.domain.text import Text
    from app.sources.contract import CursorReader
    from app.sources.dav.discovery import DavCollection
    from app.sources.intake import ReadFile

HOME = "home"
_COLLECTION, _RESOURCE = "c:", "r:"
_VERSION = 1
_HASH_CHARS = 16


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """What is known of one resource.

    Attributes:
        etag: empty when it has to be read again.
        entries: by fragment, the beginning of its content hash.
        gone: fragments that it no longer holds, whose deletion has not been told yet.
        refusal: why it could not be read; entries from before are kept.
        read_again_after: the end of the window for its recurring events.
    """

    etag: str
    entries: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    gone: tuple[str, ...] = ()
    refusal: Text | None = None
    read_again_after: datetime | None = None

    @property
    def all_fragments(self) -> tuple[str, ...]:
        """Every entry of it that the store knows."""
        return (*self.entries, *self.gone)

    def to_json(self) -> str:
        """The row as it is stored."""
        values: dict[str, Any] = {"v": _VERSION, "t": self.etag}
        optional: dict[str, Any] = {
            "e": dict(self.entries),
            "g": list(self.gone),
            "x": text_to_dict(self.refusal) if self.refusal is not None else None,
            "u": to_ixdtf(self.read_again_after) if self.read_again_after is not None else None,
        }
        values.update((key, value) for key, value in optional.items() if value)
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> ResourceRow | None:
        """Read what `to_json` made; None for anything else, and the resource will be read anew."""
        try:
            values = json.loads(text)
            if values["v"] != _VERSION:
                return None
            return cls(
                etag=str(values["t"]),
                entries=MappingProxyType({str(key): str(value) for key, value in values.get("e", {}).items()}),
                gone=tuple(str(fragment) for fragment in values.get("g", ())),
                refusal=text_from_dict(values["x"]) if values.get("x") is not None else None,
                read_again_after=from_ixdtf(values["u"]) if values.get("u") else None,
            )
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


class Known:
    """The cursor of a source, taken apart. `resources` is by path."""

    def __init__(self, cursor: CursorReader) -> None:
        self.homes: tuple[str, ...] = ()
        self.marks: dict[str, str] = {}
        self.resources: dict[str, ResourceRow] = {}
        for key, text in cursor.items():
            if key == HOME:
                self.homes = _paths(text)
            elif key.startswith(_COLLECTION):
                self.marks[key.removeprefix(_COLLECTION)] = text
            elif (row := ResourceRow.from_json(text)) is not None:
                self.resources[key.removeprefix(_RESOURCE)] = row

    def within(self, collection: str) -> dict[str, ResourceRow]:
        """The known resources of a collection."""
        return {path: row for path, row in self.resources.items() if folder_of(path) == collection}


def homes_row(homes: tuple[str, ...]) -> str:
    """The row that remembers where the collections are."""
    return json.dumps(list(homes), ensure_ascii=False)


def mark_of(collection: DavCollection) -> str:
    """By what a collection shows that it is as it was; empty where it has nothing for it."""
    if collection.can_tell_changes:
        return f"token {collection.sync_token}"
    return f"ctag {collection.ctag}" if collection.ctag else ""


def token_in(mark: str) -> str:
    """The sync-token of a mark; empty where it is none."""
    kind, _, token = mark.partition(" ")
    return token if kind == "token" else ""


def collection_key(path: str) -> str:
    """The key of a collection's row."""
    return f"{_COLLECTION}{path}"


def resource_key(path: str) -> str:
    """The key of a resource's row."""
    return f"{_RESOURCE}{path}"


def folder_of(path: str) -> str:
    """The collection in which a resource lies."""
    return path.rpartition("/")[0] + "/"


def row_after(read: ReadFile, etag: str, before: ResourceRow | None) -> ResourceRow:
    """The row after a resource was read."""
    old = before or ResourceRow(etag)
    if read.refusal is not None:
        return ResourceRow(etag, old.entries, old.gone, refusal=read.refusal.reason)
    entries = {fragment_of(entry.native_id): entry.content_hash[:_HASH_CHARS] for entry in read.entries}
    gone = tuple(fragment for fragment in old.all_fragments if fragment not in entries)
    return ResourceRow(
        etag, MappingProxyType(entries), tuple(dict.fromkeys(gone)), read_again_after=read.expanded_until
    )


def is_same(row: ResourceRow | None, fragment: str, content_hash: str) -> bool:
    """Whether an entry is known with this content."""
    return row is not None and row.entries.get(fragment) == content_hash[:_HASH_CHARS]


def _paths(text: str) -> tuple[str, ...]:
    try:
        found = json.loads(text)
    except ValueError:
        return ()
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
