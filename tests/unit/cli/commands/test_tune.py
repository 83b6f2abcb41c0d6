"""`famulus tune`: shown first, put in force on consent (G7)."""

from __future__ import annotations

import click
import pytest

from app.cli import passphrase
from app.domain.metrics import TuningProposal, WeightChange
from app.domain.text import msg

BETTER = TuningProposal("abc", (WeightChange("final.freshness", 0.2, 0.5),), 21, 9, 0.8, 0.9, 0.5, 0.75, is_better=True)
NONE = TuningProposal("", (), 3, 1, None, None, None, None, is_better=False, reason=msg("Too few marks."))


@pytest.fixture(autouse=True)
def tuning(api):
    api.answers |= {"propose_tuning": BETTER, "apply_tuning": "ranking-2+abcd1234", "reset_tuning": "ranking-2"}


def test_a_proposal_is_shown_and_not_applied(shell, api):
    said = shell("tune")
    assert "final.freshness: 0.2 -> 0.5" in said
    assert "Learned from 21 marked questions, measured on 9 others." in said
    assert "Wanted entries among the first ten: 80.0%, then 90.0%" in said
    assert "Their order (nDCG@10): 0.500, then 0.750" in said
    assert api.asked("apply_tuning") == []
    found = shell.json("tune")
    assert (found["proposal_id"], found["applied"]) == ("abc", None)


def test_it_is_applied_on_consent(shell, api, monkeypatch):
    asked = []
    monkeypatch.setattr(passphrase, "can_ask", lambda: True)
    monkeypatch.setattr(click, "confirm", lambda *words, **_: asked.append(words))
    assert "In force: ranking-2+abcd1234" in shell("tune", "--apply")
    assert len(asked) == 1
    assert api.asked("apply_tuning") == [(("abc",), {})]
    assert shell.json("tune", "--apply", "--yes")["applied"] == "ranking-2+abcd1234"
    assert len(asked) == 1


def test_nothing_is_applied_where_nobody_can_be_asked(shell, api, monkeypatch):
    monkeypatch.setattr(passphrase, "can_ask", lambda: False)
    shell("tune", "--apply", expect=3)
    assert "Add --yes." in shell.err
    assert api.asked("apply_tuning") == []


def test_what_is_no_better_is_not_applied(shell, api):
    api.answers["propose_tuning"] = NONE
    assert shell("tune") == "Too few marks.\n"
    shell("tune", "--apply", "--yes", expect=3)
    assert api.asked("apply_tuning") == []


def test_reset(shell, api):
    assert shell("tune", "--reset") == "In force: ranking-2\n"
    assert shell.json("tune", "--reset") == {"ranking": "ranking-2"}
    shell("tune", "--reset", "--apply", expect=2)
    assert api.asked("propose_tuning") == []
