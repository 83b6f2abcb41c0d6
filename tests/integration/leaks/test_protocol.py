"""What comes out of the Model Context Protocol is the same too: tools, resources, prompts and errors (G4.3, G4.6)."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Any, cast

from hypothesis import HealthCheck, given, settings
from mcp import Client
from mcp.shared.exceptions import MCPError

from app.domain.context_item import Viewer
from app.domain.labels import TRUST_WORDS
from app.mcp_server.server import Counter
from app.runtime import clock
from tests.integration.leaks.questions import questions
from tests.integration.leaks.serving import serve
from tests.integration.leaks.stories import NOW
from tests.integration.leaks.test_noninterference import EDITOR, SEEDS, empty, plans
from tests.integration.leaks.worlds import NOWHERE, make

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from app.famulus.serving_desk import ServingDesk
    from app.mcp_server.owner import Owner
    from app.runtime.lanes import Lanes
    from tests.integration.leaks.questions import Question
    from tests.integration.leaks.serving import Served
    from tests.integration.leaks.worlds import Plan

_SEALED = re.compile(r"\b[a-z2-7]{26}\b")
_REQUEST = re.compile(r"\b[0-9a-f]{20}\b")


class _Api:
    """The questions of clients, asked of a desk in this process."""

    def __init__(self, desk: ServingDesk) -> None:
        self.client_search = desk.search
        self.client_item = desk.item
        self.client_agenda = desk.agenda
        self.client_tasks = desk.tasks
        self.client_facts = desk.facts
        self.client_templates = desk.templates
        self.client_prepare = desk.prepare


class _Owner:
    """Stands where the connection to the owner of the data is."""

    def __init__(self, desk: ServingDesk) -> None:
        self._api = _Api(desk)

    async def ask(self, question: Callable[[Any], Awaitable[Any]]) -> Any:
        return await question(self._api)


class _Passport:
    """A token that is there."""

    is_known = True

    def __init__(self, token: str) -> None:
        self._token = token

    async def token(self, program: str) -> str:
        del program
        return self._token

    def take_news(self) -> bool:
        return False


@asynccontextmanager
async def _connected(served: Served) -> AsyncIterator[Client]:
    counter = Counter(cast("Owner", _Owner(served.desk)), lambda _: _Passport(served.token))
    async with Client(counter.server) as client:
        yield client
    await counter.close()


async def _said(served: Served, client: Client, question: Question) -> str:
    """Everything that the protocol carries as an answer, ids by the names of their rows; an asked one is what it is."""
    seal = served.registry.caller(served.token).seal
    asked_for = _item_id(served, question) if question.what == "item" else ""

    def named(match: re.Match[str]) -> str:
        return served.made.names.get(seal.open(match[0]) or "", match[0])

    try:
        answer = await _ask(served, client, question)
        text = answer.model_dump_json()
    except MCPError as error:
        text = json.dumps([error.code, error.message, error.data])
    if asked_for:
        text = text.replace(asked_for, "what was asked for")
    return _REQUEST.sub("a request", _SEALED.sub(named, text))


def _item_id(served: Served, question: Question) -> str:
    """The id that a question names; of a row that is not in this world, one of the same form."""
    about = question.about
    known = served.made.numbers.get(about[0], f"c{NOWHERE}") if about[2] else None
    return about[0] if known is None else served.registry.caller(served.token).seal.close(known)


async def _ask(served: Served, client: Client, question: Question) -> Any:  # noqa: PLR0911 - one for each kind
    about = question.about
    match question.what:
        case "search":
            asked = about[0]
            given: dict[str, Any] = {"query": asked.text, "limit": asked.limit, "include_stale": asked.include_stale}
            optional = {
                "scope": asked.scope,
                "kinds": [kind.value for kind in asked.kinds] or None,
                "since": asked.since and asked.since.isoformat(),
                "until": asked.until and asked.until.isoformat(),
                "budget_tokens": asked.budget_tokens,
                "trust": next((word for word, least in TRUST_WORDS.items() if least == asked.least_trust), None),
            }
            given |= {name: value for name, value in optional.items() if value is not None}
            return await client.call_tool("search_context", given)
        case "item":
            item_id = _item_id(served, question)
            if about[1] is None:
                return await client.read_resource(f"famulus://item/{item_id or 'x'}")
            return await client.call_tool("get_item", {"item_id": item_id, "budget_tokens": about[1]})
        case "agenda":
            return await client.call_tool("agenda", {} if about[0] is None else {"when": about[0]})
        case "tasks":
            owner = {} if about[0] is None else {"owner": about[0]}
            return await client.call_tool("list_tasks", {"include_done": about[1], **owner})
        case "facts":
            wanted = {} if about[1] is None else {"predicate": about[1]}
            return await client.call_tool("profile_facts", {"subject": about[0], **wanted})
        case "prepare":
            infos = await served.desk.templates(served.token)
            fields = next((one.fields for one in infos if one.name == about[0]), ())
            return await client.get_prompt(
                about[0], {one.name: about[1] for one in fields if one.is_required or about[3]}
            )
        case _:
            return await client.list_prompts()


async def _compare(folder: Path, lanes: Lanes, plan: Plan, viewer: Viewer, seed: int) -> int:
    empty(folder)
    whole = await make(folder / "whole", lanes, plan)
    seen = await make(folder / "seen", lanes, plan.without_hidden(viewer))
    answered = 0
    with clock.use(NOW):
        served = [await serve(made, folder, viewer, 100_000) for made in (whole, seen)]
        try:
            async with _connected(served[0]) as mine, _connected(served[1]) as theirs:
                for question in questions(Random(seed), plan.told, sorted(whole.numbers), 25):
                    with clock.use(question.at):
                        first = await _said(served[0], mine, question)
                        assert first == await _said(served[1], theirs, question), question
                    answered += '"isError":true' not in first and '"is_error":true' not in first
        finally:
            for one in served:
                await one.close()
                one.made.close()
    return answered


@settings(max_examples=3, suppress_health_check=list(HealthCheck), derandomize=True)
@given(plans(), SEEDS)
def test_the_protocol_tells_nothing_of_what_is_hidden(basedir: Path, lanes: Lanes, plan: Plan, seed: int) -> None:
    assert asyncio.run(_compare(basedir / "worlds", lanes, plan, EDITOR, seed)) > 5
