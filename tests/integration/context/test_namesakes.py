"""A question about somebody finds what calls them by another name (X9.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.context.namesakes import variants
from app.domain.context_item import SearchRequest, Viewer
from app.domain.entries import PersonRef
from app.domain.text import msg
from app.store.entities import add_alias
from app.store.merges import RULES, Reason, merge
from app.store.writes import note_rules
from tests.integration.context.test_search import note

if TYPE_CHECKING:
    from datetime import datetime

    from tests.integration.context.makers import World


async def prepared(world: World, now: datetime) -> None:
    people = (PersonRef("Zhang San", "zs@example.com", "author"),)
    await world.add(note("mail", "Zhang San sent the blue folder.", people=people))
    await world.add(note("minutes", "张三 负责", people=(PersonRef("张三", "", "attendee"),)))
    await world.add(note("other", "Li Si sent the red folder."))
    with world.store.database.write() as tx:
        note_rules(tx, "entities-1", now=now)
        for entity_id, key in ((1, "zhang san"), (2, "张三")):
            add_alias(tx, entity_id, "key", key, key)
        merge(tx, 2, 1, Reason(msg("A contact card has both"), 0.9, RULES, "entities-1"), now=now)


async def titles(world: World, text: str, **changes: object) -> list[str]:
    return [item.title for item in await world.context.search(SearchRequest(text, **changes))]


async def test_mails_of_zhang_san_are_found_by_his_name_in_characters(empty: World, now: datetime) -> None:
    await prepared(empty, now)
    assert set(await titles(empty, "张三做了什么")) == {"mail", "minutes"}
    assert set(await titles(empty, "Zhang San")) == {"mail", "minutes"}
    assert await titles(empty, "folder red") == ["other", "mail"]


async def test_a_client_learns_of_no_other_name(empty: World, now: datetime) -> None:
    await prepared(empty, now)
    client = Viewer(name="editor", scopes=frozenset({"personal"}), acls=frozenset({"owner"}), ceiling=1)
    assert await titles(empty, "张三做了什么", viewer=client) == ["minutes"]


@pytest.mark.parametrize("text", ["李四做了什么", "What did Li Si do?", "x" * 5000, "张三" * 300, "A B C", ""])
async def test_a_question_about_nobody_known_is_left_alone(empty: World, now: datetime, text: str) -> None:
    await prepared(empty, now)
    with empty.store.database.reader() as reader:
        assert variants(reader, text) == ()


async def test_the_other_name_takes_the_place_of_the_one_asked_for(empty: World, now: datetime) -> None:
    await prepared(empty, now)
    with empty.store.database.reader() as reader:
        assert variants(reader, "张三的报告呢") == (" zhang san 的报告呢",)
        assert variants(reader, "When did Zhang San call?") == ("When did  张三  call?",)
