"""What a person hands over piece by piece: a passage of a page, or a thought of their own (`famulus clip`).

They belong to one built-in source, which is made with the first of them and never synced. A clip with an address is of
the web and is trusted so; one without is the person's own word (X9.1).
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.domain.collecting import ImportReport, SourceInfo, SyncState
from app.domain.context_item import OWNER
from app.domain.errors import BadInput
from app.domain.labels import Sensitivity, Trust
from app.domain.text import msg
from app.runtime import clock
from app.sources.contract import Added, SourceContext
from app.sources.deletion_guard import DeletionLimits
from app.sources.intake import FileReader, Origin
from app.sources.notes.clips import of_the_web
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.parsed import WORDS
from app.store import reading, source_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.entries import Entry
    from app.famulus.parts import Parts
    from app.govern.pipeline import Pipeline
    from app.sources.intake import ReadFile
    from app.store.database import Database

CLIPS = "clips"
_MOST_CHARS = 4_000_000
_MOST_ADDRESS = 4_000
_MOST_TITLE = 300
_LIST_MARK = re.compile(r"(?:[-*+] )?(?:\[.\] )?")
_HTML_STARTS = ("<!doctype html", "<html", "<head", "<body")


class Clips:
    """See the module docstring. Methods are called on the loop."""

    def __init__(self, parts: Parts, database: Database, pipeline: Pipeline) -> None:
        self._parts = parts
        self._database = database
        self._pipeline = pipeline

    async def take(self, text: str, *, title: str, url: str) -> ImportReport:
        """Keep a text; the same text of the same page once.

        Raises:
            BadInput: the text is empty or too long, or the address is none of the web.
        """
        address = _checked_address(url)
        report, _ = await self._take(text, title, address, {}, kind=CLIPS if address else "notes")
        return report

    async def keep(self, text: str, *, title: str, metadata: Mapping[str, str]) -> tuple[str, ...]:
        """Keep words as the person's own note; returns the native ids of its entries, the note's first.

        They are a note whatever they look like: what a person agreed to is what they read.

        Args:
            metadata: noted with it, such as which client suggested it.

        Raises:
            BadInput: the text is empty or too long.
        """
        _, native_ids = await self._take(text, title, "", metadata, kind=WORDS)
        return native_ids

    async def _take(
        self, text: str, title: str, address: str, metadata: Mapping[str, str], *, kind: str
    ) -> tuple[ImportReport, tuple[str, ...]]:
        if not text.strip() or len(text) > _MOST_CHARS:
            raise BadInput(
                msg("The text is empty, or longer than {count} characters.", count=_MOST_CHARS),
                next_step=msg("Give the text on standard input, or name a file that holds it."),
            )
        info = await self._source()
        read = await self._parts.lanes.blocking.run(self._read, replace(info, kind=kind), text, title, address)
        if read.refusal is not None:
            raise BadInput(read.refusal.reason, next_step=read.refusal.next_step)
        entries = [
            replace(owned, metadata={**owned.metadata, **metadata}) if metadata else owned
            for owned in (_own(entry, title, address) for entry in read.entries)
        ]
        native_ids = tuple(sorted((entry.native_id for entry in entries), key=lambda native_id: "#" in native_id))
        known = await self._parts.lanes.readers.run(self._known, list(native_ids))
        await self._pipeline.take_in(info, iter([Added(entry) for entry in entries]))
        unchanged = sum(known.get(entry.native_id) == entry.content_hash for entry in entries)
        report = ImportReport(
            path=address or (entries[0].title if entries else ""),
            added=len(entries) - unchanged,
            unchanged=unchanged,
            warnings=read.warnings,
        )
        return report, native_ids

    def _read(self, info: SourceInfo, text: str, title: str, address: str) -> ReadFile:
        """Read the text in the parse process, like a note or a page. Blocks."""
        context = SourceContext(
            source=info,
            parse=self._parts.parse.call,
            limits=ParseLimits(),
            deletions=DeletionLimits(),
            zone=clock.zone(),
        )
        data = text.encode("utf-8", "replace")
        digest = hashlib.sha256(b"\n".join((address.encode(), title.encode("utf-8", "replace"), data))).hexdigest()[:20]
        is_page = info.kind != WORDS and text.lstrip()[:20].lower().startswith(_HTML_STARTS)
        name = "clip.html" if is_page else "clip.md"
        origin = Origin(address or f"famulus:clip/{digest}", clock.now())
        return FileReader(context).read_bytes(data, name, digest, origin)

    def _known(self, native_ids: list[str]) -> dict[str, str]:
        with self._database.reader() as reader:
            return reading.current_hashes(reader, CLIPS, native_ids)

    async def _source(self) -> SourceInfo:
        """The source that clips belong to."""

        def read() -> SourceInfo | None:
            with self._database.reader() as reader:
                return source_rows.source(reader, CLIPS)

        found = await self._parts.lanes.readers.run(read)
        if found is None:
            with contextlib.suppress(BadInput):  # another clip was faster
                await self._parts.lanes.writer.run(self._make)
            found = await self._parts.lanes.readers.run(read)
        assert found is not None  # noqa: S101 - it is there by now
        return found

    def _make(self) -> None:
        info = SourceInfo(
            source_id=CLIPS,
            kind=CLIPS,
            location="",
            name="Clips",
            scope="personal",
            acl=OWNER,
            sensitivity=Sensitivity.INTERNAL,
            trust=Trust.USER,
            state=SyncState.IDLE,
            created_at=clock.now(),
        )
        with self._database.write() as tx:
            source_rows.add_source(tx, info)


def _checked_address(url: str) -> str:
    """The address of a page, or nothing; raises `BadInput` for another one."""
    text = url.strip()
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_of_the_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_of_the_web = False
    if not is_of_the_web or len(text) > _MOST_ADDRESS or not text.isprintable():
        raise BadInput(
            msg("{url} is no address of a page.", url=text[:200]),
            next_step=msg("Give an address that begins with http:// or https://, or a title without an address."),
        )
    return text


def _own(entry: Entry, title: str, address: str) -> Entry:
    """The entry with the title and address that were given with it; what a page holds is a note and nothing more."""
    is_main = "#" not in entry.native_id
    named = " ".join(title.split())[:_MOST_TITLE]
    if address:
        shown = named or (address if entry.title == "clip" else entry.title)
        return replace(of_the_web(entry, address), title=shown)
    if not is_main:
        return entry
    first = next((block.text.strip().splitlines()[0] for block in entry.blocks if block.text.strip()), "")
    first = first[match.end() :] if (match := _LIST_MARK.match(first)) else first
    return replace(entry, title=named or (first[:_MOST_TITLE] if entry.title == "clip" and first else entry.title))
