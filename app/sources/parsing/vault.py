"""What a note of a Markdown vault says beside its text: tags, links to other notes, `key:: value` fields, its day.

Only read here; which note a link means is found out by the source, which knows the names of all notes.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import TYPE_CHECKING
from urllib.parse import unquote

from app.sources.parsing.blocks import one_line
from app.sources.parsing.dates import storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import tzinfo

LINKS, TAGS = "links", "tags"
_CODE = re.compile(r"^[ \t]{0,12}(`{3,}|~{3,}).*?(?:^[ \t]{0,12}\1|\Z)", re.DOTALL | re.MULTILINE)
_CODE_SPAN = re.compile(r"`[^`\n]{1,2000}`")
_TAG = re.compile(r"(?:^|(?<=[\s(,，。、；;：:]))#([\w/-]{1,100})(?![\w#])", re.MULTILINE)
_WIKILINK = re.compile(r"!?\[\[([^\[\]|#^\n]{1,300})(?:[#^][^\[\]|\n]{0,300})?(?:\|[^\[\]\n]{0,300})?\]\]")
_MARKDOWN_LINK = re.compile(r"\]\([ \t]?<?([^()<>:\n]{1,300}?\.md)(?:#[^()<>\n]{0,300})?>?[ \t]?\)")
_LINE_FIELD = re.compile(r"^[ \t]{0,40}(?:[-*+] )?([^\W\d][\w \t-]{0,39})::[ \t]+(\S.{0,499})$", re.MULTILINE)
_INLINE_FIELD = re.compile(r"[\[(]([^\W\d][\w \t-]{0,39})::[ \t]{0,4}([^\[\]()\n]{1,500})[\])]")
_CHECK_BOX = re.compile(r"^[ \t>]{0,40}[-*+][ \t]{1,8}\[.\].*$", re.MULTILINE)
_DAY_NAME = re.compile(r"(\d{4})[-_. ]?(\d\d)[-_. ]?(\d\d)(?!\d)|(\d{4})年(\d{1,2})月(\d{1,2})日")
_WEEKDAY = re.compile(
    r"[\s,，(（_-]{0,3}(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}|(?:周|星期|礼拜)[一二三四五六日天])?[)）]?",
    re.IGNORECASE,
)
_MAX_TAGS, _MAX_LINKS, _MAX_FIELDS = 200, 1_000, 40
# What other parts of Famulus read in the metadata: a field in a note cannot set it
_OURS = frozenset(
    (
        *("tags", "links", "unresolved_links", "origin", "sensitivity", "class", "url", "uid", "folder", "calendar"),
        *("thread", "in_reply_to", "owner", "host", "visits", "aliases", "message_id", "scope", "acl", "trust"),
    )
)


def marks_of(text: str, known: Mapping[str, str]) -> dict[str, str]:
    """The tags (separated by spaces), links (a line each, as written) and fields of a note.

    Args:
        text: the note, with its front matter or without.
        known: what its front matter says; it goes before fields, and tags are added to its tags.
    """
    prose = _CODE_SPAN.sub(" ", _CODE.sub("\n", text))
    found: dict[str, str] = {}
    own = _CHECK_BOX.sub("", prose)  # the fields of a task are its own
    for match in [*_LINE_FIELD.finditer(own), *_INLINE_FIELD.finditer(own)][: _MAX_FIELDS * 4]:
        name = one_line(match[1]).lower()
        if len(found) < _MAX_FIELDS and name not in _OURS and name not in known:
            found.setdefault(name, one_line(_plain(match[2]), 500))
    tags = [*known.get(TAGS, "").split(), *(tag.strip("/-") for tag in _TAG.findall(prose) if not _is_number(tag))]
    links = [*_WIKILINK.findall(prose), *(unquote(link) for link in _MARKDOWN_LINK.findall(prose))]
    found[TAGS] = " ".join(_distinct(tags, _MAX_TAGS))
    found[LINKS] = "\n".join(_distinct((one_line(link) for link in links), _MAX_LINKS))
    return {name: value for name, value in found.items() if value}


def day_of(stem: str, zone: tzinfo) -> datetime | None:
    """The day of a daily note, from its name: 2025-05-14, 20250514, 2025年5月14日, with a weekday behind it or not."""
    match = _DAY_NAME.match(stem)
    if match is None or _WEEKDAY.fullmatch(stem[match.end() :]) is None:
        return None
    year, month, day = (int(part) for part in match.groups() if part is not None)
    try:
        return storable(datetime.combine(date(year, month, day), time.min), zone)
    except ValueError:
        return None


def _plain(text: str) -> str:
    return _WIKILINK.sub(lambda match: match[1], text)


def _is_number(tag: str) -> bool:
    return not any(character.isalpha() for character in tag)


def _distinct(values: Iterable[str], limit: int) -> list[str]:
    return list(dict.fromkeys(value for value in values if value))[:limit]
