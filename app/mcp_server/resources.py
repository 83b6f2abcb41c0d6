"""What can be read by its address: today's agenda, the tasks, an item, and what this client may see.

An address is one of these and nothing else. There is no folder behind it, so there is no way out of one: what does not
fit to the letter is not there, and neither is what a client may not see (G4.3).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.text import Text, msg
from app.mcp_server import wording
from app.mcp_server.shapes import answered, plain

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from app.domain.serving import Served
    from app.mcp_server.asker import Asker

ITEM_TEMPLATE = "famulus://item/{id}"
MARKDOWN = "text/markdown"
JSON = "application/json"
_ITEM = re.compile(r"famulus://item/([A-Za-z0-9_-]{1,64})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Contents:
    """What stands at an address: as text, and as JSON."""

    text: str
    data: Any

    @property
    def json(self) -> str:
        """The data, written down."""
        return json.dumps(self.data, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Resource:
    """An address that is always there."""

    uri: str
    name: str
    title: Text
    meaning: str
    read: Callable[[Asker], Awaitable[Contents]]


async def _today(asker: Asker) -> Contents:
    return _contents(await asker.ask(lambda api, token: api.client_agenda(token)), "agenda")


async def _tasks(asker: Asker) -> Contents:
    return _contents(await asker.ask(lambda api, token: api.client_tasks(token)), "agenda")


async def _about(asker: Asker) -> Contents:
    greeting = await asker.ask(lambda api, token: api.client_hello(token, program=asker.program))
    return Contents(wording.about(greeting), plain(greeting))


def _contents(answer: Served, part: str) -> Contents:
    return Contents(wording.served(answer), answered(answer, part))


RESOURCES: tuple[Resource, ...] = (
    Resource(
        "famulus://agenda/today",
        "agenda-today",
        msg("The person's agenda today"),
        "Events, tasks and deadlines of today.",
        _today,
    ),
    Resource("famulus://tasks", "tasks", msg("The person's open tasks"), "Tasks with their due times.", _tasks),
    Resource(
        "famulus://about",
        "about",
        msg("What this client may see"),
        "The scopes, the highest sensitivity and the end of this client's own permission.",
        _about,
    ),
)
ITEM_TITLE = msg("An item of the person's context")
ITEM_MEANING = "An item that an answer named by its id, with the passages around it."


def reader(uri: str) -> Callable[[Asker], Awaitable[Contents]] | None:
    """What reads an address; None for one that is not there."""
    for resource in RESOURCES:
        if resource.uri == uri:
            return resource.read
    found = _ITEM.fullmatch(uri)
    if found is None:
        return None
    item_id = found[1]

    async def read(asker: Asker) -> Contents:
        return _contents(await asker.ask(lambda api, token: api.client_item(token, item_id)), "items")

    return read
