"""Files that are lists of records (bookmarks, visits, to-dos) as a source: one, or a few that make one list together.

A record is known by its own id and not by its file, so a task that moves from `todo.txt` to `done.txt` stays the same
one. There is a cursor row for each record and for each file: a list of ten thousand bookmarks moves it by one row when
one bookmark changes (contract). A file that cannot be read, or holds something else, deletes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.errors import Refused, Unavailable
from app.domain.text import msg
from app.sources.contract import Added, Capability, Changed, CursorMoved, Deleted, Skipped, Unchanged, Warned
from app.sources.deletion_guard import allow_deletions
from app.sources.files.state import READERS, FileRow, row_after
from app.sources.intake import FileReader, fragment_of, path_id
from app.sources.parsing.answer import FileState
from app.sources.parsing.database_files import look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from app.domain.entries import Entry
    from app.domain.labels import EntryKind
    from app.domain.progress import StopSignal
    from app.domain.text import Text
    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.intake import ReadFile

_FILE, _RECORD, _OPTIONS = "file:", "record:", "options"
_HASH_CHARS = 16


@dataclass(frozen=True, slots=True)
class RecordKind:
    """What records a source takes, and from where.

    Attributes:
        entry: records of another kind in the same files are left to others.
        files: those that are there now; of a record in several of them the first one counts. May raise OSError.
        watched: what to watch.
        kept_before: a record that vanishes is no deletion if it is from before this instant: its program forgets.
    """

    entry: EntryKind
    files: Callable[[], Sequence[Path]]
    watched: Sequence[Path] = ()
    kept_before: datetime | None = None


class RecordSource:
    """See the module docstring."""

    capabilities = frozenset({Capability.WATCH})

    def __init__(self, context: SourceContext, kind: RecordKind) -> None:
        self._context = context
        self._kind = kind

    def authenticate(self) -> None:
        """Raises `Unavailable` when there is no file to read."""
        _looks(self._kind)

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """See `contract.Source.changes`."""
        yield from _Sync(self._context, self._kind, cursor).run(stop)

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Lists have no search of their own."""
        del text, limit
        raise Refused(
            msg("A file cannot be searched at its source."), next_step=msg("Search in Famulus; it knows the files.")
        )

    def write(self, entry: Entry) -> None:
        """Famulus does not write into people's files."""
        del entry
        raise Refused(
            msg("Famulus reads these files and does not write them."), next_step=msg("Change the file in its program.")
        )

    def watched(self) -> Sequence[Path]:
        """What its kind says; empty where the file changes with every click."""
        return self._kind.watched


