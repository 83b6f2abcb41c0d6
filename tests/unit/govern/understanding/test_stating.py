"""Tasks, plans, decisions, conditions and what a text says of its own validity (G2.4, G2.7)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.entries import QUOTED, SIGNATURE, Place
from app.domain.labels import EntryKind, Sensitivity, Status, Trust
from app.domain.readings import SpanLabel, TextSpan
from app.domain.records import RecordKind
from app.govern.understanding.sentence_reader import SentenceReader
from app.govern.understanding.statements import Statement
from app.store.records import StoredRecord
from tests.unit.govern.understanding.reading import SATURDAY, stated

ARTICLE = (
    "2025-05-10 weekly meeting: Project A launch is tentatively set for next Friday; Zhang San must finish the "
    "test report by Wednesday; if the test report is not finished, the launch is postponed by one week; Li Si is "
    "responsible for notifying operations."
)
TWIN = (
    "2025-05-10 周会：项目A暂定下周五上线；张三需在周三前完成测试报告；"  # as the minutes of a Chinese team have it
    "如果测试报告未完成，上线顺延一周；李四负责通知运营。"
)


def the_only(text: str, kind: RecordKind, entry: EntryKind = EntryKind.NOTE) -> Statement:
    (found,) = [one for one in stated(text, entry).statements if one.kind is kind]
    return found


def due_day(one: Statement) -> str | None:
    return None if one.due is None else one.due.at.isoformat()


@pytest.mark.parametrize(
    ("text", "titles", "owners", "what"),
    [
        (
            ARTICLE,
            ["Project A launch", "finish the test report", "the test report is not finished", "notifying operations"],
            [None, "Zhang San", None, "Li Si"],
            "the test report",
        ),
        (TWIN, ["项目A上线", "完成测试报告", "测试报告未完成", "通知运营"], [None, "张三", None, "李四"], "测试报告"),
    ],
)
def test_the_meeting_of_the_article(text: str, titles: list[str], owners: list[str | None], what: str) -> None:
    found = stated(text)
    plan, task, condition, duty = found.statements
    assert [one.title for one in found.statements] == titles
    assert [one.owner for one in found.statements] == owners
    assert plan.event is not None and plan.event[0].date().isoformat() == "2025-05-16"  # noqa: PT018
    assert plan.is_tentative and plan.confidence < task.confidence  # noqa: PT018
    assert (due_day(task), due_day(duty)) == ("2025-05-15T00:00:00+08:00", None)
    assert condition.link is not None and condition.link.index == 1  # noqa: PT018
    (arming,) = found.armings
    assert (arming.target.index, arming.watched.index, arming.what) == (0, 1, what)


@pytest.mark.parametrize(
    ("text", "title", "owner", "day"),
    [
        ("Bob will review the plan by Friday.", "review the plan", "Bob", "2025-05-17"),
        ("TODO: water the plants", "water the plants", None, None),
        ("I need to call the dentist tomorrow.", "call the dentist", None, "2025-05-12"),
        ("Remember to buy milk.", "buy milk", None, None),
        ("下周五发布;张三需在5月14日前交报告;发布推迟", "交报告", "张三", "2025-05-15"),
        ("王芳必须在5月20日前订好场地。", "订好场地", "王芳", "2025-05-21"),
        ("待办：给花浇水", "给花浇水", None, None),
        ("记得买牛奶", "买牛奶", None, None),
    ],
)
def test_tasks(text: str, title: str, owner: str | None, day: str | None) -> None:
    task = the_only(text, RecordKind.TASK)
    assert (task.title, task.owner) == (title, owner)
    assert (due_day(task) or "").startswith(day or "")
    assert (day is None) == (task.due is None)


@pytest.mark.parametrize(
    "text",
    [
        "You must install Python before the program.",
        "Please click here to unsubscribe.",
        "Please let me know if you have questions.",
        "Does Bob have to pay by Friday?",
        "Bob does not have to pay by Friday.",
        "Bob had to pay by Friday.",
        "Everything must be ready by Friday.",
        "周五要不要开会？",
        "请点击链接查看详情。",
        "张三不需要在周五前完成报告。",
        "重要的是保持冷静。",
        "- [ ] call the dentist by Friday",
        "> Bob must pay by Friday.",
        "def must_pay(): return by(Friday)",
    ],
)
def test_what_is_no_task(text: str) -> None:
    assert [one for one in stated(text).statements if one.kind is RecordKind.TASK] == []


@pytest.mark.parametrize(
    ("text", "title", "day"),
    [
        ("The board meeting takes place on 3 June in Rome.", "board meeting", "2025-06-03"),
        ("We launch the new site on 20 May.", "launch the new site", "2025-05-20"),
        ("The demo is planned for Tuesday at 3pm.", "demo", "2025-05-13"),
        ("评审会定于周四下午3点。", "评审会", "2025-05-15"),
        ("新版本预计5月20日发布。", "新版本发布", "2025-05-20"),
    ],
)
def test_plans(text: str, title: str, day: str) -> None:
    plan = the_only(text, RecordKind.PLAN)
    assert plan.event is not None
    assert (plan.title, plan.event[0].date().isoformat()) == (title, day)


@pytest.mark.parametrize(
    "text",
    [
        "The trip is not on Friday.",
        "Was the trip on Friday?",
        "It is Friday.",
        "He was born on 3 May.",
        "旅行不是周五。",
        "上次评审是4月3日。",
        "If it rains the trip is on Sunday.",
    ],
)
def test_what_is_no_plan(text: str) -> None:
    plans = [one for one in stated(text).statements if one.kind is RecordKind.PLAN]
    assert [one for one in plans if one.condition is None and "rain" not in text] == []


def test_decisions() -> None:
    assert the_only("We decided to use PostgreSQL.", RecordKind.DECISION).title == "use PostgreSQL"
    assert the_only("会议决定采用新方案。", RecordKind.DECISION).title == "采用新方案"
    assert stated("Did we decide to use PostgreSQL?").statements == ()


@pytest.mark.parametrize("path", [(QUOTED,), (SIGNATURE,)])
def test_what_a_mail_repeats_or_signs_with_states_nothing(path: tuple[str, ...]) -> None:
    assert stated(ARTICLE, EntryKind.MAIL, place=Place(heading_path=path)).statements == ()


@pytest.mark.parametrize("text", ["The offer is valid until Friday.", "本优惠有效期至5月16日。"])
def test_a_short_text_ends_when_it_says_so(text: str) -> None:
    valid_to = stated(text).valid_to
    assert valid_to is not None
    assert valid_to.isoformat() == "2025-05-17T00:00:00+08:00"
    assert stated(text + " filler" * 200).valid_to is None


def test_a_condition_that_hangs_on_nothing_is_no_record() -> None:
    assert stated("If the cable is not connected, the light is off.").statements == ()
    assert stated("如果未连接网线，指示灯不亮。").statements == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Action | Owner | Due | Status\n--- | --- | --- | ---\nSend it | Ann | 14 May | -\nBook it | TBD | | done",
            [("Send it", "Ann", "2025-05-15", Status.ACTIVE), ("Book it", None, "", Status.DONE)],
        ),
        (
            "| 事项 | 负责人 | 截止日期 |\n| 交报告 | 张三 | 5月14日 |\n| 订会议室 | 待定 | 周五 |",
            [("交报告", "张三", "2025-05-15", Status.ACTIVE), ("订会议室", None, "2025-05-17", Status.ACTIVE)],
        ),
        (
            "| Action | Owner | Due |\n|---|---|---|\n| Send it | Ann | |\n| Book it | | 14 May |",
            [("Send it", "Ann", "", Status.ACTIVE), ("Book it", None, "2025-05-15", Status.ACTIVE)],
        ),
        ("Action | Owner | Due\nSend it | Ann |", [("Send it", "Ann", "", Status.ACTIVE)]),
    ],
)
def test_tables_of_actions(text: str, expected: list[tuple[str, str | None, str, Status]]) -> None:
    found = [(one.title, one.owner, (due_day(one) or "")[:10], one.status) for one in stated(text).statements]
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "Name | Age\nAnn | 30",
        "Product | Owner | Price\nLamp | Ann | 30",
        "What | Colour\nA rose | red",
        "Action | Owner | Due\nNo table any more.\nSend it | Ann",
    ],
)
def test_other_tables_state_nothing(text: str) -> None:
    assert stated(text).statements == ()


@given(st.text(max_size=300))
def test_no_text_upsets_it(text: str) -> None:
    found = stated(text)
    for one in found.statements:
        assert 0 <= one.record.span.start <= one.record.span.end <= len(text)
    for arming in found.armings:
        places = {arming.target.index, arming.watched.index}
        assert places <= set(range(len(found.statements)))


def test_statements_are_in_the_order_of_the_text() -> None:
    starts = [one.record.span.start for one in stated(ARTICLE).statements]
    assert starts == sorted(starts)


@pytest.mark.parametrize(
    "text",
    [
        " " * 3000 + "must go by Friday",
        "if not " * 400,
        "如果未" * 800,
        "the launch is moved " * 150 + "to Friday",
        "Abc " * 800 + "to do it by Friday",
        "x(y);" * 600,
        "(" * 3000,
        "\u202e\x00\ud800" * 500,
    ],
    ids=range(8),
)
def test_hostile_texts_are_only_texts(text: str) -> None:
    assert len(stated(text).statements) < 3


def test_a_condition_may_speak_of_an_earlier_message_of_its_conversation() -> None:
    task = stored("finish the test report", RecordKind.TASK, due=SATURDAY + timedelta(days=4))
    plan = stored("Project A launch", RecordKind.PLAN, record_id=8)
    found = stated("If the test report is not finished, the launch is postponed.", EntryKind.MAIL, thread=[task, plan])
    (arming,) = found.armings
    assert (arming.target.record_id, arming.watched.record_id, arming.due_at) == (8, 7, task.due_at)
    assert [one.kind for one in found.statements] == [RecordKind.CONDITION]


def stored(title: str, kind: RecordKind, *, record_id: int = 7, due: datetime | None = None) -> StoredRecord:
    return StoredRecord(
        record_id=record_id,
        entry_id=5,
        chunk_id=None,
        ordinal=0,
        kind=kind,
        title=title,
        text=title,
        owner=None,
        owner_id=None,
        project_id=None,
        event_at=None,
        event_end=None,
        due_at=due,
        is_whole_day=True,
        status=Status.ACTIVE,
        condition=None,
        consequence=None,
        condition_of=None,
        first_line=None,
        last_line=None,
        valid_from=None,
        valid_to=None,
        completed_at=None,
        confidence=0.8,
        trust=Trust.OWN_FILES,
        sensitivity=Sensitivity.INTERNAL,
        rule_version="r1",
        stale_reason=None,
        superseded_by=None,
    )


def test_a_chinese_task_is_called_by_what_is_done_and_not_by_its_object_alone() -> None:
    text = "请在5月17日前把合同发给我（急）。"
    reader = SentenceReader.__new__(SentenceReader)
    reader._text = text
    at = text.index("把合同")
    assert reader._title(TextSpan(at, at + 3, SpanLabel.TASK)) == "把合同发给我"
