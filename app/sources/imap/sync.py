"""One sync of one mailbox.

An entry is a message, wherever it lies: moved to another folder it is the same entry, lying in two it is one, and when
a server numbers a folder anew nothing is fetched twice. It is deleted when it lies in none of the collected folders any
more, which is concluded only after all of them were seen.

Numbers are compared first, in the way that the server's extensions make cheapest; messages that are new are asked who
they are; and only of those that nobody knows the text is fetched, newest first, in portions after which the cursor
moves.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import quote

from app.domain.text import Text, msg
from app.sources.contract import Added, Skipped, Warned
from app.sources.imap.following import Following
from app.sources.imap.reading import MailReader
from app.sources.imap.rows import FolderRow, Lying
from app.sources.intake import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.imap.connection import Connection, Folder, FolderState, Identity
    from app.sources.imap.rows import Numbering

_ASKED_AT_ONCE = 250
_FETCHED_AT_ONCE = 40
_FETCHED_BYTES = 8 * 1024 * 1024
_WHOLE_BYTES = 24 * 1024 * 1024
_BEGINNING_BYTES = 4 * 1024 * 1024
_MIB = 1 << 20


def read_message(reader: MailReader, place: str, data: bytes, identity: Identity, folder: str) -> Entry | Text:
    """A message of a server as an entry; or why it cannot be read.

    Args:
        place: the address of the mailbox, for what has no Message-ID.
    """
    known_by = identity.message_id
    uri = f"mid:{quote(known_by, safe='@')}" if known_by else f"{place}/{quote(folder)}"
    origin = Origin(uri, identity.received_at)
    return reader.read(data, identity.native_id, origin, {"folder": folder, "flags": identity.flags})


def fetch(
    connection: Connection, uids: Sequence[int], identities: Mapping[int, Identity], most_bytes: int
) -> Mapping[int, bytes]:
    """A portion of messages, or the beginning of a single one that is too big."""
    if len(uids) > 1 or identities[uids[0]].size <= most_bytes:
        return connection.messages(uids)
    beginning = connection.beginning(uids[0], min(_BEGINNING_BYTES, most_bytes))
    return {} if beginning is None else {uids[0]: beginning}


class Sync:
    """See the module docstring."""

    def __init__(self, context: SourceContext, connection: Connection, cursor: CursorReader) -> None:
        self._context = context
        self._connection = connection
        self._reader = MailReader(context)
        self._place = context.source.location
        self._following = Following(context, cursor)

    def run(self, folders: Sequence[Folder], stop: StopSignal) -> Iterator[Change]:
        """Tell what is new; see `contract.Source.changes`."""
        for folder in folders:
            stop.checkpoint()
            yield from self._folder(folder, stop)
        yield from self._following.finish()

    def _folder(self, folder: Folder, stop: StopSignal) -> Iterator[Change]:
        state = self._connection.open(folder)
        if isinstance(state, Text):
            yield Skipped(folder.name, state)
            self._following.keep(folder.name)
            return
        numbering = (folder.name, state.validity)
        old = self._following.known.messages.get(numbering, {}) if state.validity else {}
        here, flags = self._compare(state, self._following.known.folders.get(folder.name), old)
        live = {uid: replace(old[uid], flags=flags.get(uid, old[uid].flags)) for uid in here if uid in old}
        self._following.live[numbering] = live
        row = FolderRow(state.validity, state.next_uid, state.count, state.modseq or 0)
        self._following.folders[folder.name] = row
        new = sorted((uid for uid in here if uid not in old), reverse=True)
        for uids in _portions(new, _ASKED_AT_ONCE):
            yield from self._arrivals(uids, numbering, stop)

    def _compare(
        self, state: FolderState, row: FolderRow | None, old: Mapping[int, Lying]
    ) -> tuple[Iterable[int], Mapping[int, str]]:
        """Which numbers are in the open folder, and which flags are new; with as few questions as possible."""
        if row is None or row.validity != state.validity or not state.validity:
            numbers = self._connection.numbers()
            return numbers, self._connection.flags([uid for uid in numbers if uid in old])
        since = row.modseq if row.modseq and state.modseq is not None else None
        is_same = (row.next_uid, row.count) == (state.next_uid, state.count) and len(old) == state.count
        if is_same and since == state.modseq and since is not None:
            return old, {}
        if since is None:
            numbers = list(old) if is_same and state.next_uid else self._connection.numbers()
            return numbers, self._connection.flags([uid for uid in numbers if uid in old])
        tells = self._connection.tells_vanished
        flags, vanished = self._connection.flags_since(since, with_vanished=tells)
        if tells:
            here = {uid for uid in old if uid not in vanished} | flags.keys()
            if len(here) == state.count:
                return here, flags
        return self._connection.numbers(), flags

    def _arrivals(self, uids: Sequence[int], numbering: Numbering, stop: StopSignal) -> Iterator[Change]:
        """Messages under new numbers: those that are known from elsewhere are only noted, the others fetched."""
        identities = self._connection.identities(uids)
        unknown: list[int] = []
        for uid in uids:
            identity = identities.get(uid)
            if identity is None:
                continue
            known = self._following.entry(identity.native_id)
            if known is None:
                unknown.append(uid)
            else:
                self._following.note(numbering, uid, replace(known, flags=identity.flags))
        yield self._following.moved(numbering, set(uids) - set(unknown))
        for portion in by_size(unknown, identities):
            stop.checkpoint()
            fetched = fetch(self._connection, portion, identities, most_bytes(self._context))
            for uid in portion:
                if (data := fetched.get(uid)) is not None:
                    yield from self._arrival(uid, data, identities[uid], numbering)
                else:
                    yield Skipped(identities[uid].native_id, msg("The server did not hand it out."))
            yield self._following.moved(numbering, portion)

    def _arrival(self, uid: int, data: bytes, identity: Identity, numbering: Numbering) -> Iterator[Change]:
        known = self._following.entry(identity.native_id)
        if known is not None:  # twice in one portion
            self._following.note(numbering, uid, replace(known, flags=identity.flags))
            return
        read = read_message(self._reader, self._place, data, identity, numbering[0])
        if isinstance(read, Text):
            self._following.note(numbering, uid, Lying(identity.native_id, identity.flags, read), is_told=True)
            yield Skipped(identity.native_id, read)
        else:
            self._following.note(numbering, uid, Lying(identity.native_id, identity.flags), is_told=True)
            yield Added(read)
            if identity.size > most_bytes(self._context):
                mib = identity.size // _MIB
                title = read.title
                yield Warned(msg("{title} is {mib} MiB big; only its beginning was fetched.", title=title, mib=mib))


def most_bytes(context: SourceContext) -> int:
    """Messages beyond this are fetched in part."""
    return min(_WHOLE_BYTES, context.limits.file_bytes)


def _portions(uids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    waiting = iter(uids)
    while portion := list(islice(waiting, size)):
        yield portion


def by_size(uids: Sequence[int], identities: Mapping[int, Identity]) -> Iterator[Sequence[int]]:
    """Portions that fit into memory and are soon done; a message that is bigger than a portion is one by itself."""
    portion: list[int] = []
    size = 0
    for uid in uids:
        if portion and (len(portion) >= _FETCHED_AT_ONCE or size + identities[uid].size > _FETCHED_BYTES):
            yield portion
            portion, size = [], 0
        portion.append(uid)
        size += identities[uid].size
    if portion:
        yield portion
