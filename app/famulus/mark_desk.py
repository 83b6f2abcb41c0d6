"""The marking screen's side of things: what was asked, what it finds, and what the person says of it (G7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.context_item import OWNER, SearchRequest, Viewer
from app.domain.errors import BadInput
from app.domain.metrics import AskedQuestion, MarkedItem
from app.domain.text import msg
from app.runtime import clock
from app.store import mark_rows
from app.store.metric_rows import asked_lately
from app.store.rows import storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.context.desk import ContextDesk
    from app.context.search import ContextService
    from app.domain.context_item import ContextItem
    from app.runtime.lanes import Lanes
    from app.store.connection import Reader
    from app.store.database import Database
    from app.store.mark_rows import MarkRow

_SHOWN = 20
_LONGEST = 2_000
_MOST_QUESTIONS = 1_000


class MarkDesk:
    """Its methods are called on the loop. The owner's alone: a client neither marks nor sees marks.

    Looking for what to mark is no request: it is not logged, and so counts in no rate.
    """

    def __init__(self, database: Database, lanes: Lanes, desk: ContextDesk, context: ContextService) -> None:
        self._database = database
        self._lanes = lanes
        self._desk = desk
        self._context = context

    async def asked_questions(self, limit: int) -> Sequence[AskedQuestion]:
        """Questions that were asked or marked, newest first, each once however it was written."""
        if not 1 <= limit <= _MOST_QUESTIONS:
            raise BadInput(
                msg("{limit} results cannot be asked for.", limit=limit),
                next_step=msg("Ask for 1 to {most}.", most=_MOST_QUESTIONS),
            )

        def read() -> Sequence[AskedQuestion]:
            with self._database.reader() as reader:
                return _asked(reader, limit)

        return await self._lanes.readers.run(read)

    async def items_to_mark(self, query: str, more: str | None = None) -> Sequence[MarkedItem]:
        """What a question finds, best first; then what is marked for it and was not found, and what `more` finds.

        Raises:
            BadInput: an empty question, or one that is too long to be marked.
        """
        query = checked_query(query)
        items = await self._found(query)
        if more is not None and more.strip():
            items += await self._found(checked_query(more))
        entries, marked = await self._lanes.readers.run(self._standing, query, [item.item_id for item in items])
        said = {mark.entry_id: mark.is_wanted for mark in marked}
        shown: dict[int, ContextItem] = {}
        for item in items:
            if item.item_id in entries:
                shown.setdefault(entries[item.item_id], item)
        for entry_id in said:
            if entry_id not in shown and (missing := await self._item(entry_id)) is not None:
                shown[entry_id] = missing
        return [MarkedItem(entry_id, item, said.get(entry_id)) for entry_id, item in shown.items()]

    async def mark(self, query: str, entry_id: int, *, is_wanted: bool | None) -> None:
        """Mark an entry for a question, or take the mark back. Raises `BadInput`."""
        query = checked_query(query)

        def write() -> None:
            with self._database.write() as tx:
                spelled = _spelled(mark_rows.marks(tx), query)
                if is_wanted is None:
                    mark_rows.drop_mark(tx, spelled, entry_id)
                else:
                    mark_rows.put_mark(tx, spelled, entry_id, is_wanted=is_wanted, now=clock.now())

        await self._lanes.writer.run(write)

    async def _found(self, query: str) -> list[ContextItem]:
        return await self._context.search(SearchRequest(query, limit=_SHOWN))

    async def _item(self, entry_id: int) -> ContextItem | None:
        """The first passage of a marked entry, stale or not; None where there is none (any more)."""
        try:
            found = await self._desk.item(Viewer(), f"e{entry_id}", budget_tokens=1)
        except BadInput:
            return None
        return found[0] if found else None

    def _standing(self, query: str, item_ids: Sequence[str]) -> tuple[dict[str, int], list[MarkRow]]:
        """On a reader's lane: the entry of each item, and the marks of a question."""
        with self._database.reader() as reader:
            marked = [mark for mark in mark_rows.marks(reader) if mark_rows.folded(mark.query) == _key(query)]
            return entries_of(reader, item_ids), marked


def entries_of(reader: Reader, item_ids: Iterable[str]) -> dict[str, int]:
    """The entry of each passage ("c12"), in its current version; those that are gone are absent."""
    chunks = {item_id: int(item_id[1:]) for item_id in item_ids if item_id.startswith("c")}
    entries = mark_rows.entries_of_chunks(reader, list(chunks.values()))
    current = mark_rows.current_ids(reader, list(entries.values()))
    return {item_id: current[entries[chunk]] for item_id, chunk in chunks.items() if chunk in entries}


def checked_query(query: str) -> str:
    """A question that can be marked, its spaces made one each.

    Raises:
        BadInput: it is empty or too long.
    """
    plain = " ".join(storable(query[: 2 * _LONGEST]).split())
    if not plain or len(plain) > _LONGEST or len(query) > 2 * _LONGEST:
        raise BadInput(
            msg("This is no question that can be marked."),
            next_step=msg("Give one of up to {most} characters.", most=_LONGEST),
        )
    return plain


def _key(query: str) -> str:
    return mark_rows.folded(query)


def _spelled(marked: Iterable[MarkRow], query: str) -> str:
    """A question as it was spelled when it was first marked."""
    return next((mark.query for mark in marked if _key(mark.query) == _key(query)), query)


def _asked(reader: Reader, limit: int) -> list[AskedQuestion]:
    marked = mark_rows.marks(reader)
    counts: dict[str, int] = {}
    for mark in marked:
        counts[_key(mark.query)] = counts.get(_key(mark.query), 0) + 1
    found: dict[str, AskedQuestion] = {}
    for query, asked_at, client in asked_lately(reader, limit=limit * 4):
        if query.strip() and len(query) <= _LONGEST:
            found.setdefault(_key(query), AskedQuestion(query, asked_at, client, counts.get(_key(query), 0)))
    for mark in marked:
        found.setdefault(_key(mark.query), AskedQuestion(mark.query, mark.asked_at, OWNER, counts[_key(mark.query)]))
    newest = sorted(found.values(), key=lambda one: one.asked_at, reverse=True)
    chosen = newest[:limit]
    return [*chosen, *(one for one in newest[limit:] if one.marked)]
