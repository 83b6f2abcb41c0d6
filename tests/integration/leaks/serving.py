"""The way of a client into a world: a token, limits, a log, and ids of its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, fields, is_dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from app.domain.clients import Grant
from app.domain.errors import Expected, KeychainMissing
from app.domain.labels import Sensitivity
from app.domain.serving import ContextQuery
from app.famulus.client_desk import ClientDesk
from app.famulus.client_registry import ClientRegistry
from app.famulus.request_book import RequestBook
from app.famulus.serving_desk import ServingDesk
from app.famulus.serving_line import ServingLine
from app.runtime.bus import Bus
from app.runtime.paths import Paths
from app.runtime.tasks import Tasks
from app.settings.settings import Settings
from tests.integration.leaks.worlds import NOWHERE, plain
from tests.unit.store.keychains import MemoryKeychain

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.context_item import SearchRequest, Viewer
    from app.famulus.parts import Parts
    from tests.integration.leaks.questions import Question
    from tests.integration.leaks.worlds import Made

_EVERY_TIME_ANOTHER = ("request_id",)


@dataclass
class Served:
    """A world with one client."""

    made: Made
    desk: ServingDesk
    registry: ClientRegistry
    token: str
    tasks: Tasks

    async def told(self, question: Question) -> Any:
        """The answer to a client, with its sealed ids by the names of their rows."""
        try:
            answer = await self._asked(question)
        except Expected as problem:
            return (
                "error",
                problem.code,
                *(plain(part, {}) for part in (problem.what, problem.lost, problem.next_step)),
            )
        return _named(answer, self.registry.caller(self.token).seal.open, self.made.names)

    async def close(self) -> None:
        await self.desk.book.close()
        await self.tasks.close()

    async def _asked(self, question: Question) -> Any:  # noqa: PLR0911 - one for each kind
        desk, token, about = self.desk, self.token, question.about
        match question.what:
            case "search":
                return await desk.search(token, _query(about[0]))
            case "item":
                known = self.made.numbers.get(about[0], f"c{NOWHERE}") if about[2] else None
                sealed = about[0] if known is None else self.registry.caller(token).seal.close(known)
                return await desk.item(token, sealed, budget_tokens=about[1])
            case "agenda":
                return await desk.agenda(token, about[0])
            case "tasks":
                return await desk.tasks(token, owner=about[0], include_done=about[1])
            case "facts":
                return await desk.facts(token, about[0], predicate=about[1])
            case "prepare":
                infos = await desk.templates(token)
                wanted = next((one.fields for one in infos if one.name == about[0]), ())
                given = {one.name: about[1] for one in wanted if one.is_required or about[3]}
                return await desk.prepare(token, about[0], given)
            case _:
                return await desk.templates(token)


async def serve(made: Made, folder: Path, viewer: Viewer, items_a_day: int) -> Served:
    """Let one client into a world, with the rights of a viewer."""
    tasks = Tasks()
    parts = cast(
        "Parts",
        SimpleNamespace(
            lanes=made.world.lanes,
            bus=Bus(asyncio.get_running_loop()),
            tasks=tasks,
            paths=Paths(folder),
            settings=Settings(folder / "famulus.toml"),
            keychain=MemoryKeychain(refuses=KeychainMissing),
        ),
    )
    database = made.world.store.database
    book = RequestBook(parts, database, made.world.context)
    registry = ClientRegistry(parts, database, book.time)
    await registry.start()
    scopes, acls = viewer.scopes or frozenset(), viewer.acls or frozenset()
    # without an end: one is reckoned by the real time, which is after the time of these worlds
    grant = Grant(
        scopes,
        Sensitivity(viewer.ceiling),
        acls,
        rate_per_minute=10_000,
        items_per_day=items_a_day,
        expires_in_days=None,
    )
    new = await ClientDesk(parts, registry).add("Client", grant)
    desk = ServingDesk(parts, database, made.desk, registry, ServingLine(parts, database, registry, book))
    return Served(made, desk, registry, new.token, tasks)


def _query(asked: SearchRequest) -> ContextQuery:
    return ContextQuery(
        asked.text,
        asked.limit,
        asked.scope,
        asked.kinds,
        asked.since,
        asked.until,
        asked.include_stale,
        asked.budget_tokens,
        asked.least_trust,
    )


def _named(value: Any, unseal: Any, names: dict[str, str]) -> Any:
    """As `plain`, of what has sealed ids."""
    if is_dataclass(value) and not isinstance(value, type) and type(value).__name__ != "Text":
        found = []
        for one in fields(value):
            part = getattr(value, one.name)
            if one.name == "item_id":
                found.append(("item_id", names.get(unseal(part) or "", f"unnamed {part}")))
            elif one.name not in _EVERY_TIME_ANOTHER:
                found.append((one.name, _named(part, unseal, names)))
        return (type(value).__name__, *found)
    if isinstance(value, list | tuple):
        return tuple(_named(one, unseal, names) for one in value)
    return plain(value, names)
