"""Results within a budget of tokens, with what stands around them (G4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.context.answers import AnswerService
from app.context.desk import ContextDesk
from app.context.search_desk import SearchDesk
from app.domain.context_item import SearchRequest, Viewer
from app.domain.entries import Block, Place
from app.domain.errors import BadInput
from app.domain.labels import BlockKind, EntryKind
from app.inference.tokens import TokenCounter
from tests.unit.store.makers import make_entry

if TYPE_CHECKING:
    from app.domain.entries import Entry
    from tests.integration.context.makers import World

COUNTER = TokenCounter()
CLIENT = Viewer(name="helper", scopes=frozenset({"personal"}), acls=frozenset({"owner"}), ceiling=1)


@pytest.fixture
def desk(empty: World) -> ContextDesk:
    answers = AnswerService(empty.store, empty.lanes, empty.context)
    searching = SearchDesk(empty.store, empty.lanes, empty.context, COUNTER)
    return ContextDesk(searching, empty.store, empty.lanes, answers)


def note(native_id: str, text: str) -> Entry:
    return make_entry(native_id, text, blocks=(Block(BlockKind.PARAGRAPH, text),))


def chat(native_id: str, *texts: str) -> Entry:
    """An entry of one passage a message."""
    blocks = tuple(
        Block(BlockKind.PARAGRAPH, text, Place(message_id=f"m{at}", first_line=at + 1, last_line=at + 1))
        for at, text in enumerate(texts)
    )
    return make_entry(native_id, kind=EntryKind.CHAT, blocks=blocks)


TALK = (
    "Anna: Good morning.",
    "Bob: Is the boiler mended?",
    "Anna: The boiler was mended on Tuesday by Mr Smith.",
    "Bob: What did it cost?",
    "Anna: Three hundred, he sends the bill.",
)


async def test_passages_around_the_best_are_added_in_their_order(empty: World, desk: ContextDesk) -> None:
    await empty.add(chat("talk", *TALK), note("note.md", "The dentist is on Monday."))
    question = "who mended the boiler on Tuesday"
    (plain, *_) = await desk.search(SearchRequest(question))
    assert plain.content == TALK[2]
    assert "neighbours" not in plain.explanation
    (best,) = await desk.search(SearchRequest(question, limit=1, budget_tokens=400))
    assert best.content == "\n\n".join(TALK)
    assert best.place == plain.place
    assert best.item_id == plain.item_id
    found = await desk.search(SearchRequest(question, budget_tokens=400))
    texts = [text for item in found for text in item.content.split("\n\n")]
    assert len(texts) == len(set(texts)), "nothing is said twice"
    (small, *_) = await desk.search(SearchRequest(question, limit=1, budget_tokens=30))
    assert small.content == "\n\n".join(TALK[2:4])
    assert COUNTER.count(small.content) <= 30


async def test_a_budget_is_kept_and_what_did_not_fit_is_said(empty: World, desk: ContextDesk) -> None:
    long = "The boiler makes a noise. " * 20
    await empty.add(note("long.md", long), note("other.md", "The boiler is old. " * 15))
    for budget in (1, 5, 20, 40, 100, 200, 1000):
        found = await desk.gather(SearchRequest("boiler", budget_tokens=budget))
        assert sum(COUNTER.count(item.content) for item in found.items) <= budget
        assert all(item.content for item in found.items)
        assert bool(
            {str(note) for note in found.notes} - {"Words alone were searched; search by meaning is not there yet."}
        ) == (budget < 300)
    cut = (await desk.gather(SearchRequest("boiler", budget_tokens=40))).items[0]
    assert cut.content.endswith("noise. …") or cut.content.endswith("old. …")
    assert cut.explanation["cut"] == 1


async def test_what_the_mask_hides_is_not_added(empty: World, desk: ContextDesk) -> None:
    await empty.add(chat("talk", *TALK))
    with empty.store.database.write() as tx:
        chunk = tx.value("SELECT chunk_id FROM chunk ORDER BY ordinal LIMIT 1 OFFSET 3")
        tx.run("UPDATE chunk SET stale_reason = '[\"Old\", {}]' WHERE chunk_id = ?", chunk)
        tx.changes.stale_chunks.append((chunk, True))
    (best,) = await desk.search(SearchRequest("who mended the boiler on Tuesday", limit=1, budget_tokens=400))
    assert best.content == "\n\n".join(TALK[:3]), "the run is broken where something does not hold"


@pytest.mark.parametrize("budget", [0, -1, 10**9])
async def test_an_impossible_budget_is_refused(desk: ContextDesk, budget: int) -> None:
    with pytest.raises(BadInput, match="budget"):
        await desk.search(SearchRequest("boiler", budget_tokens=budget))


async def test_an_item_by_its_id(empty: World, desk: ContextDesk) -> None:
    await empty.add(chat("talk", *TALK))
    (found, *_) = await desk.search(SearchRequest("who mended the boiler on Tuesday"))
    around = await desk.item(Viewer(), found.item_id)
    assert [item.content for item in around] == list(TALK)
    assert [item.place.message_id for item in around] == [f"m{at}" for at in range(5)]
    assert [item.content for item in await desk.item(Viewer(), "e1")] == list(TALK)
    (cut,) = await desk.item(Viewer(), found.item_id, budget_tokens=8)
    assert COUNTER.count(cut.content) <= 8
    assert cut.item_id == found.item_id


async def test_unknown_hidden_and_malformed_ids_are_one(empty: World, desk: ContextDesk) -> None:
    await empty.add(chat("talk", *TALK))
    (found, *_) = await desk.search(SearchRequest("boiler", limit=1))
    assert await desk.item(CLIENT, found.item_id)
    with empty.store.database.write() as tx:
        tx.run("UPDATE entry SET scope = 'hidden'")
    empty.store.reload()
    told = set()
    for item_id in (
        found.item_id,
        "e1",
        "c999",
        "e999",
        "r999",
        "",
        "c",
        "c-1",
        "c01",
        "x1",
        "c1 ",
        "ｃ1",
        "c" + "9" * 40,
        "c1\n",
    ):
        with pytest.raises(BadInput) as error:
            await desk.item(CLIENT, item_id)
        told.add((str(error.value.what), str(error.value.next_step), str(error.value.lost)))
    assert len(told) == 1
