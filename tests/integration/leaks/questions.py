"""Questions to two worlds, with every option, about what is hidden and what is not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from app.domain.context_item import SearchRequest
from app.domain.labels import EntryKind, Trust
from tests.integration.leaks.stories import NOW, OWN
from tests.integration.leaks.worlds import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from random import Random

    from app.domain.context_item import Viewer
    from tests.integration.leaks.stories import Told
    from tests.integration.leaks.worlds import Made

_WORDS = (
    "rent", "roses", "trip to Leeds", "launch", "test report", "quarterly report", "dentist", "design review", "Redis",
    "picnic by the lake", "password", "tickets", "Rome", "internet", "密码", "欠", "聚餐",
    "Ann Meyer", "Anna", "Ben", "budget", "York", "number", "cancelled",
    "房租", "合同", "团建", "李思", "电话", "周会", "缓存",
    "garden plan", "bench", "取消", "搬到", "Acme", "蓝星公司", "Bea", "牙医", "what did Anna say about the rent?",
    "when is the trip to Leeds?", "什么时候团建？", "who is Ann Meyer?", "李思是谁？",
)  # fmt: skip
_ASKED = (
    "What did we decide about the cache?", "我们决定了什么？", "What is new since Monday?", "What has Ben to do?",
    "Who owes me the test report?", "When did I last hear from Ann?", "When do I see Ben next?", "What is on 20 May?",
    "明天有什么安排？", "How many meetings did I have this week?", "What is Ann's phone number?",
    "李思的电话是多少？", "李思住在哪里？", "Where does Ann live?", "What changed this week?", "这周有什么变化？",
    "Who is in the design review?", "What tasks are overdue?", "有哪些任务没完成？", "Why was the trip cancelled?", "",
    "What did Li Si say last?", "What was cancelled?", "Is the launch still on?", "团建还去吗？",
    "How much do I owe Ann?", "Who owes me money?", "Who do I owe money?",
    "How much does Ann Meyer owe me for the tickets?",
    "Did Ben pay me back?", "Have I paid Ben back?", "How much do I owe Ben for the taxi?", "What are my debts?",
    "谁欠我钱？", "我欠李思多少钱？", "李思还欠我钱吗？", "李思还钱了吗？", "Does Li Si owe me anything?",
    "我还欠谁钱？",
    "What are Ann's plans?", "When is Ann flying to Rome?", "Where is Annabel going?", "What is Ben planning?",
    "李思有什么打算？", "李思什么时候去北京？", "Where is Li Si on 24 May?", "What is Ann Meyer doing this month?",
    "When is Ann travelling to 罗马?", "How much do I owe Ann for 门票?", "我欠Ben打车的钱多少？",
    "What is the password of the Acme account?", "How much is the internet?", "网费多少钱？", "大门密码是多少？",
    "Is the picnic by the lake still on?", "When is the picnic?", "聚餐是什么时候？", "What has Ann Meyer to do?",
    "What has Emma Johnson to do?", "What are Emma's tasks?", "What does Emma Weber have to do?", "Who is Emma?",
    "王浩有什么任务？", "小浩要做什么？", "What has Wang Hao to do?", "Whose tasks are open?",
)  # fmt: skip
_WHEN = (
    None,
    "today",
    "tomorrow",
    "this week",
    "next week",
    "20 May",
    "22 May",
    "5月16日",
    "下周",
    "this month",
    "gibberish",
)
_OWNERS = (
    None,
    None,
    "ben",
    "zhang san",
    "李思",
    "me",
    "ann meyer",
    "Annabel",
    "Emma",
    "emma johnson",
    "王浩",
    "wang hao",
)
_SUBJECTS = (
    "me",
    "Ann Meyer",
    "Ann",
    "Annabel",
    "李思",
    "ann@example.com",
    "ann.m@private.example",
    "Ben Cole",
    "nobody",
)
_PREDICATES = (None, None, "phone", "lives_in", "email", "works_at", "role", "电话", "height")
_TEMPLATES = ("hand-over", "meeting-preparation", "plan-a-day", "reply-to-mail", "trip", "weekly-report", "no-such")


_MOMENTS = (NOW, NOW, NOW, NOW + timedelta(days=3), NOW + timedelta(days=12))


@dataclass(frozen=True)
class Question:
    """One question, asked at some time. An item is asked for by the name of its row."""

    what: str
    about: tuple[Any, ...]
    at: datetime = NOW

    async def ask(self, made: Made, viewer: Viewer) -> Any:  # noqa: PLR0911 - one for each kind
        """The answer of a world, as plain values."""
        desk, about = made.desk, self.about
        match self.what:
            case "search":
                return await made.told(desk.gather(replace(about[0], viewer=viewer)))
            case "item":
                item_id = made.numbers.get(about[0], f"{about[0][:1]}{NOWHERE}") if about[2] else about[0]
                return await made.told(desk.item(viewer, item_id, budget_tokens=about[1]))
            case "agenda":
                return await made.told(desk.agenda(viewer, about[0]))
            case "tasks":
                return await made.told(desk.tasks(viewer, owner=about[0], include_done=about[1]))
            case "facts":
                return await made.told(desk.facts(viewer, about[0], about[1]))
            case "ask":
                return await made.told(desk.ask(viewer, about[0]))
            case _:
                fields = made.templates[about[0]].fields if about[0] in made.templates else ()
                given = {one.name: about[1] for one in fields if one.is_required or about[3]}
                return await made.told(desk.prepare(viewer, about[0], given, language=about[2]))


def questions(random: Random, told: Sequence[Told], names: Sequence[str], count: int) -> list[Question]:
    """Some questions.

    Args:
        told: all entries, the hidden ones too. names: of all rows.
    """
    return [replace(_question(random, told, names), at=random.choice(_MOMENTS)) for _ in range(count)]


def _question(  # noqa: PLR0911 - one for each kind
    random: Random, told: Sequence[Told], names: Sequence[str]
) -> Question:
    what = random.choices(("search", "item", "agenda", "tasks", "facts", "ask", "prepare"), (38, 12, 10, 9, 10, 15, 6))[
        0
    ]
    match what:
        case "search":
            return Question(what, (_search(random, told),))
        case "item":
            budget = random.choice((None, None, 1, 20, 100, 4000))
            if not names or random.random() < 0.1:
                return Question(
                    what, (random.choice(("c0", "e-1", "r9x", "", "c" + "9" * 30, "x1", "c１")), budget, False)
                )
            return Question(what, (random.choice(names), budget, True))
        case "agenda":
            return Question(what, (random.choice(_WHEN),))
        case "tasks":
            return Question(what, (random.choice(_OWNERS), random.random() < 0.5))
        case "facts":
            return Question(what, (random.choice(_SUBJECTS), random.choice(_PREDICATES)))
        case "ask":
            return Question(what, (_text(random, told) if random.random() < 0.4 else random.choice(_ASKED),))
        case _:
            language, is_filled = random.choice((None, "en", "zh")), random.random() < 0.5
            return Question(what, (random.choice(_TEMPLATES), _text(random, told), language, is_filled))


def _search(random: Random, told: Sequence[Told]) -> SearchRequest:
    kinds = tuple(random.sample(list(EntryKind), random.randint(1, 3))) if random.random() < 0.12 else ()
    since = NOW - timedelta(days=random.randint(1, 14)) if random.random() < 0.1 else None
    until = NOW - timedelta(days=random.randint(-7, 6)) if random.random() < 0.1 else None
    return SearchRequest(
        _text(random, told),
        limit=random.choices((1, 3, 5, 10, 50, 0), (4, 4, 6, 20, 8, 1))[0],
        scope=random.choices((None, "work", "home", "nowhere"), (20, 4, 1, 1))[0],
        include_stale=random.random() < 0.35,
        mode=random.choices(("full", "words", "vectors"), (20, 4, 1))[0],
        kinds=kinds,
        since=since,
        until=until,
        budget_tokens=random.choice((None, None, 30, 200, 3000)),
        least_trust=random.choices(tuple(Trust), (20, 1, 2, 2, 1))[0],
    )


def _text(random: Random, told: Sequence[Told]) -> str:
    """A word, or words, of what is there, hidden or not."""
    if not told or random.random() < 0.25:
        return random.choice(_WORDS)
    one = random.choice(told)
    of_people = [part for person in one.people for part in person[:2] if part and part not in OWN]
    return random.choice((one.title, one.text[:80] or one.title, one.mark, *of_people)) or one.mark
