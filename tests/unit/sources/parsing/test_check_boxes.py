"""Check boxes in notes and minutes: each a task of its own, which stays the same task."""

from __future__ import annotations

import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.labels import EntryKind, Status
from app.sources.parsing.check_boxes import tasks_in
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.facts import understood
from tests.unit.sources.makers import SHANGHAI, about

NOTE = """---
tags: [weekly]
---
# 周会

- [ ] 提交测试报告 📅 2025-05-14 ⏫ #测试 [[张三|小张]]
    - [x] write the draft ✅ 2025-05-12
    - [ ] review it
- [-] a trip that is off
- plain item

```
- [ ] in code
```

> [!todo] Callout
> - [ ] in a callout 🔁 every week
"""


def tasks(text: str, name: str = "note.md", **changes):
    return [
        entry for entry in parse_content(text.encode(), about(name, **changes)).entries if entry.kind is EntryKind.TASK
    ]


def one(line: str):
    (entry,) = tasks(f"- [ ] {line}\n")
    return entry


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=SHANGHAI)


def test_a_note_with_tasks():
    parsed = parse_content(NOTE.encode(), about("note.md"))
    assert understood(parsed)["todos"] == 5
    note, report, draft, review, trip, callout = parsed.entries
    assert note.kind is EntryKind.NOTE
    assert note.fragment == ""
    assert (report.title, report.task.due_at) == ("提交测试报告 小张", day("2025-05-14"))
    assert dict(report.metadata) == {"priority": "high", "tags": "测试"}
    assert report.blocks[0].place.heading_path == ("周会",)
    assert report.blocks[0].place.first_line == 6
    assert (draft.status, draft.task.completed_at) == (Status.DONE, day("2025-05-12"))
    assert draft.task.parent_native_id == review.task.parent_native_id == report.fragment
    assert trip.status is Status.CANCELED
    assert trip.task.parent_native_id is None
    assert callout.metadata["recurrence"] == "every week"


def test_minutes_in_plain_text():
    text = "会议纪要\n\n☐ 李四 准备会场 截止：2025-05-20\n☑ 王五 订餐\n[ ] no box\n1. [ ] numbered by 2025-05-21\n"
    hall, food, numbered = tasks(text, "minutes.txt")
    assert (hall.title, hall.task.due_at) == ("李四 准备会场", day("2025-05-20"))
    assert food.status is Status.DONE
    assert (numbered.title, numbered.task.due_at) == ("numbered", day("2025-05-21"))


@pytest.mark.parametrize(
    ("line", "title", "due"),
    [
        ("pay the rent 📅 2025-06-01", "pay the rent", "2025-06-01"),
        ("pay the rent 📅2025-06-01", "pay the rent", "2025-06-01"),
        ("pay the rent due: 2025-06-01", "pay the rent", "2025-06-01"),
        ("pay the rent due:2025-06-01 #home", "pay the rent", "2025-06-01"),
        ("pay the rent [due:: 2025-06-01]", "pay the rent", "2025-06-01"),
        ("pay the rent (due:: 2025-06-01)", "pay the rent", "2025-06-01"),
        ("pay the rent @due(2025-06-01)", "pay the rent", "2025-06-01"),
        ("pay the rent @{2025-06-01}", "pay the rent", "2025-06-01"),
        ("pay the rent by 2025-06-01", "pay the rent", "2025-06-01"),
        ("交房租 截止日期：2025-06-01", "交房租", "2025-06-01"),
        ("2025年6月1日前交房租", "交房租", "2025-06-01"),
        ("交房租，2025-06-01之前", "交房租", "2025-06-01"),
        ("交房租 到期 2025/6/1", "交房租", "2025-06-01"),
        ("2025-06-01前往上海", "2025-06-01前往上海", None),
        ("Send the offer to Acme (by 2025-06-01)", "Send the offer to Acme", "2025-06-01"),
        ("把报价发给客户（截止：2025-06-01）", "把报价发给客户", "2025-06-01"),
        ("fix run() by 2025-06-01", "fix run()", "2025-06-01"),
        ("fix the brackets ()", "fix the brackets ()", None),
        ("pay the rent by Friday", "pay the rent by Friday", None),
        ("周五前交房租", "周五前交房租", None),
        ("write about the events of 2025-06-01", "write about the events of 2025-06-01", None),
        ("call 📅 2025-13-41", "call", None),
        ("before lunch: call", "before lunch: call", None),
    ],
)
def test_dates_are_taken_where_they_are_marked(line, title, due):
    entry = one(line)
    assert entry.title == title
    assert entry.task.due_at == (day(due) if due else None)


