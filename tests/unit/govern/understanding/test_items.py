"""Points of lists of things to do (G2.4)."""

from __future__ import annotations

import pytest

from app.govern.understanding.items import find_items, without_deadline

MINUTES = """Overview:
- Discussed the plan.

Action Items:
- Emma to update the plan
- David: coordinate with the team. Deadline: 20 May
- Schedule the next meeting
- [ ] ticked off by a box

Notes:
- nothing to do"""
CHINESE = "行动项：\n- 张三：更新项目计划\n- 李四负责测试报告\n其他：\n- 天气不错"


def told(text: str, path: tuple[str, ...] = ()) -> list[tuple[str | None, str]]:
    return [(item.owner, text[slice(*item.task)]) for item in find_items(text, 0, len(text), path)]


def test_the_points_under_such_a_heading_and_no_others() -> None:
    assert told(MINUTES) == [
        ("Emma", "update the plan"),
        ("David", "coordinate with the team. Deadline: 20 May"),
        (None, "Schedule the next meeting"),
    ]
    assert told(CHINESE) == [("张三", "更新项目计划"), ("李四", "测试报告")]


@pytest.mark.parametrize("heading", ["Action items", "Next steps", "待办事项", "2. To-dos"])
def test_a_heading_of_the_passage_counts(heading: str) -> None:
    assert told("- call the printer", (heading,)) == [(None, "call the printer")]
    assert told("- call the printer", ("Ideas",)) == []


def test_a_day_behind_is_no_part_of_the_task() -> None:
    text = "coordinate with the team. Deadline: 20 May"
    assert text[: without_deadline(text, 0, len(text), text.index("20"))] == "coordinate with the team"
    assert without_deadline(text, 0, len(text), None) == len(text)
