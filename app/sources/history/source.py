"""Opens a history: which file, and since when."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.instants import to_ixdtf
from app.domain.labels import EntryKind
from app.runtime import clock
from app.sources.history import DAYS, DEFAULT_DAYS
from app.sources.parsing.browser_history import SINCE
from app.sources.records import RecordKind, RecordSource

if TYPE_CHECKING:
    from app.sources.contract import Capability, SourceContext

_FILE_BYTES = 160 * 1024 * 1024


class HistorySource(RecordSource):
    """A history; it is collected when its time comes, and not with every click."""

    capabilities: frozenset[Capability] = frozenset()


def history_source(context: SourceContext) -> HistorySource:
    """The history in one file, from the first moment of the first of its days on.

    What its program has forgotten, because it is older than that, stays as it was; what vanished from these days was
    deleted by the person.
    """
    path = Path(context.source.location)
    since = first_moment(context)
    options = MappingProxyType({**context.source.options, SINCE: to_ixdtf(since)})
    limits = replace(context.limits, file_bytes=max(context.limits.file_bytes, _FILE_BYTES))
    kind = RecordKind(EntryKind.VISIT, files=lambda: (path,), kept_before=since)
    return HistorySource(
        replace(context, source=replace(context.source, options=options), limits=limits),
        kind,
    )


def first_moment(context: SourceContext) -> datetime:
    """When the days that are looked back begin, in the person's zone."""
    days = int(context.source.options.get(DAYS) or DEFAULT_DAYS)
    first = clock.now().astimezone(context.zone).date() - timedelta(days=days)
    return datetime.combine(first, time.min, context.zone)
