"""Mail in files as a source. A file that looks as it did is not opened; of one that grew, only new messages are parsed.

A message is known by its Message-ID and its content, so it is the same entry in whatever file it lies. Folders that are
gone, empty or forbidden delete nothing, as with the files source.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.errors import Refused
from app.domain.text import Text, msg
from app.runtime import clock
from app.sources.absence import gone, must_be_there, unavailable
from app.sources.contract import Added, Capability, Skipped, Warned
from app.sources.imap.following import Following, message_id, native_id
from app.sources.imap.reading import MailReader
from app.sources.imap.rows import FolderRow, Lying
from app.sources.intake import Origin, file_uri
from app.sources.mbox.splitting import messages, single
from app.sources.mbox.walk import Hidden, Kind, kind_of, mail_files, one_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.imap.rows import Numbering
    from app.sources.mbox.splitting import RawMessage
    from app.sources.mbox.walk import MailFile

_PORTION = 40
_HEADER_BYTES = 64 * 1024
_FRESH_NS = 2_000_000_000
_MIB = 1 << 20


class MboxSource:
    """See the module docstring."""

    capabilities = frozenset((Capability.WATCH,))

    def __init__(self, context: SourceContext) -> None:
        self._context = context
        self._root = Path(context.source.location)

    def authenticate(self) -> None:
        """Raises `Unavailable` when the file or folder cannot be looked at."""
        must_be_there(self._root)

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """See `contract.Source.changes`."""
        yield from _Sync(self._context, self._root, cursor).run(stop)

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Files have no search of their own."""
        del text, limit
        raise Refused(
            msg("Mail in files cannot be searched at its source."),
            next_step=msg("Search in Famulus; it knows the mail."),
        )

    def write(self, entry: Entry) -> None:
        """Famulus does not write into people's mailboxes."""
        del entry
        raise Refused(
            msg("Famulus reads these files and does not write them."),
            next_step=msg("Change them in your mail program."),
        )

    def watched(self) -> Sequence[Path]:
        """The file or folder itself."""
        return (self._root,)


class _Sync:
    """One sync."""

    def __init__(self, context: SourceContext, root: Path, cursor: CursorReader) -> None:
        self._context = context
        self._root = root
        self._reader = MailReader(context)
        self._following = Following(context, cursor)
        self._has_seen = False

    def run(self, stop: StopSignal) -> Iterator[Change]:
        try:
            for found in (
                mail_files(self._root, self._context.excluded) if self._root.is_dir() else [one_file(self._root)]
            ):
                stop.checkpoint()
                if isinstance(found, Hidden):
                    yield from self._hidden(found)
                else:
                    yield from self._look(found, stop)
        except OSError as error:
            unavailable(error)
        if self._following.known.messages and not self._has_seen and not self._context.is_deletion_confirmed:
            raise gone(msg("There is no mail any more, as when a disk is not mounted."))
        yield from self._following.finish()

    def _hidden(self, place: Hidden) -> Iterator[Change]:
        yield Skipped(place.native_id, msg("This file or folder may not be opened, or cannot be read."))
        known = {name for name, _ in self._following.known.messages}
        for name in known:
            if name == place.native_id or (place.native_id.endswith("/") and name.startswith(place.native_id)):
                self._following.keep(name)

    def _look(self, file: MailFile, stop: StopSignal) -> Iterator[Change]:
        self._following.shown[file.native_id] = file.folder
        known = self._following.known
        row = known.folders.get(file.native_id)
        numbering = (file.native_id, row.validity if row is not None else 0)
        held = known.messages.get(numbering, {})
        if row is not None and (row.next_uid, row.count, row.modseq) == (file.mtime_ns, file.size, file.inode):
            self._has_seen |= bool(held)
            self._following.live[numbering] = {number: _renamed(lying, file) for number, lying in held.items()}
            self._following.folders[file.native_id] = row
            return
        try:
            kind = kind_of(file)
            if kind is not None:
                yield from self._read(file, kind, stop)
        except OSError:
            yield from self._hidden(Hidden(file.native_id))

    def _read(self, file: MailFile, kind: Kind, stop: StopSignal) -> Iterator[Change]:
        """All messages of a file, under new numbers: the old ones tell what is gone, until this sync is whole."""
        used = [validity for name, validity in self._following.known.messages if name == file.native_id]
        numbering = (file.native_id, max(used, default=0) + 1)
        self._following.live[numbering] = {}
        noted: list[int] = []
        for number, raw in enumerate(self._messages(file, kind)):
            stop.checkpoint()
            self._has_seen = True
            if raw.is_expunged:
                continue
            yield from self._message(file, raw, numbering, number)
            noted.append(number)
            if len(noted) == _PORTION:
                yield self._following.moved(numbering, noted)
                noted = []
        yield self._following.moved(numbering, noted)
        status = file.path.stat()
        is_settled = (status.st_size, status.st_mtime_ns) == (file.size, file.mtime_ns)
        is_rested = clock.system_ns() - file.mtime_ns > _FRESH_NS
        row = FolderRow(numbering[1], file.mtime_ns if is_settled and is_rested else 0, file.size, file.inode)
        self._following.folders[file.native_id] = row

    def _messages(self, file: MailFile, kind: Kind) -> Iterator[RawMessage]:
        limit = self._context.limits.file_bytes
        with file.path.open("rb") as opened:
            if kind is Kind.MANY:
                yield from messages(opened, limit)
            else:
                raw = single(opened.read(limit))
                yield replace(raw, size=file.size) if file.size > limit else raw

    def _message(self, file: MailFile, raw: RawMessage, numbering: Numbering, number: int) -> Iterator[Change]:
        own_id = message_id(raw.data[:_HEADER_BYTES])
        name = native_id(own_id, raw.digest)
        flags = file.flags or raw.flags
        known = self._following.entry(name)
        if known is not None:
            self._following.note(numbering, number, replace(known, flags=flags))
            return
        marks = {"folder": file.folder, "flags": flags}
        file_name = "message.msg" if file.path.suffix.lower() == ".msg" else "message.eml"
        read = self._reader.read(raw.data, name, Origin(file_uri(file.path), _changed_at(file)), marks, name=file_name)
        if isinstance(read, Text):
            self._following.note(numbering, number, Lying(name, flags, read), is_told=True)
            yield Skipped(name, read)
            return
        self._following.note(numbering, number, Lying(name, flags), is_told=True)
        yield Added(read)
        if raw.size > len(raw.data):
            mib = raw.size // _MIB
            yield Warned(msg("{title} is {mib} MiB big; only its beginning was read.", title=read.title, mib=mib))


def _renamed(lying: Lying, file: MailFile) -> Lying:
    """A message of a file that looks as it did: only a Maildir's file may have got other flags, in its name."""
    return replace(lying, flags=file.flags) if file.is_in_maildir else lying


def _changed_at(file: MailFile) -> datetime | None:
    """For a message that has no date of its own; some file systems know nonsense."""
    try:
        return datetime.fromtimestamp(file.mtime_ns / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return None
