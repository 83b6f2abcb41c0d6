"""One sync of calendars or address books: what a server tells of changes, and what it no longer has.

A collection whose mark (sync-token, ctag) is as it was costs nothing. Else the server tells what changed since the
token; where it cannot (RFC 6578, an old token), the etags of all resources are compared. Only resources with a new etag
are read. Nothing is concluded from an answer that is cut off or makes no sense, and a mark moves only when all that it
covers was told. Deletions come last, guarded over the whole source.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.errors import TooBig, Unavailable
from app.domain.text import msg
from app.sources.contract import Added, Changed, CursorMoved, Deleted, Skipped, Unchanged, Warned
from app.sources.dav import requests
from app.sources.dav.answers import NothingThere, NotSupported, nonsense
from app.sources.dav.discovery import chosen, find_homes, list_collections
from app.sources.dav.reading import ResourceReader, native_id_of
from app.sources.dav.state import (
    HOME,
    Known,
    ResourceRow,
    collection_key,
    folder_of,
    homes_row,
    is_same,
    mark_of,
    resource_key,
    row_after,
    token_in,
)
from app.sources.deletion_guard import allow_deletions
from app.sources.intake import ReadFile, Refusal, fragment_id, fragment_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.dav.answers import MultiStatus
    from app.sources.dav.client import DavClient
    from app.sources.dav.discovery import DavCollection

_AT_ONCE = 50
_ZONE_DIFFERENCES = timedelta(days=2)


@dataclass(slots=True)
class _Listing:
    """What a collection holds as far as it was told: resources with their etags, and those that are gone."""

    etags: dict[str, str] = field(default_factory=dict)
    spellings: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    mark: str = ""


class DavSync:
    """See the module docstring."""

    def __init__(self, context: SourceContext, client: DavClient, cursor: CursorReader) -> None:
        self._context = context
        self._client = client
        self._known = Known(cursor)
        self._reader = ResourceReader(context, client)
        self._live: dict[str, ResourceRow] = {}
        self._gone: set[str] = set()
        self._marks: dict[str, str | None] = {}
        self._unchanged = 0

    def run(self, stop: StopSignal) -> Iterator[Change]:
        """All changes since the cursor."""
        homes, found = self._collections()
        if homes != self._known.homes:
            yield CursorMoved({HOME: homes_row(homes)})
        collections, missing = chosen(found, self._context.source.options)
        yield from (Warned(msg("There is no “{name}” at the server.", name=name)) for name in missing)
        if not collections and self._known.resources and not self._context.is_deletion_confirmed:
            raise Unavailable(
                msg("The server shows none of the collections that it had."),
                lost=msg("Nothing was deleted."),
                next_step=msg(
                    "If you deleted them: famulus sync {source} --confirm-deletions. It is tried again by itself.",
                    source=self._context.source.source_id,
                ),
            )
        for collection in collections:
            stop.checkpoint()
            yield from self._collection(collection, stop)
        paths = {collection.path for collection in collections}
        self._gone.update(path for path in self._known.resources if folder_of(path) not in paths)
        self._marks.update((collection_key(path), None) for path in self._known.marks if path not in paths)
        yield Unchanged(self._unchanged)
        stop.checkpoint()
        yield from self._deletions()
        if self._marks:
            yield CursorMoved(self._marks)

    def _collections(self) -> tuple[tuple[str, ...], list[DavCollection]]:
        """Where they are, and which there are: remembered from last time, or looked for anew."""
        if self._known.homes:
            try:
                found = list_collections(self._client, self._known.homes)
            except (NothingThere, NotSupported):
                found = []
            if found:
                return self._known.homes, found
        homes = find_homes(self._client)
        try:
            return homes, list_collections(self._client, homes)
        except (NothingThere, NotSupported):
            raise nonsense(self._client.location) from None

    def _collection(self, collection: DavCollection, stop: StopSignal) -> Iterator[Change]:
        known = self._known.within(collection.path)
        listing = self._listing(collection, known)
        if listing is None:
            yield Warned(msg("“{name}” vanished while it was read.", name=collection.name))
            return
        to_read = [path for path, etag in listing.etags.items() if self._is_new(known.get(path), etag)]
        to_read += [path for path, row in known.items() if self._is_due(row) and path not in listing.gone]
        to_read = list(dict.fromkeys(to_read))
        for path, row in known.items():
            if path not in listing.gone and path not in to_read:
                self._unchanged += len(row.entries)
                if row.refusal is not None:
                    yield Skipped(native_id_of(path), row.refusal)
        for first in range(0, len(to_read), _AT_ONCE):
            stop.checkpoint()
            yield from self._batch(collection, to_read[first : first + _AT_ONCE], listing, known)
        self._gone |= listing.gone
        if listing.mark and listing.mark != self._known.marks.get(collection.path):
            moved = {collection_key(collection.path): listing.mark}
            if listing.gone or any(self._live[path].gone for path in to_read if path in self._live):
                self._marks.update(moved)
            else:
                yield CursorMoved(moved)

    def _is_new(self, row: ResourceRow | None, etag: str) -> bool:
        return row is None or not etag or row.etag != etag

    def _is_due(self, row: ResourceRow) -> bool:
        """Whether the window for recurring events has moved on."""
        until = row.read_again_after
        return until is not None and until + _ZONE_DIFFERENCES < self._reader.window_end

    def _listing(self, collection: DavCollection, known: dict[str, ResourceRow]) -> _Listing | None:
        """What is new in a collection; None when it is not there any more."""
        mark, old = mark_of(collection), self._known.marks.get(collection.path, "")
        if mark and mark == old:
            return _Listing(mark=mark)
        if (token := token_in(old)) and collection.can_tell_changes:
            try:
                return _told(self._client.changes_since(collection.path, token), collection)
            except (NotSupported, NothingThere):
                pass  # the token is too old: everything is compared
        try:
            answer = self._client.propfind(self._client.url(collection.path), requests.etags(), depth=1)
        except (NotSupported, NothingThere):
            return None
        return _compared(answer, collection, known, self._client.location)

    def _batch(
        self, collection: DavCollection, paths: list[str], listing: _Listing, known: dict[str, ResourceRow]
    ) -> Iterator[Change]:
        """Read resources at once; one that is missing by now is told as gone by the next sync."""
        spelled = {path: listing.spellings.get(path, path) for path in paths}
        texts = {one.path: one for one in self._client.texts(collection.path, list(spelled.values()))}
        for path in paths:
            row = known.get(path)
            try:
                text = texts.get(path) or self._client.text(spelled[path])
            except TooBig as problem:
                # this one alone is not read, until it changes
                refused = ReadFile(None, None, refusal=Refusal(problem.what, problem.next_step))
                yield from self._kept(path, refused, listing.etags.get(path, ""), row)
                continue
            if text is None:
                self._unchanged += len(row.entries) if row is not None else 0
                continue
            etag = listing.etags.get(path) or (row.etag if row is not None else "") or text.etag
            yield from self._kept(path, self._reader.read(text, collection.name), etag, row)

    def _kept(self, path: str, read: ReadFile, etag: str, row: ResourceRow | None) -> Iterator[Change]:
        """What a resource gave, and its row."""
        yield from self._told_of(path, read, row)
        self._live[path] = row_after(read, etag, row)
        yield CursorMoved({resource_key(path): self._live[path].to_json()})

    def _told_of(self, path: str, read: ReadFile, row: ResourceRow | None) -> Iterator[Change]:
        if read.refusal is not None:
            self._unchanged += len(row.entries) if row is not None else 0
            yield Skipped(native_id_of(path), read.refusal.reason)
            return
        for entry in read.entries:
            fragment = fragment_of(entry.native_id)
            if is_same(row, fragment, entry.content_hash):
                self._unchanged += 1
            elif row is not None and fragment in row.entries:
                yield Changed(entry)
            else:
                yield Added(entry)
        for warning in read.warnings:
            yield Warned(msg("{item}: {warning}", item=native_id_of(path), warning=warning))

    def _deletions(self) -> Iterator[Change]:
        """What is gone: resources, and entries that their resource no longer holds."""
        known = self._known.resources
        rows = {**known, **self._live}
        missing = {path: known[path] for path in sorted(self._gone) if path in known}
        shrunk = {path: row for path, row in rows.items() if row.gone and path not in missing}
        places = {
            entry: path for path, row in rows.items() if path not in missing for entry in row.entries.items()
        } if missing else {}  # fmt: skip
        lost = [entry for row in missing.values() for entry in row.entries.items() if entry not in places]
        allow_deletions(
            len(lost) + sum(len(row.gone) for row in (*missing.values(), *shrunk.values())),
            sum(len(row.all_fragments) for row in known.values()),
            self._context.deletions,
            is_confirmed=self._context.is_deletion_confirmed,
            source_id=self._context.source.source_id,
        )
        for path, row in missing.items():
            for fragment in row.all_fragments:
                target = places.get((fragment, row.entries.get(fragment, "")))
                moved_to = fragment_id(native_id_of(target), fragment) if target is not None else None
                yield Deleted(fragment_id(native_id_of(path), fragment), moved_to)
            yield CursorMoved({resource_key(path): None})
        for path, row in shrunk.items():
            yield from (Deleted(fragment_id(native_id_of(path), fragment)) for fragment in row.gone)
            yield CursorMoved({resource_key(path): replace(row, gone=()).to_json()})


def _told(answer: MultiStatus, collection: DavCollection) -> _Listing:
    """The changes that the server tells itself."""
    listing = _Listing(mark=f"token {answer.sync_token}")
    for one in answer.resources:
        if one.path == collection.path or one.path.endswith("/"):
            continue
        if one.is_missing:
            listing.gone.add(one.path)
            listing.etags.pop(one.path, None)
        else:
            listing.etags[one.path] = one.said("DAV: getetag")
            listing.spellings[one.path] = one.spelling
            listing.gone.discard(one.path)
    return listing


def _compared(answer: MultiStatus, collection: DavCollection, known: dict[str, ResourceRow], location: str) -> _Listing:
    """All resources, and so those that are not there any more; raises `Unavailable` for an answer about something else.

    The mark is the one from before the listing: what changed since then is told again.
    """
    if not any(one.path.rstrip("/") == collection.path.rstrip("/") for one in answer.resources) and known:
        raise nonsense(location)
    listing = _Listing(mark=mark_of(collection))
    for one in answer.resources:
        kind = one.properties.get("DAV: resourcetype")
        is_folder = kind is not None and any(child.name == "DAV: collection" for child in kind.children)
        if not is_folder and not one.is_missing and folder_of(one.path) == collection.path:
            listing.etags[one.path] = one.said("DAV: getetag")
            listing.spellings[one.path] = one.spelling
    listing.gone = {path for path in known if path not in listing.etags}
    return listing
