"""To-do lists in files: todo.txt with its done.txt, and Taskwarrior's data or exports.

Check boxes in notes are tasks too, and come with the notes (kinds `notes` and `files`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.registry import SourceKind  # noqa: PLC0415 - see above

    registry.register(
        SourceKind(
            name="todo",
            meaning=msg("A to-do list: todo.txt, or Taskwarrior."),
            location=msg("The list's file, the folder with todo.txt and done.txt, or Taskwarrior's data folder."),
            canonical=canonical,
            open=open_source,
            capabilities=frozenset({Capability.WATCH}),
        )
    )


def canonical(location: str) -> str:
    """The absolute path of a file, or of a folder that holds a list; raises `BadInput`."""
    from app.sources.todo.source import canonical_place  # noqa: PLC0415 - see `register`

    return canonical_place(location)


def open_source(context: SourceContext) -> Source:
    """The list in one file, or in the files of a folder."""
    from app.sources.todo.source import todo_source  # noqa: PLC0415 - see `register`

    return todo_source(context)
