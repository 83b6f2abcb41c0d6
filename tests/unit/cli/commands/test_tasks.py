"""`famulus tasks`, and how an agenda's line looks."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from app.domain.context_item import AgendaItem
from app.domain.errors import BadInput
from app.domain.labels import EntryKind, Status
from app.domain.text import msg

DAY = datetime(2025, 5, 14, tzinfo=timezone(timedelta(hours=8)))


def task(**changes: object) -> AgendaItem:
    values = {
        "item_id": "r2",
        "kind": EntryKind.TASK,
        "title": "Zhang San: finish the test report",
        "start": DAY,
        "end": DAY + timedelta(days=1),
        "is_all_day": True,
        "location": "",
        "status": Status.ACTIVE,
        "source_uri": "file:///minutes.md",
        "scope": "personal",
        "owner": "Zhang San",
        "condition": "if the test report is not finished, the launch is postponed",
        "entry_id": 1,
    }
    return AgendaItem(**(values | changes))


def test_the_list_says_what_is_due_and_why(shell, api):
    api.answers["tasks"] = [
        task(reason=msg("Overdue since {day}", day="2025-05-14"), is_overdue=True),
        task(item_id="r4", title="Li Si: notify operations", start=None, end=None, condition=None),
    ]
    shell("tasks", "list", "--owner", "Zhang San", "--all")
    assert api.asked("tasks") == [((), {"owner": "Zhang San", "include_done": True})]
    assert shell.out == (
        "r2  2025-05-14  due  Zhang San: finish the test report  (active)\n"
        "    Overdue since 2025-05-14\n"
        "    Condition: if the test report is not finished, the launch is postponed\n"
        "r4  no date  Li Si: notify operations  (active)\n"
    )


def test_an_empty_list_says_so(shell, api):
    api.answers["tasks"] = []
    shell("tasks", "list")
    assert shell.out == "There is nothing to be done.\n"


def test_the_list_in_json(shell, api):
    api.answers["tasks"] = [task()]
    (told,) = shell.json("tasks", "list")
    assert (told["item_id"], told["owner"], told["status"], told["is_overdue"]) == ("r2", "Zhang San", "active", False)


def test_done_and_open_again(shell, api):
    api.answers["mark_task"] = task(status=Status.DONE)
    shell("tasks", "done", "r2")
    shell("tasks", "reopen", "r2")
    assert api.asked("mark_task") == [(("r2",), {"is_done": True}), (("r2",), {"is_done": False})]
    assert "Condition" not in shell.out


def test_a_task_that_is_not_there(shell, api):
    api.answers["mark_task"] = BadInput(msg("There is no task r9."), next_step=msg("Look again."))
    shell("tasks", "done", "r9", expect=3)
    assert "There is no task r9." in shell.err


def test_a_pending_plan_on_the_agenda(shell, api):
    plan = task(kind=EntryKind.EVENT, title="Launch", status=Status.PENDING, reason=msg("It was late"), condition=None)
    api.answers["agenda"] = [plan]
    shell("agenda", "2025-05-14")
    assert shell.out == "2025-05-14  all day  Launch  (pending)\n    It was late\n"