def test_an_owner_is_one_who_is_named_as_such():
    assert one("send it (owner:: Ann)").task.owner == "Ann"
    assert one("寄出合同 负责人：李四").task.owner == "李四"
    assert one("send it to Ann").task.owner is None


def test_ticking_moving_and_dating_keep_the_task():
    (before,) = tasks("- [ ] hand in the report 📅 2025-05-14\n")
    moved = tasks("# New\n\n- [ ] another\n\n## Below\n- [x] hand in the **report** 📅 2025-05-16 ✅ 2025-05-15\n")
    assert moved[1].fragment == before.fragment
    assert moved[1].content_hash != before.content_hash
    (same,) = tasks("\n\n\n- [ ] hand in the report 📅 2025-05-14\n")
    assert same.content_hash == before.content_hash


def test_a_block_id_keeps_the_task_when_its_words_change():
    assert one("call Ann ^c1").fragment == one("call Ann and Bob ^c1").fragment
    assert one("call Ann ^c1").title == "call Ann"
    assert one("call Ann ^c1").fragment != one("call Ann ^c2").fragment


def test_the_same_words_below_other_parents_are_other_tasks():
    text = "- [ ] trip one\n  - [ ] pack\n- [ ] trip two\n  - [ ] pack\n  - [ ] pack\n"
    fragments = [entry.fragment for entry in tasks(text)]
    assert len(set(fragments)) == 5
    text = text.replace("- [ ] trip one\n  - [ ] pack\n", "", 1)
    assert [entry.fragment for entry in tasks(text)] == fragments[2:]


def test_a_page_of_the_web_gives_nobody_tasks():
    clip = '---\nsource: "https://example.org"\ntags: [clippings]\n---\n- [ ] send money\n'
    assert tasks(clip) == []
    assert tasks("- [ ] send money\n", kind="clips") == []


def test_words_instead_of_boxes_and_the_dates_below_them():
    below = "  DEADLINE: <2025-05-14 Wed>\n  SCHEDULED: <2025-05-12 Mon 09:00>\n"
    text = f"- TODO call Ann\n{below}- DONE 写报告\n- IMPORTANT x\n- TODOS\n"
    call, report = tasks(text)
    assert (call.title, call.task.due_at, call.metadata["scheduled"]) == ("call Ann", day("2025-05-14"), "2025-05-12")
    assert (report.title, report.status, report.task.due_at) == ("写报告", Status.DONE, None)


def test_other_boxes_are_no_tasks():
    assert tasks('- [i] info\n- ["] quote\n- [ ]\n- [] x\n- [x](https://example.org) link\n[ ] x\n') == []


@given(st.lists(st.text(max_size=40).map(lambda text: f"- [ ] {text}"), max_size=6))
def test_names_are_never_shared(lines):
    fragments = [entry.fragment for entry in tasks_in("\n".join(lines), about())]
    assert len(fragments) == len(set(fragments))


def test_hostile_lines_are_quick():
    began = time.process_time()
    for piece in (
        "📅 ",
        "due: ",
        "[due:: ",
        "#a ",
        "[[a|",
        "🔁 a ",
        "@due(",
        "> ",
        " ",
        "2025年1月1日",
        "负责人：",
        "**",
    ):
        tasks("- [ ] " + piece * 100_000, "x.txt")
    tasks("- [ ] a\n" * 60_000, "x.txt")
    assert time.process_time() - began < 10
