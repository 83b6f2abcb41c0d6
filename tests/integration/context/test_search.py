"""The whole way from a request to its items, through a real database (G4.1-G4.4)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from app.domain.context_item import SearchRequest, Viewer
from app.domain.entries import Block, Place, TaskFacts
from app.domain.errors import BadInput, Unavailable
from app.domain.labels import BlockKind, EntryKind, Sensitivity, Status, Trust
from app.domain.text import msg
from app.govern.rule_book import RuleBook
from app.sources.contract import Added, Deleted
from app.store.labelling import raise_source
from tests.unit.govern.makers import entry, paragraph
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from app.domain.context_item import ContextItem
    from app.domain.entries import Entry
    from tests.integration.context.makers import World

PRIVATE = source_info("private", scope="private", acl="owner", sensitivity=Sensitivity.CONFIDENTIAL)
WORK = source_info("work", scope="work", acl="team", sensitivity=Sensitivity.INTERNAL)
CLIENT = Viewer(name="editor", scopes=frozenset({"work"}), acls=frozenset({"team"}), ceiling=1)


def note(name: str, text: str, source_id: str = "notes", **changes: object) -> Entry:
    return entry(
        [paragraph(text)], native_id=name, title=name, source_id=source_id, source_uri=f"file:///{name}", **changes
    )


def chat(name: str, *messages: str) -> Entry:
    blocks = [Block(BlockKind.PARAGRAPH, text, Place(message_id=f"{name}:{at}")) for at, text in enumerate(messages)]
    return entry(blocks, native_id=name, title="", kind=EntryKind.CHAT, source_id="notes", source_uri=f"chat:{name}")


async def titles(world: World, text: str, **changes: object) -> list[str]:
    return [item.title for item in await world.context.search(SearchRequest(text, **changes))]


def seen(items: Sequence[ContextItem]) -> list[tuple[object, ...]]:
    """Everything of the items that does not name a row."""
    return [
        (item.title, item.content, item.final_score, item.semantic_score, item.lexical_score, dict(item.explanation))
        for item in items
    ]


async def test_what_is_less_trusted_than_wanted_is_not_looked_at(empty: World) -> None:
    await empty.add(note("mine", "The budget is 30,000 euros."))
    await empty.add(note("page", "The budget is 9 euros.", "web"), source=source_info("web", trust=Trust.WEB))
    assert set(await titles(empty, "budget")) == {"mine", "page"}
    alone = await empty.context.search(SearchRequest("budget", least_trust=Trust.OWN_FILES))
    assert [(item.title, item.trust) for item in alone] == [("mine", Trust.OWN_FILES)]
    # what is left out has no part in the scores either (G4.3)
    await empty.add(note("page 2", "The budget of the budget.", "web"), source=source_info("web", trust=Trust.WEB))
    again = await empty.context.search(SearchRequest("budget", least_trust=Trust.OWN_FILES))
    assert seen(again) == seen(alone)


async def test_words_alone_find_and_say_so(empty: World) -> None:
    await empty.add(note("lease", "The rent is 1,180 euros."), note("menu", "Soup of the day: tomato."))
    (item,) = await empty.context.search(SearchRequest("how much is the rent"))
    assert item.title == "lease"
    assert item.explanation["has_vector"] == 0.0
    assert not empty.context.has_meaning


async def test_meaning_finds_across_languages(empty: World) -> None:
    await empty.add(note("合同", "房租每月三号之前交"), note("menu", "Soup of the day: tomato"))
    assert await titles(empty, "rent") == []
    await empty.learn()
    assert (await titles(empty, "rent"))[0] == "合同"


async def test_an_item_has_all_its_fields(empty: World, now: datetime) -> None:
    await empty.add(note("lease", "The rent is due.", event_time=now - timedelta(days=10)))
    await empty.learn()
    (item,) = await empty.context.search(SearchRequest("rent due"))
    weights = empty.context.weights
    assert item.source_uri == "file:///lease"
    assert (item.scope, item.acl, item.sensitivity) == ("personal", "owner", Sensitivity.INTERNAL)
    assert item.ingested_at == now
    assert item.freshness_score == pytest.approx(1 - 10 / weights.time.window_days)
    assert item.stale_reason is None
    expected = (
        0.55 * item.semantic_score + 0.15 * item.lexical_score + 0.20 * item.freshness_score + 0.10 * item.confidence
    )
    assert item.final_score == pytest.approx(expected)
    parts = ("semantic", "lexical", "freshness", "confidence", "active_task")
    assert sum(item.explanation[part] for part in parts) == pytest.approx(item.final_score)
    for value in (item.semantic_score, item.lexical_score, item.freshness_score, item.time_decay, item.final_score):
        assert 0.0 <= value <= 1.0


async def test_hidden_entries_change_nothing_for_a_client(empty: World, basedir: object) -> None:
    work = [
        note(f"w{number}", f"The rent of flat {number} is due. Budget talk {number}.", "work") for number in range(6)
    ]
    await empty.add(*work[:3], source=WORK)
    await empty.learn()
    request = SearchRequest("rent due flat 2", viewer=CLIENT)
    before = seen(await empty.context.search(request))
    hidden = [note(f"p{number}", f"rent rent due flat 2 secret {number}", "private") for number in range(30)]
    await empty.add(*hidden, source=PRIVATE)
    await empty.learn()
    assert before
    assert seen(await empty.context.search(request)) == before
    assert len(await titles(empty, "rent due flat 2", limit=50)) == 33


async def test_the_ceiling_and_the_scope_hide(empty: World) -> None:
    await empty.add(note("w", "rent at work", "work"), source=WORK)
    await empty.add(note("p", "rent at home", "private"), source=PRIVATE)
    assert set(await titles(empty, "rent")) == {"w", "p"}
    assert await titles(empty, "rent", viewer=CLIENT) == ["w"]
    assert await titles(empty, "rent", viewer=replace(CLIENT, ceiling=0)) == []
    assert await titles(empty, "rent", viewer=Viewer(name="stranger")) == []
    assert await titles(empty, "rent", scope="private") == ["p"]
    assert await titles(empty, "rent", scope="private", viewer=CLIENT) == []


async def test_what_is_gone_is_hidden_and_labelled(empty: World) -> None:
    await empty.add(note("old", "The rent is due on Monday."))
    await empty.pipeline.take_in(source_info(), iter([Deleted("old")]))
    assert await titles(empty, "rent") == []
    (item,) = await empty.context.search(SearchRequest("rent", include_stale=True))
    assert str(item.stale_reason) == "Deleted at its source"


async def test_what_has_expired_is_hidden_and_labelled(empty: World, now: datetime) -> None:
    await empty.add(note("offer", "The rent offer.", valid_to=now - timedelta(days=1)))
    assert await titles(empty, "rent offer") == []
    (item,) = await empty.context.search(SearchRequest("rent offer", include_stale=True))
    assert "No longer valid since 2025-05-11" in str(item.stale_reason)


async def test_a_newer_version_takes_the_place_of_the_older(empty: World) -> None:
    await empty.add(note("lease", "The rent is 900."))
    await empty.pipeline.take_in(source_info(), iter([Added(note("lease", "The rent is 1,180."))]))
    (current,) = await empty.context.search(SearchRequest("rent"))
    assert "1,180" in current.content
    assert len(await titles(empty, "rent", include_stale=True)) == 2


async def test_the_same_text_takes_one_place(empty: World) -> None:
    await empty.add(note("a", "The rent is due."), note("b", "the  RENT is due."), note("c", "The rent was due."))
    assert len(await titles(empty, "rent due")) == 2


async def test_newer_ones_come_first_among_equals(empty: World, now: datetime) -> None:
    await empty.add(
        note("old", "Rent payment alpha", event_time=now - timedelta(days=300)),
        note("new", "Rent payment omega", event_time=now - timedelta(days=3)),
    )
    assert await titles(empty, "rent payment") == ["new", "old"]


async def test_an_active_task_gains_and_a_done_one_does_not(empty: World, now: datetime) -> None:
    for name, status in (("open", Status.ACTIVE), ("done", Status.DONE)):
        await empty.add(note(name, f"Pay the rent {name}", kind=EntryKind.TASK, task=TaskFacts(status, due_at=now)))
    items = {item.title: item for item in await empty.context.search(SearchRequest("pay rent"))}
    assert items["open"].explanation["active_task"] == pytest.approx(0.03)
    assert items["done"].explanation["active_task"] == 0.0
    assert items["done"].task_status is Status.DONE


async def test_a_message_is_found_by_the_one_before_it(empty: World) -> None:
    await empty.add(
        chat("1", "Anna: When do you see the dentist?", "Bo: On the ninth.", "Anna: Good luck!", "Bo: Thanks a lot.")
    )
    items = await empty.context.search(SearchRequest("when does Bo see the dentist"))
    scores = {item.content: item.lexical_score for item in items}
    assert scores["Bo: On the ninth."] > scores["Bo: Thanks a lot."] + 0.1
    assert {items[0].content, items[1].content} == {"Anna: When do you see the dentist?", "Bo: On the ninth."}


async def test_confidence_counts(empty: World) -> None:
    trusted, web = source_info("trusted", trust=Trust.OWN_FILES), source_info("web", trust=Trust.WEB)
    await empty.add(note("mine", "rent facts alpha", "trusted"), source=trusted)
    await empty.add(note("theirs", "rent facts omega", "web"), source=web)
    assert await titles(empty, "rent facts") == ["mine", "theirs"]


async def test_a_model_that_fails_costs_the_meaning_and_not_the_answer(empty: World) -> None:
    await empty.add(note("lease", "The rent is due."))
    model = await empty.learn()
    model.problem = Unavailable(msg("broken"), next_step=msg("mend it"))
    assert await titles(empty, "rent") == ["lease"]
    assert empty.context.problem is model.problem
    with pytest.raises(Unavailable):
        await titles(empty, "rent", mode="vectors")
    model.problem = None
    await titles(empty, "rent")
    assert empty.context.problem is None


async def test_what_has_no_vector_yet_is_not_buried(empty: World) -> None:
    await empty.add(*(note(f"old{number}", f"Notes on gardening {number}") for number in range(5)))
    await empty.learn()
    await empty.add(note("new", "The dentist moved to Main Street."))
    assert (await titles(empty, "where is the dentist"))[0] == "new"


@pytest.mark.parametrize(
    "request_",
    [
        SearchRequest(""),
        SearchRequest("?"),
        SearchRequest("x", limit=0),
        SearchRequest("x", limit=100_000),
        SearchRequest("x", mode="magic"),
    ],
)
async def test_a_bad_request_is_refused(empty: World, request_: SearchRequest) -> None:
    with pytest.raises(BadInput):
        await empty.context.search(request_)


async def test_by_meaning_alone_needs_a_model(empty: World) -> None:
    with pytest.raises(Unavailable):
        await titles(empty, "rent", mode="vectors")


async def test_an_empty_database_finds_nothing(empty: World) -> None:
    assert await titles(empty, "anything") == []
    await empty.learn()
    assert await titles(empty, "anything") == []


@pytest.mark.parametrize("is_source", [False, True])
async def test_what_is_labelled_anew_is_hidden_at_once(empty: World, tmp_path: Path, is_source: bool) -> None:
    await empty.add(note("w", "rent of the falcon house", "work"), note("x", "rent of a flat", "work"), source=WORK)
    assert set(await titles(empty, "rent", viewer=CLIENT)) == {"w", "x"}
    if is_source:
        with empty.store.database.write() as tx:
            raise_source(tx, "work", 3)
        assert await titles(empty, "rent", viewer=CLIENT) == []
        return
    (tmp_path / "labels.toml").write_text('[[rule]]\nwords = "falcon"\nsensitivity = "confidential"\n')
    book = RuleBook(empty.store.database, tmp_path / "labels.toml")
    book.put_in_force()
    book.relabel(book.next_batch(0)[0])
    assert await titles(empty, "rent", viewer=CLIENT) == ["x"]
    assert set(await titles(empty, "rent")) == {"w", "x"}
