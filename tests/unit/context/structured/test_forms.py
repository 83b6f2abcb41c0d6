"""Questions that structure answers are told by their form, in both languages, and others are not (G3.2, L6.3)."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.structured.forms import Asked, read_form
from app.context.structured.question_rules import Kind, question_rules
from app.runtime.paths import resource_table

NOW = datetime(2025, 5, 14, 9, 30, tzinfo=ZoneInfo("Asia/Shanghai"))


def read(text: str) -> Asked:
    asked = read_form(text, NOW)
    assert asked is not None, text
    return asked


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What did we decide about the budget?", "budget"),
        ("what have we agreed on for Project A", "Project A"),
        ("Can you tell me what we decided about the budget", "budget"),
        ("what was decided", ""),
        ("which decisions did we make about the new office?", "new office"),
        ("What is the latest decision on pricing", "pricing"),
        ("did we decide anything about the venue", "venue"),
        ("list the decisions about the launch", "launch"),
        ("关于北京出差我们决定了什么", "北京出差"),
        ("关于预算我们最后是怎么定的？", "预算"),
        ("请问预算我们定了什么", "预算"),
        ("项目A的最终决定是什么", "项目A"),
        ("我们对供应商做了什么决定", "供应商"),
        ("我们决定了什么", ""),
    ],
)
def test_decisions_are_asked_for(text: str, about: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.about) == (Kind.DECISIONS, about)


@pytest.mark.parametrize(
    ("text", "kind", "who"),
    [
        ("How much do I owe Ben?", Kind.I_OWE, "Ben"),
        ("How much money do I still owe Ben for the tickets?", Kind.I_OWE, "Ben"),
        ("Have I paid Ben back?", Kind.I_OWE, "Ben"),
        ("Do I owe anyone money?", Kind.I_OWE, ""),
        ("我还欠李四多少钱？", Kind.I_OWE, "李四"),
        ("我欠谁钱？", Kind.I_OWE, ""),
        ("Who owes me money?", Kind.OWED, ""),
        ("How much does Anna Weber owe me?", Kind.OWED, "Anna Weber"),
        ("Did Ben pay me back?", Kind.OWED, "Ben"),
        ("谁欠我钱?", Kind.OWED, ""),
        ("张三欠我多少钱", Kind.OWED, "张三"),
        ("What is Anna planning?", Kind.PLANS, "Anna"),
        ("When is Anna flying to Rome?", Kind.PLANS, "Anna"),
        ("What are Bob's plans for June?", Kind.PLANS, "Bob"),
        ("安娜什么时候去罗马?", Kind.PLANS, "安娜"),
        ("Oskar一月有什么计划？", Kind.PLANS, "Oskar"),
        ("What do I have to send Anna by Friday?", Kind.MINE, "Anna"),
        ("我要在5月20号之前给周岚什么？", Kind.MINE, "周岚"),
        ("When was I last at the dentist?", Kind.LAST, "dentist"),
    ],
)
def test_money_and_plans_are_asked_for(text: str, kind: Kind, who: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.who) == (kind, who)


@pytest.mark.parametrize(
    ("text", "about", "day"),
    [
        ("what did we decide last week", "", 5),
        ("What did we decide about the budget last week?", "budget", 5),
        ("上周我们决定了什么", "", 5),
        ("what did we decide yesterday", "", 13),
    ],
)
def test_a_time_at_the_end_is_no_part_of_the_topic(text: str, about: str, day: int) -> None:
    asked = read(text)
    assert asked.span is not None
    assert (asked.about, asked.span.start.day) == (about, day)


@pytest.mark.parametrize(
    ("text", "kind", "who", "about"),
    [
        ("What do I owe whom?", Kind.MINE, "", ""),
        ("what do I owe", Kind.MINE, "", ""),
        ("what do I owe Anna", Kind.MINE, "Anna", ""),
        ("What do I still have to do?", Kind.MINE, "", ""),
        ("what do I have to do for Project A", Kind.MINE, "", "Project A"),
        ("what are my open tasks", Kind.MINE, "", ""),
        ("what have I promised", Kind.MINE, "", ""),
        ("what's left to do", Kind.MINE, "", ""),
        ("我欠谁什么", Kind.MINE, "", ""),
        ("我欠张三什么", Kind.MINE, "张三", ""),
        ("我还有什么没做完？", Kind.MINE, "", ""),
        ("我还要做什么", Kind.MINE, "", ""),
        ("我答应了什么", Kind.MINE, "", ""),
        ("what does Zhang San owe me", Kind.THEIRS, "Zhang San", ""),
        ("What does Bob have to do for the launch?", Kind.THEIRS, "Bob", "launch"),
        ("what is Anna supposed to do", Kind.THEIRS, "Anna", ""),
        ("what are Anna's open tasks", Kind.THEIRS, "Anna", ""),
        ("张三欠我什么", Kind.THEIRS, "张三", ""),
        ("张三该做什么", Kind.THEIRS, "张三", ""),
        ("李四的任务有哪些", Kind.EVERYONES, "", "李四"),
        ("who has to do what for the launch", Kind.EVERYONES, "", "launch"),
        ("who does what", Kind.EVERYONES, "", ""),
        ("Who is responsible for the venue?", Kind.EVERYONES, "", "venue"),
        ("what are the action items from the kick-off", Kind.EVERYONES, "", "kick-off"),
        ("项目A谁要做什么", Kind.EVERYONES, "", "项目A"),
        ("谁负责测试报告", Kind.EVERYONES, "", "测试报告"),
        ("项目A还有什么没做完", Kind.EVERYONES, "", "项目A"),
        ("What is overdue?", Kind.OVERDUE, "", ""),
        ("do I have any overdue tasks", Kind.OVERDUE, "", ""),
        ("which tasks are late", Kind.OVERDUE, "", ""),
        ("有什么逾期的任务", Kind.OVERDUE, "", ""),
        ("我有过期的任务吗", Kind.OVERDUE, "", ""),
        ("What am I waiting for?", Kind.WAITING, "", ""),
        ("who owes me something", Kind.WAITING, "", ""),
        ("我在等什么", Kind.WAITING, "", ""),
        ("谁欠我什么", Kind.WAITING, "", ""),
    ],
)
def test_tasks_are_asked_for(text: str, kind: Kind, who: str, about: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.who, asked.about) == (kind, who, about)


@pytest.mark.parametrize(
    ("text", "verb", "who"),
    [
        ("When did I last meet Zhang San?", "meet", "Zhang San"),
        ("when was the last time I saw Li Si", "meet", "Li Si"),
        ("tell me when I last met Bob", "meet", "Bob"),
        ("when did I last write to Anna Weber", "mail_to", "Anna Weber"),
        ("when did I last hear from Bob", "mail_from", "Bob"),
        ("When did Bob last write to me", "mail_from", "Bob"),
        ("the last mail from Bob", "mail_from", "Bob"),
        ("when did I last talk to Bob", "talk", "Bob"),
        ("我上次什么时候见李四", "meet", "李四"),
        ("上次和李四见面是什么时候", "meet", "李四"),
        ("我上次什么时候给李四写邮件", "mail_to", "李四"),
        ("我最近一次给李四写邮件是什么时候", "mail_to", "李四"),
        ("李四上次给我写邮件是什么时候", "mail_from", "李四"),
        ("我上次和王五聊天是什么时候", "talk", "王五"),
    ],
)
def test_the_last_contact_is_asked_for(text: str, verb: str, who: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.verb, asked.who) == (Kind.LAST, verb, who)


@pytest.mark.parametrize(
    ("text", "verb", "about"),
    [
        ("when did we last talk about the budget", "about", "budget"),
        ("when did we last discuss pricing", "about", "pricing"),
        ("when was my last dentist appointment", "do", "dentist appointment"),
        ("我们上次讨论预算是什么时候", "about", "预算"),
        ("我上次体检是什么时候", "do", "体检"),
    ],
)
def test_the_last_time_of_a_thing_is_asked_for(text: str, verb: str, about: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.verb, asked.about) == (Kind.LAST, verb, about)


@pytest.mark.parametrize(
    ("text", "who", "what"),
    [
        ("When is my next meeting?", "", "meeting"),
        ("when is my next meeting with Bob", "Bob", "meeting"),
        ("what is my next deadline", "", "deadline"),
        ("when do I meet Anna", "Anna", "meet"),
        ("我下一个会是什么时候", "", "会"),
        ("我什么时候和张三见面", "张三", "见面"),
        ("我下一次什么时候见Michael Smith？", "Michael Smith", "见"),
    ],
)
def test_what_comes_next_is_asked_for(text: str, who: str, what: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.who, asked.what) == (Kind.NEXT, who, what)


@pytest.mark.parametrize(
    ("text", "about", "day"),
    [
        ("What changed since Monday?", "", 12),
        ("what's new since yesterday", "", 13),
        ("what has changed about the launch since 1 May", "launch", 1),
        ("since Monday, what has changed", "", 12),
        ("what changed this week", "", 12),
        ("周一以来有什么变化", "", 12),
        ("从周一开始有什么变化", "", 12),
        ("这周有什么变化", "", 12),
        ("周一以来项目A有什么变化", "项目A", 12),
        ("项目A最近有什么变化", "项目A", 30),
    ],
)
def test_changes_are_asked_for_and_a_weekday_is_the_last_one(text: str, about: str, day: int) -> None:
    asked = read(text)
    assert asked.span is not None
    assert (asked.kind, asked.about, asked.span.start.day) == (Kind.CHANGES, about, day)
    assert asked.span.start <= NOW


@pytest.mark.parametrize(
    ("text", "who", "attribute"),
    [
        ("What is my default address?", "", "address"),
        ("what's Zhang San's phone number", "Zhang San", "phone"),
        ("the e-mail of Anna Weber", "Anna Weber", "email"),
        ("where does Anna live", "Anna", "address"),
        ("who does Bob work for", "Bob", "work"),
        ("how can I reach Bob", "Bob", "contact"),
        ("我的默认地址是什么", "", "address"),
        ("张三的电话是多少", "张三", "phone"),
        ("李四住在哪里", "李四", "address"),
        ("李四在哪家公司工作", "李四", "work"),
    ],
)
def test_facts_are_asked_for(text: str, who: str, attribute: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.who, asked.is_me, asked.attribute) == (Kind.FACTS, who, not who, attribute)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Who is Zhang San?", "Zhang San"),
        ("who's Anna", "Anna"),
        ("do you know who Anna is?", "Anna"),
        ("tell me about Anna Weber", "Anna Weber"),
        ("what do we know about Bob", "Bob"),
        ("张三是谁", "张三"),
        ("谁是张三", "张三"),
        ("介绍一下张三", "张三"),
    ],
)
def test_a_person_is_asked_for(text: str, who: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.who) == (Kind.PERSON, who)


@pytest.mark.parametrize(
    ("text", "who", "about"),
    [
        ("What did Mark say about the hiking trip?", "Mark", "hiking trip"),
        ("what has Anna told me about the budget", "Anna", "budget"),
        ("what did Bob say", "Bob", ""),
        ("张三关于预算说了什么", "张三", "预算"),
        ("关于预算，张三说了什么", "张三", "预算"),
        ("张三说了什么", "张三", ""),
        ("张三怎么看预算的", "张三", "预算"),
    ],
)
def test_what_somebody_said_is_asked_for(text: str, who: str, about: str) -> None:
    asked = read(text)
    assert (asked.kind, asked.who, asked.about) == (Kind.SAID, who, about)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("How many meetings do I have next week?", "meetings"),
        ("which meetings do I have next week", "meetings"),
        ("how many tasks are due next week", "tasks"),
        ("下周有几个会", "会"),
        ("下周我有几个会议", "会议"),
        ("下周我有多少任务", "任务"),
    ],
)
def test_a_count_is_asked_for(text: str, what: str) -> None:
    asked = read(text)
    assert asked.span is not None
    assert (asked.kind, asked.what, asked.span.start.day) == (Kind.COUNT, what, 19)


@pytest.mark.parametrize(
    "text",
    [
        "What is the wifi password?",
        "what did we discuss about Project A",
        "why did we decide to move",
        "who decided about the budget",
        "what does it say about refunds",
        "When is the dentist?",
        "What do I have on Wednesday?",
        "what do I have to do on Wednesday",
        "how do I merge two notes",
        "How many euros does it cost?",
        "what changed the world",
        "when did the war end",
        "the meeting is overdue",
        "办公室的无线密码是什么",
        "性格决定什么",
        "我们讨论了什么",
        "周三我有什么安排",
        "牙医是什么时候？",
        "为什么要推迟",
        "怎么合并两条笔记",
        "",
        "???",
        "who is",
        "是谁",
    ],
)
def test_other_questions_have_no_form(text: str) -> None:
    assert read_form(text, NOW) is None


def test_politeness_is_cut_off() -> None:
    assert read("Hey, can you please tell me who is Anna Weber, please?").who == "Anna Weber"
    assert read("请问张三是谁呢？").who == "张三"


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_forms_in_both_languages(kind: Kind) -> None:
    assert {form.language for form in question_rules().forms if form.kind is kind} == {"en", "zh"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_part_of_the_forms_is_used(language: str) -> None:
    table = resource_table("rules", "questions.toml")
    parts = table["parts"][language]
    texts = [*parts.values(), *(text for form in (*table["form"], *table["shape"]) for text in form.get(language, ()))]
    assert [name for name in parts if not any(f"{{{name}}}" in text for text in texts)] == []


@pytest.mark.parametrize(
    "text",
    [
        "what did we decide about " + "a " * 70,
        "who is " + "very " * 20,
        "关于" + "很" * 120 + "我们决定了什么",
        "when did i last " + "meet with " * 12,
        "x" * 10_000_000,
        "\0\u202e\ud800 who is \x07",
        "什么" * 70,
        "有" * 150,
        "what is " * 15,
    ],
)
def test_hostile_texts_are_read_at_once(text: str) -> None:
    question_rules()
    read_form("who is Anna", NOW)
    before = time.process_time()
    read_form(text, NOW)
    assert time.process_time() - before < 1.0


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    read_form(text, NOW)
