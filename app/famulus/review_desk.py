"""Reviews: written by the clock when a week, a month or a quarter has ended, and on demand (G7).

They are kept in the encrypted database and shown from there; nothing of them is on the disk in the clear.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.errors import BadInput, Expected
from app.domain.events import ReviewWritten
from app.domain.metrics import Review, ReviewKind
from app.domain.text import msg
from app.famulus.metrics_desk import checked_days, read_rates, read_report
from app.metrics.periods import last_ended, period_of
from app.metrics.report import counts_of
from app.metrics.rule_report import rule_report
from app.metrics.weekly import weekly_review
from app.metrics.weight_report import weight_report
from app.runtime import clock
from app.runtime.translation import translator
from app.settings.declarations import LANGUAGE
from app.store import layer_rows, metric_rows, review_rows
from app.store.mark_rows import MOST_ID

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import date, datetime

    from app.domain.metrics import TuningProposal
    from app.famulus.parts import Parts
    from app.metrics.markdown import Say
    from app.metrics.report import Days
    from app.store.connection import Reader
    from app.store.database import Database

_LOOK_S = 600.0
"""How often it is looked whether a new day has begun; what is missing is looked for once a day."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Making:
    """What a review is made with, beside the database. `proposal`: of a quarterly one."""

    kind: ReviewKind
    waiting: int
    proposal: TuningProposal | None
    now: datetime
    say: Say


class ReviewDesk:
    """Its methods are called on the loop.

    Args:
        waiting: tells how many entries wait to be understood. proposal: what tuning would do now.
    """

    def __init__(
        self,
        parts: Parts,
        database: Database,
        waiting: Callable[[], Awaitable[int]],
        proposal: Callable[[], Awaitable[TuningProposal]],
    ) -> None:
        self._parts = parts
        self._database = database
        self._waiting = waiting
        self._proposal = proposal

    async def list(self) -> Sequence[Review]:
        """What was written, newest first, without the texts."""

        def read() -> Sequence[Review]:
            with self._database.reader() as reader:
                return review_rows.reviews(reader)

        return await self._parts.lanes.readers.run(read)

    async def show(self, review_id: int) -> Review:
        """One with its text; raises `BadInput` where there is none."""

        def read() -> Review | None:
            with self._database.reader() as reader:
                return review_rows.review(reader, review_id)

        found = await self._parts.lanes.readers.run(read) if 0 < review_id <= MOST_ID else None
        if found is None:
            raise BadInput(
                msg("There is no review {id}.", id=review_id), next_step=msg("`famulus metrics reviews` lists them.")
            )
        return found

    async def write(self, kind: ReviewKind, day: date | None = None) -> Review:
        """Write the review of the period that holds a day, in place of an earlier one.

        Raises:
            BadInput: the period has not begun, or is none that can be counted.
        """
        now = clock.now()
        wanted = checked_days(day, day) if day is not None else checked_days(now.date(), now.date())
        days = period_of(kind, wanted.first, clock.zone())
        if days.first > now.astimezone(clock.zone()).date():
            raise BadInput(
                msg("There is nothing to review yet from {first} on.", first=days.first.isoformat()),
                next_step=msg("Give a day of a period that has begun."),
            )
        return await self._write(kind, days, now)

    async def run(self) -> None:
        """Once a day, write what is missing; ends by being cancelled."""
        looked: date | None = None
        while True:
            await asyncio.sleep(_LOOK_S)
            now = clock.present()
            if now.date() != looked:
                looked = now.date()
                await self._write_quietly(now)

    async def write_due(self, now: datetime) -> Sequence[Review]:
        """Write the reviews of the periods that ended last, of which something was counted and that are not there."""
        zone = now.tzinfo or clock.local_zone()
        found = []
        for kind in ReviewKind:
            days = last_ended(kind, now.date(), zone)
            if await self._parts.lanes.readers.run(self._is_due, kind, days):
                found.append(await self._write(kind, days, now))
        return found

    async def _write_quietly(self, now: datetime) -> None:
        """What goes wrong today is tried again tomorrow."""
        try:
            await self.write_due(now)
        except Expected as problem:
            _log.info("no review was written: %s", problem.code)
        except Exception:  # noqa: BLE001 - a border: a report that breaks down does not end the clock
            _log.exception("writing a review broke down")

    def _is_due(self, kind: ReviewKind, days: Days) -> bool:
        with self._database.reader() as reader:
            if review_rows.has_review(reader, kind, days.first, days.span.until):
                return False
            if kind is ReviewKind.MONTHLY:
                merges = layer_rows.merge_count(reader, days.span)
                return bool(merges.made or layer_rows.change_counts(reader, days.span))
            return metric_rows.has_requests(reader, days.span)

    async def _write(self, kind: ReviewKind, days: Days, now: datetime) -> Review:
        language, say = translator(self._parts.settings.get(LANGUAGE))
        waiting = await self._waiting()
        proposal = await self._proposal() if kind is ReviewKind.QUARTERLY else None

        making = _Making(kind, waiting, proposal, now, say)

        def read() -> str:
            with self._database.reader() as reader:
                return _text(reader, days, making)

        text = await self._parts.lanes.readers.run(read)
        review = Review(0, kind, days.first, days.last, now, text)

        def write() -> int:
            with self._database.write() as tx:
                return review_rows.put_review(tx, review, language)

        review = replace(review, review_id=await self._parts.lanes.writer.run(write))
        self._parts.bus.publish(ReviewWritten(kind.value))
        return review


def _text(reader: Reader, days: Days, making: _Making) -> str:
    report = read_report(reader, days, making.waiting, making.now)
    if making.kind is ReviewKind.QUARTERLY and making.proposal is not None:
        rows = read_rates(reader, days)
        models = layer_rows.model_counts(reader)
        counts = counts_of(rows, days.span)
        return weight_report(report, counts, rows.requests, models, making.proposal, say=making.say)
    before = read_report(reader, days.before, making.waiting, making.now)
    if making.kind is ReviewKind.MONTHLY:
        span = days.span
        changes, merges = layer_rows.change_counts(reader, span), layer_rows.merge_count(reader, span)
        return rule_report(report, before, changes, merges, layer_rows.rule_versions(reader, span), say=making.say)
    return weekly_review(report, before, metric_rows.requests(reader, days.span), making.say)
