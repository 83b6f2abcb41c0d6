"""Notes: a vault of Markdown files that link to each other, and a folder into which a browser saves clips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.location import existing_path  # noqa: PLC0415 - see above
    from app.sources.registry import SourceKind  # noqa: PLC0415 - see above

    registry.register(
        SourceKind(
            name="notes",
            meaning=msg("A vault of Markdown notes, such as Obsidian's or Logseq's."),
            location=msg("The folder of the vault."),
            canonical=existing_path,
            open=open_notes,
            capabilities=frozenset({Capability.WATCH}),
        )
    )
    registry.register(
        SourceKind(
            name="clips",
            meaning=msg("A folder into which a browser saves pages or parts of them."),
            location=msg("The folder."),
            canonical=existing_path,
            open=open_clips,
            capabilities=frozenset({Capability.WATCH}),
        )
    )


def open_notes(context: SourceContext) -> Source:
    """A vault."""
    from app.sources.notes.source import NotesSource  # noqa: PLC0415 - see `register`

    return NotesSource(context)


def open_clips(context: SourceContext) -> Source:
    """A folder of clips."""
    from app.sources.notes.clips import ClipsSource  # noqa: PLC0415 - see `register`

    return ClipsSource(context)
