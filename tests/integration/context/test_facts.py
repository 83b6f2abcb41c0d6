"""Facts are looked up, by whoever may know them (L6.3, G4.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.context.answers import AnswerService
from app.context.desk import ContextDesk
from app.context.search_desk import SearchDesk
from app.domain.context_item import Viewer
from app.domain.entries import ContactFacts, PersonRef
from app.domain.labels import EntryKind, Trust
from app.inference.tokens import TokenCounter
from tests.integration.govern.supersession_world import Mind, entry_of

if TYPE_CHECKING:
    from app.domain.serving import Fact
    from tests.integration.context.makers import World

ME = frozenset({"me@example.com"})
CLIENT = Viewer(name="helper", scopes=frozenset({"personal"}), acls=frozenset({"owner"}), ceiling=3)


@pytest.fixture
def mind(empty: World) -> Mind:
    return Mind(empty)


@pytest.fixture
def desk(empty: World) -> ContextDesk:
    answers = AnswerService(empty.store, empty.lanes, empty.context)
    searching = SearchDesk(empty.store, empty.lanes, empty.context, TokenCounter())
    made = ContextDesk(searching, empty.store, empty.lanes, answers)
    made.own_addresses = ME
    return made


def told(native_id: str, text: str, day: str = "2025-05-01", **more: Any) -> Any:
    return entry_of({"title": native_id, "text": text, "at": f"{day}T10:00", **more}, native_id)


def values(facts: list[Fact], predicate: str) -> list[str]:
    return [fact.value for fact in facts if fact.predicate == predicate]


async def test_my_address_is_what_i_said_last(mind: Mind, desk: ContextDesk) -> None:
    await mind.tell(
        told("a", "My address is 12 Elm Street, Springfield.", kind="note"),
        told("b", "My new address is 7 Oak Avenue, Shelbyville.", "2025-05-03", kind="note"),
    )
    for predicate in ("lives_in", "address", "地址", "home address"):
        now, before = await desk.facts(Viewer(), "me", predicate)
        assert now.value == "7 Oak Avenue, Shelbyville"
        assert now.stale_reason is None
        assert before.value == "12 Elm Street, Springfield"
        assert before.stale_reason is not None
    assert values(await desk.facts(Viewer(), "我"), "lives_in") == [
        "7 Oak Avenue, Shelbyville",
        "12 Elm Street, Springfield",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("My default address is 9 Pine Road, Capital City.", "9 Pine Road, Capital City"),
        ("Our shipping address is 9 Pine Road.", "9 Pine Road"),
        ("我的默认地址是杭州市文三路90号。", "杭州市文三路90号"),
        ("我的收货地址：杭州市文三路90号。", "杭州市文三路90号"),
        ("我们的新默认地址是上海市南京路1号。", "上海市南京路1号"),
    ],
)
async def test_an_address_by_any_name(mind: Mind, desk: ContextDesk, text: str, value: str) -> None:
    await mind.tell(told("a", text, kind="note"))
    assert values(await desk.facts(Viewer(), "me", "lives_in"), "lives_in") == [value]


async def test_a_mail_of_mine_speaks_for_me_and_one_of_others_does_not(mind: Mind, desk: ContextDesk) -> None:
    await mind.tell(
        told("mine", "我的手机号是13800138000。", **{"from": "me@example.com"}),
        told("theirs", "My phone number is 555 010 0200.", **{"from": "li@example.com"}),
        trust=Trust.KNOWN_SENDER,
    )
    assert values(await desk.facts(Viewer(), "me"), "phone") == ["13800138000"]
    assert values(await desk.facts(Viewer(), "li@example.com"), "phone") == ["5550100200"]
    assert values(await desk.facts(Viewer(), "li@example.com"), "email") == ["li@example.com"]


async def test_what_is_said_of_somebody_by_name(mind: Mind, desk: ContextDesk) -> None:
    await mind.tell(told("n", "张三的电话是13912345678。张三住在杭州。", kind="note"))
    assert values(await desk.facts(Viewer(), "张三"), "phone") == ["13912345678"]
    assert values(await desk.facts(Viewer(), "张三", "住址"), "lives_in") == ["杭州"]
    assert await desk.facts(Viewer(), "me") == []
    assert await desk.facts(Viewer(), "张三", "shoe size") == []
    assert await desk.facts(Viewer(), "") == []


async def test_a_stranger_cannot_give_somebody_another_number(mind: Mind, desk: ContextDesk) -> None:
    await mind.tell(told("n", "张三的电话是13912345678。", kind="note"))
    await mind.tell(
        told("s", "张三的电话是13000000000。", "2025-05-09", **{"from": "x@evil.example"}), trust=Trust.STRANGER
    )
    assert values(await desk.facts(Viewer(), "张三"), "phone") == ["13912345678", "13000000000"]


async def test_a_card_is_known_by_its_own_names(mind: Mind, desk: ContextDesk) -> None:
    card = replace(
        told("card", "", kind="contact"),
        kind=EntryKind.CONTACT,
        contact=ContactFacts(
            names=("Zhang San", "张三"),
            addresses=("zs@example.com",),
            phones=("+86 138-0013-8000",),
            organisation="Acme",
            role="Engineer",
        ),
    )
    mail = replace(told("mail", "hello"), people=(PersonRef("Zhang San", "zhang@home.example", "author"),))
    await mind.tell(card, mail)
    for viewer in (Viewer(), CLIENT):
        found = await desk.facts(viewer, "zhang san")
        assert values(found, "phone") == ["+86 138-0013-8000"], viewer
        assert values(found, "email") == ["zs@example.com", "zhang@home.example"]
        assert values(found, "works_at") == ["Acme"]
        assert values(found, "role") == ["Engineer"]
        assert values(await desk.facts(viewer, "张三"), "phone") == ["+86 138-0013-8000"]


async def test_what_is_hidden_changes_nothing(mind: Mind, desk: ContextDesk) -> None:
    await mind.tell(told("a", "张三住在杭州。My address is 12 Elm Street, Springfield.", kind="note"))
    seen = [await desk.facts(CLIENT, name) for name in ("me", "张三", "李四")]
    await mind.tell(
        told(
            "secret",
            "My new address is 7 Oak Avenue, Shelbyville. 张三搬到上海了。李四住在北京。",
            "2025-05-03",
            kind="note",
        )
    )
    with mind.world.store.database.write() as tx:
        tx.run("UPDATE entry SET scope = 'hidden' WHERE native_id = 'secret'")
    assert [await desk.facts(CLIENT, name) for name in ("me", "张三", "李四")] == seen
    assert values(await desk.facts(Viewer(), "me"), "lives_in")[0] == "7 Oak Avenue, Shelbyville"
    assert await desk.facts(Viewer(name="nobody"), "me") == []
