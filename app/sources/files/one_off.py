"""Files taken in once, without a source that follows them: `famulus import PATH...`.

An imported file's native id is its whole path, so importing it again is a new version of the same entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.errors import BadInput, Unavailable
from app.domain.text import msg
from app.sources.files.walk import Found, Walk
from app.sources.intake import FileReader, path_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.progress import StopSignal
    from app.sources.contract import SourceContext
    from app.sources.intake import ReadFile


@dataclass(frozen=True, slots=True)
class Imported:
    """One file and what became of it."""

    path: Path
    read: ReadFile


def read_once(paths: Sequence[str], context: SourceContext, stop: StopSignal) -> Iterator[Imported]:
    """Read files, and all files in folders, lazily. A file that is named is read whatever its name says.

    Raises:
        BadInput: a path does not exist.
        Unavailable: a folder cannot be opened.
        Cancelled: from `stop`.
    """
    reader = FileReader(context)
    for path in [_existing(path) for path in paths]:
        for found in _files(path, context):
            stop.checkpoint()
            yield Imported(found, reader.read(found, path_id(str(found)), follows_links=found == path))


def _existing(name: str) -> Path:
    path = Path(name).expanduser()
    if not path.exists():
        raise BadInput(
            msg("There is no folder or file at {location}.", location=name), next_step=msg("Look whether it is right.")
        )
    return path.absolute()


def _files(path: Path, context: SourceContext) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    try:
        for place in Walk(path, context.excluded):
            if isinstance(place, Found):
                yield place.path
    except OSError:
        raise Unavailable(
            msg("The folder {location} may not be opened.", location=str(path)),
            next_step=msg("Allow reading it, and try again."),
        ) from None
