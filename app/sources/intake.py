"""From one file to entries with their provenance: what every source that reads files has in common (G1.2).

The file itself is read in the parse process; here its answer gets a source id, native ids, addresses and times.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote

from app.domain.entries import Entry
from app.domain.errors import Unreadable
from app.domain.text import Text, msg
from app.runtime import clock
from app.sources.parsing.answer import Answer, Job
from app.sources.parsing.facts import understood
from app.sources.parsing.wire import BrokenAnswer
from app.sources.sensing import sense

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.entries import Original
    from app.sources.contract import SourceContext
    from app.sources.parsing.answer import FileState
    from app.sources.parsing.parsed import ParsedEntry, Sense

_YEARS_BACK = 5
_YEARS_AHEAD = 2
_EPOCH_YEAR = 1970
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file cannot be read, and what to do about it."""

    reason: Text
    next_step: Text


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What reading one file gave.

    Attributes:
        state, sha256: None when it could not even be opened.
        entries: what is in it, in order; empty when it is refused, or `is_known`.
        is_known: its content is the known one; it was not parsed.
        is_hopeless: reading it took too much time or memory, or broke the parse process.
        expanded_until: when it has to be read again for the sake of its recurring events.
        facts: for `famulus import --json`; personal.
        waits_for: what would have to be there for more of it to be read (a speech model).
    """

    state: FileState | None
    sha256: str | None
    entries: tuple[Entry, ...] = ()
    is_known: bool = False
    is_hopeless: bool = False
    refusal: Refusal | None = None
    warnings: tuple[Text, ...] = ()
    expanded_until: datetime | None = None
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    waits_for: Sense | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where bytes come from.

    Attributes:
        uri: an address that opens or names the original.
        changed_at: when the server says that they changed; None: unknown, or the file knows.
    """

    uri: str
    changed_at: datetime | None = None


