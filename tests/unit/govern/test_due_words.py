"""Due dates that stand in the words of a to-do."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.entries import Entry, TaskFacts
from app.domain.labels import EntryKind, Status
from app.govern.due_words import with_due

SHANGHAI = ZoneInfo("Asia/Shanghai")
MONDAY = datetime(2025, 5, 12, 9, 0, tzinfo=SHANGHAI)


def task(title: str, status: Status = Status.ACTIVE, due: datetime | None = None) -> Entry:
    return Entry("s", "n", EntryKind.TASK, title, "file:///x", "h", (), MONDAY, MONDAY, task=TaskFacts(status, due))


def due_of(title: str) -> str | None:
    due = with_due(task(title)).task.due_at
    return due.isoformat()[:16] if due is not None else None


@pytest.mark.parametrize(
    ("title", "due"),
    [
        ("pay the rent by Friday", "2025-05-16T00:00"),
        ("send it by tomorrow", "2025-05-13T00:00"),
        ("call the landlord by 5pm on Friday", "2025-05-16T17:00"),
        ("finish it by the end of May", "2025-05-31T00:00"),
        ("周五前交房租", "2025-05-16T00:00"),
        ("周三之前提交测试报告", "2025-05-14T00:00"),
        ("5月20日前寄出合同", "2025-05-20T00:00"),
        ("明天之前回复", "2025-05-13T00:00"),
        # no deadline, none that is certain, or none that can be meant
        ("write about last Friday", None),
        ("buy milk", None),
        ("Friday lunch with Ann", None),
        ("周五的会议材料", None),
        ("by 2030 learn to swim", None),
        ("send A by Tuesday and B by Friday", None),
        ("买牛奶", None),
        ("", None),
    ],
)
def test_a_deadline_in_words(title, due):
    assert due_of(title) == due


def test_what_has_a_date_or_is_done_stays_as_it_is():
    for entry in (
        task("pay by Friday", due=MONDAY),
        task("pay by Friday", Status.DONE),
        task("pay by Friday", Status.CANCELED),
        replace(task("pay by Friday"), kind=EntryKind.NOTE),
        replace(task("pay by Friday"), task=None),
    ):
        assert with_due(entry) is entry


@given(st.text(max_size=300))
def test_any_words(title):
    due = with_due(task(title)).task.due_at
    assert due is None or due.date() >= MONDAY.date()


def test_long_titles_are_quick():
    began = time.process_time()
    for piece in ("by Friday ", "周五前", "2025-", "a ", "5月"):
        with_due(task(piece * 10_000))
    assert time.process_time() - began < 5
