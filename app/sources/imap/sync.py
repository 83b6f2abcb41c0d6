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
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote

from app.domain.text import Text, msg
from app.sources.contract import Added, CursorMoved, Deleted, Marked, Skipped, Unchanged, Warned
from app.sources.deletion_guard import allow_deletions
from app.sources.imap.rows import FolderRow, Lying, folder_row, message_rows, read_rows
from app.sources.intake import FileReader, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.imap.connection import Connection, Folder, FolderState, Identity
    from app.sources.imap.rows import Messages, Numbering

_ASKED_AT_ONCE = 250
_FETCHED_AT_ONCE = 40
_FETCHED_BYTES = 8 * 1024 * 1024
_WHOLE_BYTES = 24 * 1024 * 1024
_BEGINNING_BYTES = 4 * 1024 * 1024
_MIB = 1 << 20


class MailReader:
    """Reads messages of a mailbox into entries.

    Args:
        place: the address of the mailbox, in front of what has no Message-ID.
    """

    def __init__(self, context: SourceContext, place: str) -> None:
        self._reader = FileReader(context)
        self._place = place

    def read(self, data: bytes, identity: Identity, folder: str) -> Entry | Text:
        """One message as an entry; or why it cannot be read."""
        if data.startswith((b"From ", b">From ")):
            data = data.partition(b"\n")[2]  # the separator of a mailbox file, which may not make one mail into many
        uri = f"mid:{quote(identity.message_id, safe='@')}" if identity.message_id else f"{self._place}/{quote(folder)}"
        read = self._reader.read_bytes(data, "message.eml", identity.native_id, Origin(uri, identity.received_at))
        if read.refusal is not None:
            return read.refusal.reason
        if not read.entries:
            return msg("There is nothing in it.")
        entry = read.entries[0]
        metadata = {**entry.metadata, "folder": folder, **({"flags": identity.flags} if identity.flags else {})}
        return replace(entry, native_id=identity.native_id, source_uri=uri, metadata=MappingProxyType(metadata))


