"""Two worlds that differ in what a viewer may not see, and in nothing else."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from app.context.answers import AnswerService
from app.context.desk import ContextDesk
from app.context.search_desk import SearchDesk
from app.context.templates.shelf import TemplateShelf
from app.domain.context_item import Viewer
from app.domain.errors import Expected
from app.domain.labels import Trust
from app.domain.text import Text
from app.govern.freshness.engine import Freshness
from app.govern.understanding.queue import Understanding
from app.govern.understanding.steps import all_steps
from app.runtime import clock
from app.runtime.tasks import Tasks
from app.sources.contract import Deleted
from app.store.connection import DatabaseKey
from app.store.database import FILE_NAME
from app.store.store import Store
from tests.integration.context.makers import LittleModel, world
from tests.integration.govern.supersession_world import WithoutModel
from tests.integration.leaks.stories import NOW, OWN
from tests.unit.govern.makers import WordCounter
from tests.unit.store.makers import new_database, source_info

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence
    from pathlib import Path

    from app.domain.collecting import SourceInfo
    from app.domain.serving import TemplateInfo
    from app.runtime.lanes import Lanes
    from tests.integration.context.makers import World
    from tests.integration.leaks.stories import Rights, Told

NOWHERE = 900_000
"""An id that no row has."""


@dataclass(frozen=True)
class Plan:
    """What a world is made of: entries in the order in which they come, and after which of them is understood.

    Attributes:
        pauses: marks of entries; all before is understood before more comes.
    """

    told: Sequence[Told]
    pauses: frozenset[str]
    has_model: bool

    def without_hidden(self, viewer: Viewer) -> Plan:
        """The same without what a viewer may not see."""
        seen = tuple(told for told in self.told if may_see(viewer, told.rights))
        return Plan(seen, self.pauses, self.has_model)


def may_see(viewer: Viewer, rights: Rights) -> bool:
    """Said once more here, plainly."""
    return (
        rights.scope in (viewer.scopes or ())
        and rights.acl in (viewer.acls or ())
        and int(rights.sensitivity) <= viewer.ceiling
    )


@dataclass
class Made:
    """A world, with the names of its rows: what a row is, whatever its number."""

    world: World
    desk: ContextDesk
    names: dict[str, str]
    numbers: dict[str, str]

    async def told(self, asked: Awaitable[Any]) -> Any:
        """An answer as plain values, numbers of rows replaced by their names; an error as what it says."""
        try:
            answer = await asked
        except Expected as problem:
            return (
                "error",
                problem.code,
                *(plain(part, self.names) for part in (problem.what, problem.lost, problem.next_step)),
            )
        return plain(answer, self.names)

    @cached_property
    def templates(self) -> dict[str, TemplateInfo]:
        """What may be prepared, by its name; read once for all questions."""
        return {one.name: one for one in self.desk.templates()}

    def close(self) -> None:
        self.world.store.close()


async def make(folder: Path, lanes: Lanes, plan: Plan) -> Made:
    """Build a world: entries come, are understood, and some are taken away again."""
    store = Store(new_database(folder / FILE_NAME, now=NOW, key=_key_of(folder.name)))
    with clock.use(NOW):
        made = world(store, lanes)
        for told in plan.told:
            await made.add(told.entry, source=source_of(told.rights))
            if told.mark in plan.pauses:
                await understand(made)
        await understand(made)
        for told in plan.told:
            if told.is_deleted:
                await made.pipeline.take_in(source_of(told.rights), iter([Deleted(told.entry.native_id)]))
        await understand(made)
        if plan.has_model:
            await made.learn(LittleModel())
    desk = desk_of(made, folder)
    names = _names(store)
    return Made(made, desk, names, {name: number for number, name in names.items()})


@cache
def _key_of(name: str) -> DatabaseKey:
    """Of each two worlds, one has another key than the other."""
    return DatabaseKey(secrets.token_bytes(32), secrets.token_bytes(16))


def desk_of(made: World, folder: Path) -> ContextDesk:
    """The context service of a world."""
    answers = AnswerService(made.store, made.lanes, made.context)
    shelf = TemplateShelf(folder / "templates")
    searching = SearchDesk(made.store, made.lanes, made.context, Counter())
    desk = ContextDesk(searching, made.store, made.lanes, answers, shelf)
    desk.own_addresses = OWN
    answers.structured.own_addresses = OWN
    return desk


class Counter(WordCounter):
    """Counts words and Han characters, and cuts at them."""

    def cut(self, text: str, limit: int) -> list[str]:
        parts, rest = [], text
        while rest:
            end = next((at for at in range(len(rest), 0, -1) if self.count(rest[:at]) <= limit), 1)
            parts.append(rest[:end])
            rest = rest[end:]
        return parts or [""]


async def understand(made: World) -> None:
    """Understand whatever waits, and let rules take effect."""
    tasks = Tasks()
    queue = Understanding(made.store.database, made.lanes, WithoutModel(), all_steps(), on_written=lambda: None)
    tasks.start(queue.run(), "understand")
    queue.wake()
    try:
        await queue.wait_until_done()
    finally:
        await tasks.close()
    await Freshness(made.store.database, made.lanes).catch_up()


def source_of(rights: Rights) -> SourceInfo:
    """The source of all entries with some rights."""
    return source_info(
        rights.source_id,
        scope=rights.scope,
        acl=rights.acl,
        sensitivity=rights.sensitivity,
        trust=Trust.OWN_FILES,
        created_at=NOW,
    )


def _names(store: Store) -> dict[str, str]:
    """Of every row its name: its entry's address and version, and its place in it."""
    with store.database.reader() as reader:
        entries = {
            row[0]: f"{row[1]}/{row[2]} v{row[3]}"
            for row in reader.rows("SELECT entry_id, source_id, native_id, version FROM entry")
        }
        found = {f"e{entry_id}": f"entry {name}" for entry_id, name in entries.items()}
        for chunk_id, entry_id, ordinal in reader.rows("SELECT chunk_id, entry_id, ordinal FROM chunk"):
            found[f"c{chunk_id}"] = f"chunk {entries[entry_id]} {ordinal}"
        taken: dict[str, int] = {}
        for record_id, entry_id, kind, title, text in reader.rows(
            "SELECT record_id, entry_id, kind, title, text FROM record ORDER BY entry_id, ordinal"
        ):
            name = f"record {entries[entry_id]} {kind} {title} {text}"
            taken[name] = taken.get(name, 0) + 1
            found[f"r{record_id}"] = f"{name} {taken[name]}"
    return found


def plain(value: Any, names: dict[str, str], field: str = "") -> Any:  # noqa: PLR0911 - one for each sort
    """A value as tuples and plain ones that can be compared, told apart to the last bit."""
    if isinstance(value, Text):
        return ("text", value.template, tuple(sorted((name, str(one)) for name, one in value.values.items())))
    if field in {"item_id", "entry_id"}:
        return names.get(f"e{value}" if field == "entry_id" else str(value), f"unnamed {value}")
    if isinstance(value, Enum | str | int | float | bool | bytes | None):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return (
            type(value).__name__,
            *((one.name, plain(getattr(value, one.name), names, one.name)) for one in fields(value)),
        )
    if isinstance(value, dict) or hasattr(value, "items"):
        return tuple(sorted((str(key), plain(one, names)) for key, one in value.items()))
    if isinstance(value, list | tuple):
        return tuple(plain(one, names) for one in value)
    if isinstance(value, set | frozenset):
        return tuple(sorted(map(repr, value)))
    raise TypeError(type(value))
