"""The log of requests, and the registry of clients (G7, G8.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.clients import ClientInfo, ClientState
from app.domain.labels import Sensitivity
from app.domain.serving import Outcome, Suggestion
from app.store import audit_rows, client_rows, request_log
from app.store.audit_rows import AuditScope
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
        report = audit_rows.audit(reader, AuditScope(now - timedelta(days=2)), now, limit=2)
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
        assert audit_rows.audit(tx, AuditScope(now, info.name), now, limit=5).lines[0].action == "allow"
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


def test_one_question_tells_what_all_clients_read_without_the_person(database, log, now):
    log("a", "Desk", items=_items("e1", "e2"))
    log("b", "owner", items=_items("e9"))
    log("c", "Other", items=_items("e1"), refusal=None)
    log("d", "Gone", ago=timedelta(days=9), items=_items("e3"))
    scope = AuditScope(now - timedelta(days=2), is_own_included=False)
    with database.reader() as reader:
        report = audit_rows.audit(reader, scope, now, limit=5)
        assert (report.requests, report.items, report.entries) == (2, 3, 2)
        assert [line.request_id for line in report.lines] == ["a", "c"]
        assert report.clients == ("Desk", "Other", "owner")
        assert audit_rows.names_in_log(reader) == ["Desk", "Gone", "Other", "owner"]
        everybody = audit_rows.audit(reader, AuditScope(scope.since), now, limit=5)
        assert (everybody.requests, everybody.items) == (3, 4)


def test_lines_come_page_by_page_in_one_order(database, log, now):
    for number in range(30):
        log(f"r{number:02}", ago=timedelta(minutes=number // 3), items=_items("e1"))
    scope = AuditScope(now - timedelta(days=1))
    with database.reader() as reader:
        whole = audit_rows.audit(reader, scope, now, limit=100).lines
        pages = [audit_rows.audit(reader, scope, now, limit=7, skip=skip).lines for skip in range(0, 35, 7)]
    assert [line.request_id for line in whole] == [f"r{number:02}" for number in range(30)]
    assert [line for page in pages for line in page] == list(whole)


@pytest.mark.parametrize("client", [None, "Desk"])
def test_a_small_part_of_a_long_log_is_found_by_its_index(database, log, now, client):
    for number in range(120):
        log(f"o{number}", ago=timedelta(days=30), items=_items("e7"))
    log("n", items=_items("e1"))
    with database.reader() as reader:
        report = audit_rows.audit(reader, AuditScope(now - timedelta(days=1), client), now, limit=5)
        assert (report.requests, report.items, report.entries) == (1, 1, 1)


def test_the_cost_of_an_audit_does_not_grow_with_the_number_of_clients(database, log, now):
    """As many statements for twenty clients as for one."""
    counts = []
    for clients in (1, 20):
        for number in range(clients):
            log(f"{clients}-{number}", f"Agent {number}", items=_items("e1"))
        with database.reader() as reader:
            said = []
            reader._raw.set_trace_callback(said.append)
            audit_rows.audit(reader, AuditScope(now - timedelta(days=1), is_own_included=False), now, limit=100)
            reader._raw.set_trace_callback(None)
        counts.append(len(said))
    assert counts[0] == counts[1]
