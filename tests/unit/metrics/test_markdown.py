"""Pages of Markdown in which data is data (G7)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.domain.text import msg
from app.metrics.markdown import Page, harmless, percent


def in_chinese(text):
    return (
        {"Rate": "指标", "{count} d": "{count} 天"}.get(text.template, str(text)) if not isinstance(text, str) else text
    )


def test_a_page_is_in_one_language():
    page = Page(in_chinese)
    page.heading(msg("Rate"), 1)
    page.table((msg("Rate"), msg("Now")), [(msg("Rate"), "50%")])
    assert page.text == "# 指标\n\n| 指标 | Now |\n| --- | ---: |\n| 指标 | 50% |\n"


def test_what_is_empty_leaves_no_trace():
    page = Page(str)
    page.table((msg("Rate"),), [])
    page.points([])
    assert page.text == "\n"


@given(st.text())
def test_data_stays_on_its_line_and_in_its_cell(data):
    page = Page(str)
    page.table((msg("Rate"), msg("Now")), [(data, "1")])
    lines = page.text.rstrip("\n").split("\n")
    assert len(lines) == 3
    assert lines[2].replace("\\\\", "").replace("\\|", "").count("|") == 3


def test_data_is_no_markup():
    assert harmless("<b>*x*</b> | # [y](z)\n`w`") == "\\<b\\>\\*x\\*\\</b\\> \\| \\# \\[y\\](z) \\`w\\`"


def test_an_unknown_share_is_said_to_be_unknown():
    assert str(percent(None)) == "nothing counted yet"
    assert percent(0.0) == "0.0%"
