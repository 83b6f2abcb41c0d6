"""The article's meeting through the whole house, in English and in Chinese, as of three moments (G2.7)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from app.domain.errors import BadInput
from app.domain.labels import Status
from app.domain.records import RecordKind
from app.runtime import clock

BEIJING = timezone(timedelta(hours=8))
MEETING = datetime(2025, 5, 10, 12, tzinfo=BEIJING)
IN_TIME = datetime(2025, 5, 13, 10, tzinfo=BEIJING)
AFTER = datetime(2025, 5, 15, 12, tzinfo=BEIJING)
MINUTES = (
    "2025-05-10 weekly meeting: Project A launch is tentatively set for next Friday; Zhang San must finish the test "
    "report by Wednesday; if the test report is not finished, the launch is postponed by one week; Li Si is "
    "responsible for notifying operations."
)
MINUTES_ZH = (
    "2025-05-10 周会：项目A暂定下周五上线；张三需在周三前完成测试报告；"  # the same in Chinese
    "如果测试报告未完成，上线顺延一周；李四负责通知运营。"
)
TITLES = ["Project A launch", "finish the test report", "the test report is not finished", "notifying operations"]
TITLES_ZH = ["项目A上线", "完成测试报告", "测试报告未完成", "通知运营"]
REASON = "The test report was not marked done by 2025-05-14"
REASON_ZH = "测试报告 was not marked done by 2025-05-14"


async def agenda(api, when, now):
    with clock.use(now):
        return list(await api.agenda(when))


CASES = [(MINUTES, TITLES, "Zhang San", REASON), (MINUTES_ZH, TITLES_ZH, "张三", REASON_ZH)]


@pytest.mark.parametrize("case", CASES, ids=["en", "zh"])
async def test_the_meeting(api, tmp_path, case):
    text, titles, owner, reason = case
    (tmp_path / "minutes.md").write_text(text, "utf-8")
    with clock.use(MEETING):
        (report,) = await api.import_paths([str(tmp_path / "minutes.md")])
        open_tasks = await api.tasks()
    assert [one.title for one in report.records] == titles
    plan, task, condition, _ = report.records
    assert (plan.kind, plan.due, task.due, task.owner) == (RecordKind.PLAN, "2025-05-16", "2025-05-14", owner)
    assert (condition.kind, condition.status) == (RecordKind.CONDITION, Status.ACTIVE)
    assert "2025-05-14" in str(task.rule)
    assert [(one.is_all_day, one.start is None) for one in open_tasks] == [(True, False), (False, True)]

    (due,) = await agenda(api, "2025-05-14", MEETING)
    (launch,) = await agenda(api, "2025-05-16", MEETING)
    assert (due.title, due.owner, launch.status) == (f"{owner}: {titles[1]}", owner, Status.ACTIVE)
    assert due.condition is not None
    (late,) = await agenda(api, "2025-05-16", AFTER)
    assert (late.status, str(late.reason)) == (Status.PENDING, reason)

    with clock.use(IN_TIME):
        done = await api.mark_task(task.record_id, is_done=True)
    assert done.status is Status.DONE
    (kept,) = await agenda(api, "2025-05-16", AFTER)
    assert kept.status is Status.ACTIVE
    with clock.use(IN_TIME):
        await api.mark_task(task.record_id, is_done=False)
    (late,) = await agenda(api, "2025-05-16", AFTER)
    assert late.status is Status.PENDING


async def test_what_a_person_says_of_a_task_must_make_sense(api, tmp_path):
    (tmp_path / "minutes.md").write_text(MINUTES, "utf-8")
    (report,) = await api.import_paths([str(tmp_path / "minutes.md")])
    task = report.records[1].record_id
    for wrong in ("r999", "x1", "r", "", "r" + "9" * 40, "r-1", "e1", "r１"):
        with pytest.raises(BadInput):
            await api.mark_task(wrong, is_done=True)
    with pytest.raises(BadInput):
        await api.mark_task(task, is_done=False)
    await api.mark_task(task, is_done=True)
    with pytest.raises(BadInput):
        await api.mark_task(task, is_done=True)


async def test_an_import_says_whether_all_of_it_is_understood(api, tmp_path):
    for name in ("first", "second"):
        (tmp_path / f"{name}.md").write_text(MINUTES, "utf-8")
    (first,) = await api.import_paths([str(tmp_path / "first.md")])
    assert first.is_understood
    assert first.records
    queue = api._vault.house.opened.governing.queue
    queue.pause()
    (second,) = await api.import_paths([str(tmp_path / "second.md")])
    assert not second.is_understood
    assert not second.records
    queue.resume()


async def test_the_status_says_what_is_not_understood_yet(api, tmp_path):
    (tmp_path / "minutes.md").write_text(MINUTES, "utf-8")
    await api.import_paths([str(tmp_path / "minutes.md")])
    await api.wait_until_indexed()
    assert (await api.status()).counts.understanding == 0
    report = await api.check()
    assert report.is_clean
    assert {one.subject: one.count for one in report.findings}["records"] == 4
