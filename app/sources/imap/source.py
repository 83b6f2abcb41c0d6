"""A mailbox on a server as a source. Nothing there is changed but for drafts that a person asked to be put there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import BadInput, Refused
from app.domain.text import Text, msg
from app.sources.contract import Capability, Warned
from app.sources.imap import folders as choice
from app.sources.imap.address import read_address
from app.sources.imap.connection import connect
from app.sources.imap.draft import draft_message
from app.sources.imap.reading import MailReader
from app.sources.imap.sync import Sync, by_size, fetch, most_bytes, read_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.imap.address import Address
    from app.sources.imap.connection import Connection, Folder

_COLLECT, _SEARCH, _WRITE = "collect:imap", "search:imap", "write:imap"


class ImapSource:
    """See the module docstring. Every method opens a connection of its own, and closes it."""

    capabilities = frozenset((Capability.PUSH, Capability.SEARCH, Capability.WRITE))

    def __init__(self, context: SourceContext) -> None:
        self._context = context

    def authenticate(self) -> None:
        """Raises `Unavailable` when the server cannot be reached or does not let us in, or there is no password."""
        self._connect(_COLLECT).close()

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """See `contract.Source.changes`."""
        with self._connect(_COLLECT, stop) as connection:
            folders, warnings = self._folders(connection)
            yield from (Warned(warning) for warning in warnings)
            yield from Sync(self._context, connection, cursor).run(folders, stop)

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Let the server search, the newest of each folder first; the words go to the server and to nobody else."""
        found: dict[str, Entry] = {}
        if not text.strip():
            return ()
        with self._connect(_SEARCH) as connection:
            for folder in self._folders(connection)[0]:
                if len(found) < limit and not isinstance(connection.open(folder), Text):
                    uids = sorted(connection.found(text), reverse=True)[: limit - len(found)]
                    for entry in self._entries(connection, uids, folder.name):
                        found.setdefault(entry.native_id, entry)
        return tuple(found.values())

    def _entries(self, connection: Connection, uids: Sequence[int], folder: str) -> Iterator[Entry]:
        """Messages of the open folder as entries; those that cannot be read are left out."""
        reader, place = MailReader(self._context), self._context.source.location
        identities = connection.identities(uids)
        for portion in by_size([uid for uid in uids if uid in identities], identities):
            messages = fetch(connection, portion, identities, most_bytes(self._context))
            for uid in portion:
                if uid in messages:
                    entry = read_message(reader, place, messages[uid], identities[uid], folder)
                    if not isinstance(entry, Text):
                        yield entry

    def write(self, entry: Entry) -> None:
        """Put a draft into the folder for drafts; nothing is sent.

        Raises:
            Refused: there is no such folder.
        """
        with self._connect(_WRITE) as connection:
            folder = choice.drafts(connection.folders())
            if folder is None:
                raise Refused(
                    msg("This mailbox has no folder for drafts."),
                    next_step=msg("Make one in your mail program, and try again."),
                )
            connection.append_draft(folder, draft_message(entry, self._address().user))

    def watched(self) -> Sequence[Path]:
        """Nothing on this device."""
        return ()

    def wait_for_change(self, stop: StopSignal) -> bool:
        """See `contract.PushingSource`; the inbox is what is watched."""
        with self._connect(_COLLECT, stop) as connection:
            inbox = choice.inbox(connection.folders())
            if not connection.can_push or inbox is None or isinstance(connection.open(inbox), Text):
                raise Refused(
                    msg("This server does not say by itself that there is new mail."),
                    next_step=msg("It is asked now and then instead."),
                )
            return connection.wait(stop)

    def _connect(self, purpose: str, stop: StopSignal | None = None) -> Connection:
        """Connect and sign in; raises `Unavailable`, and what `context.secret` raises."""
        address = self._address()
        context = self._context
        if context.ledger is None or context.secret is None:
            raise Refused(
                msg("Nothing may leave this device now."), next_step=msg("Allow it in the settings, and sync again.")
            )
        secret = context.secret()
        connection = connect(address, context.ledger, purpose, stop)
        connection.sign_in(address.user, secret)
        return connection

    def _address(self) -> Address:
        address = read_address(self._context.source.location, self._context.source.options)
        if not address.user or not address.user.isprintable():
            raise BadInput(
                msg("The user name of this mailbox is missing, or makes no sense."),
                next_step=msg("Add the source again with imaps://NAME@server, or set its option `user`."),
            )
        return address

    def _folders(self, connection: Connection) -> tuple[Sequence[Folder], Sequence[Text]]:
        return choice.chosen(connection.folders(), self._context.source.options.get("folders", ""))
