"""Entries of tests/data/supersession, taken in and understood as they are in life, in any order."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.context.agenda import agenda_of, read_span
from app.domain.context_item import SearchRequest, Viewer
from app.domain.entries import Block, Entry, EventFacts, Occurrence, PersonRef, TaskFacts
from app.domain.labels import BlockKind, EntryKind, Status, Trust
from app.govern.extraction import Extractor
from app.govern.supersession.step import SupersessionStep
from app.govern.understanding.queue import Understanding
from app.policy.disclosure import visible_to
from app.runtime.tasks import Tasks
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.collecting import SourceInfo
    from app.domain.context_item import AgendaItem, ContextItem
    from app.domain.errors import Expected
    from tests.integration.context.makers import World

ZONE = timezone(timedelta(hours=8))
DATA = Path(__file__).parents[2] / "data" / "supersession"
_ROLES = {EntryKind.EVENT: "organizer", EntryKind.MAIL: "author", EntryKind.CHAT: "author"}


class WithoutModel:
    """Reads by rules."""

    def __init__(self) -> None:
        self.by_rules = Extractor()

    async def extractor(self) -> Extractor | None:
        return None

    def give_up(self, problem: Expected) -> None:
        raise problem


@dataclass(frozen=True)
class Mind:
    """A world in which entries are understood."""

    world: World

    async def tell(self, *entries: Entry, trust: Trust = Trust.OWN_FILES) -> None:
        """Take entries in and understand them."""
        for entry in entries:
            await self.world.add(entry, source=_source(entry, trust))
            await self.understand()

    async def understand(self) -> None:
        """Understand whatever waits."""
        tasks = Tasks()
        queue = Understanding(
            self.world.store.database, self.world.lanes, WithoutModel(), [SupersessionStep()], on_written=lambda: None
        )
        tasks.start(queue.run(), "understand")
        queue.wake()
        try:
            await queue.wait_until_done()
        finally:
            await tasks.close()

    async def search(self, text: str, *, include_stale: bool = False) -> list[ContextItem]:
        return await self.world.context.search(SearchRequest(text, limit=20, include_stale=include_stale))

    def agenda(self, day: datetime) -> list[AgendaItem]:
        span = read_span(day.date().isoformat(), day)
        with self.world.store.database.reader() as reader:
            return agenda_of(reader, span, visible_to(Viewer()))

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self.world.store.database.reader() as reader:
            return reader.rows(sql, *values)


def pairs(name: str) -> list[dict[str, Any]]:
    """The pairs of a file."""
    found: list[dict[str, Any]] = tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))["pair"]
    return found


def entry_of(told: dict[str, Any], native_id: str) -> Entry:
    """An entry as a source would tell it."""
    kind = EntryKind(told.get("kind", "mail"))
    at = moment(told["at"])
    text = told.get("text", "")
    who = told.get("from")
    address = who if who is None or "@" in who else ""
    people = () if who is None else (PersonRef("" if address else who, address or "", _ROLES.get(kind, "owner")),)
    blocks = tuple(Block(BlockKind.PARAGRAPH, part) for part in text.split("\n\n") if part)
    digest = hashlib.sha256(f"{native_id}{told['title']}{text}".encode()).hexdigest()
    return Entry(
        source_id=f"{kind.value}s",
        native_id=native_id,
        kind=kind,
        title=told["title"],
        source_uri=f"test:///{native_id}",
        content_hash=digest,
        blocks=blocks,
        created_at=at,
        updated_at=at,
        event_time=moment(told["start"]) if "start" in told else at if kind is EntryKind.MAIL else None,
        status=Status.ACTIVE if kind is EntryKind.TASK else None,
        people=people,
        event=_event(told) if kind is EntryKind.EVENT else None,
        task=TaskFacts(Status.ACTIVE, due_at=moment(told["due"])) if kind is EntryKind.TASK else None,
        thread=told.get("thread"),
    )


def moment(text: str) -> datetime:
    """A time in the zone of these tests."""
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def titles(items: Sequence[ContextItem]) -> set[str]:
    """By which entries are told apart: their addresses."""
    return {item.source_uri for item in items}


def _event(told: dict[str, Any]) -> EventFacts:
    occurrence = Occurrence(moment(told["start"]), moment(told["end"]), is_all_day=False)
    return EventFacts(told.get("place", ""), (occurrence,), is_recurring=False)


def _source(entry: Entry, trust: Trust) -> SourceInfo:
    return source_info(entry.source_id, trust=trust)
