"""What a rule has come to at a moment (G2.6, G2.7)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.labels import Sensitivity, Status, Trust
from app.domain.records import RecordKind, RuleKind, RuleState
from app.domain.text import msg
from app.govern.freshness.verdicts import verdict
from app.store.freshness_rows import Effect, StoredRule
from app.store.records import StoredRecord

DUE = datetime(2025, 5, 15, tzinfo=UTC)
HOUR = timedelta(hours=1)
PLAN = StoredRecord(
    1, 1, None, 0, RecordKind.PLAN, "launch", "", None, None, None, None, None, None, False, Status.ACTIVE, None, None,
    None, None, None, None, None, None, 0.8, Trust.OWN_FILES, Sensitivity.INTERNAL, "r1", None, None,
)  # fmt: skip
TASK = replace(PLAN, record_id=2, kind=RecordKind.TASK, title="finish")
RULE = StoredRule(
    1, 1, 1, 2, RuleKind.NOT_DONE_BY, DUE, Effect(Status.PENDING, msg("late")), RuleState.ARMED, None, "r1"
)


def done(at: datetime | None) -> StoredRecord:
    return replace(TASK, status=Status.DONE, completed_at=at)


@pytest.mark.parametrize(
    ("watched", "moment", "expected"),
    [
        (TASK, DUE - HOUR, RuleState.ARMED),
        (TASK, DUE, RuleState.FIRED),
        (done(DUE - HOUR), DUE + HOUR, RuleState.DISARMED),
        (done(None), DUE + HOUR, RuleState.DISARMED),
        (done(DUE), DUE + HOUR, RuleState.FIRED),
        (replace(TASK, status=Status.CANCELED), DUE + HOUR, RuleState.DISARMED),
        (None, DUE + HOUR, RuleState.DISARMED),
    ],
)
def test_it_fires_unless_done_in_time(watched: StoredRecord | None, moment: datetime, expected: RuleState) -> None:
    assert verdict(RULE, PLAN, watched, moment) is expected


@pytest.mark.parametrize("status", [Status.CANCELED, Status.SUPERSEDED])
def test_what_is_settled_is_left_alone(status: Status) -> None:
    assert verdict(RULE, replace(PLAN, status=status), TASK, DUE) is RuleState.DISARMED


def test_what_a_person_took_back_stays_so() -> None:
    assert verdict(replace(RULE, state=RuleState.UNDONE), PLAN, TASK, DUE) is RuleState.UNDONE


def test_a_condition_may_watch_itself() -> None:
    itself = replace(PLAN, kind=RecordKind.CONDITION, status=Status.DONE, completed_at=DUE - HOUR)
    assert verdict(replace(RULE, watched_id=1), itself, itself, DUE) is RuleState.DISARMED


@given(
    st.timedeltas(timedelta(days=-400), timedelta(days=400)), st.timedeltas(timedelta(days=-400), timedelta(days=400))
)
def test_it_never_fires_before_its_time(before: timedelta, finished: timedelta) -> None:
    found = verdict(RULE, PLAN, done(DUE + finished), DUE + before)
    if found is RuleState.FIRED:
        assert before >= timedelta(0)
        assert finished >= timedelta(0)
