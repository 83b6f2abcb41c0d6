"""Files of all readable formats, in a folder or one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.registry import Registry


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - see below
    from app.sources.files.source import FilesSource  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.location import existing_path  # noqa: PLC0415 - see above
    from app.sources.registry import SourceKind  # noqa: PLC0415 - see above

    registry.register(
        SourceKind(
            name="files",
            meaning=msg("A folder of documents, notes, mails and calendars, or one such file."),
            location=msg("The folder or file."),
            canonical=existing_path,
            open=FilesSource,
            capabilities=frozenset({Capability.WATCH}),
        )
    )
