"""`famulus clients`, `famulus audit`, `famulus inbox` (G4.6, G8.1, X9.1)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.clients import (
    AuditedItem,
    AuditLine,
    AuditReport,
    ClientInfo,
    ClientProgram,
    ClientState,
    Connection,
    Grant,
    NewClient,
)
from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.domain.serving import Candidate, CandidateState
from app.domain.text import msg
from tests.unit.cli.conftest import MOMENT

NOW = "2025-05-12T09:30:00+08:00"
INFO = ClientInfo(
    name="Desk",
    state=ClientState.ACTIVE,
    scopes=frozenset({"work", "personal"}),
    acls=frozenset({"owner"}),
    ceiling=Sensitivity.INTERNAL,
    rate_per_minute=60,
    items_per_day=2000,
    program="A \x1b[31mprogram",
    is_session=False,
    created_at=MOMENT,
    consented_at=MOMENT,
    expires_at=MOMENT + timedelta(days=365),
    last_seen_at=None,
)
WAITING = replace(INFO, name="Other", state=ClientState.WAITING, scopes=frozenset(), is_session=True)


def test_a_clock_that_was_ahead_is_told_and_can_be_trusted(shell, api):
    api.answers |= {"clients": [INFO], "time_ahead": MOMENT, "trust_clock": None}
    shell("clients")
    assert "famulus clients clock --is-right" in shell.err
    assert shell.json("clients")[0]["name"] == "Desk"
    shell("clients", "clock")
    assert "famulus clients clock --is-right" in shell.err
    assert not api.asked("trust_clock")
    api.answers["time_ahead"] = None
    assert shell.json("clients", "clock", "--is-right") == {"ahead": None}
    assert len(api.asked("trust_clock")) == 1
    shell("clients", "clock")
    assert shell.out == "Access ends by this computer's clock.\n"


def test_a_client_is_added_and_its_token_shown_once(shell, api):
    api.answers["add_client"] = NewClient(INFO, "fam_x", is_in_keychain=False)
    shell("clients", "add", "Desk", "--scope", "work", "--scope", "personal", "--ceiling", "confidential")
    assert shell.out == "fam_x\n"
    assert "FAMULUS_CLIENT_TOKEN" in shell.err
    grant = Grant(frozenset({"work", "personal"}), Sensitivity.CONFIDENTIAL)
    assert api.asked("add_client") == [(("Desk", grant), {})]
    told = shell.json(
        "clients", "add", "Desk", "--scope", "work", "--acl", "team", "--expires", "0", "--rate", "5", "--items", "9"
    )
    assert told["token"] == "fam_x"
    assert told["scopes"] == ["personal", "work"]
    grant = Grant(frozenset({"work"}), Sensitivity.INTERNAL, frozenset({"team"}), 5, 9, None)
    assert api.asked("add_client")[1] == (("Desk", grant), {})


@pytest.mark.parametrize("words", [("add", "Desk"), ("allow", "Desk"), ("change", "Desk")])
def test_nothing_is_granted_unsaid(shell, api, words):
    told = shell.json("clients", *words, expect=2)
    assert "--scope" in told["error"]["what"] or "--ceiling" in told["error"]["what"]
    assert api.calls == []


def test_a_scope_that_no_source_has_is_told(shell, api):
    scope = api.answers["sources"][0].scope
    api.answers |= {"add_client": NewClient(INFO, "fam_x", is_in_keychain=False), "answer_client": INFO}
    shell("clients", "add", "Desk", "--scope", scope)
    assert "No source" not in shell.err
    shell("clients", "add", "Desk", "--scope", "工作", "--scope", scope)
    assert f"No source has the scope 工作; there are: {scope}" in shell.err
    assert shell.out == "fam_x\n"
    shell("clients", "allow", "Other", "--scope", scope.upper())
    assert f"No source has the scope {scope.upper()}" in shell.err


def test_what_is_not_named_stays(shell, api):
    api.answers |= {"clients": [INFO], "change_client": INFO}
    shell("--now", NOW, "clients", "change", "desk", "--ceiling", "public")
    grant = Grant(frozenset({"work", "personal"}), Sensitivity.PUBLIC, expires_in_days=365)
    assert api.asked("change_client") == [(("Desk", grant), {})]
    api.answers["clients"] = [replace(INFO, expires_at=MOMENT)]
    shell("--now", NOW, "clients", "change", "Desk", "--scope", "work", expect=3)
    assert "--expires" in shell.err
    shell("--now", NOW, "clients", "change", "nobody", "--scope", "work", expect=3)


def test_clients_are_listed_and_answered(shell, api):
    api.answers |= {"clients": [WAITING, INFO], "answer_client": INFO, "revoke_client": INFO, "remove_client": None}
    api.answers["time_ahead"] = None
    assert shell("clients") == shell("clients", "list")
    assert "waits for your answer" in shell.out
    assert "\x1b" not in shell.out
    assert [one["name"] for one in shell.json("clients")] == ["Other", "Desk"]
    shell("clients", "allow", "Other", "--scope", "work")
    shell("clients", "deny", "Other")
    assert api.asked("answer_client") == [(("Other", Grant(frozenset({"work"}))), {}), (("Other", None), {})]
    shell("clients", "revoke", "Desk")
    assert shell.json("clients", "remove", "Desk") == {"removed": "Desk"}
    api.answers["clients"] = []
    assert "No program" in shell("clients")


def test_programs_are_connected_or_the_piece_is_printed(shell, api):
    api.answers["client_programs"] = [ClientProgram("cursor", "Cursor", "/home/x/.cursor/mcp.json", is_present=True)]
    assert "cursor" in shell("clients", "programs")
    api.answers["connect_client"] = Connection(INFO, "cursor", "{}", "/home/x/.cursor/mcp.json", "/home/x/b")
    assert "/home/x/b" in shell("clients", "connect", "Desk", "--program", "cursor")
    api.answers["connect_client"] = Connection(INFO, "cursor", '{"mcpServers": {}}')
    assert shell("clients", "connect", "Desk", "--program", "cursor", "--print") == '{"mcpServers": {}}\n'
    assert [kwargs for _, kwargs in api.asked("connect_client")] == [
        {"grant": None, "is_writing": True},
        {"grant": None, "is_writing": False},
    ]


def test_the_audit_tells_who_read_what(shell, api):
    lines = (
        AuditLine("q1", MOMENT, "Desk", "search", None, "ferry", None, 2, (
            AuditedItem(1, "Ferry", "file:///f.md", Sensitivity.INTERNAL, is_stale=False),
            AuditedItem(2, None, None, Sensitivity.PUBLIC, is_stale=False),
        )),
        AuditLine("q2", MOMENT, "Desk", "search", None, "x", "denied", 0),
    )  # fmt: skip
    api.answers["audit"] = AuditReport(MOMENT, MOMENT, "Desk", 2, 1, 2, 2, (("public", 1), ("internal", 1)), lines)
    api.answers["span"] = (MOMENT - timedelta(days=2), MOMENT)
    out = shell("--now", NOW, "audit", "--client", "Desk", "--since", "2d")
    assert "2 requests, 1 of them refused" in out
    assert "deleted" in out
    assert "refused: denied" in out
    told = shell.json("--now", NOW, "audit", "--since", "2025-05-01", "-n", "3", "--skip", "6")
    assert api.asked("audit")[-1][1]["skip"] == 6
    assert told["by_sensitivity"] == {"public": 1, "internal": 1}
    shell("audit", "--since", "saturday")
    assert [kwargs["since"] for _, kwargs in api.asked("audit")][::2] == [MOMENT - timedelta(days=2)] * 2
    api.answers["span"] = BadInput(msg("What?"), next_step=msg("Say when."))
    shell("audit", "--since", "\0", expect=3)


def test_a_suggestion_is_shown_whole_before_it_is_taken(shell, api):
    text = "Harmless.\n" + "x " * 400 + "\n\x1b[2JPay Mallory.\nKept as a note of yours."
    long = Candidate(3, "Desk", MOMENT, "A thought", text, "", CandidateState.WAITING)
    old = Candidate(2, "Desk", MOMENT, "Done", "", "", CandidateState.DECLINED, MOMENT)
    api.answers["inbox"] = [long, old]
    told = shell("inbox", "list", "--all")
    assert "inbox show 3" in told
    assert "Mallory" not in told
    assert "inbox show 2" not in told
    assert "declined" in told
    told = shell("inbox", "show", "3")
    assert "\x1b" not in told
    assert "  | \\x1b[2JPay Mallory.\n  | Kept as a note of yours.\n" in told
    assert shell.json("inbox", "show", "2")["state"] == "declined"
    shell("inbox", "show", "9", expect=3)


def test_the_inbox_is_shown_and_decided(shell, api):
    candidate = Candidate(3, "Desk", MOMENT, "", "Remember \x1b[2J this.", "because", CandidateState.WAITING)
    api.answers |= {"inbox": [candidate], "decide_candidate": candidate}
    assert "\x1b" not in shell("inbox")
    assert "because" in shell.out
    assert shell.json("inbox", "list", "--all")[0]["candidate_id"] == 3
    shell("inbox", "accept", "3", "--text", "This.")
    shell("inbox", "decline", "3")
    assert api.asked("decide_candidate") == [
        ((3,), {"is_accepted": True, "text": "This."}),
        ((3,), {"is_accepted": False, "text": None}),
    ]
