"""Who asks: whose token a request carries, how far its work is, and how it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from app.domain.errors import Denied, FamulusError
from app.mcp_server.quoting import one_line
from app.runtime.tasks import Tasks
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from app.domain.progress import Progress
    from app.famulus.api_serving import ClientApi
    from app.mcp_server.owner import Owner
    from app.runtime.stop import StopSwitch

T = TypeVar("T")
_LAST_WORDS_S = 1.0


class Passport(Protocol):
    """Where the token of a request comes from."""

    async def token(self, program: str) -> str:
        """The token to ask with; raises `Expected` where there is none and none can be asked for."""

    async def renewed(self, token: str, program: str) -> str:
        """What to ask with instead of a token that was refused; the same where there is nothing else."""

    @property
    def is_known(self) -> bool:
        """Whether there is a token already: a list alone is no reason to ask the person for access."""

    def take_news(self) -> bool:
        """Whether the person has let the program in since the last time; told once."""


@dataclass(frozen=True, slots=True)
class Asker:
    """One request of a client.

    Attributes:
        program: what the program at the other end calls itself.
        tasks: where questions run, so that a request that is cancelled can still press Stop.
        progress: told of every step by the owner. stop: pressed when the client cancels.
    """

    owner: Owner
    passport: Passport
    program: str
    tasks: Tasks
    progress: Callable[[Progress], None]
    stop: StopSwitch

    async def ask(self, question: Callable[[ClientApi, str], Awaitable[T]], *, is_renewing: bool = True) -> T:
        """Ask the owner of the data, as this client; a cancelled request is stopped there too.

        Args:
            is_renewing: whether it is a reason to ask the person for access again, where that was forgotten.

        Raises:
            Expected: as the facade does.
        """
        asked = self.tasks.start(self._ask(question, is_renewing=is_renewing), "a client's question")
        try:
            answer = await asyncio.shield(asked)
        except asyncio.CancelledError:
            self.stop.stop()
            raise
        if isinstance(answer, FamulusError):
            raise answer
        return answer

    async def _ask(self, question: Callable[[ClientApi, str], Awaitable[T]], *, is_renewing: bool) -> T | FamulusError:
        try:
            token = await self.passport.token(self.program)
            try:
                return await self._put(question, token)
            except Denied as denied:
                renewed = await self.passport.renewed(token, self.program) if is_renewing else token
                return denied if renewed == token else await self._put(question, renewed)
        except FamulusError as error:
            return error

    async def _put(self, question: Callable[[ClientApi, str], Awaitable[T]], token: str) -> T:
        return await self.owner.ask(lambda api: question(api, token))


@contextlib.asynccontextmanager
async def telling(tell: Callable[[float, str], Awaitable[None]]) -> AsyncIterator[Callable[[Progress], None]]:
    """What takes the owner's progress and hands it to a client, for whom steps must always grow."""
    waiting: asyncio.Queue[Progress] = asyncio.Queue()

    async def hand_on() -> None:
        steps = 0.0
        while True:
            progress = await waiting.get()
            steps += 1.0
            await tell(steps, one_line(translate(progress.label)))
            waiting.task_done()

    tasks = Tasks()
    tasks.start(hand_on(), "progress for a client")
    try:
        yield waiting.put_nowait
        # what was told before the answer is heard before it; a client that reads nothing is not waited for
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(waiting.join(), _LAST_WORDS_S)
    finally:
        await tasks.close()
