"""A vault of Markdown notes as a source: the files source, with links that lead to notes, and without templates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.sources.contract import Added, Changed
from app.sources.files.source import FilesSource
from app.sources.notes.links import NoteNames
from app.sources.notes.vault_settings import template_folders
from app.sources.parsing.vault import LINKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext

UNRESOLVED = "unresolved_links"
_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")


class NotesSource(FilesSource):
    """See the module docstring. Hidden folders (`.obsidian`, `.trash`) are left out as in every folder."""

    def __init__(self, context: SourceContext) -> None:
        self._vault = Path(context.source.location)
        is_folder = self._vault.is_dir()
        templates = template_folders(self._vault) if is_folder else ()
        super().__init__(
            context,
            takes=is_note if is_folder else None,
            leaves_out=lambda native_id: any(native_id.casefold().startswith(folder) for folder in templates),
        )

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """See `contract.Source.changes`. The names of all notes are looked up when the first changed one comes."""
        names: NoteNames | None = None
        for change in super().changes(cursor, stop):
            if isinstance(change, Added | Changed) and LINKS in change.entry.metadata:
                names = names if names is not None else NoteNames.of_folder(self._vault, is_note)
                yield replace(change, entry=_linked(change.entry, names))
            else:
                yield change


def is_note(name: str) -> bool:
    """Whether a file is a note by its name."""
    return name.lower().endswith(_SUFFIXES)


def _linked(entry: Entry, names: NoteNames) -> Entry:
    """The entry with native ids for links; those that lead to no note stand apart, as they were written."""
    written = entry.metadata[LINKS].split("\n")
    found = {link: names.find(link, entry.native_id) for link in written}
    resolved = dict.fromkeys(native_id for native_id in found.values() if native_id and native_id != entry.native_id)
    metadata = {key: value for key, value in entry.metadata.items() if key != LINKS}
    metadata[LINKS] = "\n".join(resolved)
    metadata[UNRESOLVED] = "\n".join(link for link, native_id in found.items() if native_id is None)
    return replace(entry, metadata=MappingProxyType({key: value for key, value in metadata.items() if value}))