class Sync:
    """See the module docstring."""

    def __init__(
        self, context: SourceContext, connection: Connection, reader: MailReader, cursor: CursorReader
    ) -> None:
        self._context = context
        self._connection = connection
        self._reader = reader
        self._known = read_rows(cursor)
        self._stored: Messages = {numbering: dict(held) for numbering, held in self._known.messages.items()}
        self._live: Messages = {}
        self._states: dict[str, FolderState] = {}
        self._entries = {lying.native_id: lying for held in self._known.messages.values() for lying in held.values()}
        self._told: set[str] = set()

    def run(self, folders: Sequence[Folder], stop: StopSignal) -> Iterator[Change]:
        """Tell what is new; see `contract.Source.changes`."""
        for folder in folders:
            stop.checkpoint()
            yield from self._folder(folder, stop)
        yield from self._old_news()
        yield from self._moves()
        yield from self._deletions()
        yield from self._finished()

    def _folder(self, folder: Folder, stop: StopSignal) -> Iterator[Change]:
        state = self._connection.open(folder)
        if isinstance(state, Text):
            yield Skipped(folder.name, state)
            self._live.update((key, held) for key, held in self._known.messages.items() if key[0] == folder.name)
            return
        numbering = (folder.name, state.validity)
        old = self._known.messages.get(numbering, {}) if state.validity else {}
        here, flags = self._compare(state, self._known.folders.get(folder.name), old)
        live = {uid: replace(old[uid], flags=flags.get(uid, old[uid].flags)) for uid in here if uid in old}
        self._live[numbering] = live
        self._states[folder.name] = state
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
            known = self._entries.get(identity.native_id)
            if known is None:
                unknown.append(uid)
            else:
                self._note(numbering, uid, replace(known, flags=identity.flags))
        yield CursorMoved(message_rows(numbering, self._stored.get(numbering, {}), set(uids) - set(unknown)))
        for portion in _by_size(unknown, identities):
            stop.checkpoint()
            fetched = self._fetched(portion, identities)
            for uid in portion:
                if (data := fetched.get(uid)) is not None:
                    yield from self._arrival(uid, data, identities[uid], numbering)
                else:
                    yield Skipped(identities[uid].native_id, msg("The server did not hand it out."))
            yield CursorMoved(message_rows(numbering, self._stored.get(numbering, {}), portion))

    def _fetched(self, uids: Sequence[int], identities: Mapping[int, Identity]) -> Mapping[int, bytes]:
        if len(uids) > 1 or identities[uids[0]].size <= _most_bytes(self._context):
            return self._connection.messages(uids)
        beginning = self._connection.beginning(uids[0], min(_BEGINNING_BYTES, _most_bytes(self._context)))
        return {} if beginning is None else {uids[0]: beginning}

    def _arrival(self, uid: int, data: bytes, identity: Identity, numbering: Numbering) -> Iterator[Change]:
        known = self._entries.get(identity.native_id)
        if known is not None:  # twice in one portion
            self._note(numbering, uid, replace(known, flags=identity.flags))
            return
        read = self._reader.read(data, identity, numbering[0])
        if isinstance(read, Text):
            self._note(numbering, uid, Lying(identity.native_id, identity.flags, read))
            yield Skipped(identity.native_id, read)
        else:
            self._note(numbering, uid, Lying(identity.native_id, identity.flags))
            yield Added(read)
            if identity.size > _most_bytes(self._context):
                mib = identity.size // _MIB
                title = read.title
                yield Warned(msg("{title} is {mib} MiB big; only its beginning was fetched.", title=title, mib=mib))
        self._told.add(identity.native_id)

    def _note(self, numbering: Numbering, uid: int, lying: Lying) -> None:
        self._entries.setdefault(lying.native_id, lying)
        self._live.setdefault(numbering, {})[uid] = lying
        self._stored.setdefault(numbering, {})[uid] = lying

    def _old_news(self) -> Iterator[Change]:
        """What could not be read before still cannot."""
        told: set[str] = set()
        for lying in _all(self._live):
            if lying.reason is not None and lying.native_id not in self._told | told:
                told.add(lying.native_id)
                yield Skipped(lying.native_id, lying.reason)

    def _moves(self) -> Iterator[Change]:
        """Known entries that lie elsewhere now, or have other flags."""
        before, now = _places(self._known.messages), _places(self._live)
        unchanged = 0
        for native_id, place in now.items():
            if native_id in self._told:
                continue
            was = before.get(native_id)
            if was == place:
                unchanged += 1
            else:
                folder, flags = place
                yield Marked(native_id, {"folder": folder, "flags": flags})
        yield Unchanged(unchanged)

    def _deletions(self) -> Iterator[Change]:
        now = {lying.native_id for lying in _all(self._live)}
        before = {lying.native_id for lying in _all(self._known.messages) if lying.reason is None}
        lost = before - now
        allow_deletions(
            len(lost),
            len(before),
            self._context.deletions,
            is_confirmed=self._context.is_deletion_confirmed,
            source_id=self._context.source.source_id,
        )
        yield from (Deleted(native_id) for native_id in sorted(lost))

    def _finished(self) -> Iterator[Change]:
        """The cursor as it is after all that was told."""
        moved: dict[str, str | None] = {}
        for numbering in self._stored.keys() | self._live.keys():
            stored, live = self._stored.get(numbering, {}), self._live.get(numbering, {})
            different = [uid for uid in stored.keys() | live.keys() if stored.get(uid) != live.get(uid)]
            moved |= message_rows(numbering, live, different)
        for name, state in self._states.items():
            row = FolderRow(state.validity, state.next_uid, state.count, state.modseq or 0)
            if row != self._known.folders.get(name):
                moved |= folder_row(name, row)
        names = {name for name, _ in self._live}
        for name in self._known.folders.keys() - names:
            moved |= folder_row(name, None)
        if moved:
            yield CursorMoved(moved)


def _most_bytes(context: SourceContext) -> int:
    """Messages beyond this are fetched in part."""
    return min(_WHOLE_BYTES, context.limits.file_bytes)


def _all(messages: Messages) -> Iterator[Lying]:
    for held in messages.values():
        yield from held.values()


def _places(messages: Messages) -> dict[str, tuple[str, str]]:
    """For every entry the folder that it lies in, the first of them where there are several, and its flags there."""
    places: dict[str, tuple[str, str]] = {}
    for (name, _), held in sorted(messages.items(), key=lambda pair: (pair[0][0].upper() != "INBOX", pair[0])):
        for lying in held.values():
            if lying.reason is None:
                places.setdefault(lying.native_id, (name, lying.flags))
    return places


def _portions(uids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    waiting = iter(uids)
    while portion := list(islice(waiting, size)):
        yield portion


def _by_size(uids: Sequence[int], identities: Mapping[int, Identity]) -> Iterator[Sequence[int]]:
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
