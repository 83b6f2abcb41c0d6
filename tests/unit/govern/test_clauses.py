"""Conditions, decisions and tasks by their wording (G2.4, G2.7)."""

from __future__ import annotations

import pytest

from app.govern.clauses import find_conditions, find_decisions, find_tasks


def words(text: str, found: object) -> list[str]:
    return [text[span.start : span.end] for span in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("If the tests fail, we postpone.", ["If the tests fail"]),
        ("We go, unless it rains.", ["unless it rains"]),
        ("Call me as soon as the parcel is there.", ["as soon as the parcel is there"]),
        ("如果报告没有完成，上线推迟一周。", ["如果报告没有完成"]),
        ("除非客户取消，否则照常", ["除非客户取消"]),
        ("下雨的话，就改到室内", ["下雨的话"]),
        ("I wonder if she knows.", []),
        ("It looks as if nothing happened.", []),
        ("他好像不在家。", []),
        ("Ask whether it is open.", []),
    ],
)
def test_conditions(text: str, conditions: list[str]) -> None:
    assert words(text, find_conditions(text)) == conditions


@pytest.mark.parametrize(
    ("text", "decisions"),
    [
        ("We decided to move the launch to Q3.", ["move the launch to Q3"]),
        ("Decision: keep the old logo", ["keep the old logo"]),
        ("会议决定延期到九月。", ["延期到九月"]),
        ("决议：预算不变", ["预算不变"]),
        ("He is very decided about it.", []),
        ("这起决定性作用", []),
    ],
)
def test_decisions(text: str, decisions: list[str]) -> None:
    assert words(text, find_decisions(text)) == decisions


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Zhang San must finish the test report by Wednesday.", ["finish the test report by Wednesday"]),
        ("Li Si is responsible for notifying operations.", ["notifying operations"]),
        ("- [ ] buy milk", ["buy milk"]),
        ("张三必须在周三前完成测试报告", ["在周三前完成测试报告"]),
        ("李四负责通知运营", ["通知运营"]),
        ("负责人：王五", []),
        ("I sent it yesterday.", []),
    ],
)
def test_tasks(text: str, tasks: list[str]) -> None:
    assert words(text, find_tasks(text)) == tasks


@pytest.mark.parametrize(
    "text", ["if " * 40_000, "如果" * 50_000, "a" * 100_000, "we decided to " * 10_000, "的话" * 50_000]
)
def test_hostile_text_is_read_in_time(text: str) -> None:
    for find in (find_conditions, find_decisions, find_tasks):
        list(find(text))


def test_empty_lines_before_a_bullet_cost_nothing() -> None:
    text = "\n" * 100_000 + "  - TODO: water the plants\n- Decided: we stay"
    assert [text[span.start : span.end] for span in find_tasks(text)] == ["water the plants"]
    assert [text[span.start : span.end] for span in find_decisions(text)] == ["we stay"]
