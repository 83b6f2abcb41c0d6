"""What linked entries say too takes one place, and a place that is hidden is none (G2.1, G4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.context_item import SearchRequest
from app.domain.labels import EntryKind
from app.store.likenesses import Likeness, link
from app.store.writes import note_rules
from tests.integration.context.test_search import CLIENT, PRIVATE, WORK, note

if TYPE_CHECKING:
    from datetime import datetime

    from tests.integration.context.makers import World

ORIGINAL = "The supplier delivers forty chairs by the end of June if we order before Friday, the price is 89 euros."
QUOTED = f"> {ORIGINAL.replace(' by ', chr(10) + '> by ')}"
OTHER_NUMBER = ORIGINAL.replace("89", "98")


async def prepared(world: World, now: datetime, other: str, kind: str) -> None:
    await world.add(note("private.md", ORIGINAL, "private"), source=PRIVATE)
    await world.add(note("work.eml", other, "work", kind=EntryKind.MAIL), source=WORK)
    await world.add(note("other.md", "The chairs of the old supplier are broken.", "work"), source=WORK)
    with world.store.database.write() as tx:
        note_rules(tx, "likeness-1", now=now)
        link(tx, Likeness(1, 2, kind, 0.9), "likeness-1")


@pytest.mark.parametrize("kind", ["quote", "copy", "near"])
async def test_a_quotation_is_folded_into_what_it_quotes(empty: World, now: datetime, kind: str) -> None:
    await prepared(empty, now, QUOTED, kind)
    items = await empty.context.search(SearchRequest("forty chairs supplier"))
    assert len(items) == 2
    assert [item.explanation["folded"] for item in items if "forty" in item.content] == [1.0]


async def test_a_version_with_another_number_keeps_its_place(empty: World, now: datetime) -> None:
    await prepared(empty, now, OTHER_NUMBER, "version")
    assert len(await empty.context.search(SearchRequest("forty chairs supplier"))) == 3


async def test_what_a_viewer_may_not_see_is_not_folded_into_what_they_see(empty: World, now: datetime) -> None:
    await prepared(empty, now, QUOTED, "quote")
    items = await empty.context.search(SearchRequest("forty chairs supplier", viewer=CLIENT))
    assert [item.explanation["folded"] for item in items] == [0.0, 0.0]
    assert "work.eml" in {item.title for item in items}


async def test_of_two_versions_the_newer_one_stays(empty: World, now: datetime) -> None:
    for name, text in (("chairs v2.md", ORIGINAL), ("chairs v1.md", ORIGINAL.replace(", the", " - the"))):
        await empty.add(note(name, text))
    with empty.store.database.write() as tx:
        note_rules(tx, "likeness-1", now=now)
        link(tx, Likeness(1, 2, "version", 0.9), "likeness-1")
    for question in ("forty chairs supplier", "supplier"):
        (item,) = await empty.context.search(SearchRequest(question))
        assert (item.title, item.explanation["folded"]) == ("chairs v2.md", 1.0)
