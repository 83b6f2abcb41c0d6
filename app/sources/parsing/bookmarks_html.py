"""The bookmark file that every browser and bookmark service exports, once Netscape's.

It looks like HTML and is none (elements are not closed, lists are not nested), so it is read tag by tag: headings name
folders, `DL` opens and closes them, `A` is a link, and `DD` describes what stood before it.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from app.sources.parsing.bookmarks import Bookmark, as_parsed
from app.sources.parsing.browser_times import read_added
from app.sources.parsing.plain_text import decoding_warnings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About, Parsed

_TAG = re.compile(r"<(?P<end>/?)(?P<name>dl|dt|dd|h[1-6]|a)\b(?P<attributes>[^<>]{0,400000})>", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[/a-zA-Z!][^<>]{0,5000}>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ATTRIBUTE = re.compile(r"([\w-]{1,40})\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']{1,4000}))")
_TAG_SEPARATOR = re.compile(r"[,，;；]")
_MAX_DEPTH = 60


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read an exported bookmark file."""
    reader = _Reader(about)
    text = _COMMENT.sub("", decoded.text)
    found = list(reader.bookmarks(text))
    return as_parsed(found, len(found), about, decoding_warnings(decoded))


class _Reader:
    """Goes through the tags; knows in which folder it stands."""

    def __init__(self, about: About) -> None:
        self._about = about
        self._folders: list[str] = []
        self._next_folder = ""
        self._held: dict[str, str] | None = None
        self._title = self._description = ""

    def bookmarks(self, text: str) -> Iterator[Bookmark]:
        """All links in order; a link is told when what follows it shows that its description has ended."""
        position, inside = 0, ""
        for match in _TAG.finditer(text):
            self._take(inside, text[position : match.start()])
            position = match.end()
            name, is_end = match["name"].lower(), bool(match["end"])
            inside = "" if is_end else name
            is_next = name == "dl" or (name in ("a", "dt") and not is_end)
            if is_next and self._held is not None:
                yield self._done()
            self._tag(name, match["attributes"], is_end=is_end)
        self._take(inside, text[position:])
        if self._held is not None:
            yield self._done()

    def _tag(self, name: str, attributes: str, *, is_end: bool) -> None:
        if name == "dl":
            if not is_end and len(self._folders) < _MAX_DEPTH:
                self._folders.append(self._next_folder)
            elif is_end and self._folders:
                self._folders.pop()
            self._next_folder = ""
        elif name.startswith("h") and not is_end:
            self._next_folder = ""
        elif name == "a" and not is_end:
            values = _attributes(attributes)
            self._held = values if "href" in values else None
            self._title = self._description = ""

    def _take(self, inside: str, text: str) -> None:
        """The text after a tag belongs to it."""
        plain = html.unescape(_ANY_TAG.sub(" ", text)) if inside else ""
        if inside == "a":
            self._title = plain
        elif inside == "dd":
            self._description = plain
        elif inside.startswith("h"):
            self._next_folder = " ".join(plain.split())

    def _done(self) -> Bookmark:
        values, self._held = self._held or {}, None
        tags = values.get("tags", "")
        parts = _TAG_SEPARATOR.split(tags) if _TAG_SEPARATOR.search(tags) else tags.split()
        zone = self._about.zone
        return Bookmark(
            url=values.get("href", ""),
            title=" ".join(self._title.split()),
            folders=tuple(filter(None, self._folders[1:])),  # the outermost is the file itself
            tags=tuple(filter(None, (part.strip() for part in parts))),
            description=self._description.strip(),
            created_at=read_added(values.get("add_date", ""), zone),
            updated_at=read_added(values.get("last_modified", ""), zone),
        )


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = next((part for part in match.groups()[1:] if part is not None), "")
        found.setdefault(match[1].lower(), html.unescape(value))
    return found
