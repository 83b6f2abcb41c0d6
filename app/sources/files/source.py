"""A folder, or a single file, as a source. An unchanged file costs a look at its state and nothing more (L6.2).

Nothing is concluded from what could not be seen: a folder that is gone, forbidden or empty deletes nothing, and neither
does a subfolder that cannot be listed. A file that was moved is deleted at the old place and added at the new one, and
the deletion says where it went (contract.Deleted); moved files are not lost, and do not count for the deletion guard.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.errors import Refused
from app.domain.text import Text, counted, msg
from app.sources.absence import gone, must_be_there, unavailable
from app.sources.contract import Added, Capability, Changed, CursorMoved, Deleted, Skipped, Unchanged, Warned
from app.sources.deletion_guard import allow_deletions
from app.sources.files.ignore import is_picture_or_recording, is_unread_kind
from app.sources.files.state import READERS, FileRow, is_same_entry, row_after
from app.sources.files.walk import Found, Unseen, Walk
from app.sources.intake import FileReader, fragment_id, fragment_of, path_id
from app.sources.parsing.answer import FileState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.intake import ReadFile

_TOLD_AT_ONCE = 500
_ZONE_DIFFERENCES = timedelta(days=2)


class FilesSource:
    """See the module docstring.

    Args:
        context: its source's location is an absolute path.
        takes: which files by name belong to this source; all by default.
        leaves_out: which files by native id do not belong to it, whatever their name; none by default.
    """

    capabilities = frozenset({Capability.WATCH})

    def __init__(
        self,
        context: SourceContext,
        takes: Callable[[str], bool] | None = None,
        leaves_out: Callable[[str], bool] | None = None,
    ) -> None:
        self._context = context
        self._root = Path(context.source.location)
        self._choice = _Choice(takes, leaves_out)

    def authenticate(self) -> None:
        """Raises `Unavailable` when the folder or file cannot be looked at."""
        must_be_there(self._root)

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """See `contract.Source.changes`."""
        yield from _Sync(self._context, self._root, cursor, self._choice).run(stop)

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Folders have no search of their own."""
        del text, limit
        raise Refused(
            msg("A folder cannot be searched at its source."), next_step=msg("Search in Famulus; it knows the files.")
        )

    def write(self, entry: Entry) -> None:
        """Famulus does not write into people's files."""
        del entry
        raise Refused(
            msg("Famulus reads these files and does not write them."), next_step=msg("Change the file in its program.")
        )

    def watched(self) -> Sequence[Path]:
        """The folder or file itself."""
        return (self._root,)


@dataclass(frozen=True, slots=True)
class _Choice:
    """Which files belong to a source; see `FilesSource`."""

    takes: Callable[[str], bool] | None
    leaves_out: Callable[[str], bool] | None

    def holds(self, place: Found) -> bool:
        is_taken = self.takes is None or self.takes(place.path.name)
        return is_taken and not (self.leaves_out is not None and self.leaves_out(place.native_id))


