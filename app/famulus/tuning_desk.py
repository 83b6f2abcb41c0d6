"""Tuning for a shell: marked questions are searched for anew, new weights proposed, and put in force on demand (G7)."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.context.ranking_file import reset_tuned, tuned_numbers, write_tuned
from app.context.tuning import FIRST, LEAST_HELD_OUT, LEAST_QUESTIONS, marked_question, split, tune
from app.domain.context_item import SearchRequest
from app.domain.errors import BadInput, Expected
from app.domain.metrics import TuningProposal, WeightChange
from app.domain.progress import Progress, ignore_progress
from app.domain.text import msg
from app.famulus.mark_desk import entries_of
from app.runtime import clock
from app.runtime.paths import resource
from app.store import mark_rows
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.context.ranking import Weights
    from app.context.search import ContextService
    from app.context.tuning import MarkedQuestion, Tuned
    from app.domain.context_item import ContextItem
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.text import Text
    from app.famulus.parts import Parts
    from app.store.database import Database


@dataclass(frozen=True, slots=True)
class _Offer:
    """A proposal that may be applied: which weights it starts from, and its numbers."""

    proposal_id: str
    version: str
    numbers: Mapping[str, float]


class TuningDesk:
    """Its methods are called on the loop."""

    def __init__(self, parts: Parts, database: Database, context: ContextService) -> None:
        self._parts = parts
        self._database = database
        self._context = context
        self._shipped = resource("rules", "ranking.toml")
        self._offer: _Offer | None = None

    async def propose(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> TuningProposal:
        """New weights from the marks, which may be applied then, or why there are none. Raises `Cancelled`."""
        self._offer = None
        proposal, self._offer = await self._survey(progress, stop)
        return proposal

    async def look(self) -> TuningProposal:
        """What would be proposed now, for a report: there is nothing to apply, and an earlier proposal stands."""
        return (await self._survey(ignore_progress, None))[0]

    async def _survey(self, progress: ProgressSink, stop: StopSignal | None) -> tuple[TuningProposal, _Offer | None]:
        wanted = await self._parts.lanes.readers.run(self._wanted)
        questions = []
        for count, (query, entries) in enumerate(wanted.items()):
            await self._go_on(stop)
            progress(Progress("tune", msg("Searching for the marked questions"), count, len(wanted)))
            questions.append(await self._searched(query, entries))
        learning, held_out = split(questions)
        if len(questions) < LEAST_QUESTIONS or len(held_out) < LEAST_HELD_OUT:
            reason = msg(
                "Marked questions with a wanted entry that is there now: {count}; at least {least} are needed.",
                count=len(questions),
                least=LEAST_QUESTIONS,
            )
            counts = len(learning), len(held_out)
            return TuningProposal("", (), *counts, None, None, None, None, is_better=False, reason=reason), None
        weights = self._context.weights
        tuned = await self._parts.lanes.blocking.run(tune, questions, weights)
        return _proposal(tuned, weights)

    async def apply(self, proposal_id: str) -> str:
        """Put the weights of the latest proposal in force at once.

        Raises:
            BadInput: it is another one, or none that is worth it, or other weights are in force since it was made.
            DiskFull, ReadOnly, Unavailable: the weights are as they were.
        """
        offer = self._offer
        if offer is None or offer.proposal_id != proposal_id or offer.version != self._context.weights.version:
            raise BadInput(
                msg("There is no such proposal to apply."),
                next_step=msg("Let new weights be proposed: `famulus tune`."),
            )
        folder = self._parts.paths.config
        weights = await self._parts.lanes.blocking.run(write_tuned, self._shipped, folder, offer.numbers)
        return await self._put_in_force(weights)

    async def reset(self) -> str:
        """Take back what tuning wrote. Raises as `apply`."""
        weights = await self._parts.lanes.blocking.run(reset_tuned, self._shipped, self._parts.paths.config)
        return await self._put_in_force(weights)

    async def _put_in_force(self, weights: Weights) -> str:
        def note() -> None:
            with self._database.write() as tx:
                note_rules(tx, weights.version, now=clock.now())

        self._offer = None
        self._context.weights = weights
        # they hold already, and are noted at the next start at the latest: a full disk is no reason to say otherwise
        with contextlib.suppress(Expected):
            await self._parts.lanes.writer.run(note)
        return weights.version

    def _wanted(self) -> dict[str, frozenset[int]]:
        """On a reader's lane: the entries that each marked question should find, of those that can be found."""
        found: dict[str, set[int]] = {}
        with self._database.reader() as reader:
            for mark in mark_rows.marks(reader):
                if mark.is_wanted and mark.is_findable:
                    found.setdefault(mark.query, set()).add(mark.entry_id)
        return {query: frozenset(entries) for query, entries in found.items()}

    async def _searched(self, query: str, wanted: frozenset[int]) -> MarkedQuestion:
        """All candidates that the formula orders for a question."""
        weights = self._context.weights
        limit = max(FIRST, weights.candidates.pool)
        items = await self._context.search(SearchRequest(query, limit=limit))
        entries = await self._parts.lanes.readers.run(self._entries, items)
        known = [item for item in items if item.item_id in entries]
        return marked_question(query, known, [entries[item.item_id] for item in known], wanted, weights)

    def _entries(self, items: Sequence[ContextItem]) -> dict[str, int]:
        with self._database.reader() as reader:
            return entries_of(reader, [item.item_id for item in items])

    async def _go_on(self, stop: StopSignal | None) -> None:
        """Raise `Cancelled` where the asker said stop; not on the loop, since a pause is waited for."""
        if stop is not None:
            await self._parts.lanes.readers.run(stop.checkpoint)


def _proposal(tuned: Tuned, weights: Weights) -> tuple[TuningProposal, _Offer | None]:
    before, after = tuned_numbers(weights), tuned_numbers(tuned.weights)
    changes = tuple(WeightChange(name, before[name], after[name]) for name in before if before[name] != after[name])
    proposal = TuningProposal(
        proposal_id=_id_of(weights.version, after) if changes else "",
        changes=changes,
        learned_from=tuned.learned_from,
        held_out=tuned.held_out,
        hit_before=tuned.before.hit,
        hit_after=tuned.after.hit,
        order_before=tuned.before.order,
        order_after=tuned.after.order,
        is_better=tuned.is_better,
        reason=_reason(tuned, is_moved=bool(changes)),
    )
    return proposal, _Offer(proposal.proposal_id, weights.version, after) if tuned.is_better else None


def _reason(tuned: Tuned, *, is_moved: bool) -> Text | None:
    if tuned.is_better:
        return None
    if not is_moved:
        return msg("No other weights earn their change on the marked questions.")
    return msg("On the questions that were held out, these weights are no better than chance can be.")


def _id_of(version: str, numbers: Mapping[str, float]) -> str:
    data = json.dumps([version, sorted(numbers.items())]).encode()
    return hashlib.sha256(data).hexdigest()[:16]