class _Sync:
    """One sync of all files of a source."""

    def __init__(self, context: SourceContext, kind: RecordKind, cursor: CursorReader) -> None:
        self._context = context
        self._kind = kind
        self._reader = FileReader(context)
        rows = dict(cursor.items())
        self._options = f"{READERS} {sorted(context.source.options.items())}"
        self._are_options_same = rows.get(_OPTIONS) == self._options
        self._files = {
            key.removeprefix(_FILE): row
            for key, text in rows.items()
            if key.startswith(_FILE) and (row := FileRow.from_json(text)) is not None
        }
        self._known = {key.removeprefix(_RECORD): text for key, text in rows.items() if key.startswith(_RECORD)}
        self._found: dict[str, Entry] = {}
        self._new_rows: dict[str, FileRow] = {}
        self._is_whole = True
        self._is_known = False

    def run(self, stop: StopSignal) -> Iterator[Change]:
        looks = _looks(self._kind)
        if self._is_unchanged(looks):
            yield from (Skipped(name, row.refusal) for name, row in self._files.items() if row.refusal is not None)
            yield Unchanged(len(self._known))
            return
        for path, state in looks.items():
            stop.checkpoint()
            yield from self._read(path, state, is_alone=len(looks) == 1)
        if self._is_known:
            yield Unchanged(len(self._known))
        else:
            yield from self._records(stop)
            if self._is_whole:
                yield from self._deletions()
        rows: dict[str, str | None] = {f"{_FILE}{name}": None for name in self._files.keys() - self._new_rows.keys()}
        rows.update((f"{_FILE}{name}", row.to_json()) for name, row in self._new_rows.items())
        yield CursorMoved({**rows, _OPTIONS: self._options})

    def _is_unchanged(self, looks: dict[Path, FileState]) -> bool:
        if not self._are_options_same or {path_id(path.name) for path in looks} != set(self._files):
            return False
        return all(
            (row := self._files[path_id(path.name)]).is_as_before(state.size, state.mtime_ns, state.inode)
            and not row.is_fresh
            for path, state in looks.items()
        )

    def _read(self, path: Path, state: FileState, *, is_alone: bool) -> Iterator[Change]:
        name = path_id(path.name)
        before = self._files.get(name)
        is_comparable = is_alone and self._are_options_same and before is not None and before.refusal is None
        read = self._reader.read(path, name, known_sha256=before.sha256 if before and is_comparable else None)
        if read.is_hopeless:
            read = replace(read, state=state, sha256="")  # not to be tried again with every sync
        row = row_after(replace(read, entries=()), None)
        reason = self._reason(read)
        if row is not None:
            self._new_rows[name] = replace(row, refusal=reason)
        if reason is not None:
            self._is_whole = False
            yield Skipped(name, reason)
        elif read.is_known:
            self._is_known = True
        else:
            yield from (Warned(msg("{item}: {warning}", item=name, warning=warning)) for warning in read.warnings)
            for entry in read.entries:
                if entry.kind is self._kind.entry:
                    self._found.setdefault(fragment_of(entry.native_id), _own(entry))

    def _reason(self, read: ReadFile) -> Text | None:
        """Why nothing can be concluded from a file; None for one that is as it should be."""
        if read.refusal is not None:
            return read.refusal.reason
        is_empty = not any(entry.blocks for entry in read.entries)
        if not is_empty and not any(entry.kind is self._kind.entry for entry in read.entries):
            return msg("There is nothing in it that this source collects.")
        return None

    def _records(self, stop: StopSignal) -> Iterator[Change]:
        unchanged = 0 if self._is_whole else len(self._known.keys() - self._found.keys())
        for native_id, entry in self._found.items():
            before = self._known.get(native_id)
            digest = entry.content_hash[:_HASH_CHARS]
            if before is not None and before.partition(" ")[0] == digest:
                unchanged += 1
                continue
            stop.checkpoint()
            yield Added(entry) if before is None else Changed(entry)
            moment = f" {int(entry.event_time.timestamp())}" if entry.event_time is not None else ""
            yield CursorMoved({f"{_RECORD}{native_id}": f"{digest}{moment}"})
        yield Unchanged(unchanged)

    def _deletions(self) -> Iterator[Change]:
        missing = [native_id for native_id in self._known if native_id not in self._found]
        lost = [native_id for native_id in missing if not self._is_forgotten(native_id)]
        allow_deletions(
            len(lost),
            len(self._known) - len(missing) + len(lost),
            self._context.deletions,
            is_confirmed=self._context.is_deletion_confirmed,
            source_id=self._context.source.source_id,
        )
        for native_id in missing:
            if native_id in lost:
                yield Deleted(native_id)
            yield CursorMoved({f"{_RECORD}{native_id}": None})

    def _is_forgotten(self, native_id: str) -> bool:
        """Whether a record is so old that its own program has dropped it, which says nothing of its being wanted."""
        moment = self._known[native_id].partition(" ")[2]
        before = self._kind.kept_before
        return before is not None and bool(moment) and int(moment) < before.timestamp()


def _own(entry: Entry) -> Entry:
    """The entry under its own id, which is the same in every file of the source."""
    task = entry.task
    if task is not None and task.parent_native_id is not None:
        task = replace(task, parent_native_id=fragment_of(task.parent_native_id))
    return replace(entry, native_id=fragment_of(entry.native_id), task=task)


def _looks(kind: RecordKind) -> dict[Path, FileState]:
    """What the files look like; raises `Unavailable` when there is none."""
    found: dict[Path, FileState] = {}
    try:
        for path in kind.files():
            seen = look(path)
            found[path] = FileState(seen.size, seen.mtime_ns, seen.inode, is_fresh=False)
    except (OSError, ValueError):
        found = {}
    if not found:
        raise Unavailable(
            msg("The file is not there, or may not be opened."),
            lost=msg("Nothing was deleted."),
            next_step=msg(
                "Look whether its program still keeps it there, and sync again; else add it at its new place."
            ),
        )
    return found