class _Sync:
    """One sync of one folder."""

    def __init__(self, context: SourceContext, root: Path, cursor: CursorReader, choice: _Choice) -> None:
        self._context = context
        self._root = root
        self._choice = choice
        self._reader = FileReader(context)
        self._known = {key: row for key, text in cursor.items() if (row := FileRow.from_json(text)) is not None}
        self._live: dict[str, FileRow] = {}
        self._seen: set[str] = set()
        self._unseen: list[Unseen] = []
        self._unchanged = 0

    def run(self, stop: StopSignal) -> Iterator[Change]:
        walk: Walk | None = None
        identity = _identity(self._root)
        if self._root.is_dir():
            self._refuse_own_folder()
            walk = Walk(self._root, self._context.excluded, self._reader.senses)
        places: Iterable[Found | Unseen] = walk if walk is not None else (_single(self._root),)
        for place in _pictures_last(_listing(places)):
            stop.checkpoint()
            yield from self._look(place)
            if self._unchanged >= _TOLD_AT_ONCE:
                yield self._count_unchanged()
        yield self._count_unchanged()
        if walk is not None:
            yield from _notices(walk)
        yield from self._unheard()
        stop.checkpoint()
        if _identity(self._root) != identity:
            raise gone(msg("The folder changed its place while it was read."))
        yield from self._deletions()

    def _refuse_own_folder(self) -> None:
        resolved = self._root.resolve()
        if any(resolved.is_relative_to(folder.resolve()) for folder in self._context.excluded):
            raise Refused(
                msg("This is the folder in which Famulus keeps its own data."), next_step=msg("Choose another folder.")
            )

    def _look(self, place: Found | Unseen) -> Iterator[Change]:
        if isinstance(place, Unseen):
            self._unseen.append(place)
            yield Skipped(place.native_id, place.reason)
            return
        if not self._choice.holds(place):
            return
        self._seen.add(place.native_id)
        row = self._known.get(place.native_id)
        if row is not None and self._is_unchanged(row, place):
            self._live[place.native_id] = row
            self._unchanged += len(row.entries)
            if row.refusal is not None:
                yield Skipped(place.native_id, row.refusal)
            return
        yield from self._read(place, row)

    def _is_unchanged(self, row: FileRow, place: Found) -> bool:
        if row.is_fresh or not row.is_as_before(place.size, place.mtime_ns, place.inode):
            return False
        if row.refusal is not None and row.readers != READERS:
            return False
        return not self._is_due(row)

    def _unheard(self) -> Iterator[Warned]:
        """Recordings of which nothing is known but their name and length, for want of a model."""
        if count := sum(row.waits_for is not None for row in self._live.values()):
            yield Warned(
                counted(
                    "{count} recording is known by name, date and length only; a speech model would let Famulus "
                    "read what is said in it (see docs/sources/voice.md).",
                    "{count} recordings are known by name, date and length only; a speech model would let Famulus "
                    "read what is said in them (see docs/sources/voice.md).",
                    count=count,
                )
            )

    def _read(self, place: Found, row: FileRow | None) -> Iterator[Change]:
        read = self._reader.read(place.path, place.native_id, known_sha256=self._known_hash(row))
        if read.is_hopeless:
            # not to be tried again with every sync
            read = replace(read, state=FileState(place.size, place.mtime_ns, place.inode, is_fresh=False), sha256="")
        new_row = row_after(read, row)
        if read.refusal is not None:
            yield Skipped(place.native_id, read.refusal.reason)
            self._unchanged += len(row.entries) if row is not None else 0
        elif row is not None and read.is_known:
            self._unchanged += len(row.entries)
            if row.refusal is not None:
                yield Skipped(place.native_id, row.refusal)
        else:
            yield from self._entries(read, row)
            yield from (Warned(_named(warning, place.native_id)) for warning in read.warnings)
        if new_row is not None:
            self._live[place.native_id] = new_row
            yield CursorMoved({place.native_id: new_row.to_json()})
        elif row is not None:
            self._live[place.native_id] = row

    def _known_hash(self, row: FileRow | None) -> str | None:
        """The hash with which a file need not be parsed; none when it is to be parsed for another reason."""
        if row is None or (row.refusal is not None and row.readers != READERS):
            return None
        return None if self._is_due(row) else row.sha256

    def _is_due(self, row: FileRow) -> bool:
        """Whether more can be read of it than before: a later window for recurring events, or a new sense.

        A change of time zone alone does not count.
        """
        until = row.read_again_after
        if row.waits_for is not None and row.waits_for in self._reader.senses:
            return True
        return until is not None and until + _ZONE_DIFFERENCES < self._reader.window[1]

    def _entries(self, read: ReadFile, row: FileRow | None) -> Iterator[Change]:
        for entry in read.entries:
            fragment = fragment_of(entry.native_id)
            if is_same_entry(row, fragment, entry.content_hash):
                self._unchanged += 1
            elif row is not None and fragment in row.entries:
                yield Changed(entry)
            else:
                yield Added(entry)

    def _count_unchanged(self) -> Unchanged:
        count, self._unchanged = self._unchanged, 0
        return Unchanged(count)

    def _deletions(self) -> Iterator[Change]:
        """What is gone: files that the whole walk did not meet, and entries that their files no longer hold."""
        missing = {key: row for key, row in self._known.items() if key not in self._seen and not self._is_hidden(key)}
        if missing and not self._seen and not self._context.is_deletion_confirmed:
            raise gone(msg("The folder is empty, as when a disk is not mounted."))
        moves = _moves(missing, self._live)
        lost = sum(len(row.entries) + len(row.gone) for key, row in missing.items() if key not in moves)
        lost += sum(len(row.gone) for row in self._live.values())
        allow_deletions(
            lost,
            sum(len(row.entries) + len(row.gone) for row in self._known.values()),
            self._context.deletions,
            is_confirmed=self._context.is_deletion_confirmed,
            source_id=self._context.source.source_id,
        )
        for key, row in missing.items():
            for fragment in (*row.entries, *row.gone):
                target = moves.get(key)
                yield Deleted(fragment_id(key, fragment), fragment_id(target, fragment) if target else None)
            yield CursorMoved({key: None})
        for key, row in self._live.items():
            if row.gone:
                yield from (Deleted(fragment_id(key, fragment)) for fragment in row.gone)
                yield CursorMoved({key: replace(row, gone=()).to_json()})

    def _is_hidden(self, key: str) -> bool:
        """Whether a file may still be there: behind what could not be looked at, or passed over by its kind."""
        return is_unread_kind(key, self._reader.senses) or any(
            key == place.native_id or (place.is_folder and key.startswith(f"{place.native_id}/"))
            for place in self._unseen
        )


