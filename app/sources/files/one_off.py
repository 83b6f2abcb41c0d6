"""Files taken in once, without a source that follows them: `famulus import PATH...`.

An imported file's native id is its whole path, so importing it again is a new version of the same entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import BadInput, Refused, Unavailable
from app.domain.text import msg
from app.runtime.environment import expanded
from app.sources.files.walk import Unseen, Walk
from app.sources.intake import FileReader, ReadFile, Refusal, path_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from app.domain.progress import StopSignal
    from app.sources.contract import SourceContext
    from app.sources.parsing.parsed import Sense


@dataclass(frozen=True, slots=True)
class Imported:
    """One file and what became of it."""

    path: Path
    read: ReadFile


def read_once(paths: Sequence[str], context: SourceContext, stop: StopSignal) -> Iterator[Imported]:
    """Read files, and all files in folders, lazily. A file that is named is read whatever its name says.

    Raises:
        BadInput: a path does not exist.
        Refused: a path is our own.
        Unavailable: a folder cannot be opened.
        Cancelled: from `stop`.
    """
    reader = FileReader(context)
    for path in [_existing(path, context) for path in paths]:
        for place in _places(path, context, reader.senses):
            stop.checkpoint()
            if isinstance(place, Unseen):
                refusal = Refusal(place.reason, msg("Allow reading it, and import it again."))
                yield Imported(place.path, ReadFile(None, None, refusal=refusal))
            else:
                read = reader.read(place, path_id(str(place)), follows_links=place == path)
                yield Imported(place, read)


def _existing(name: str, context: SourceContext) -> Path:
    path = expanded(name)
    try:
        is_there = bool(name) and path.exists()  # "" would be the working folder
    except (OSError, ValueError):
        is_there = False
    if not is_there:
        raise BadInput(
            msg("There is no folder or file at {location}.", location=name), next_step=msg("Look whether it is right.")
        )
    resolved = path.resolve()
    if any(resolved.is_relative_to(folder.resolve()) for folder in context.excluded):
        raise Refused(
            msg("This is the folder in which Famulus keeps its own data."), next_step=msg("Choose another folder.")
        )
    return path.absolute()


def _places(path: Path, context: SourceContext, senses: frozenset[Sense]) -> Iterator[Path | Unseen]:
    if not path.is_dir():
        yield path
        return
    try:
        for place in Walk(path, context.excluded, senses):
            yield place if isinstance(place, Unseen) else place.path
    except OSError:
        raise Unavailable(
            msg("The folder {location} may not be opened.", location=str(path)),
            next_step=msg("Allow reading it, and try again."),
        ) from None
