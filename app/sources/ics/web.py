"""A calendar on the web that is subscribed to: read again when the server says that it changed (RFC 9110, 13.1).

Its address may be all that keeps it private, so it is treated like a password: provenance names the host, and no more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.domain.errors import Refused, Unavailable
from app.domain.text import msg
from app.runtime import clock
from app.runtime.network import Http, Login, Request
from app.sources.contract import Added, Changed, CursorMoved, Deleted, Unchanged, Warned
from app.sources.dav.state import ResourceRow, is_same, row_after
from app.sources.deletion_guard import allow_deletions
from app.sources.intake import FileReader, Origin, fragment_id, fragment_of
from app.sources.location import without_user

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.domain.text import Text
    from app.runtime.network import NetworkLimits
    from app.runtime.network_answers import Answer
    from app.sources.contract import Capability, Change, CursorReader, SourceContext
    from app.sources.intake import ReadFile

_KEY = "calendar"
_NOT_MODIFIED, _UNAUTHORIZED, _FORBIDDEN = 304, 401, 403
_ZONE_DIFFERENCES = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class _Version:
    """By what a server tells a version, and what was in it."""

    etag: str = ""
    modified: str = ""
    sha256: str = ""

    def to_text(self) -> str:
        return json.dumps([self.etag, self.modified, self.sha256])

    @classmethod
    def from_text(cls, text: str) -> _Version:
        try:
            etag, modified, sha256 = json.loads(text)
        except (ValueError, TypeError):
            return cls()
        return cls(str(etag), str(modified), str(sha256))


class WebCalendar:
    """See the module docstring.

    Args:
        context: its source's location is an http address.
        limits: of a test.
    """

    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, context: SourceContext, limits: NetworkLimits | None = None) -> None:
        self._context = context
        self._limits = limits
        self._address, user = without_user(context.source.location)
        self._user = context.source.options.get("user", "") or user
        self._host = urlsplit(self._address).hostname or ""

    def authenticate(self) -> None:
        """The sync asks the only question that there is."""

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """See `contract.Source.changes`."""
        row = ResourceRow.from_json(cursor.get(_KEY) or "")
        reader = FileReader(self._context)
        until = row.read_again_after if row is not None else None
        is_due = until is not None and until + _ZONE_DIFFERENCES < reader.window[1]
        stop.checkpoint()
        answer = self._fetched(row if not is_due else None, stop)
        if answer is None:
            yield Unchanged(len(row.entries) if row is not None else 0)
            yield from self._deletions(row)
            return
        stop.checkpoint()
        read = reader.read_bytes(answer.body, "calendar.ics", _KEY, Origin(f"https://{self._host}/", clock.now()))
        self._check(read)
        version = _Version(answer.headers.get("etag", ""), answer.headers.get("last-modified", ""), read.sha256 or "")
        new = row_after(read, version.to_text(), row)
        yield from _told(read, row)
        yield from (Warned(warning) for warning in read.warnings)
        yield CursorMoved({_KEY: new.to_json()})
        yield from self._deletions(new, known=len(row.all_fragments) if row is not None else 0)

    def _fetched(self, row: ResourceRow | None, stop: StopSignal) -> Answer | None:
        """The calendar; None when it is as it was."""
        headers = {"Accept": "text/calendar, */*;q=0.5"}
        version = _Version.from_text(row.etag) if row is not None else _Version()
        if version.etag:
            headers["If-None-Match"] = version.etag
        if version.modified:
            headers["If-Modified-Since"] = version.modified
        secret, user = self._context.secret, self._user
        login = (lambda: Login(user, secret())) if secret is not None and user else None
        ledger = self._context.ledger
        with Http(self._address, "collect:ics", ledger, login=login, limits=self._limits, stop=stop) as http:
            answer = http.send(Request("GET", self._address, headers))
        if answer.status == _NOT_MODIFIED and row is not None:
            return None
        if answer.is_good:
            return answer
        if answer.status in {_UNAUTHORIZED, _FORBIDDEN}:
            raise self._unavailable(msg("{host} does not give the calendar without the right login.", host=self._host))
        raise self._unavailable(
            msg("{host} answers with the error {status}.", host=self._host, status=answer.status),
        )

    def _check(self, read: ReadFile) -> None:
        """A page to log in, or one that says sorry, is no empty calendar."""
        if read.refusal is not None:
            raise self._unavailable(read.refusal.reason)
        if read.facts.get("format") != "calendar":
            raise self._unavailable(msg("What {host} sends is no calendar.", host=self._host))

    def _unavailable(self, what: Text) -> Unavailable:
        return Unavailable(
            what,
            lost=msg("Nothing was deleted."),
            next_step=msg("Look whether the address is still the right one. It is tried again by itself."),
        )

    def _deletions(self, row: ResourceRow | None, known: int | None = None) -> Iterator[Change]:
        """What the calendar no longer holds."""
        if row is None or not row.gone:
            return
        allow_deletions(
            len(row.gone),
            known if known is not None else len(row.all_fragments),
            self._context.deletions,
            is_confirmed=self._context.is_deletion_confirmed,
            source_id=self._context.source.source_id,
        )
        yield from (Deleted(fragment_id(_KEY, fragment)) for fragment in row.gone)
        yield CursorMoved({_KEY: replace(row, gone=()).to_json()})

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """A file on the web cannot be searched there."""
        del text, limit
        raise Refused(
            msg("This calendar cannot be searched at its source."),
            next_step=msg("Search in Famulus; it knows the events."),
        )

    def write(self, entry: Entry) -> None:
        """What is only subscribed to belongs to somebody else."""
        del entry
        raise Refused(
            msg("A calendar that is subscribed to cannot be written."),
            next_step=msg("Add it as CalDAV if it is yours."),
        )

    def watched(self) -> Sequence[Path]:
        """Nothing on this device."""
        return ()


def _told(read: ReadFile, row: ResourceRow | None) -> Iterator[Change]:
    unchanged = 0
    for entry in read.entries:
        fragment = fragment_of(entry.native_id)
        if is_same(row, fragment, entry.content_hash):
            unchanged += 1
        elif row is not None and fragment in row.entries:
            yield Changed(entry)
        else:
            yield Added(entry)
    yield Unchanged(unchanged)
