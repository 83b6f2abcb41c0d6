"""What every mailbox source has in common: which message lies where, and what follows from it at the end of a sync.

An entry is a message, wherever it lies. What was lying somewhere before and lies nowhere now is deleted; what lies
elsewhere, or with other flags, is marked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.sources.contract import CursorMoved, Deleted, Marked, Skipped, Unchanged
from app.sources.deletion_guard import allow_deletions
from app.sources.files.state import READERS
from app.sources.imap.rows import READERS_KEY, folder_row, forget_refusals, message_rows, read_rows
from app.sources.parsing.blocks import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.imap.rows import FolderRow, Lying, Messages, Numbering

_MESSAGE_ID = re.compile(rb"^message-id:\s{0,100}<([^<>\s]{1,500})>", re.IGNORECASE | re.MULTILINE)
_NATIVE_ID_CHARS = 120
_HASH_CHARS = 24


def message_id(header: bytes) -> str:
    """The Message-ID in the header of a message; empty where there is none."""
    found = _MESSAGE_ID.search(header)
    return found[1].decode("utf-8", "replace") if found is not None else ""


def native_id(own_id: str, digest: str) -> str:
    """The native id of a message: its Message-ID, and a hash, since anybody can borrow a Message-ID."""
    return f"{one_line(own_id, _NATIVE_ID_CHARS).replace('#', '%23') or 'message'}/{digest[:_HASH_CHARS]}"


class Following:
    """The state of one sync.

    Attributes:
        known: what the cursor said when it began.
        live: what lies where now, as far as it was seen.
        folders: the rows of folders that were seen to their end.
        shown: how a folder is called for people, where that is not its name in the cursor.
    """

    def __init__(self, context: SourceContext, cursor: CursorReader) -> None:
        self._context = context
        self.known = read_rows(cursor)
        self._is_outdated = cursor.get(READERS_KEY) != str(READERS)
        if self._is_outdated:
            forget_refusals(self.known)
        self._stored: Messages = {numbering: dict(held) for numbering, held in self.known.messages.items()}
        self.live: Messages = {}
        self.folders: dict[str, FolderRow] = {}
        self.shown: dict[str, str] = {}
        self._entries = {lying.native_id: lying for lying in _all(self.known.messages)}
        self._told: set[str] = set()

    def entry(self, native_id: str) -> Lying | None:
        """A message that is known, from wherever."""
        return self._entries.get(native_id)

    def keep(self, name: str) -> None:
        """A folder cannot be looked at: what lay there still does."""
        self.live.update((key, held) for key, held in self.known.messages.items() if key[0] == name)
        if name in self.known.folders:
            self.folders[name] = self.known.folders[name]

    def note(self, numbering: Numbering, number: int, lying: Lying, *, is_told: bool = False) -> None:
        """A message lies under a number; whether it was told just now, or is an old one."""
        self._entries.setdefault(lying.native_id, lying)
        self.live.setdefault(numbering, {})[number] = lying
        self._stored.setdefault(numbering, {})[number] = lying
        if is_told:
            self._told.add(lying.native_id)

    def moved(self, numbering: Numbering, numbers: Iterable[int]) -> CursorMoved:
        """The cursor after what was noted under these numbers."""
        return CursorMoved(message_rows(numbering, self._stored.get(numbering, {}), numbers))

    def finish(self) -> Iterator[Change]:
        """What follows once everything was seen; raises `Refused` where too much would be deleted."""
        yield from self._old_news()
        yield from self._moves()
        yield from self._deletions()
        yield from self._finished()

    def _old_news(self) -> Iterator[Change]:
        """What could not be read before still cannot."""
        told: set[str] = set()
        for lying in _all(self.live):
            if lying.reason is not None and lying.native_id not in self._told | told:
                told.add(lying.native_id)
                yield Skipped(lying.native_id, lying.reason)

    def _moves(self) -> Iterator[Change]:
        """Known entries that lie elsewhere now, or have other flags."""
        before, now = _places(self.known.messages), _places(self.live)
        unchanged = 0
        for native_id, place in now.items():
            if native_id in self._told:
                continue
            was = before.get(native_id)
            if was == place:
                unchanged += 1
            else:
                folder, flags = place
                yield Marked(native_id, {"folder": self.shown.get(folder, folder), "flags": flags})
        yield Unchanged(unchanged)

    def _deletions(self) -> Iterator[Change]:
        now = {lying.native_id for lying in _all(self.live)}
        before = {lying.native_id for lying in _all(self.known.messages) if lying.reason is None}
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
        for numbering in self._stored.keys() | self.live.keys():
            stored, live = self._stored.get(numbering, {}), self.live.get(numbering, {})
            different = [uid for uid in stored.keys() | live.keys() if stored.get(uid) != live.get(uid)]
            moved |= message_rows(numbering, live, different)
        for name, row in self.folders.items():
            if row != self.known.folders.get(name):
                moved |= folder_row(name, row)
        for name in self.known.folders.keys() - self.folders.keys():
            moved |= folder_row(name, None)
        if self._is_outdated:
            moved[READERS_KEY] = str(READERS)
        if moved:
            yield CursorMoved(moved)


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
