"""What strangers wrote is shown as one short line of what can be seen (X9.1)."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.clients import ClientState
from app.domain.labels import Sensitivity
from app.domain.text import Text, msg
from app.runtime.paths import resource
from app.ui import naming


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Planner 0.9", "Planner 0.9"),
        ("a\n\nb\tc", "a b c"),
        ("evil\N{RIGHT-TO-LEFT OVERRIDE}\0name", "evilname"),
        ("测试\N{ZERO WIDTH SPACE}报告", "测试报告"),
        ("\ud800x", "x"),
        ("x" * 30, "x" * 19 + "\N{HORIZONTAL ELLIPSIS}"),
        (" \n ", ""),
    ],
)
def test_one_line(written, shown):
    assert naming.in_one_line(written, 20) == shown


@given(st.text())
def test_it_is_always_one_short_printable_line(text):
    shown = naming.in_one_line(text, 20)
    assert len(shown) <= 20
    assert all(letter.isprintable() for letter in shown)


def test_ten_million_letters_are_no_work():
    assert naming.in_one_line("x" * 10_000_000, 5) == "xxxx\N{HORIZONTAL ELLIPSIS}"


def test_every_level_and_state_has_its_own_glyph():
    levels = [naming.sensitivity_icon(level) for level in Sensitivity]
    states = [naming.client_state(state)[0] for state in ClientState]
    for icons in (levels, states):
        assert len(set(icons)) == len(icons)
        assert all(resource("icons", f"{icon}.svg").exists() for icon in icons)


def test_every_action_has_words_and_an_icon_that_is_there():
    for action in (
        "search",
        "item",
        "agenda",
        "tasks",
        "facts",
        "prepare",
        "remember",
        "outcome",
        "allow",
        "revoke",
        "change",
    ):
        assert naming.action_name(action) != action
        assert resource("icons", f"{naming.action_icon(action)}.svg").exists()
    assert naming.action_name("of a newer Famulus") == "of a newer Famulus"
    assert naming.refusal_reason("strange") == "strange"


def test_the_span_of_a_template_is_in_words_and_shows_no_marks_of_its_file():
    assert naming.span_names("") == []
    assert naming.span_names("{day}, next 7 days, the week of the fair") == [
        msg("next 7 days"),
        "the week of the fair",
    ]


def test_every_span_of_the_shipped_templates_has_words():
    files = [path.read_bytes().decode() for path in resource("templates").iterdir() if path.name.endswith(".toml")]
    spans = [part["window"] for text in files for part in tomllib.loads(text)["part"] if "window" in part]
    assert len(spans) > 5
    assert all(isinstance(name, Text) for span in spans for name in naming.span_names(span))
