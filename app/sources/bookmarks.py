"""Bookmarks of a browser, or a file of them: what a person chose to keep of the web.

This is a whole source: which file, which of its entries, and what the kind is called. Everything else it has in common
with the others: `records` follows the file, `parsing/bookmarks*.py` reads it in the parse process (also for
`famulus import`), `browser_places` knows where browsers keep it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry

_FILE_BYTES = 160 * 1024 * 1024


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.registry import SourceKind  # noqa: PLC0415 - see above

    registry.register(
        SourceKind(
            name="bookmarks",
            meaning=msg("The bookmarks of a browser, or a file of exported ones."),
            location=msg("The file, the browser's profile folder, or: firefox, chromium, chrome, edge."),
            canonical=canonical,
            open=open_source,
            capabilities=frozenset({Capability.WATCH}),
        )
    )


def canonical(location: str) -> str:
    """The absolute path of the file; raises `BadInput` when there is none."""
    from app.sources.browser_places import browser_file  # noqa: PLC0415 - see `register`

    return browser_file(location, "Bookmarks")


def open_source(context: SourceContext) -> Source:
    """The bookmarks in one file."""
    from pathlib import Path  # noqa: PLC0415 - see `register`

    from app.domain.labels import EntryKind  # noqa: PLC0415 - see `register`
    from app.sources.records import RecordKind, RecordSource  # noqa: PLC0415 - see `register`

    path = Path(context.source.location)
    # Firefox keeps its bookmarks with the history, in a file that grows
    limits = replace(context.limits, file_bytes=max(context.limits.file_bytes, _FILE_BYTES))
    kind = RecordKind(EntryKind.BOOKMARK, files=lambda: (path,), watched=(path,))
    return RecordSource(replace(context, limits=limits), kind)
