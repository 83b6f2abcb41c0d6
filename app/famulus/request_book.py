"""The book of requests: each is taken down in the database, many in one transaction (G7, G8.1).

A client's request is in the book before its answer is handed out, and where it cannot be, nothing is handed out. The
person's own is taken down after its answer, which never waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.context_item import OWNER
from app.domain.errors import Expected, Unavailable
from app.domain.text import msg
from app.famulus.handouts import NOTHING, Ask, Handout, logged
from app.famulus.known_time import KnownTime
from app.policy.client_requests import as_logged
from app.runtime import clock
from app.settings.declarations import AUDIT_KEEP_DAYS, AUDIT_KEEP_QUERIES
from app.store.client_rows import delete_decided_before
from app.store.request_log import LoggedRequest, delete_requests_before, forget_queries, last_request, put_request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.context.search import ContextService
    from app.famulus.parts import Parts
    from app.store.database import Database

_MOST_WAITING = 5_000
_A_DAY_S = 86_400.0
_log = logging.getLogger(__name__)

Page = tuple[LoggedRequest, "asyncio.Future[None] | None"]


class RequestBook:
    """See the module docstring. Its methods are called on the loop.

    Args:
        ranking: whose weights in force are noted with every request.

    Attributes:
        time: the known time, which is written with every request.
    """

    def __init__(self, parts: Parts, database: Database, ranking: ContextService) -> None:
        self._parts = parts
        self._database = database
        self._ranking = ranking
        self.time = KnownTime(parts, database)
        self._waiting: list[Page] = []
        self._writing: asyncio.Task[None] | None = None
        self._is_closed = False

    async def keep(self, request: LoggedRequest) -> None:
        """Take a request down; returns when it is durable.

        Raises:
            DiskFull, ReadOnly, Damaged, Unavailable: it is not in the book, so nothing may be handed out.
        """
        if self._is_closed or len(self._waiting) >= _MOST_WAITING:
            raise Unavailable(
                msg("The request could not be logged, so nothing was handed out."), next_step=msg("Try again later.")
            )
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, kept))
        self._begin()
        await kept

    def note(self, ask: Ask, handout: Handout = NOTHING, *, name: str = OWNER) -> str:
        """Take a request down after its answer, the person's where nobody is named; returns its id at once."""
        request = self.request(name, ask, handout)
        self.later(request)
        return request.request_id

    def request(self, name: str, ask: Ask, handout: Handout, *, refusal: str | None = None) -> LoggedRequest:
        """What stands in the book of a request that is answered now."""
        return LoggedRequest(
            request_id=secrets.token_hex(10),
            at=clock.now(),
            client=name,
            action=ask.action,
            query=as_logged(ask.query),
            template=as_logged(ask.template),
            refusal=refusal,
            items=logged(handout),
            ranking=self._ranking.weights.version,
            include_stale=ask.include_stale,
        )

    def later(self, request: LoggedRequest) -> None:
        """Take a request down in its time; nobody waits for it."""
        if self._is_closed or len(self._waiting) >= _MOST_WAITING:
            _log.warning("a request was not logged: too many wait")
            return
        self._waiting.append((request, None))
        self._begin()

    async def settle(self) -> None:
        """Wait until all that was handed in is in the book, or could not be."""
        while self._writing is not None:
            await asyncio.wait([self._writing])

    async def close(self) -> None:
        """Write what waits, and take nothing more."""
        self._is_closed = True
        await self.settle()

    async def forget_old(self) -> None:
        """Forget what is older than the setting says, and words that are not to be kept; now and every day."""
        while True:
            try:
                await self._parts.lanes.writer.run(self._forget)
            except Expected as problem:
                _log.info("old requests stay: %s", problem.code)
            await asyncio.sleep(_A_DAY_S)

    def _begin(self) -> None:
        if self._writing is None:
            self._writing = self._parts.tasks.start(self._work_off(), "log requests")

    async def _work_off(self) -> None:
        try:
            while self._waiting:
                pages, self._waiting = self._waiting, []
                await self._write(pages)
        finally:
            self._writing = None

    async def _write(self, pages: Sequence[Page]) -> None:
        problem: BaseException | None = None
        try:
            await self._parts.lanes.writer.run(self._put, [request for request, _ in pages])
        except asyncio.CancelledError as error:
            problem = error
            raise
        except Exception as error:  # noqa: BLE001 - a border: whoever waits gets it, and nothing is handed out
            problem = error
            _log.warning("%d requests could not be logged: %s", len(pages), type(error).__name__)
        finally:
            for _, kept in pages:
                _settle(kept, problem)

    def _put(self, requests: Sequence[LoggedRequest]) -> None:
        keeps_words = self._parts.settings.get(AUDIT_KEEP_QUERIES)
        with self._database.write() as tx:
            for request in requests:
                put_request(tx, request, keeps_words=keeps_words)
            self.time.write(tx)

    def _forget(self) -> None:
        settings = self._parts.settings
        with self._database.write() as tx:
            # counted from the last request: a clock that jumps ahead does not empty the log
            last = min(clock.present(), last_request(tx) or clock.present())
            moment = last - timedelta(days=settings.get(AUDIT_KEEP_DAYS))
            delete_requests_before(tx, moment)
            delete_decided_before(tx, moment)
            if not settings.get(AUDIT_KEEP_QUERIES):
                forget_queries(tx)


def _settle(kept: asyncio.Future[None] | None, problem: BaseException | None) -> None:
    if kept is None or kept.done():
        return
    if problem is None:
        kept.set_result(None)
    elif isinstance(problem, asyncio.CancelledError):
        kept.cancel()
    else:
        kept.set_exception(problem)
