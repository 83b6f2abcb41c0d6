"""Chat exports: WhatsApp, Telegram, QQ, WeChat and others, one file or a folder of them (G1.1).

The way is that of the files source; only files belong to it that chat programs export, and what is in them is found by
their content (`parsing.chat`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry

_SUFFIXES = (".txt", ".json", ".csv")


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.location import existing_path  # noqa: PLC0415 - see above
    from app.sources.registry import SourceKind, SourceOption  # noqa: PLC0415 - see above

    registry.register(
        SourceKind(
            name="chat",
            meaning=msg("Chats as WhatsApp, Telegram, QQ, WeChat, Signal or Instagram export them."),
            location=msg("The exported file, or a folder of them."),
            canonical=existing_path,
            open=open_source,
            options=(SourceOption("me", msg("The name under which you write, where the export does not say it.")),),
            capabilities=frozenset({Capability.WATCH}),
        )
    )


def open_source(context: SourceContext) -> Source:
    """An export or a folder of them; a single file is taken whatever its name is."""
    from pathlib import Path  # noqa: PLC0415 - see `register`

    from app.sources.files.source import FilesSource  # noqa: PLC0415 - see `register`

    is_folder = Path(context.source.location).is_dir()
    return FilesSource(context, takes=may_be_export if is_folder else None)


def may_be_export(name: str) -> bool:
    """Whether a file may be a chat export by its name."""
    return name.lower().endswith(_SUFFIXES)
