"""Bookmarks as entries, whichever browser's file they come from; the files are read by `bookmarks_*`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import Block, Place
from app.domain.labels import BlockKind, EntryKind
from app.domain.text import msg
from app.sources.parsing.blocks import clean, one_line
from app.sources.parsing.parsed import Parsed, ParsedEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from app.domain.text import Text
    from app.sources.parsing.parsed import About

_MAX_URL, _MAX_TAGS, _MAX_DESCRIPTION, _MAX_FOLDERS = 4_000, 500, 20_000, 20
# What a browser keeps among the bookmarks and nobody can open: its own queries, and programs
_NO_PAGES = ("place:", "about:", "chrome:", "edge:", "opera:", "vivaldi:", "blob:")
_PROGRAMS = ("javascript:", "vbscript:", "data:", "view-source:")
# Browsers take no notice of these within an address (WHATWG URL, section 4.4)
_UNSEEN = str.maketrans("", "", "\t\r\n")
_CONTROLS = "".join(map(chr, range(33)))


@dataclass(frozen=True, slots=True)
class Bookmark:
    """One link that a person kept.

    Attributes:
        native_id: the browser's own, if it has one.
        folders: from the outermost one inwards.
    """

    url: str
    title: str
    folders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    description: str = ""
    native_id: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None


def as_parsed(found: Iterable[Bookmark], links: int, about: About, warnings: tuple[Text, ...] = ()) -> Parsed:
    """All bookmarks of a file that lead to a page.

    Args:
        links: how many links the file holds, with those that are no pages.
    """
    entries: dict[str, ParsedEntry] = {}
    counts: dict[str, int] = {}
    for bookmark in found:
        if not _is_page(bookmark.url):
            continue
        if len(entries) == about.limits.entries:
            warnings += (msg("Only the first {count} entries were taken in.", count=len(entries)),)
            break
        fragment = _fragment(bookmark, entries, counts)
        entries[fragment] = _entry(bookmark, fragment)
    return Parsed("bookmarks", tuple(entries.values()), warnings, facts=MappingProxyType({"bookmarks": links}))


def _is_page(url: str) -> bool:
    """Whether an address leads to something that can be opened; read as a browser reads it, controls left out."""
    seen = url.translate(_UNSEEN).strip(_CONTROLS).strip()
    return bool(seen) and not seen.lower().startswith(_NO_PAGES + _PROGRAMS)


def _fragment(bookmark: Bookmark, taken: Mapping[str, ParsedEntry], counts: dict[str, int]) -> str:
    """The browser's id, or one made from the address; the same address kept twice counts on, from where it was."""
    name = one_line(bookmark.native_id, 60) or hashlib.sha256(clean(bookmark.url).encode()).hexdigest()[:20]
    number = counts.get(name, 0) + 1
    while (fragment := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    counts[name] = number
    return fragment


def _entry(bookmark: Bookmark, fragment: str) -> ParsedEntry:
    url = one_line(bookmark.url, _MAX_URL)
    title = one_line(bookmark.title) or url[:300]
    folders = tuple(name for folder in bookmark.folders[:_MAX_FOLDERS] if (name := one_line(folder)))
    tags = one_line(" ".join("-".join(clean(tag).split()) for tag in bookmark.tags), _MAX_TAGS)
    description = clean(bookmark.description).strip()[:_MAX_DESCRIPTION]
    lines = [title, url, tags, description]
    place = Place(heading_path=folders)
    metadata = {"url": url, "folder": "/".join(folders), "tags": tags, "origin": "bookmark"}
    canonical = json.dumps([url, title, folders, tags, description], ensure_ascii=False)
    return ParsedEntry(
        kind=EntryKind.BOOKMARK,
        title=title,
        blocks=(Block(BlockKind.PARAGRAPH, "\n".join(filter(None, lines)), place),),
        fragment=fragment,
        content_hash=hashlib.sha256(canonical.encode()).hexdigest(),
        created_at=bookmark.created_at,
        updated_at=bookmark.updated_at or bookmark.created_at,
        event_time=bookmark.created_at,
        metadata=MappingProxyType({key: value for key, value in metadata.items() if value}),
    )
