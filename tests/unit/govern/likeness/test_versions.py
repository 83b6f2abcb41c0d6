from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.govern.likeness.versions import are_versions, newer, read_name


@pytest.mark.parametrize(
    ("older", "later"),
    [
        ("plan v1.docx", "plan v2.docx"),
        ("plan v1.9.docx", "plan v1.10.docx"),
        ("plan_v1.docx", "archive/plan-v2.docx"),
        ("方案_初稿.docx", "方案_最终版.docx"),
        ("合同第一版.docx", "合同第二版.docx"),
        ("report.pdf", "report (1).pdf"),
        ("report draft.pdf", "report final.pdf"),
        ("report_20250501.pdf", "report_20250512.pdf"),
        ("报告 2025年5月1日.docx", "报告 2025年5月12日.docx"),
    ],
)
def test_names_tell_which_version_is_newer(older: str, later: str) -> None:
    assert are_versions(older, later)
    assert newer((older, "2"), (later, "1")) == 1
    assert newer((later, "1"), (older, "2")) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Invoice 1001.pdf", "Invoice 1002.pdf"),
        ("plan.md", "budget.md"),
        ("chapter 1.md", "chapter 2.md"),
        ("v1", "v2"),
    ],
)
def test_other_names_are_no_versions(one: str, other: str) -> None:
    assert not are_versions(one, other)


def test_where_the_names_tell_nothing_the_time_does() -> None:
    assert newer(("a/plan.md", "2025-05-10"), ("b/plan.md", "2025-05-12")) == 1


@given(st.text(max_size=300))
def test_any_name_can_be_read(name: str) -> None:
    read_name(name)
