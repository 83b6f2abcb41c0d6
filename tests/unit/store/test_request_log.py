"""The log of requests, and the registry of clients (G7, G8.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.clients import ClientInfo, ClientState
from app.domain.labels import Sensitivity
from app.domain.serving import Outcome, Suggestion
from app.store import client_rows, request_log
from app.store.client_rows import StoredClient
from app.store.request_log import HandedOut, LoggedRequest


@pytest.fixture
def log(database, now):
    def put(request_id, client="Desk", *, ago=timedelta(), items=(), **more):
        with database.write() as tx:
            request_log.put_request(tx, LoggedRequest(request_id, now - ago, client, "search", items=items, **more))

    return put


def _items(*ids):
    return tuple(HandedOut(one, 0.5, is_stale=False, sensitivity=Sensitivity.CONFIDENTIAL) for one in ids)


def test_what_was_handed_out_is_counted_by_client_and_time(database, log, now):
    log("a", items=_items("e1", "e2"), query="ferry\0\ud800")
    log("b", ago=timedelta(hours=25), items=_items("e1"))
    log("c", "Other", items=_items("c9"), refusal="denied")
    with database.reader() as reader:
        assert request_log.handed_out_since(reader, "Desk", now - timedelta(hours=24)) == [(now, 2)]
        assert request_log.handed_out_since(reader, "Nobody", now) == []
        report = request_log.audit(reader, now - timedelta(days=2), now, client=None, limit=2)
        assert (report.requests, report.refused, report.items, report.entries) == (3, 1, 4, 3)
        assert report.by_sensitivity == (("confidential", 4),)
        assert [line.request_id for line in report.lines] == ["a", "c"]
        assert report.lines[0].query == "ferry\ufffd\ufffd"
        assert [item.title for item in report.lines[0].items] == [None, None]
        assert request_log.asker_of(reader, "c") == "Other"
        assert request_log.asker_of(reader, "z") is None
        assert request_log.last_request(reader) == now


def test_old_lines_go_with_all_that_hangs_on_them(database, log, now):
    log("old", ago=timedelta(days=500), items=_items("e1"))
    log("new", query="ferry")
    with database.write() as tx:
        request_log.put_outcome(tx, Outcome("old", is_success=True), actor="Desk", cited=(), now=now)
        assert request_log.delete_requests_before(tx, now - timedelta(days=400)) == 1
        assert request_log.forget_queries(tx) == 1
        assert tx.value("SELECT count(*) FROM retrieval_log") == 0
        assert tx.value("SELECT count(*) FROM outcome_log") == 0
        assert tx.value("SELECT query FROM request_log") is None


def test_what_is_logged_without_its_words(database, now):
    with database.write() as tx:
        request_log.put_request(tx, LoggedRequest("a", now, "Desk", "search", query="secret"), keeps_words=False)
        assert tx.value("SELECT query FROM request_log") is None


def test_a_client_is_kept_whole_and_a_grant_for_good(database, now):
    info = ClientInfo(
        "我的助手", ClientState.ACTIVE, frozenset({"work", "家"}), frozenset({"owner"}), Sensitivity.CONFIDENTIAL, 5, 6,
        "Editor", is_session=True, created_at=now, consented_at=None, expires_at=now, last_seen_at=None,
    )  # fmt: skip
    client = StoredClient(info, "hash", b"k" * 32)
    with database.write() as tx:
        client_rows.put_client(tx, client)
        client_rows.note_grant(tx, info, "allow", now=now)
        client_rows.put_client(tx, client)
        assert client_rows.clients(tx) == [client]
        client_rows.note_seen(tx, info.name, now, "Other")
        client_rows.note_seen(tx, "nobody", now, "Other")
        assert client_rows.clients(tx)[0].info.program == "Other"
        assert client_rows.remove_sessions(tx) == 1
        assert client_rows.clients(tx) == []
        assert request_log.audit(tx, now, now, client=info.name, limit=5).lines[0].action == "allow"
    assert "hash" not in repr(client)


def test_suggestions_wait_and_are_decided(database, now):
    def put(client, suggestion, digest):
        return client_rows.put_candidate(tx, client, suggestion, digest=digest, now=now)

    with database.write() as tx:
        assert put("Desk", Suggestion("text\0", "title", "reason"), "a") == 1
        assert put("Else", Suggestion("text"), "a") == 1
        assert put("Desk", Suggestion("other"), "b") == 2
        assert client_rows.same_candidate(tx, "Desk", "b") == 2
        assert client_rows.same_candidate(tx, "Else", "b") is None
        other, elsewhere, number = (one.candidate_id for one in client_rows.candidates(tx))
        assert client_rows.waiting_candidates(tx) == 3
        assert client_rows.waiting_candidates(tx, "Desk") == 2
        client_rows.accept_candidate(tx, number, None, now=now)
        client_rows.decline_candidate(tx, other, now=now)
        assert [one.candidate_id for one in client_rows.candidates(tx)] == [elsewhere]
        assert [one.text for one in client_rows.candidates(tx, include_decided=True)] == ["other", "text", ""]
        assert client_rows.same_candidate(tx, "Desk", "a") == 1
        assert client_rows.candidate(tx, 99) is None
        assert client_rows.delete_decided_before(tx, now) == 0
        assert client_rows.delete_decided_before(tx, now + timedelta(seconds=1)) == 2
