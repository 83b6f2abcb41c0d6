"""What a person asks and decides about who is who, through a real database (G2.4)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.famulus.people_desk import PeopleDesk
from app.runtime import clock
from app.runtime.lanes import Lanes
from app.store.database import FILE_NAME, Database
from app.store.source_rows import add_source
from tests.unit.govern.people.worlds import START, understand, write
from tests.unit.store.makers import new_database, source_info

MAIL = {"people": [["Zhang San", "zs@example.com", "author"]]}
TEXT = {"text": "张三周三前完成测试报告。", "person": ["张三"]}


@pytest.fixture
def database(basedir: Path, now: datetime) -> Iterator[Database]:
    opened = new_database(basedir / FILE_NAME, now=now)
    with opened.write() as tx:
        add_source(tx, source_info())
    with clock.use(now):
        yield opened
    opened.close()


@pytest.fixture
def desk(database: Database) -> Iterator[PeopleDesk]:
    lanes = Lanes()
    yield PeopleDesk(database, lanes)
    lanes.close()


async def test_somebody_is_found_by_every_name(desk: PeopleDesk, database: Database) -> None:
    for number, row in enumerate((MAIL, TEXT)):
        write(database, number, row)
    cards = [await desk.show(text) for text in ("张三", "zhang san", "San Zhang", "ZS@example.com", "張三")]
    assert {card.person.person_id for card in cards} == {cards[0].person.person_id}
    card = cards[0]
    assert (card.person.name, card.person.addresses, card.person.entries) == ("Zhang San", ("zs@example.com",), 2)
    assert "张三" in card.person.other_names
    assert card.person.last_contact == START
    assert [str(merge.evidence) for merge in card.merges] == ["It is the only one known by this name"]
    assert [person.name for person in await desk.list(10)] == ["Zhang San"]


async def test_a_wrong_merge_is_undone_and_stays_undone(desk: PeopleDesk, database: Database) -> None:
    entries = [write(database, number, row) for number, row in enumerate((MAIL, TEXT))]
    for merge in (await desk.show("张三")).merges:
        await desk.undo(merge.merge_id)
    for entry_id, row in zip(entries, (MAIL, TEXT), strict=True):
        understand(database, entry_id, row, START)
    assert (await desk.show("zs@example.com")).person.other_names == ()
    with pytest.raises(BadInput, match="no merge"):
        await desk.undo(1)


async def test_a_part_of_somebody_is_somebody_else(desk: PeopleDesk, database: Database) -> None:
    for number, row in enumerate((MAIL, TEXT)):
        write(database, number, row)
    await desk.split("zs@example.com", "张三")
    assert (await desk.show("zs@example.com")).person.entries == 1
    assert (await desk.show("张三")).person.entries == 1
    assert await desk.suggestions() == [], "what a person took apart is suggested no more"
    with pytest.raises(BadInput, match="all that is known"):
        await desk.split("张三", "张三")
    with pytest.raises(BadInput, match="no part"):
        await desk.split("张三", "Li Si")


async def test_a_person_says_who_is_one(desk: PeopleDesk, database: Database) -> None:
    people = ["Anna Weber", "anna@one.example", "author"], ["Anna Weber", "anna@two.example", "author"]
    for number, person in enumerate(people):
        write(database, number, {"people": [person]})
    with pytest.raises(BadInput, match="Several people are called Anna Weber"):
        await desk.show("Anna Weber")
    (pair,) = await desk.suggestions()
    card = await desk.merge(pair.one.person_id, pair.other.person_id)
    assert card.person.addresses == ("anna@one.example", "anna@two.example")
    assert [merge.actor for merge in card.merges] == ["owner"]
    with pytest.raises(BadInput, match="already"):
        await desk.merge("anna@one.example", "anna@two.example")


@pytest.mark.parametrize("text", ["nobody", "p99999999999999999999", "p7", "", "%", "' OR 1=1", "\ud800"])
async def test_nobody_is_a_clear_answer(desk: PeopleDesk, database: Database, text: str) -> None:
    write(database, 0, MAIL)
    with pytest.raises(BadInput, match="Nobody is known"):
        await desk.show(text)
