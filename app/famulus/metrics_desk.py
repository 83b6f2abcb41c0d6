"""Metrics for a shell: what became of answers is taken down, and the figures of a span are read and counted (G7)."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.context_item import OWNER
from app.domain.errors import BadInput
from app.domain.text import msg
from app.metrics.counts import marked_requests
from app.metrics.layers import LayerRows
from app.metrics.report import Days, RateRows, metrics_report
from app.policy.client_requests import checked_outcome, may_be_request, no_outcome
from app.runtime import clock
from app.store import layer_rows, metric_rows
from app.store.mark_rows import marks
from app.store.request_log import asker_of, put_outcome

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from app.domain.metrics import MetricsReport
    from app.domain.serving import Outcome
    from app.runtime.lanes import Lanes
    from app.store.connection import Reader
    from app.store.database import Database

_USUAL_DAYS = 28
_MOST_DAYS = 366 * 5
_ID = re.compile(r"[cer][1-9][0-9]{0,17}", re.ASCII)


class MetricsDesk:
    """Its methods are called on the loop.

    Args:
        waiting: tells how many entries wait to be understood.
        settle: waits until the requests that were answered are logged.
    """

    def __init__(
        self,
        database: Database,
        lanes: Lanes,
        waiting: Callable[[], Awaitable[int]],
        settle: Callable[[], Awaitable[None]],
    ) -> None:
        self._database = database
        self._lanes = lanes
        self._waiting = waiting
        self._settle = settle

    async def report_outcome(self, outcome: Outcome) -> None:
        """Take down what the person says of an answer, to them or to a client; cited are ids of the store (c12, e12).

        Raises:
            BadInput: numbers or ids that cannot be, or a request that is not there.
        """
        if not all(_ID.fullmatch(one) for one in checked_outcome(outcome).cited):
            raise no_outcome()

        def write() -> None:
            with self._database.write() as tx:
                if not may_be_request(outcome.request_id) or asker_of(tx, outcome.request_id) is None:
                    raise _no_such_request()
                put_outcome(tx, outcome, actor=OWNER, cited=outcome.cited, now=clock.now())

        await self._settle()
        await self._lanes.writer.run(write)

    async def report(self, first_day: date | None = None, last_day: date | None = None) -> MetricsReport:
        """The figures of a span; the four weeks up to `last_day` (today) without a first day. Raises `BadInput`."""
        days = checked_days(first_day, last_day)
        waiting, now = await self._waiting(), clock.now()

        def read() -> MetricsReport:
            with self._database.reader() as reader:
                return read_report(reader, days, waiting, now)

        return await self._lanes.readers.run(read)


def read_report(reader: Reader, days: Days, waiting: int, now: datetime) -> MetricsReport:
    """Read the rows of a span and count them; on a reader's lane. `waiting`: entries that wait to be understood."""
    span = days.span
    rows = read_rates(reader, days)
    layers = LayerRows(
        layer_rows.source_rows(reader),
        layer_rows.holdings(reader),
        waiting,
        layer_rows.change_counts(reader, span),
        layer_rows.merge_count(reader, span),
        rows.requests,
        layer_rows.delays_s(reader, span),
    )
    return metrics_report(days, rows, layers, now)


def read_rates(reader: Reader, days: Days) -> RateRows:
    """What the five rates of a span are counted from."""
    span = days.span
    requests, marked = metric_rows.requests(reader, span), marks(reader)
    searches = [row.request_id for row in marked_requests(requests, marked)]
    return RateRows(
        requests,
        metric_rows.outcomes(reader, span),
        metric_rows.injections(reader, span),
        marked,
        metric_rows.handed_out(reader, searches),
        metric_rows.grants(reader),
    )


def checked_days(first_day: date | None, last_day: date | None) -> Days:
    """A span of days that can be counted.

    Raises:
        BadInput: it ends before it begins, or is longer than five years.
    """
    last = last_day or clock.now().astimezone(clock.zone()).date()
    first = first_day or max(last, date.min + timedelta(days=_USUAL_DAYS)) - timedelta(days=_USUAL_DAYS - 1)
    if not 0 <= (last - first).days < _MOST_DAYS or not date(1000, 1, 1) <= first <= last <= date(8999, 12, 31):
        raise BadInput(
            msg("There are no figures from {first} to {last}.", first=first.isoformat(), last=last.isoformat()),
            next_step=msg("Give a first day that is not after the last one, and at most five years."),
        )
    return Days(first, last, clock.zone())


def _no_such_request() -> BadInput:
    return BadInput(
        msg("There is no such request."),
        next_step=msg("Give the number that came with the answer: `famulus audit --json` has them."),
    )