class FileReader:
    """Reads files for one source.

    The window for recurring events is whole years, so that it moves once a year and not with every sync.

    Attributes:
        senses: what is read beyond text; asked once, since it looks into folders.
    """

    def __init__(self, context: SourceContext) -> None:
        self._context = context
        self.senses = context.senses.abilities if context.senses is not None else frozenset()
        year = clock.now().astimezone(context.zone).year
        self.window = (
            datetime(year - _YEARS_BACK, 1, 1, tzinfo=context.zone),
            datetime(year + _YEARS_AHEAD + 1, 1, 1, tzinfo=context.zone),
        )

    def read(
        self, path: Path, native_id: str, *, known_sha256: str | None = None, follows_links: bool = False
    ) -> ReadFile:
        """Read one file; blocks. What cannot be read is a result and not an error.

        Args:
            native_id: of the file within its source; entries of a file that holds many are told apart after a `#`.
            known_sha256: content with this hash is not parsed again.
            follows_links: whether the path itself may be a symbolic link.
        """
        job = self._job(path, known_sha256=known_sha256, follows_links=follows_links)
        return self._done(job, native_id, Origin(file_uri(path)))

    def read_bytes(self, data: bytes, name: str, native_id: str, origin: Origin) -> ReadFile:
        """Read what a server sent, like a file of this name; blocks. See `read`."""
        return self._done(replace(self._job(Path(name)), data=data), native_id, origin)

    def _job(self, path: Path, *, known_sha256: str | None = None, follows_links: bool = False) -> Job:
        asking = self._context.source
        return Job(
            path=path,
            limits=self._context.limits,
            zone=self._context.zone,
            window=self.window,
            known_sha256=known_sha256,
            follows_links=follows_links,
            kind=asking.kind,
            options=asking.options,
            senses=self.senses,
        )

    def _done(self, job: Job, native_id: str, origin: Origin) -> ReadFile:
        try:
            answer = Answer.from_dict(self._context.parse(job.to_dict()))
        except Unreadable as error:
            return ReadFile(None, None, is_hopeless=True, refusal=Refusal(error.what, error.next_step))
        except BrokenAnswer:
            _log.warning("the parse process gave a broken answer")
            return ReadFile(None, None, is_hopeless=True, refusal=_NOT_UNDERSTOOD)
        if answer.fault is not None:
            _log.warning("a parser broke down: %s", answer.fault)
        if answer.refusal is not None:
            return ReadFile(answer.state, answer.sha256, refusal=Refusal(*answer.refusal))
        if answer.parsed is None or answer.state is None or answer.sha256 is None:
            return ReadFile(answer.state, answer.sha256, is_known=True)
        place = _Place(origin, native_id, answer.state, answer.sha256)
        sensed = [sense(entry, job, answer.sha256, self._context) for entry in answer.parsed.entries]
        parsed = replace(answer.parsed, entries=tuple(one.parsed for one in sensed))
        return ReadFile(
            answer.state,
            answer.sha256,
            entries=tuple(self._entry(one.parsed, place, one.original) for one in sensed),
            warnings=(*parsed.warnings, *(warning for one in sensed for warning in one.warnings)),
            expanded_until=parsed.expanded_until,
            facts=understood(parsed),
            waits_for=next((one.waits_for for one in sensed if one.waits_for is not None), None),
        )

    def _entry(self, parsed: ParsedEntry, place: _Place, original: Original | None) -> Entry:
        changed_at = place.origin.changed_at or self._file_time(place.state)
        task = parsed.task
        if task is not None and task.parent_native_id is not None:
            task = replace(task, parent_native_id=fragment_id(place.native_id, task.parent_native_id))
        return Entry(
            source_id=self._context.source.source_id,
            native_id=fragment_id(place.native_id, parsed.fragment),
            kind=parsed.kind,
            title=parsed.title or place.native_id,
            source_uri=place.origin.uri + (f"#{quote(parsed.fragment, safe='')}" if parsed.fragment else ""),
            content_hash=parsed.content_hash or place.sha256,
            blocks=parsed.blocks,
            created_at=parsed.created_at or parsed.updated_at or changed_at,
            updated_at=parsed.updated_at or changed_at,
            event_time=parsed.event_time,
            valid_from=parsed.valid_from,
            valid_to=parsed.valid_to,
            status=parsed.status,
            language=parsed.language,
            people=parsed.people,
            event=parsed.event,
            task=task,
            contact=parsed.contact,
            thread=parsed.thread,
            metadata=parsed.metadata,
            original=original,
        )

    def _file_time(self, state: FileState) -> datetime:
        """When the file was changed, in the person's zone; some file systems know nonsense, which becomes 1970."""
        epoch = datetime(_EPOCH_YEAR, 1, 1, tzinfo=UTC)
        try:
            return (epoch + timedelta(microseconds=state.mtime_ns // 1000)).astimezone(self._context.zone)
        except (OverflowError, ValueError):
            return epoch


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an entry comes from."""

    origin: Origin
    native_id: str
    state: FileState
    sha256: str


_NOT_UNDERSTOOD = Refusal(
    msg("It is damaged in a way that Famulus does not understand."),
    msg("Open it in the program that made it, and save it anew."),
)


def fragment_id(native_id: str, fragment: str) -> str:
    """The native id of an entry within a file."""
    return f"{native_id}#{fragment}" if fragment else native_id


def fragment_of(native_id: str) -> str:
    """The part of a native id that names the entry within its file; empty when the file is the entry."""
    return native_id.partition("#")[2]


def path_id(relative: str) -> str:
    """The native id of a file: its path with forward slashes.

    `#` separates an entry within a file, and bytes that are no UTF-8 cannot be stored; both are escaped with `%`.
    """
    path = relative.replace(os.sep, "/")
    return "".join(_escaped(character) for character in path)


def _escaped(character: str) -> str:
    if character in "#%" or "\ud800" <= character <= "\udfff":
        return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
    return character


def file_uri(path: Path) -> str:
    """A file's address; every byte of a name can be written in one."""
    return path.as_uri()
