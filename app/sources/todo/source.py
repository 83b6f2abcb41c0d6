"""Opens a to-do list: one file, or the files in a folder that make one list together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.labels import EntryKind
from app.domain.text import msg
from app.sources.location import existing_path
from app.sources.records import RecordKind, RecordSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sources.contract import SourceContext

# In the order in which they count: what is open in one of them is not done in the next
_NAMES = ("taskchampion.sqlite3", "todo.txt", "pending.data", "done.txt", "completed.data")


def canonical_place(location: str) -> str:
    """The absolute path of a file, or of a folder that holds a list; raises `BadInput`."""
    place = existing_path(location)
    if Path(place).is_dir() and not _files(Path(place)):
        raise BadInput(
            msg("There is no to-do list in {location}.", location=place),
            next_step=msg(
                "Name a folder that holds one of these, or the file itself: {names}.", names=", ".join(_NAMES)
            ),
        )
    return place


def todo_source(context: SourceContext) -> RecordSource:
    """The list in one file, or in the files of a folder."""
    place = Path(context.source.location)
    return RecordSource(context, RecordKind(EntryKind.TASK, files=lambda: _files(place), watched=(place,)))


def _files(place: Path) -> Sequence[Path]:
    """The files that make the list; raises OSError when nothing is there."""
    if not place.is_dir():
        place.stat()
        return (place,)
    return [path for name in _NAMES if (path := place / name).is_file()]
