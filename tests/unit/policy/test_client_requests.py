"""What a client may ask at once (G8.1)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.errors import BadInput
from app.domain.labels import EntryKind
from app.domain.serving import ContextQuery, Outcome, Suggestion
from app.policy.client_requests import as_logged, checked_outcome, checked_query, checked_suggestion, checked_text

GOOD = ContextQuery("ferry")


def test_what_makes_sense_passes(now):
    for query in (
        GOOD,
        replace(GOOD, limit=50, budget_tokens=32_000, scope="work", kinds=tuple(EntryKind)),
        replace(GOOD, since=now, until=now),
    ):
        assert checked_query(query) is query
    assert checked_query(budget_tokens=100).budget_tokens == 100
    assert checked_text("", may_be_empty=True) == ""
    for outcome in (Outcome("q", is_adopted=False), Outcome("q", fields_total=3, fields_edited=3, cited=("a",) * 200)):
        assert checked_outcome(outcome) is outcome


@pytest.mark.parametrize(
    "changes",
    [
        {"text": ""}, {"text": "\n"}, {"text": "x" * 4_001}, {"limit": 0}, {"limit": 51}, {"limit": -1},
        {"budget_tokens": 49}, {"budget_tokens": 32_001}, {"scope": ""}, {"scope": "x" * 4_001},
        {"kinds": (EntryKind.NOTE,) * 21},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(changes):
    with pytest.raises(BadInput):
        checked_query(replace(GOOD, **changes))


def test_a_span_does_not_end_before_it_begins(now):
    with pytest.raises(BadInput):
        checked_query(replace(GOOD, since=now, until=now - timedelta(seconds=1)))


@pytest.mark.parametrize(
    "suggestion",
    [
        Suggestion(""),
        Suggestion(" \n"),
        Suggestion("x" * 20_001),
        Suggestion("x", "t" * 301),
        Suggestion("x", "", "r" * 2_001),
    ],
)
def test_a_suggestion_is_a_note_at_most(suggestion):
    with pytest.raises(BadInput):
        checked_suggestion(suggestion)


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("q", cited=("a",) * 201), Outcome("q", fields_total=-1), Outcome("q", fields_total=3),
        Outcome("q", fields_total=100_001, fields_edited=1), Outcome("q"),
        Outcome("q", fields_edited=1), Outcome("q", fields_total=1, fields_edited=2),
    ],
)  # fmt: skip
def test_an_outcome_can_be_true(outcome):
    with pytest.raises(BadInput):
        checked_outcome(outcome)


def test_the_log_keeps_no_more_than_could_be_asked():
    assert as_logged(None) is None
    assert len(as_logged("x" * 10_000)) == 4_000
