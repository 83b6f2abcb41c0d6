"""What a row of quick-ask says: title, kind, scope, age; and why something is stale (G4.4)."""

from __future__ import annotations

import pytest

from app.domain.context_item import Answer
from app.domain.entries import Place
from app.domain.labels import EntryKind, Status
from app.domain.text import Text, msg
from app.ui import rows
from app.ui.wording import Wording
from tests.ui.demo_world import NOW, event, item


@pytest.fixture
def wording(qapp):
    return Wording("en")


def test_a_source_with_its_number(wording):
    (row,) = rows.of_items(
        [item("a", "Weekly meeting", "text", source_type=EntryKind.NOTE)], wording, NOW, is_numbered=True
    )
    assert (row.number, row.title, row.icon) == (1, "Weekly meeting", "note")
    assert [part.strip() for part in row.details.split("\N{MIDDLE DOT}")] == ["note", "work", "4 days ago"]
    assert row.snippet == ""
    assert row.spoken == "1. Weekly meeting. note, work, 4 days ago"


def test_what_was_said_is_shown_with_its_time(wording):
    (row,) = rows.of_items([item("a", "Talk", "", place=Place(second=754))], wording, NOW)
    assert row.details.endswith("\N{MIDDLE DOT}  at 12:34")


def test_a_stale_one_says_why(wording):
    (row,) = rows.of_items([item("a", "Plan", "", stale_reason=msg("newer version 4"))], wording, NOW)
    assert row.is_stale
    assert row.details.endswith("stale: newer version 4")


def test_a_snippet_is_one_line(wording):
    (row,) = rows.of_items([item("a", "t", "one\n\n  two\tthree " * 100)], wording, NOW, has_snippets=True)
    assert "\n" not in row.snippet
    assert row.snippet.startswith("one two three one")
    assert len(row.snippet) <= 200


@pytest.mark.parametrize("content", ["# Plan\n\nLoad tests first.", "Plan\nLoad tests first.", "Load tests first."])
def test_a_snippet_does_not_say_the_title_again(wording, content):
    (row,) = rows.of_items([item("a", "Plan", content)], wording, NOW, has_snippets=True)
    assert row.snippet == "Load tests first."


def test_an_answer_from_the_calendar_cites_each_event_once(wording):
    events = tuple(event(str(day), f"Event {day}", day, "09:00", "") for day in range(3))
    answer = Answer(text=Text("Three."), items=(item("c1", "Event 0", ""), item("c2", "Event 1", "")), agenda=events)
    assert [(row.number, row.title) for row in rows.of_answer(answer, wording, NOW)] == [
        (1, "Event 0"),
        (2, "Event 1"),
        (None, "Event 2"),
    ]


def test_without_a_time_of_its_own_the_age_is_that_of_its_arrival(wording):
    (row,) = rows.of_items([item("a", "t", "", event_time=None)], wording, NOW)
    assert row.details.endswith("4 days ago")


def test_an_event(wording):
    (row,) = rows.of_agenda([event("e", "Launch review", 1, "10:30", "11:30", location="Cedar")], wording, NOW)
    assert row.details == "Thursday 15 May, 10:30\N{EN DASH}11:30  \N{MIDDLE DOT}  Cedar"
    assert not row.is_stale


def test_a_canceled_event_is_dimmed(wording):
    (row,) = rows.of_agenda([event("e", "Trip", 0, "", "", status=Status.CANCELED)], wording, NOW)
    assert row.is_stale


def test_actions_are_found_by_name_and_by_label(wording):
    assert [row.action for row in rows.of_actions("/sy", wording)] == ["sync"]
    assert [row.action for row in rows.of_actions("/quit f", wording)] == ["quit"]
    assert len(rows.of_actions("/", wording)) == len(rows.ACTIONS)
    assert rows.of_actions("/nothing like this", wording) == []


def test_nothing_in_a_row_turns_or_hides_letters():
    marks = "\N{RIGHT-TO-LEFT OVERRIDE}gpj\N{ZERO WIDTH SPACE}.exe\0"
    row = rows.Row(
        key="a", icon="file", title=f" {marks}\n" * 400, details=f"mail  \N{MIDDLE DOT}  {marks}", snippet=marks
    )
    assert row.title.startswith("gpj.exe gpj.exe")
    assert len(row.title) == 500
    assert row.snippet == "gpj.exe"
    assert row.details == "mail  \N{MIDDLE DOT}  gpj.exe"
