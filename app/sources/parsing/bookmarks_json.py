"""The `Bookmarks` file in the profile of Chromium and its relatives (Chrome, Edge, Brave, Vivaldi, Opera)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from app.sources.parsing.bookmarks import Bookmark, as_parsed
from app.sources.parsing.browser_times import since_1601
from app.sources.parsing.refusals import damaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About, Parsed

_MAX_DEPTH = 200
# Opera and Vivaldi keep what was deleted beside the rest
_THROWN_AWAY = frozenset({"trash"})


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read it; raises `Unreadable` for what is no JSON of this kind."""
    try:
        roots = json.loads(decoded.text)["roots"]
        kept = list(_nodes(roots, about))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise damaged("Bookmarks") from None
    found = [bookmark for bookmark, is_thrown_away in kept if not is_thrown_away]
    return as_parsed(found, len(kept), about)


def _nodes(roots: dict[str, Any], about: About) -> Iterator[tuple[Bookmark, bool]]:
    """All links, and whether each was thrown away; from top to bottom."""
    waiting: list[tuple[Any, tuple[str, ...], bool]] = []
    for name, root in reversed(list(roots.items())):
        waiting.append((root, (), name in _THROWN_AWAY))
        # Opera keeps folders of its own inside one that has no type
        if isinstance(root, dict) and "type" not in root:
            waiting += [(inner, (), part in _THROWN_AWAY) for part, inner in reversed(list(root.items()))]
    while waiting:
        node, folders, is_thrown_away = waiting.pop()
        if not isinstance(node, dict):
            continue
        if node.get("type") == "url":
            yield _bookmark(node, folders, about), is_thrown_away
        children = node.get("children")
        if isinstance(children, list) and len(folders) < _MAX_DEPTH:
            is_thrown_away = is_thrown_away or str(node.get("name", "")).casefold() in _THROWN_AWAY
            inner = (*folders, str(node.get("name", "")))
            waiting += [(child, inner, is_thrown_away) for child in reversed(children)]


def _bookmark(node: dict[str, Any], folders: tuple[str, ...], about: About) -> Bookmark:
    meta = node.get("meta_info")
    description = meta.get("Description", "") if isinstance(meta, dict) else ""
    return Bookmark(
        url=str(node.get("url", "")),
        title=str(node.get("name", "")),
        folders=folders,
        description=str(description),
        native_id=str(node.get("guid", "")),
        created_at=since_1601(_number(node.get("date_added")), about.zone),
        updated_at=since_1601(_number(node.get("date_modified")), about.zone),
    )


def _number(value: object) -> int:
    text = str(value)[:20]
    return int(text) if text.isascii() and text.isdigit() else 0
