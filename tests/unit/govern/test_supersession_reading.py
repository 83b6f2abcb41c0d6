"""What a sentence is taken to say: cues, phrases, days; and what is none of it (G2.6, X9.1)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.govern.supersession.changing import read_changes
from app.govern.supersession.facts import read_facts
from app.govern.supersession.phrases import Phrase, read_phrase
from app.govern.supersession.plans import read_plans, read_task
from app.govern.supersession.said import Kind, Said
from app.govern.supersession.sentences import Sentence, prepare, title_of
from app.inference.dates.reader import read_dates

WRITTEN = datetime(2025, 5, 12, 9, tzinfo=timezone(timedelta(hours=8)))


def sentence(text: str) -> Sentence:
    return prepare(text, 0, read_dates(text, WRITTEN), WRITTEN)


def changes(text: str) -> list[tuple[str, str, bool]]:
    return [
        (said.kind.value, " ".join((said.head, *said.marks)), said.is_sure) for said in read_changes(sentence(text))
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("The Berlin trip has been cancelled.", ("cancel", "trip berlin", True)),
        ("We had to call off the picnic, sorry.", ("cancel", "picnic", True)),
        ("Friday's standup is off.", ("cancel", "meeting", True)),
        ("No yoga class tomorrow.", ("cancel", "class yoga", True)),
        ("We're not going to Berlin after all.", ("cancel", "go berlin", True)),
        ("It's cancelled, sorry.", ("cancel", "", True)),
        ("The launch is postponed by a week.", ("move", "launch", True)),
        ("I moved the review to Friday.", ("move", "review", True)),
        ("The Berlin trip is back on.", ("resume", "trip berlin", True)),
        ("The trip is not cancelled.", ("resume", "trip", True)),
        ("I finished the test report.", ("complete", "report test", True)),
        ("We decided against Redis.", ("reverse", "decision redis", True)),
        ("Bob said the trip is cancelled.", ("cancel", "trip bob", False)),
        ("The trip might have been cancelled.", ("cancel", "trip", False)),
        ("很遗憾，柏林之行取消了。", ("cancel", "trip 柏林", True)),
        ("公司决定取消部门团建。", ("cancel", "offsite 部门", True)),
        ("明天不开会了。", ("cancel", "meeting", True)),
        ("杭州去不成了。", ("cancel", "go 杭州", True)),
        ("足球赛因为下雨取消了。", ("cancel", "match", True)),
        ("发布会延后一周。", ("move", "launch", True)),
        ("旅行没有取消。", ("resume", "trip", True)),
        ("聚餐照常。", ("resume", "meal", True)),
        ("测试报告已提交。", ("complete", "report", True)),
        ("决定不用Redis了。", ("reverse", "decision redis", True)),
        ("听说旅行取消了。", ("cancel", "trip", False)),
    ],
)
def test_what_a_sentence_changes(text: str, what: tuple[str, str, bool]) -> None:
    assert what in changes(text)


@pytest.mark.parametrize(
    "text",
    [
        "Is the trip cancelled?",
        "Do you know whether the trip is cancelled",
        "If it rains, the trip is cancelled.",
        "The trip is cancelled unless Ann comes.",
        "The trip can be cancelled until Friday.",
        "Last year's trip was cancelled.",
        "In the film the trip is cancelled.",
        "A sign “The trip is cancelled” hangs on the board.",
        "Trips cancelled because of the weather are refunded.",
        "The price is off by ten euros.",
        "I'm not going to lie.",
        "旅行取消了吗？",
        "如果下雨，旅行就取消。",
        "要是没人来，聚餐就取消。",
        "门票可以取消。",
        "去年的旅行取消了。",
        "小说里旅行取消了。",
        "他写了“旅行取消了”几个字。",
        "报告还没写完。",
        "明天提交报告。",
    ],
)
def test_what_changes_nothing(text: str) -> None:
    assert [one for one in changes(text) if one[0] != "resume"] == []


@pytest.mark.parametrize(
    ("text", "start", "is_whole_day"),
    [
        ("The review has been moved from Tuesday to Thursday 22 May at 10:00.", "2025-05-22T10:00", False),
        ("The workshop is postponed until 3 June.", "2025-06-03T00:00", True),
        ("评审会从周二改到周四。", "2025-05-15T00:00", True),
        ("项目评审会推迟到5月23日下午三点", "2025-05-23T15:00", False),
    ],
)
def test_a_new_time(text: str, start: str, is_whole_day: bool) -> None:
    (said,) = [one for one in read_changes(sentence(text)) if one.kind is Kind.MOVE]
    assert said.new is not None
    assert said.new.start.isoformat().startswith(start)
    assert said.is_whole_day is is_whole_day


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("our Berlin trip with Ann", Phrase("trip", ("berlin", "ann"))),
        ("the hotel booking for the trip", Phrase("booking", ("hotel", "trip"))),
        ("Due to illness the interview", Phrase("interview")),
        ("it", Phrase("")),
        ("和李四的聚餐", Phrase("meal", ("李四",))),
        ("原定的部门例会因故", Phrase("meeting", ("部门",))),
        ("这事", Phrase("")),
        ("", Phrase("")),
    ],
)
def test_a_phrase_names_a_thing(text: str, phrase: Phrase) -> None:
    assert read_phrase(text) == phrase


def test_a_plan_is_what_is_to_come() -> None:
    (plan,) = read_plans(sentence("The hackathon starts on Saturday."))
    assert (plan.head, plan.days[0].start.date().isoformat()) == ("hackathon", "2025-05-17")
    assert read_plans(sentence("The hackathon on 3 May was great.")) == []
    assert read_plans(sentence("Is the hackathon on Saturday?")) == []
    (zh,) = read_plans(sentence("部门团建定在5月17日。"))
    assert (zh.head, zh.marks) == ("offsite", ("部门",))


@pytest.mark.parametrize(
    ("title", "sort", "head"),
    [
        ("send the report to Bob", "give", "report"),
        ("Pay the rent", "pay", "rent"),
        ("完成测试报告", "done", "report"),
        ("把报告发给李四", "give", "report"),
        ("tidy up", None, "up"),
    ],
)
def test_a_task_is_a_sort_of_work(title: str, sort: str | None, head: str) -> None:
    sorts, phrase = read_task(title)
    assert phrase.head == head
    assert (sort in sorts) if sort else not sorts


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I moved to Porto.", (Kind.REPLACE, "fact:lives_in", "", "Porto")),
        ("Last month I moved to Porto.", (Kind.REPLACE, "fact:lives_in", "", "Porto")),
        ("Ann works at Acme.", (Kind.FACT, "fact:works_at", "ann", "Acme")),
        ("我的新手机号是13900139000。", (Kind.REPLACE, "fact:phone", "", "13900139000")),
        ("李四跳槽到阿里了。", (Kind.REPLACE, "fact:works_at", "李四", "阿里")),
    ],
)
def test_a_fact_about_somebody(text: str, fact: tuple[Kind, str, str, str]) -> None:
    (said,) = read_facts(sentence(text))
    assert (said.kind, said.head, said.who, said.value) == fact


@pytest.mark.parametrize(
    "text",
    [
        "Ann administers Acme's git.",
        "The meeting moved to Friday.",
        "Did Ann move to Porto?",
        "李四管理腾讯的服务器。",
        "会议换到三楼了。",
    ],
)
def test_what_is_no_fact(text: str) -> None:
    assert list(read_facts(sentence(text))) == []


def test_a_title_is_read_without_its_reply_marks() -> None:
    assert title_of("Re: Fwd: 回复：Berlin trip", WRITTEN).text == "Berlin trip"


def test_a_statement_survives_its_row() -> None:
    for said in read_changes(sentence("The review has been moved from Tuesday to Thursday 22 May at 10:00.")):
        assert Said.of_row(said.kind.value, said.head, said.body()) == said


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(text: str) -> None:
    one = prepare(text, 0, (), WRITTEN)
    for said in (*read_changes(one), *read_plans(one), *read_facts(one)):
        assert said.body()


@given(
    st.lists(
        st.sampled_from(
            ["the trip", "is cancelled", "moved to", "取消", "旅行", "了", "，", "。", " ", "if", "不去", "把"]
        )
    )
)
def test_nor_do_cues_without_order(words: list[str]) -> None:
    one = prepare("".join(words)[:600], 0, (), WRITTEN)
    for said in (*read_changes(one), *read_plans(one), *read_facts(one)):
        assert said.text in one.text
