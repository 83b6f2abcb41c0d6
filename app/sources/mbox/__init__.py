"""Mail as files: mailbox files (mbox, RFC 4155), folders of .eml files, and Maildirs, as mail programs keep it."""

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
            name="mbox",
            meaning=msg("Mail in files: a mailbox file (mbox), a Maildir, or a folder with either or with .eml files."),
            location=msg("The file or folder."),
            canonical=existing_path,
            open=open_source,
            capabilities=frozenset((Capability.WATCH,)),
        )
    )


def open_source(context: SourceContext) -> Source:
    """Mail in files."""
    from app.sources.mbox.source import MboxSource  # noqa: PLC0415 - see `register`

    return MboxSource(context)
