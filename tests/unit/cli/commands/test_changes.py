"""`famulus changes` (G2.6)."""

from __future__ import annotations

from dataclasses import replace

from app.domain.changes import ChangeInfo
from app.domain.text import msg
from tests.unit.cli.conftest import MOMENT

CHANGE = ChangeInfo(
    change_id=7,
    at=MOMENT,
    effective_at=MOMENT,
    kind="cancel",
    subject="entry",
    title="Berlin trip",
    source_uri="mail:1",
    reason=msg("Cancelled by “{title}” of {date}", title="Bad news", date="2025-05-11"),
    actor="supersession",
    rule_version="supersession-1",
    cause_title="Bad news",
    cause_uri="mail:2",
    before={"status": None, "valid_to": None},
    after={"status": "canceled", "valid_to": "2025-05-11T01:00:00.000000Z[+08:00]", "stale_reason": "x"},
)


def test_changes_are_listed_with_their_reasons(shell, api):
    api.answers["changes"] = [CHANGE, replace(CHANGE, change_id=8, is_suggestion=True, undone_by="owner")]
    said = shell("changes", "list", "-n", "5", "--all")
    assert "7  2025-05-12  Berlin trip: Cancelled by “Bad news” of 2025-05-11" in said
    assert "(only suggested)  (taken back)" in said
    assert api.asked("changes") == [((), {"limit": 5, "include_undone": True})]
    assert shell.json("changes", "list")[0]["kind"] == "cancel"


def test_nothing_was_changed(shell, api):
    api.answers["changes"] = []
    assert "Nothing was changed." in shell("changes", "list")


def test_one_change_is_shown_with_what_was_there_before(shell, api):
    api.answers["change"] = CHANGE
    said = shell("changes", "show", "7")
    assert "status: – → canceled" in said
    assert "valid_to: – → 2025-05-11T09:00:00+08:00" in said
    assert "mail:2" in said
    assert "stale_reason" not in said


def test_a_change_is_taken_back(shell, api):
    api.answers["undo_change"] = replace(CHANGE, undone_by="owner")
    assert "Taken back: Berlin trip" in shell("changes", "undo", "7")
    assert api.asked("undo_change") == [((7,), {})]
