"""`famulus metrics`: rates, reviews, outcomes and marks (G7)."""

from __future__ import annotations

from datetime import date

import pytest

from app.domain.errors import BadInput
from app.domain.metrics import (
    AskedQuestion,
    LayerFigure,
    MarkedItem,
    MetricsReport,
    Rate,
    RatesOfWeek,
    Review,
    ReviewKind,
)
from app.domain.serving import Outcome
from app.domain.text import msg
from tests.unit.cli.conftest import MOMENT, item

REPORT = MetricsReport(
    date(2025, 4, 15),
    date(2025, 5, 12),
    (
        Rate("task_success", msg("Task success"), msg("Good of all."), 3, 4, 0.75),
        Rate("context_hit", msg("Context hits"), msg("Hit of wanted."), 0, 0, None),
    ),
    (
        LayerFigure("collection", "sync_latency", msg("Since the last sync"), msg("Median."), 5400.0, "seconds"),
        LayerFigure("collection", "things", msg("Things"), msg("Many."), 7.0, "count"),
        LayerFigure("governance", "freshness_accuracy", msg("Changes that stand"), msg("Not undone."), None, "share"),
    ),
    (RatesOfWeek(date(2025, 5, 12), (("task_success", 0.75), ("context_hit", None)), 9),),
    9,
)
REVIEW = Review(3, ReviewKind.WEEKLY, date(2025, 5, 12), date(2025, 5, 18), MOMENT, "# Week\n")


@pytest.fixture(autouse=True)
def metrics(api):
    api.answers |= {
        "metrics": REPORT,
        "reviews": [REVIEW],
        "review": REVIEW,
        "write_review": REVIEW,
        "report_outcome": None,
        "asked_questions": [AskedQuestion("Where\nis it?", MOMENT, "owner", 2)],
        "items_to_mark": [MarkedItem(7, item(), None), MarkedItem(8, item(title="Other"), True)],
        "mark": None,
    }


def test_the_figures_are_shown_with_what_they_mean(shell, api):
    said = shell("metrics")
    assert "2025-04-15 to 2025-05-12: 9 requests" in said
    assert "Task success: 75.0%  (3 / 4)" in said
    assert "Good of all." in said
    assert "Context hits: nothing counted yet\n" in said
    assert "Since the last sync: 1.5 hours" in said
    assert "Things: 7" in said
    assert "Changes that stand: nothing counted yet" in said
    assert "2025-05-12      9  Task success 75%" in said
    assert api.asked("metrics") == [((), {"first_day": None, "last_day": None})]


def test_days(shell, api):
    shell("metrics", "--since", "2025-05-01", "--until", "2025-05-12")
    assert api.asked("metrics") == [((), {"first_day": date(2025, 5, 1), "last_day": date(2025, 5, 12)})]
    shell("metrics", "--since", "yesterday", expect=2)
    assert "is no day such as" in shell.err


def test_the_figures_for_programs(shell):
    found = shell.json("metrics")
    assert found["first_day"] == "2025-04-15"
    assert found["rates"][1]["value"] is None
    assert found["weeks"] == [
        {"first_day": "2025-05-12", "requests": 9, "rates": {"task_success": 0.75, "context_hit": None}}
    ]


def test_a_review_is_written_and_printed_on_demand(shell, api):
    assert shell("metrics", "review", "weekly", "--day", "2025-05-14", "--print") == "# Week\n\n"
    assert api.asked("write_review") == [((ReviewKind.WEEKLY,), {"day": date(2025, 5, 14)})]
    assert "# Week" not in shell("metrics", "review", "weekly")
    assert "weekly review" in shell.out
    assert shell.json("metrics", "review", "weekly")["text"] == "# Week\n"


def test_reviews_are_listed_and_printed(shell, api):
    assert "   3  2025-05-12 – 2025-05-18  weekly review" in shell("metrics", "reviews")
    assert "text" not in shell.json("metrics", "reviews")[0]
    assert shell("metrics", "reviews", "3") == "# Week\n\n"
    api.answers["reviews"] = []
    assert "No review was written yet." in shell("metrics", "reviews")


def test_an_outcome(shell, api):
    shell("metrics", "outcome", "r1", "--failed", "--adopted", "--edited", "1", "--fields", "4", "--cited", "c12")
    shell("metrics", "outcome", "r2", "--success")
    assert [call[0][0] for call in api.asked("report_outcome")] == [
        Outcome("r1", is_success=False, is_adopted=True, cited=("c12",), fields_total=4, fields_edited=1),
        Outcome("r2", is_success=True),
    ]
    api.answers["report_outcome"] = BadInput(msg("There is no such request."), next_step=msg("Look."))
    shell("metrics", "outcome", "r3", "--success", expect=3)


def test_questions(shell, api):
    assert "2025-05-12  Where is it?  (2 marked)" in shell("metrics", "questions", "-n", "5")
    assert api.asked("asked_questions") == [((), {"limit": 5})]
    assert shell.json("metrics", "questions")[0]["marked"] == 2


def test_results_are_numbered_and_marked_by_their_numbers(shell, api):
    said = shell("metrics", "mark", "Where?").splitlines()
    assert said[0].startswith("   1  Launch: ")
    assert said[1].startswith("+  2  Other: ")
    assert api.asked("mark") == []
    shell("metrics", "mark", "Where?", "--wanted", "1", "--unwanted", "2", "--more", "else")
    assert api.asked("mark") == [(("Where?", 7), {"is_wanted": True}), (("Where?", 8), {"is_wanted": False})]
    assert api.asked("items_to_mark")[-1] == (("Where?",), {"more": "else"})
    shell("metrics", "mark", "Where?", "--clear", "2")
    assert api.asked("mark")[-1] == (("Where?", 8), {"is_wanted": None})
    shell("metrics", "mark", "Where?", "--wanted", "3", expect=3)
    assert "There is no result 3." in shell.err
