"""The one place where passages are searched for, for whomever, and results kept: a part of `desk`, the context service.

It stands by itself since a search needs little, and is asked for first: right after the start it answers while what the
rest of the service needs is still being read in (`app.famulus.offices`). Every request names its viewer (G4.3).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.context.assembly import Around, Gathered, within_budget
from app.context.cache import Life, ResultCache
from app.context.question import LONGEST_QUESTION
from app.context.search import FULL
from app.domain.errors import BadInput
from app.domain.progress import Progress, ignore_progress
from app.domain.text import msg
from app.policy.disclosure import filter_for
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.context.assembly import Counter
    from app.context.search import ContextService, Found
    from app.domain.context_item import ContextItem, SearchRequest
    from app.domain.progress import ProgressSink, StopSignal
    from app.runtime.lanes import Lanes
    from app.store.store import Store

MOST_TOKENS = 100_000
_BY_WORDS = msg("Words alone were searched; search by meaning is not there yet.")


class SearchDesk:
    """See the module docstring. Its methods are called on the loop.

    Args:
        counter: counts tokens.

    Attributes:
        cache: of all results of the context service.
        counter: the present one.
    """

    def __init__(self, store: Store, lanes: Lanes, context: ContextService, counter: Counter) -> None:
        self._store = store
        self._lanes = lanes
        self._context = context
        self.counter = counter
        self.cache = ResultCache()
        store.database.follow(self.cache.follow)

    def count_with(self, counter: Counter) -> None:
        """Count tokens so from now on: by the model's own tokenizer where there is a model."""
        self.counter = counter
        self.cache.clear()

    async def search(
        self, request: SearchRequest, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> list[ContextItem]:
        """The best passages for a request, best first; raises as `gather` does."""
        return list((await self.gather(request, progress=progress, stop=stop)).items)

    async def gather(
        self, request: SearchRequest, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> Gathered:
        """The same, with what is to be known of the result.

        Raises:
            BadInput: an empty question, an unknown mode, or a number out of its range.
            Unavailable: search by meaning alone was asked for, and there is no model.
            Cancelled: the asker said stop.
        """
        _check(request)
        await self._go_on(stop)
        progress(Progress("search", msg("Searching"), 0))
        asked = replace(request, text=request.text.strip()[:LONGEST_QUESTION])
        key = (asked, self._context.model, self._context.weights.version)
        gathered = await self.cache.through(
            request.viewer, ("search", key), lambda: self._gathered(asked, stop), self._life_of_search(asked)
        )
        await self._go_on(stop)
        return gathered

    async def _gathered(self, request: SearchRequest, stop: StopSignal | None) -> Gathered:
        now = clock.now()
        found = await self._context.find(request)
        await self._go_on(stop)
        notes = (_BY_WORDS,) if request.mode == FULL and found.semantics is None else ()
        if request.budget_tokens is None:
            return Gathered(tuple(ranked.item for ranked in found.ranked), notes)
        gathered = await self._lanes.readers.run(self._assembled, found, request, now)
        return Gathered(gathered.items, gathered.notes + notes)

    def _life_of_search(self, request: SearchRequest) -> Callable[[Gathered, datetime], Life | None]:
        """Results of a model are kept while it is the model, and what was answered without one for its failure not."""
        model = self._context.model

        def life(gathered: Gathered, now: datetime) -> Life | None:
            if self._context.model != model or (model is not None and _BY_WORDS in gathered.notes):
                return None
            return Life.of(now, len(gathered.items), [request.since, *(item.valid_to for item in gathered.items)])

        return life

    def _assembled(self, found: Found, request: SearchRequest, now: datetime) -> Gathered:
        """On a reader's lane: within the budget, with what stands around."""
        visible = filter_for(request.viewer, request)
        view = self._store.visibility.view(visible, now)
        ranked = [one for one in found.ranked if view.shows(one.passage.chunk_id)]
        with self._store.database.reader() as reader:
            around = Around(reader, view, visible)
            return within_budget(ranked, around, self.counter, request.budget_tokens or 0)

    async def _go_on(self, stop: StopSignal | None) -> None:
        """Raise `Cancelled` where the asker said stop; not on the loop, since a pause is waited for."""
        if stop is not None:
            await self._lanes.readers.run(stop.checkpoint)


def _check(request: SearchRequest) -> None:
    budget = request.budget_tokens
    if budget is not None and not 1 <= budget <= MOST_TOKENS:
        raise BadInput(
            msg("A budget of {count} tokens cannot be kept.", count=budget),
            next_step=msg("Ask for 1 to {most}.", most=MOST_TOKENS),
        )
    if any(moment is not None and moment.tzinfo is None for moment in (request.since, request.until)):
        raise BadInput(
            msg("A time without its zone is not a moment."), next_step=msg("Say it with an offset, such as +08:00.")
        )
