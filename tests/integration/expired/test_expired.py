"""What was superseded is never given as valid to whoever does not ask for stale things (G4.4, G2.6).

Two hundred pairs go the way of life: collected, cut, understood. Then each is asked for by search, by a question, by
the agenda of its day, by the list of tasks and by the facts of its person, as the person and as a client.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.domain.context_item import SearchRequest, Viewer
from app.domain.labels import Status
from app.runtime import clock
from app.store.database import FILE_NAME
from app.store.store import Store
from tests.integration.context.makers import world
from tests.integration.expired.pairs import NOW, Pair, fresh, pairs
from tests.integration.leaks.worlds import desk_of, understand
from tests.unit.store.makers import KEY, source_info

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.agenda import AgendaItem

    from app.context.desk import ContextDesk
    from app.runtime.lanes import Lanes

_CLIENT = Viewer("client", frozenset({"personal"}), frozenset({"owner"}), 2)
_GONE = {Status.CANCELED, Status.SUPERSEDED, Status.DONE}


@dataclass
class Figures:
    """What came of a run: of how many pairs governance saw that the later entry ends the earlier one, and the rest."""

    recognised: dict[str, int] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    asked: int = 0
    expired: list[tuple[str, str]] = field(default_factory=list)


async def measure(folder: Path, lanes: Lanes, told: Sequence[Pair], *, is_reversed: bool) -> Figures:
    """Take all pairs in, understand them, and ask for each."""
    store = Store.create(folder / FILE_NAME, KEY, now=NOW)
    figures = Figures()
    try:
        with clock.use(NOW):
            made = world(store, lanes)
            # versions of a file have their own order: a source does not give the older one after the newer one
            versions = [entry for pair in told if pair.sort == "version" for entry in (pair.first, pair.second)]
            others = [entry for pair in told if pair.sort != "version" for entry in (pair.first, pair.second)]
            for entry in versions + (others[::-1] if is_reversed else others):
                await made.add(entry, source=source_info(entry.source_id))
                if entry in versions:
                    await understand(made)
            await understand(made)
            desk = desk_of(made, folder)
            # nothing changes between the questions: the list of tasks is the same for all of them
            tasks = {viewer: await desk.tasks(viewer, include_done=True) for viewer in (Viewer(), _CLIENT)}
            for pair in told:
                await _measure_one(desk, tasks, store, pair, figures)
    finally:
        store.close()
    return figures


async def _measure_one(
    desk: ContextDesk, tasks: Mapping[Viewer, Sequence[AgendaItem]], store: Store, pair: Pair, figures: Figures
) -> None:
    name = f"{pair.sort}-{pair.language}"
    figures.recognised.setdefault(name, 0)
    with store.database.reader() as reader:
        row = reader.row(
            "SELECT entry.entry_id, stale_reason IS NOT NULL OR EXISTS (SELECT 1 FROM change WHERE undone_at IS NULL"
            " AND change.entry_id = entry.entry_id AND cause_id <> change.entry_id AND is_suggestion = 0)"
            " FROM entry WHERE source_uri = ? ORDER BY entry_id LIMIT 1",
            pair.first.source_uri,
        )
    assert row is not None
    old_id, is_recognised = row
    if not is_recognised:
        figures.missed.append(f"{name}: {pair.second.title}: {[block.text for block in pair.second.blocks]}")
        return
    figures.recognised[name] += 1
    for viewer, listed in tasks.items():
        for way, gives_old in (await _given(desk, viewer, listed, pair, old_id)).items():
            figures.asked += 1
            if gives_old:
                figures.expired.append((way, pair.question))


async def _given(
    desk: ContextDesk, viewer: Viewer, tasks: Sequence[AgendaItem], pair: Pair, old_id: int
) -> dict[str, bool]:
    """By each way whether the old one is given as if it held."""
    old_text = [block.text for block in pair.first.blocks]
    found = [
        item
        for text in (pair.question, pair.first.title, *old_text)
        for item in await desk.search(SearchRequest(text, limit=20, viewer=viewer))
    ]
    answer = await desk.ask(viewer, pair.question)
    given = {
        "search": False,
        "ask": False,
        "tasks": any(one.entry_id == old_id and one.status not in _GONE for one in tasks),
    }
    for way, items in (("search", found), ("ask", answer.items)):
        for item in items:
            is_old = item.content in old_text or (not old_text and item.source_uri == pair.first.source_uri)
            if is_old and item.stale_reason is None and item.task_status not in _GONE:
                given[way] = True
    # an answer may tell of what is off, and says with it why
    reasons = {str(item.stale_reason) for item in answer.items if item.stale_reason is not None}
    given["ask"] = given["ask"] or any(
        one.entry_id == old_id and one.status not in _GONE and str(one.reason) not in reasons for one in answer.agenda
    )
    if pair.day is not None:
        items = await desk.agenda(viewer, pair.day.date().isoformat())
        given["agenda"] = any(one.entry_id == old_id and one.status not in _GONE for one in items)
    if pair.subject:
        facts = await desk.facts(viewer, pair.subject)
        given["facts"] = any(one.value == pair.value and one.stale_reason is None for one in facts)
    return given


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("is_reversed", [False, True], ids=["as said", "the later first"])
async def test_of_two_hundred_pairs_none_is_given_as_valid(basedir: Path, lanes: Lanes, is_reversed: bool) -> None:
    told = pairs()
    assert len(told) == 200
    assert sum(pair.language == "zh" for pair in told) == 100
    figures = await measure(basedir, lanes, told, is_reversed=is_reversed)
    assert figures.missed == []
    assert figures.expired == []
    assert figures.asked > 1_000


async def test_a_few_of_them(basedir: Path, lanes: Lanes) -> None:
    told = pairs()[::12]
    figures = await measure(basedir, lanes, told, is_reversed=False)
    assert figures.missed == []
    assert figures.expired == []


async def test_of_what_is_worded_anew_nothing_recognised_is_given_as_valid(basedir: Path, lanes: Lanes) -> None:
    figures = await measure(basedir, lanes, fresh(), is_reversed=False)
    assert figures.expired == []
    assert sum(figures.recognised.values()) >= 20
