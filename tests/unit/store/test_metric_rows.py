"""What the metrics are counted from (G7, G7.2)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.clients import Grant
from app.domain.labels import Sensitivity
from app.domain.records import Subject
from app.domain.serving import Outcome
from app.domain.text import msg
from app.metrics.counts import outcome_counts
from app.store import layer_rows, metric_rows
from app.store.change_rows import NewChange, make_change, undo_change
from app.store.metric_rows import Span
from app.store.request_log import HandedOut, LoggedRequest, put_outcome, put_request
from app.store.rows import stamp
from app.store.source_rows import mark_synced
from app.store.writes import note_rules
from tests.unit.store.makers import WRITTEN_AT, store_text

HOUR = timedelta(hours=1)


@pytest.fixture
def span(now):
    return Span(now - 24 * HOUR, now + 24 * HOUR)


@pytest.fixture
def log(database, now):
    """Logs a request for some items at a time."""

    def put(request_id, *item_ids, at=now, action="search", stale=(), **more):
        items = tuple(HandedOut(one, 0.5, one in stale, Sensitivity.INTERNAL) for one in item_ids)
        with database.write() as tx:
            put_request(tx, LoggedRequest(request_id, at, "owner", action, "key?", items=items, **more))

    return put


def expired(database, span):
    with database.reader() as reader:
        return {row.request_id: (row.expired, row.items) for row in metric_rows.injections(reader, span)}


def change(database, entry_id, at, effective_at, *, chunk_id=None, is_suggestion=False):
    with database.write() as tx:
        note_rules(tx, "supersession-1", now=at)
        return make_change(
            tx,
            NewChange(
                Subject.ENTRY if chunk_id is None else Subject.CHUNK,
                chunk_id or entry_id,
                entry_id,
                after={"stale_reason": '["Moved", {}]'},
                reason=msg("Moved"),
                actor="supersession",
                rule_version="supersession-1",
                at=at,
                effective_at=effective_at,
                kind="move",
                is_suggestion=is_suggestion,
            ),
        )


def chunk_of(database, entry_id):
    with database.reader() as reader:
        return reader.value("SELECT min(chunk_id) FROM chunk WHERE entry_id = ?", entry_id)


def test_requests_of_a_span(database, log, now, span):
    log("early", at=now - 25 * HOUR)
    log("one", "e1", ranking="ranking-2")
    log("late", at=now + 24 * HOUR)
    with database.reader() as reader:
        (row,) = metric_rows.requests(reader, span)
        assert (row.request_id, row.client, row.query, row.items, row.ranking) == (
            "one",
            "owner",
            "key?",
            1,
            "ranking-2",
        )
        assert metric_rows.has_requests(reader, span)
        assert not metric_rows.has_requests(reader, Span(now + HOUR, now + 2 * HOUR))


def test_what_is_stale_when_it_is_handed_out_is_expired(database, log, span):
    one, other = store_text(database, "a.md", "One"), store_text(database, "b.md", "Other")
    log("r", f"e{one}", f"e{other}", stale=(f"e{one}",))
    assert expired(database, span) == {"r": (1, 2)}


def test_what_was_asked_for_is_not_counted(database, log, span):
    one = store_text(database, "a.md", "One")
    log("asked", f"e{one}", stale=(f"e{one}",), include_stale=True)
    log("by id", f"e{one}", stale=(f"e{one}",), action="item")
    assert expired(database, span) == {}


def test_what_turns_out_to_have_been_invalid_then_is_expired(database, log, now, span):
    one = store_text(database, "a.md", "One")
    log("r", f"e{one}")
    change_id = change(database, one, now + HOUR, now - HOUR)
    assert expired(database, span) == {"r": (1, 1)}
    with database.write() as tx:
        undo_change(tx, change_id, now=now + 2 * HOUR)
    assert expired(database, span) == {"r": (0, 1)}


@pytest.mark.parametrize("hours", [(1, 1), (1, 0.5), (-1, -2)])
def test_what_became_invalid_later_or_was_labelled_so_was_not_expired_then(database, log, now, span, hours):
    one = store_text(database, "a.md", "One")
    log("r", f"e{one}")
    change(database, one, now + hours[0] * HOUR, now + hours[1] * HOUR)
    assert expired(database, span) == {"r": (0, 1)}


def test_a_suggestion_is_no_expiry(database, log, now, span):
    one = store_text(database, "a.md", "One")
    log("r", f"e{one}")
    change(database, one, now + HOUR, now - HOUR, is_suggestion=True)
    assert expired(database, span) == {"r": (0, 1)}


def test_of_an_entry_the_passage_that_was_handed_out_counts(database, log, now, span):
    one = store_text(database, "a.md", "First", "Second")
    first = chunk_of(database, one)
    log("first", f"c{first}")
    log("second", f"c{first + 1}")
    change(database, one, now + HOUR, now - HOUR, chunk_id=first)
    assert expired(database, span) == {"first": (1, 1), "second": (0, 1)}


def test_an_old_version_is_expired_where_its_source_had_a_newer_one(database, log, now, span):
    one = store_text(database, "a.md", "One", now=now - 2 * HOUR)
    log("r", f"e{one}")
    store_text(database, "a.md", "Two", now=now + HOUR, entry={"updated_at": now - HOUR})
    assert expired(database, span) == {"r": (1, 1)}


def test_a_version_that_came_later_expires_nothing(database, log, now, span):
    one = store_text(database, "a.md", "One", now=now - 2 * HOUR)
    log("r", f"e{one}")
    store_text(database, "a.md", "Two", now=now + 2 * HOUR, entry={"updated_at": now + HOUR})
    assert expired(database, span) == {"r": (0, 1)}


def test_all_that_was_said_of_a_request_comes_with_what_was_said_in_the_span(database, log, now, span):
    log("r", at=now - 40 * HOUR, ranking="ranking-2")
    log("other", at=now - 40 * HOUR)
    with database.write() as tx:
        for request_id, success, at in (
            ("r", False, now - 30 * HOUR),
            ("r", True, now),
            ("other", True, now - 30 * HOUR),
        ):
            put_outcome(tx, Outcome(request_id, is_success=success), actor="owner", cited=(), now=at)
    with database.reader() as reader:
        found = metric_rows.outcomes(reader, span)
    assert [(row.request_id, row.is_success, row.ranking) for row in found] == [
        ("r", False, "ranking-2"),
        ("r", True, "ranking-2"),
    ]


def test_what_the_person_says_of_an_answer_stands_whatever_its_client_says_later(database, log, now, span):
    log("r", at=now - HOUR)
    with database.write() as tx:
        for actor, success, minutes in (("bot", True, 1), ("owner", False, 2), ("bot", True, 3)):
            said = Outcome("r", is_success=success)
            put_outcome(tx, said, actor=actor, cited=(), now=now - HOUR + timedelta(minutes=minutes))
    with database.reader() as reader:
        counted = outcome_counts(metric_rows.outcomes(reader, span))
    assert [(one.part, one.whole, one.at) for one in counted] == [(0, 1, now - HOUR + timedelta(minutes=2))]


def test_what_was_handed_out_and_cited_is_told_by_the_current_entry(database, log, now):
    one, other = store_text(database, "a.md", "One"), store_text(database, "b.md", "Other")
    gone = 999
    log("r", f"e{one}", f"e{other}", f"e{gone}")
    with database.write() as tx:
        put_outcome(tx, Outcome("r"), actor="owner", cited=(f"e{one}",), now=now)
    newer = store_text(database, "a.md", "Newer", now=now)
    with database.reader() as reader:
        found = metric_rows.handed_out(reader, ["r"])
    assert {(row.entry_id, row.is_cited) for row in found} == {(newer, True), (other, False)}


def test_an_outcome_without_citations_tells_nothing_of_them(database, log, now):
    one = store_text(database, "a.md", "One")
    log("r", f"e{one}")
    with database.write() as tx:
        put_outcome(tx, Outcome("r", is_success=True), actor="owner", cited=(), now=now)
    with database.reader() as reader:
        assert metric_rows.handed_out(reader, ["r"])[0].is_cited is None


def test_questions_that_were_asked_lately(database, log, now):
    log("1", at=now - 2 * HOUR)
    log("2", at=now)
    log("3", at=now, action="agenda")
    log("4", at=now, refusal="refused")
    with database.reader() as reader:
        assert metric_rows.asked_lately(reader, limit=5) == [("key?", now, "owner")]


def test_holdings_and_sources(database, now):
    store_text(database, "a.md", "One")
    store_text(database, "b.md")
    store_text(database, "a.md", "Newer", now=now)
    with database.write() as tx:
        mark_synced(tx, "notes", now=now)
    with database.reader() as reader:
        held = layer_rows.holdings(reader)
        assert (held.entries, held.with_passages, held.repeating) == (2, 1, 0)
        assert layer_rows.source_rows(reader) == [layer_rows.SourceRow(False, False, now)]


def test_a_duplicate_is_counted_once(database):
    ids = [store_text(database, f"{name}.md", "The same") for name in "abc"]
    with database.write() as tx:
        note_rules(tx, "likeness-1", now=WRITTEN_AT)
        pairs = [(ids[0], ids[1], "copy"), (ids[0], ids[2], "near"), (ids[1], ids[2], "copy")]
        tx.run_many("INSERT INTO likeness VALUES (?, ?, ?, 1.0, 'likeness-1')", pairs)
    with database.reader() as reader:
        assert layer_rows.holdings(reader).repeating == 2


def test_delays_are_of_what_changed_after_its_source_came(database, now, span):
    store_text(database, "old.md", "Old", now=now)
    store_text(database, "new.md", "New", now=now, entry={"updated_at": now - timedelta(seconds=90)})
    with database.reader() as reader:
        assert layer_rows.delays_s(reader, span) == [90.0]


def test_changes_and_what_a_person_took_back(database, now, span):
    ids = [store_text(database, f"{name}.md", name) for name in "abc"]
    made = [change(database, entry_id, now, now) for entry_id in ids]
    change(database, ids[0], now, now, chunk_id=chunk_of(database, ids[0]))
    with database.write() as tx:
        undo_change(tx, made[1], now=now)
        undo_change(tx, made[2], now=now, by="source")
    with database.reader() as reader:
        assert layer_rows.change_counts(reader, span) == [
            layer_rows.ChangeCount("supersession", "supersession-1", "move", 3, 1)
        ]
        assert layer_rows.rule_versions(reader, span) == [("supersession-1", now)]
        assert layer_rows.merge_count(reader, span) == layer_rows.MergeCount(0, 0)
        assert layer_rows.model_counts(reader) == []


def test_what_clients_may_see(database, now):
    grant = Grant(frozenset({"work"}), Sensitivity.PUBLIC)
    with database.write() as tx:
        tx.insert(
            "INSERT INTO client"
            " (name, state, seal_key, scopes, acls, ceiling, rate_per_minute, items_per_day, created_at)"
            " VALUES ('agent', 'active', x'00', '[\"work\"]', '[\"owner\"]', 0, 1, 1, ?)",
            stamp(now),
        )
    with database.reader() as reader:
        found = metric_rows.grants(reader)["agent"]
    assert (found.scopes, found.acls, found.ceiling) == (grant.scopes, grant.acls, int(grant.ceiling))
