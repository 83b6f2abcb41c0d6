"""The pages that a browser visited: one entry for each address, with how often and when last, and not for each visit.

Addresses are stripped of secrets before anything else sees them (`browser_urls`). What was visited before the option
`since` (IXDTF), and hosts in the option `exclude`, are left out here: the process that owns the data never gets them.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import Block
from app.domain.instants import from_ixdtf
from app.domain.labels import BlockKind, EntryKind
from app.domain.text import msg
from app.sources.parsing.blocks import one_line
from app.sources.parsing.browser_times import since_1601, since_1970
from app.sources.parsing.browser_urls import is_excluded, without_secrets
from app.sources.parsing.database_tables import text, whole
from app.sources.parsing.parsed import Parsed, ParsedEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime, tzinfo

    from app.sources.parsing.database_tables import Row, Tables
    from app.sources.parsing.parsed import About

    ReadTime = Callable[[int, tzinfo], datetime | None]

SINCE, EXCLUDE = "since", "exclude"
# The newest; more than most people visit in a year
_MOST_PAGES = 20_000
_MAX_COUNT = 1_000_000_000


@dataclass(slots=True)
class _Page:
    """What is known of one address."""

    url: str
    host: str
    title: str
    visits: int
    last_at: datetime


def parse_chromium(tables: Tables, about: About) -> Parsed:
    """Read the `History` of Chromium and its relatives."""
    last: dict[str, int] = {}
    counts: dict[str, int] = {}
    for row in tables.rows("visits", ("url", "visit_time")):
        key = str(row["url"])
        last[key] = max(last.get(key, 0), whole(row["visit_time"]))
        counts[key] = counts.get(key, 0) + 1

    def pages() -> Iterator[Row]:
        columns = ("id", "url", "title", "visit_count", "last_visit_time", "hidden")
        for row in tables.rows("urls", columns, newest_by="last_visit_time"):
            key = str(row["id"]) if str(row["id"]) in counts else str(row["url"])
            row["visit_count"] = whole(row["visit_count"]) or counts.get(key, 0)
            row["last_visit_time"] = whole(row["last_visit_time"]) or last.get(key, 0)
            yield row

    return _parsed(pages(), since_1601, sum(counts.values()), about)


def parse_firefox(tables: Tables, about: About) -> Parsed:
    """Read the history in Firefox' `places.sqlite`."""

    def pages() -> Iterator[Row]:
        columns = ("url", "title", "visit_count", "last_visit_date", "hidden")
        for row in tables.rows("moz_places", columns, newest_by="last_visit_date"):
            row["last_visit_time"] = row["last_visit_date"]
            yield row

    return _parsed(pages(), since_1970, tables.count("moz_historyvisits"), about)


def excluded_hosts(option: str) -> tuple[str, ...]:
    """The hosts of the option `exclude`: separated by spaces or commas, with all that is under them."""
    return tuple(host.removeprefix("www.") for host in option.lower().replace(",", " ").split())


def _parsed(rows: Iterable[Row], read_time: ReadTime, visits: int, about: About) -> Parsed:
    since = about.options.get(SINCE)
    earliest = from_ixdtf(since) if since else None
    excluded = excluded_hosts(about.options.get(EXCLUDE, ""))
    limit = min(about.limits.entries, _MOST_PAGES)
    pages: dict[str, _Page] = {}
    is_cut = False
    for row in rows:
        last_at = read_time(whole(row["last_visit_time"]), about.zone)
        if row["hidden"] == 1 or last_at is None or (earliest is not None and last_at < earliest):
            continue
        address = without_secrets(text(row["url"]))
        if address is None or is_excluded(address.host, excluded):
            continue
        if address.url not in pages and len(pages) == limit:
            is_cut = True
            break
        title = one_line(text(row["title"]))
        _add(pages, _Page(address.url, address.host, title, _count(row["visit_count"]), last_at))
    warnings = (msg("Only the first {count} entries were taken in.", count=len(pages)),) if is_cut else ()
    entries = tuple(_entry(page) for page in pages.values())
    return Parsed("history", entries, warnings, facts=MappingProxyType({"visits": visits}))


def _count(value: str | float | None) -> int:
    return min(max(1, whole(value)), _MAX_COUNT)


def _add(pages: dict[str, _Page], page: _Page) -> None:
    """Addresses that differ in nothing but what was left out are one page."""
    known = pages.setdefault(page.url, page)
    if known is page:
        return
    known.visits += page.visits
    if page.last_at > known.last_at:
        known.last_at = page.last_at
        known.title = page.title or known.title
    known.title = known.title or page.title


def _entry(page: _Page) -> ParsedEntry:
    """A page is another one when its title changed, or on another day: not with every click."""
    title = page.title or page.url[:300]
    canonical = json.dumps([page.url, title, page.last_at.date().isoformat()], ensure_ascii=False)
    return ParsedEntry(
        kind=EntryKind.VISIT,
        title=title,
        blocks=(Block(BlockKind.PARAGRAPH, f"{title}\n{page.url}"),),
        fragment=hashlib.sha256(page.url.encode()).hexdigest()[:24],
        content_hash=hashlib.sha256(canonical.encode()).hexdigest(),
        updated_at=page.last_at,
        event_time=page.last_at,
        metadata=MappingProxyType({"url": page.url, "host": page.host, "visits": str(page.visits), "origin": "web"}),
    )