def _moves(missing: dict[str, FileRow], live: dict[str, FileRow]) -> dict[str, str]:
    """For every missing file the place where the same bytes are now."""
    if not missing:
        return {}
    places = {row.sha256: key for key, row in live.items() if row.refusal is None and row.size}
    return {key: places[row.sha256] for key, row in missing.items() if row.sha256 in places}


def _pictures_last(places: Iterable[Found | Unseen]) -> Iterator[Found | Unseen]:
    """Text first: a picture takes seconds."""
    slow: list[Found] = []
    for place in places:
        if isinstance(place, Found) and is_picture_or_recording(place.path.name):
            slow.append(place)
        else:
            yield place
    yield from slow


def _listing(places: Iterable[Found | Unseen]) -> Iterator[Found | Unseen]:
    try:
        yield from places
    except OSError as error:
        unavailable(error)


def _single(path: Path) -> Found:
    """A source that is one file; raises `Unavailable`."""
    try:
        status = path.stat()
    except OSError as error:
        unavailable(error)
    return Found(path.resolve(), path_id(path.name), status.st_size, status.st_mtime_ns, status.st_ino)


def _identity(root: Path) -> tuple[int, int]:
    try:
        status = root.stat()
    except OSError as error:
        unavailable(error)
    return status.st_dev, status.st_ino


def _notices(walk: Walk) -> Iterator[Warned]:
    if walk.unread_kinds:
        count = walk.unread_kinds
        yield Warned(
            counted(
                "{count} picture, recording, program or the like was not read.",
                "{count} pictures, recordings, programs and the like were not read.",
                count=count,
            )
        )
    if walk.links:
        yield Warned(
            counted(
                "{count} symbolic link was not followed; add where it leads as a source.",
                "{count} symbolic links were not followed; add where they lead as a source.",
                count=walk.links,
            )
        )


def _named(warning: Text, native_id: str) -> Text:
    return msg("{item}: {warning}", item=native_id, warning=warning)
