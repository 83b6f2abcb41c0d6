"""Two hundred pairs of entries, of which the later one ends what the earlier one says; made by a seed, half in Chinese.

`fresh` are worded anew, without a look at the rules: they tell how much of what people write is recognised at all.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from random import Random
from typing import TYPE_CHECKING

from app.domain.entries import Block, Entry, EventFacts, Occurrence, PersonRef, TaskFacts
from app.domain.labels import BlockKind, EntryKind, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2025, 5, 14, 9, 30, tzinfo=ZONE)
SEED = 20250514
_SAID, _ENDED = datetime(2025, 5, 5, 9, tzinfo=ZONE), datetime(2025, 5, 12, 9, tzinfo=ZONE)

_PLACES = (
    "Leeds", "York", "Bath", "Derby", "Truro", "Dover", "Perth", "Wigan", "Ripon", "Crewe", "Hull", "Luton", "Poole",
    "Stoke", "Ayr", "Bury", "Ely", "Fife", "Hove", "Kent", "Lund", "Metz", "Nice", "Oslo", "Pisa",
)  # fmt: skip
_THINGS = ("workshop", "seminar", "training", "concert", "picnic", "conference")
_CHINESE_PLACES = (
    "杭州", "苏州", "南京", "青岛", "厦门", "大连", "成都", "重庆", "西安", "长沙", "武汉", "宁波", "无锡",
    "扬州", "绍兴", "桂林",
    "昆明", "贵阳", "福州", "合肥", "济南", "郑州", "太原", "洛阳", "珠海",
)  # fmt: skip
_CHINESE_THINGS = ("培训", "研讨会", "团建", "音乐会", "年会", "展览")
_TOOLS = ("Redis", "Kestrel", "Postgres", "Kafka", "Docker", "Grafana", "Jenkins", "Django", "Flask", "Celery")
_SURNAMES, _GIVEN = "赵钱孙李周吴郑王冯陈", ("明", "芳", "伟", "静", "强", "丽", "军", "敏", "涛", "燕")


@dataclass(frozen=True)
class Pair:
    """An entry, and one that ends what it says.

    Attributes:
        sort: cancelled, moved, reversed, fact, done, version.
        question: asks for what the first one said. day: on which the first one was to be. subject: whose fact it is.
        value: the old fact.
    """

    sort: str
    language: str
    first: Entry
    second: Entry
    question: str
    day: datetime | None = None
    subject: str = ""
    value: str = ""


def pairs() -> list[Pair]:
    """All two hundred."""
    random = Random(SEED)
    return [*_english(random), *_chinese(random)]


def _english(random: Random) -> Iterator[Pair]:
    for at, place in enumerate(_PLACES):
        thing, who, day = random.choice(_THINGS), f"{place.lower()}.org@example.com", _day(random)
        said = f"The {place} {thing} {random.choice(('will take place', 'will be held', 'is'))} on {day:%d %B %Y}."
        ended = random.choice(
            (
                f"The {place} {thing} is cancelled.",
                f"The {place} {thing} has been called off.",
                f"Unfortunately the {place} {thing} has been cancelled.",
            )
        )
        first = _mail(f"en-off-{at}", f"{place} {thing}", said, who, _SAID)
        if at % 3 == 0:
            first = _event(f"en-off-{at}", f"{place} {thing}", who, day)
        second = _mail(f"en-off2-{at}", f"News from {place}", ended, who, _ENDED)
        yield Pair("cancelled", "en", first, second, f"When is the {place} {thing}?", day)
    for at, place in enumerate(_PLACES):
        thing, who, day = "review", f"{place.lower()}.pm@example.com", _day(random)
        new = day + timedelta(days=random.randint(8, 20))
        first = _event(f"en-move-{at}", f"{place} {thing}", who, day)
        if at % 2:
            first = _mail(
                f"en-move-{at}", f"{place} {thing}", f"The {place} {thing} is scheduled for {day:%d %B %Y}.", who, _SAID
            )
        word = random.choice(("moved", "postponed", "rescheduled"))
        second = _mail(
            f"en-move2-{at}",
            f"Date for {place}",
            f"The {place} {thing} has been {word} to {new:%d %B %Y}.",
            who,
            _ENDED,
        )
        yield Pair("moved", "en", first, second, f"When is the {place} {thing}?", day)
    for at in range(10):
        tool, use = _TOOLS[at], f"the {_PLACES[at]} project"
        first = _note(f"en-decide-{at}", f"Minutes {at}", f"We decided to use {tool} for {use}.", _SAID)
        second = _note(f"en-decide2-{at}", f"Minutes {at} again", f"We decided against {tool}.", _ENDED)
        yield Pair("reversed", "en", first, second, f"What did we decide about {tool}?")
    for at in range(15):
        name, who = f"Ira {_PLACES[at]}son", f"ira{at}@example.com"
        old, new = f"555-01{at:02d}", f"555-02{at:02d}"
        first = _mail(f"en-fact-{at}", "Hello", f"My number is {old}.", who, _SAID, name=name)
        second = _mail(f"en-fact2-{at}", "New number", f"My new number is {new}.", who, _ENDED, name=name)
        if at % 2:
            old, new = _PLACES[at], _PLACES[at + 1]
            first = _mail(f"en-fact-{at}", "Hello", f"I live in {old}.", who, _SAID, name=name)
            second = _mail(f"en-fact2-{at}", "News", f"I moved to {new}.", who, _ENDED, name=name)
        asked = f"Where does {name} live?" if at % 2 else f"What is {name}'s phone number?"
        yield Pair("fact", "en", first, second, asked, None, who, old)
    for at in range(15):
        what = f"the {_PLACES[at]} report"
        first = _task(f"en-done-{at}", f"Send {what}", _day(random))
        second = _note(f"en-done2-{at}", f"Log {at}", f"I sent {what}.", _ENDED)
        yield Pair("done", "en", first, second, f"Is {what} sent?", first.task.due_at if first.task else None)
    for at in range(10):
        place, old, new = _PLACES[at], 100 + at, 300 + at
        first = _note(
            "", f"Budget {place}", f"The budget of the {place} garden is {old} pounds.", _SAID, native=f"{place}.md"
        )
        second = _note(
            "", f"Budget {place}", f"The budget of the {place} garden is {new} pounds.", _ENDED, native=f"{place}.md"
        )
        yield Pair("version", "en", first, second, f"What is the budget of the {place} garden?")


def _chinese(random: Random) -> Iterator[Pair]:
    for at, place in enumerate(_CHINESE_PLACES):
        thing, who, day = random.choice(_CHINESE_THINGS), f"zh{at}@example.cn", _day(random)
        said = f"{place}{thing}{random.choice(('定在', '安排在'))}{day.month}月{day.day}日。"
        ended = random.choice(
            (f"{place}{thing}取消了。", f"很遗憾，{place}{thing}取消了。", f"公司决定取消{place}{thing}。")
        )
        first = _mail(f"zh-off-{at}", f"{place}{thing}", said, who, _SAID)
        if at % 3 == 0:
            first = _event(f"zh-off-{at}", f"{place}{thing}", who, day)
        second = _mail(f"zh-off2-{at}", f"{place}的消息", ended, who, _ENDED)
        yield Pair("cancelled", "zh", first, second, f"什么时候{place}{thing}？", day)
    for at, place in enumerate(_CHINESE_PLACES):
        thing, who, day = "评审会", f"zhpm{at}@example.cn", _day(random)
        new = day + timedelta(days=random.randint(8, 20))
        first = _event(f"zh-move-{at}", f"{place}{thing}", who, day)
        if at % 2:
            first = _mail(
                f"zh-move-{at}", f"{place}{thing}", f"{place}{thing}定在{day.month}月{day.day}日。", who, _SAID
            )
        word = random.choice(("改到", "推迟到", "延期到"))
        second = _mail(f"zh-move2-{at}", f"{place}改期", f"{place}{thing}{word}{new.month}月{new.day}日。", who, _ENDED)
        yield Pair("moved", "zh", first, second, f"什么时候{place}{thing}？", day)
    for at in range(10):
        tool = _TOOLS[at]
        first = _note(f"zh-decide-{at}", f"纪要{at}", f"我们决定采用{tool}做{_CHINESE_PLACES[at]}项目。", _SAID)
        second = _note(f"zh-decide2-{at}", f"纪要{at}续", f"大家改主意了，决定不用{tool}了。", _ENDED)
        yield Pair("reversed", "zh", first, second, f"关于{tool}我们决定了什么？")
    for at in range(15):
        name, who = f"{_SURNAMES[at % 10]}{_GIVEN[(at * 3) % 10]}{_GIVEN[at % 10]}", f"fact{at}@example.cn"
        old, new = f"138001380{at:02d}", f"139001390{at:02d}"
        first = _mail(f"zh-fact-{at}", "你好", f"我的电话是{old}。", who, _SAID, name=name)
        second = _mail(f"zh-fact2-{at}", "换号", f"我的新手机号是{new}。", who, _ENDED, name=name)
        if at % 2:
            old, new = _CHINESE_PLACES[at], _CHINESE_PLACES[at + 1]
            first = _mail(f"zh-fact-{at}", "你好", f"我住在{old}。", who, _SAID, name=name)
            second = _mail(f"zh-fact2-{at}", "近况", f"我搬到{new}了。", who, _ENDED, name=name)
        yield Pair(
            "fact", "zh", first, second, f"{name}住在哪里？" if at % 2 else f"{name}的电话是多少？", None, who, old
        )
    for at in range(15):
        what = f"{_CHINESE_PLACES[at]}报告"
        first = _task(f"zh-done-{at}", f"提交{what}", _day(random))
        second = _note(f"zh-done2-{at}", f"记录{at}", f"{what}已提交。", _ENDED)
        yield Pair("done", "zh", first, second, f"{what}交了吗？", first.task.due_at if first.task else None)
    for at in range(10):
        place, old, new = _CHINESE_PLACES[at], 100 + at, 300 + at
        first = _note("", f"{place}预算", f"{place}花园的预算是{old}元。", _SAID, native=f"{place}.md")
        second = _note("", f"{place}预算", f"{place}花园的预算是{new}元。", _ENDED, native=f"{place}.md")
        yield Pair("version", "zh", first, second, f"{place}花园的预算是多少？")


_FRESH_ENGLISH = (
    ("The book fair is on 22 May.", "No book fair after all, sadly."),
    ("The pub quiz is on 23 May.", "We had to scrap the pub quiz."),
    ("The harbour walk is on 24 May.", "The harbour walk won't be going ahead."),
    ("The choir rehearsal is on 21 May.", "The choir rehearsal has been pushed back to 28 May."),
    ("The garage sale is on 25 May.", "Don't come to the garage sale, we've dropped it."),
    ("The parents' evening is on 26 May.", "The parents' evening will now happen on 2 June."),
    ("The wine tasting is on 22 May.", "The wine tasting fell through."),
    ("The film night is on 20 May.", "Film night: new date, 27 May instead."),
    ("The boat race is on 23 May.", "The boat race got rained off."),
    ("The board dinner is on 21 May.", "I'm afraid we must cancel the board dinner."),
    ("My office is in room 12.", "I now sit in room 40."),
    ("I live in Bergen.", "Since last week I'm living in Trondheim."),
    ("My number is 555-0301.", "You can reach me under 555-0302 from now on."),
    ("We decided to rent the hall.", "On reflection we won't rent the hall."),
    ("We decided to hire Nordwind.", "Scratch that, not Nordwind."),
    ("I need to renew the passport by 20 May.", "The passport is renewed."),
    ("I have to book the ferry by 19 May.", "Booked the ferry."),
    ("The yoga class is on 20 May.", "Yoga class is off this week."),
    ("The car inspection is on 22 May.", "They moved my car inspection to 29 May."),
    ("The flea market is on 25 May.", "The flea market has been canned."),
)
_FRESH_CHINESE = (
    ("书市定在5月22日。", "书市不办了。"),
    ("烧烤定在5月23日。", "烧烤黄了。"),
    ("徒步定在5月24日。", "徒步没戏了，下雨。"),
    ("合唱排练定在5月21日。", "合唱排练挪到5月28日。"),
    ("家长会定在5月26日。", "家长会往后推一周。"),
    ("品酒会定在5月22日。", "品酒会作罢。"),
    ("电影之夜定在5月20日。", "电影之夜换到5月27日。"),
    ("划船比赛定在5月23日。", "因为下雨，划船比赛停办。"),
    ("董事晚宴定在5月21日。", "抱歉，董事晚宴要取消。"),
    ("跳蚤市场定在5月25日。", "跳蚤市场开不成了。"),
    ("我住在无锡。", "上周起我住扬州了。"),
    ("我的电话是13700000001。", "以后打13700000002找我。"),
    ("我们决定租下礼堂。", "想了想，礼堂不租了。"),
    ("我们决定请北风公司。", "算了，不请北风公司了。"),
    ("必须在5月20日前续护照。", "护照续好了。"),
    ("必须在5月19日前订船票。", "船票订好了。"),
    ("瑜伽课定在5月20日。", "瑜伽课这周停。"),
    ("车检定在5月22日。", "车检改在5月29日。"),
    ("面谈定在5月20日。", "面谈先不谈了。"),
    ("旧书会定在5月25日。", "旧书会临时取消。"),
)


def fresh() -> list[Pair]:
    """Forty more."""
    found = []
    for language, told in (("en", _FRESH_ENGLISH), ("zh", _FRESH_CHINESE)):
        for at, (said, ended) in enumerate(told):
            who = f"fresh{language}{at}@example.com"
            first = _mail(f"fresh-{language}-{at}", f"{at}", said, who, _SAID)
            second = _mail(f"fresh-{language}2-{at}", f"{at}", ended, who, _ENDED)
            found.append(Pair("fresh", language, first, second, said))
    return found


def _day(random: Random) -> datetime:
    return datetime(2025, 5, random.randint(16, 30), 10, tzinfo=ZONE)


def _note(name: str, title: str, text: str, at: datetime, *, native: str = "") -> Entry:
    return _entry(EntryKind.NOTE, native or f"{name}.md", title, text, at)


def _mail(native: str, title: str, text: str, who: str, at: datetime, *, name: str = "") -> Entry:
    people = (PersonRef(name, who, "author"), PersonRef("Me", "me@home.example", "recipient"))
    return _entry(EntryKind.MAIL, native, title, text, at, people=people, event_time=at)


def _event(name: str, title: str, who: str, day: datetime) -> Entry:
    once = Occurrence(day, day + timedelta(hours=1), is_all_day=False)
    facts = EventFacts("", (once,), is_recurring=False)
    return _entry(
        EntryKind.EVENT, name, title, "", _SAID, people=(PersonRef("", who, "organizer"),), event_time=day, event=facts
    )


def _task(name: str, title: str, due: datetime) -> Entry:
    return _entry(
        EntryKind.TASK, name, title, "", _SAID, status=Status.ACTIVE, task=TaskFacts(Status.ACTIVE, due_at=due)
    )


def _entry(kind: EntryKind, native: str, title: str, text: str, at: datetime, **more: object) -> Entry:
    blocks: Sequence[Block] = (Block(BlockKind.PARAGRAPH, text),) if text else ()
    values: dict[str, object] = {
        "source_id": f"{kind.value}s",
        "native_id": native,
        "kind": kind,
        "title": title,
        "source_uri": f"test:///{native}",
        "content_hash": hashlib.sha256(f"{native}{title}{text}{at}".encode()).hexdigest(),
        "blocks": tuple(blocks),
        "created_at": at,
        "updated_at": at,
    }
    return Entry(**{**values, **more})  # type: ignore[arg-type]
