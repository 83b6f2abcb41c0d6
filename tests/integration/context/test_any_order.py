"""The same entries, understood in any order, come to the same people and the same answers (G2.4, G3.2)."""

from __future__ import annotations

import random
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from app.context.answers import AnswerService
from app.domain.context_item import Viewer
from app.domain.labels import EntryKind
from app.domain.readings import TextSpan
from app.govern.extraction import Extractor
from app.store.merges import CANONICAL
from tests.integration.context import structured_world
from tests.integration.context.structured_world import at, card, made, mail, tell

if TYPE_CHECKING:
    from tests.integration.context.makers import World

NAMES = ("Emma Johnson", "David Smith", "Emma", "David", "王伟", "小王", "李娜")
EMMA, DAVID, LI = "emma.johnson@x.example", "david.smith@x.example", "li.na@y.example"
WANG = "wangwei@y.example"
CLIENT = Viewer("editor", frozenset({"personal"}), frozenset({"owner"}), 3)
ENTRIES = (
    made(
        EntryKind.NOTE,
        "Minutes of the client meeting",
        "Emma will update the project plan by 20 May 2025.\n\n"
        "David will coordinate with the developers by 20 May 2025.\n\n李娜负责整理合同。",
        at(5),
    ),
    mail("Kickoff", "See you there, David.\n\nBest regards,\nEmma Johnson", at(6), ("", EMMA), ("", DAVID)),
    mail("Re: Kickoff", "Hi Emma, fine. 李娜 comes too.", at(7), ("", DAVID), ("", EMMA), ("", LI)),
    mail("周会", "小王负责发送报表。", at(8), ("李娜", LI), ("", EMMA)),
    mail("Re: 周会", "好的。", at(9), ("王伟", WANG), ("李娜", LI)),
    card("李娜", LI),
)
ORDERS = random.Random(7).sample(list(permutations(ENTRIES)), 12)
PEOPLE = ({EMMA, "emma johnson"}, {DAVID}, {LI, "李娜"}, {WANG, "王伟"}, {"emma"}, {"david"})
OWNERS = {("Emma", "emma"), ("David", "david"), ("李娜", LI, "李娜"), ("小王", WANG, "王伟")}
MENTIONS = {
    ("Kickoff", "Emma Johnson", "emma johnson", EMMA),
    ("Kickoff", "David", "david"),
    # she is called so where she takes part, and by no merge: elsewhere Emma may be somebody else
    ("Re: Kickoff", "Emma", "emma johnson", EMMA),
    ("Minutes of the client meeting", "Emma", "emma"),
    ("Minutes of the client meeting", "David", "david"),
    # he takes part only from the next mail on
    ("周会", "小王", WANG, "王伟"),
}
PLAN, WORK = "update the project plan", "coordinate with the developers"
DUE = "due Tuesday 20 May 2025"
MINUTES = f"David: {WORK} - {DUE} [1]\nEmma: {PLAN} - {DUE} [1]"
TO_EVERYBODY = {
    "Who has to do what?": f"{MINUTES}\n小王: 发送报表 [2]\n李娜: 整理合同 [1]",
    "What are the action items from the client meeting?": f"{MINUTES}\n李娜: 整理合同 [1]",
    "What does David have to do?": f"David: {WORK} - {DUE} [1]",
    "李娜该做什么？": "李娜: 整理合同 [1]",
}
DAVIDS_CARD = f"David Smith: {DAVID} [1]\nLast contact: Wednesday 7 May 2025, mail “Re: Kickoff” [1]"
TO_HER = {
    "What do I have to do?": f"{PLAN} - {DUE} [1]",
    "Who is David Smith?": f"{DAVIDS_CARD}\nHas to do: {WORK} [2]",
    "王伟该做什么？": "小王: 发送报表 [1]",
}
TO_A_CLIENT = {"Who is David Smith?": DAVIDS_CARD}


class Names:
    """A model that knows a few names."""

    def read(self, text: str, *, stop: object = None, limit_s: float | None = None) -> list[TextSpan]:
        found: list[TextSpan] = []
        for name in NAMES:
            start = text.find(name)
            if start >= 0 and not any(one.start <= start < one.end for one in found):
                found.append(TextSpan(start, start + len(name), "person", 0.9))
        return sorted(found, key=lambda span: span.start)


class WithNames:
    """Reads by rules and with that model."""

    def __init__(self) -> None:
        self.by_rules = Extractor(Names())  # type: ignore[arg-type]

    async def extractor(self) -> Extractor | None:
        return None

    def give_up(self, problem: Exception) -> None:
        raise problem


@pytest.fixture(autouse=True)
def _names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structured_world, "WithoutModel", WithNames)


@pytest.mark.parametrize("place", range(len(ORDERS)))
async def test_any_order_comes_to_the_same(empty: World, answers: AnswerService, place: int) -> None:
    answers.structured.own_addresses = frozenset({EMMA})
    for entry in ORDERS[place]:
        await tell(empty, entry)
    with empty.store.database.reader() as reader:
        rows = reader.rows(
            f"SELECT {CANONICAL}, value FROM entity JOIN alias USING (entity_id)"  # noqa: S608 - our own names
            " WHERE kind IN ('address', 'bare')"
        )
        people = {canonical: {value for one, value in rows if one == canonical} for canonical, _ in rows}
        owners = reader.rows(
            f"SELECT owner, {CANONICAL} FROM record JOIN entity ON entity.entity_id = owner_id"  # noqa: S608 - the same
        )
        mentions = reader.rows(
            f"SELECT title, object_text, {CANONICAL} FROM relation JOIN entity ON entity.entity_id = subject_id"  # noqa: S608
            " JOIN entry USING (entry_id) WHERE predicate = 'mentions'"
        )
        assert sorted(map(sorted, people.values())) == sorted(map(sorted, PEOPLE))
        assert {(owner, *sorted(people[one])) for owner, one in owners} == OWNERS
        found = {(title, text, *sorted(people[one])) for title, text, one in mentions}
        assert {one for one in found if one[1] not in {"李娜", "王伟"}} == {_sorted(one) for one in MENTIONS}
    for question, text in (TO_EVERYBODY | TO_HER).items():
        assert str((await answers.ask(question)).text) == text
    for question, text in (TO_EVERYBODY | TO_A_CLIENT).items():
        assert str((await answers.ask(question, CLIENT)).text) == text


def _sorted(row: tuple[str, ...]) -> tuple[str, ...]:
    return (*row[:2], *sorted(row[2:]))
