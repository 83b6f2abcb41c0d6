"""Contacts as .vcf files: one, or a folder of them, as address books export or keep them.

The way is that of the files source, see `sources.ics`; an address book on a server is `sources.dav`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry

_SUFFIXES = (".vcf", ".vcard")


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.location import existing_path  # noqa: PLC0415
    from app.sources.registry import SourceKind  # noqa: PLC0415

    registry.register(
        SourceKind(
            name="vcard",
            meaning=msg("Contacts in a file (.vcf), or a folder of them."),
            location=msg("The .vcf file or the folder."),
            canonical=existing_path,
            open=open_source,
            capabilities=frozenset({Capability.WATCH}),
        )
    )


def open_source(context: SourceContext) -> Source:
    """A file of cards or a folder of them; a single file is taken whatever its name is."""
    from pathlib import Path  # noqa: PLC0415 - see `register`

    from app.sources.files.source import FilesSource  # noqa: PLC0415

    is_folder = Path(context.source.location).is_dir()
    return FilesSource(context, takes=is_card_file if is_folder else None)


def is_card_file(name: str) -> bool:
    """Whether a file holds contacts by its name."""
    return name.lower().endswith(_SUFFIXES)
