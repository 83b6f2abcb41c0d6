"""What counts as a success, a hit, an expired item, a correction (G7)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.metrics.counts import Count, hit_counts, injection_counts, marked_requests, outcome_counts
from app.store.mark_rows import MarkRow
from app.store.metric_rows import GrantRow, HandedOut, InjectionRow, OutcomeRow, RequestRow

AT = datetime(2025, 5, 12, 9, 30, tzinfo=UTC)


def outcome(request_id="r", minutes=0, **said):
    values = {"is_success": None, "is_adopted": None, "fields_total": None, "fields_edited": None}
    return OutcomeRow(request_id, AT + timedelta(minutes=minutes), "ranking-2", **(values | said))


def request(request_id="r", query="Where is the key?", client="owner", action="ask", **changes):
    values = {"is_refused": False, "items": 3, "ranking": "ranking-2"}
    return RequestRow(request_id, AT, client, action, query, **(values | changes))


def mark(entry_id, query="where is  the KEY?", **changes):
    values = {"is_wanted": True, "is_findable": True, "scope": "work", "acl": "owner", "sensitivity": 1}
    return MarkRow(query, AT, entry_id, **(values | changes))


def hits(requests, marks, handed, grants=None):
    return [(one.part, one.whole) for one in hit_counts(marked_requests(requests, marks), marks, handed, grants or {})]


def test_a_request_of_which_nothing_is_said_counts_nowhere():
    assert outcome_counts([outcome()]) == []


def test_the_last_word_counts_and_each_request_once():
    found = outcome_counts(
        [
            outcome(is_success=False, is_adopted=True, fields_total=4, fields_edited=1),
            outcome(minutes=5, is_success=True),
            outcome("other", is_success=False),
        ]
    )
    assert [(one.name, one.part, one.whole) for one in found] == [
        ("task_success", 1, 1),
        ("user_adoption", 1, 1),
        ("manual_correction", 1, 4),
        ("task_success", 0, 1),
    ]
    assert {one.at for one in found} == {AT, AT + timedelta(minutes=5)}


def test_a_count_stands_on_the_day_of_the_word_that_counts():
    found = outcome_counts([outcome(minutes=9, is_success=True), outcome(minutes=5, is_success=False)])
    assert [(one.part, one.at) for one in found] == [(0, AT + timedelta(minutes=5))]


def test_expired_items_are_a_part_of_those_handed_out():
    assert injection_counts([InjectionRow("r", AT, "ranking-2", 7, 2)]) == [
        Count("expired_context", AT, 2, 7, "ranking-2")
    ]


def test_hits_are_the_wanted_entries_that_were_handed_out():
    marks = [mark(1), mark(2), mark(3, is_wanted=False)]
    handed = [HandedOut("r", 1, None), HandedOut("r", 3, True), HandedOut("r", 9, True)]
    assert hits([request()], marks, handed) == [(1, 2)]


def test_what_its_user_left_uncited_is_no_hit():
    handed = [HandedOut("r", 1, True), HandedOut("r", 2, False)]
    assert hits([request()], [mark(1), mark(2)], handed) == [(1, 2)]


def test_a_question_counts_where_it_is_marked_and_was_searched_for():
    handed = [HandedOut("r", 1, None)]
    assert hits([request(query="Something else")], [mark(1)], handed) == []
    assert hits([request(action="agenda")], [mark(1)], handed) == []
    assert hits([request(is_refused=True)], [mark(1)], handed) == []
    assert hits([request()], [mark(1, is_wanted=False)], handed) == []


def test_what_cannot_be_found_any_more_is_not_missed():
    assert hits([request()], [mark(1, is_findable=False)], []) == []


def test_a_client_is_measured_by_what_it_may_see():
    marks = [mark(1), mark(2, scope="home"), mark(3, acl="family"), mark(4, sensitivity=3)]
    grants = {"agent": GrantRow(frozenset({"work"}), frozenset({"owner"}), 1)}
    assert hits([request(client="agent")], marks, [], grants) == [(0, 1)]
    assert hits([request(client="gone")], marks, [], grants) == []
    assert hits([request()], marks, []) == [(0, 4)]


@given(
    st.lists(
        st.builds(
            outcome,
            st.sampled_from("abc"),
            st.integers(0, 9),
            is_success=st.none() | st.booleans(),
            is_adopted=st.none() | st.booleans(),
            fields_total=st.none() | st.integers(0, 9),
            fields_edited=st.none() | st.integers(0, 9),
        )
    )
)
def test_a_part_is_never_more_than_its_whole(rows):
    assert all(0 <= one.part <= one.whole for one in outcome_counts(rows))
