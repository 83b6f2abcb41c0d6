"""A folder of clips: pages, or parts of them, that a person saved out of a browser.

The words are somebody else's: every entry is a note of the web, and is trusted so (X9.1), whatever it says of itself.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.sources.contract import Added, Changed
from app.sources.files.source import FilesSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext

_SUFFIXES = (".md", ".markdown", ".html", ".htm", ".xhtml", ".txt", ".pdf")
_SOURCE = re.compile(
    r"(?:source|from|url|link|来源|來源|出处|原文|原文链接|链接|网址)[ \t*]{0,4}[:：][ \t*<(]{0,4}(https?://[^\s<>\"')\]]{1,2000})",
    re.IGNORECASE,
)
_ENDS = 3
_MAX_CHARS = 4_000


class ClipsSource(FilesSource):
    """See the module docstring."""

    def __init__(self, context: SourceContext) -> None:
        is_folder = Path(context.source.location).is_dir()
        super().__init__(context, takes=(lambda name: name.lower().endswith(_SUFFIXES)) if is_folder else None)

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """See `contract.Source.changes`."""
        for change in super().changes(cursor, stop):
            if isinstance(change, Added | Changed):
                url = change.entry.metadata.get("url") or _address_in(change.entry)
                yield replace(change, entry=of_the_web(change.entry, url))
            else:
                yield change


def of_the_web(entry: Entry, url: str) -> Entry:
    """The entry as words of a page (`url` may be empty): they give nobody a task, an appointment or an acquaintance."""
    metadata = {**entry.metadata, "origin": "web", **({"url": url} if url else {})}
    return replace(
        entry,
        kind=EntryKind.NOTE,
        metadata=MappingProxyType(metadata),
        task=None,
        event=None,
        contact=None,
        status=None,
    )


def _address_in(entry: Entry) -> str:
    """The address that a clipper wrote above or below the text."""
    blocks = (*entry.blocks[:_ENDS], *entry.blocks[-_ENDS:])
    return next((match[1] for block in blocks if (match := _SOURCE.search(block.text, 0, _MAX_CHARS))), "")
