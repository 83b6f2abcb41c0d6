"""A request: its answer, its progress, and its end before the answer."""

import asyncio
from contextlib import suppress

import pytest

from app.domain.errors import BadInput
from app.domain.progress import Progress
from app.domain.text import msg
from app.mcp_server.asker import Asker, telling
from app.mcp_server.passports import Carried
from app.runtime.stop import StopSwitch
from app.runtime.tasks import Tasks
from tests.unit.mcp_server.makers import PaperOwner


@pytest.fixture
async def asker():
    tasks = Tasks()
    yield Asker(PaperOwner(), Carried("t"), "program", tasks, lambda _: None, StopSwitch())
    await tasks.close()


async def test_a_question_goes_out_with_the_token(asker):
    await asker.ask(lambda api, token: api.client_agenda(token, "today"))
    assert asker.owner.asked == [("client_agenda", ("t", "today"), {})]


async def test_an_expected_error_comes_back(asker):
    asker.owner.answers["client_agenda"] = BadInput(msg("No."), next_step=msg("Ask."))
    with pytest.raises(BadInput):
        await asker.ask(lambda api, token: api.client_agenda(token))


async def test_who_is_cancelled_presses_stop_while_the_owner_still_listens(asker):
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def work(api, token):
        unlisten = asker.stop.listen(lambda _: stopped.set())
        begun.set()
        try:
            await stopped.wait()
        finally:
            unlisten()

    asked = asyncio.ensure_future(asker.ask(work))
    await begun.wait()
    asked.cancel()
    with suppress(asyncio.CancelledError):
        await asked
    await asyncio.wait_for(stopped.wait(), 5)
    assert asker.stop.is_stopped


async def test_progress_is_told_in_steps_that_grow_before_the_end():
    told = []

    async def tell(step, label):
        told.append((step, label))

    async with telling(tell) as progress:
        for done in (5, 3, 9):
            progress(Progress("search", msg("step {n}", n=done), done))
    assert told == [(1.0, "step 5"), (2.0, "step 3"), (3.0, "step 9")]
