"""Bookmarks in Firefox' `places.sqlite`: a tree of folders, in which tags are folders too."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.sources.parsing.blocks import distinct
from app.sources.parsing.bookmarks import Bookmark, as_parsed
from app.sources.parsing.browser_times import since_1970
from app.sources.parsing.database_tables import text, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.database_tables import Row, Tables
    from app.sources.parsing.parsed import About, Parsed

_LINK, _FOLDER = 1, 2
_ROOT_GUID, _TAGS_GUID = "root________", "tags________"
_MAX_DEPTH = 60


def parse(tables: Tables, about: About, beside: Parsed | None = None) -> Parsed:
    """Read all bookmarks.

    Args:
        beside: what else the same file was understood as (the pages visited); the answer has both.
    """
    places: dict[object, Row] = {
        row["id"]: row for row in tables.rows("moz_places", ("id", "url", "title", "description"))
    }
    nodes = list(
        tables.rows("moz_bookmarks", ("id", "type", "fk", "parent", "title", "dateAdded", "lastModified", "guid"))
    )
    tree = _Tree(nodes)
    links = [node for node in nodes if node["type"] == _LINK and not tree.is_tag(node)]
    parsed = as_parsed(_bookmarks(links, places, tree, about), len(links), about)
    if beside is None:
        return parsed
    return replace(
        beside,
        entries=(*parsed.entries, *beside.entries)[: about.limits.entries],
        warnings=distinct((*parsed.warnings, *beside.warnings)),
        facts=MappingProxyType({**beside.facts, **parsed.facts}),
    )


class _Tree:
    """The folders, by id; which of them are tags; and which tags an address has."""

    def __init__(self, nodes: list[Row]) -> None:
        self._folders = {node["id"]: node for node in nodes if node["type"] == _FOLDER}
        # before 2016 there were no guids, and the ids of these folders were fixed
        self._tags = next((key for key, node in self._folders.items() if node["guid"] == _TAGS_GUID), 4)
        self._root = next((key for key, node in self._folders.items() if node["guid"] == _ROOT_GUID), 1)
        self.tags: dict[object, list[str]] = {}
        for node in nodes:
            if node["type"] == _LINK and self.is_tag(node):
                name = self._folders[node["parent"]]["title"]
                self.tags.setdefault(node["fk"], []).append(str(name or ""))

    def is_tag(self, node: Row) -> bool:
        """Whether a link stands for a tag: its folder stands in the folder of tags."""
        parent = self._folders.get(node["parent"])
        return parent is not None and parent["parent"] == self._tags

    def path(self, node: Row) -> tuple[str, ...]:
        """The folders around a node, from the outermost one."""
        names: list[str] = []
        parent = node["parent"]
        while parent in self._folders and parent != self._root and len(names) < _MAX_DEPTH:
            names.append(str(self._folders[parent]["title"] or ""))
            parent = self._folders[parent]["parent"]
        return tuple(reversed(names))


def _bookmarks(links: list[Row], places: dict[object, Row], tree: _Tree, about: About) -> Iterator[Bookmark]:
    for node in links:
        place = places.get(node["fk"])
        if place is None:
            continue
        yield Bookmark(
            url=text(place["url"]),
            title=text(node["title"]) or text(place["title"]),
            folders=tree.path(node),
            tags=tuple(filter(None, tree.tags.get(node["fk"], ()))),
            description=text(place["description"]),
            native_id=text(node["guid"]),
            created_at=since_1970(whole(node["dateAdded"]), about.zone),
            updated_at=since_1970(whole(node["lastModified"]), about.zone),
        )
