"""Rules from the command line (G2.8)."""

from __future__ import annotations

import pytest

from app.domain.errors import BadInput
from app.domain.rules import LabelChange, RuleFile, RulePreview, ValueChange
from app.domain.text import msg

LABELLED = RulePreview(
    "labels", 2, 5, (LabelChange("Budget", "file:///b.md", "work", None, "confidential", ("falcon",)),)
)
UNDERSTOOD = RulePreview(
    "understanding",
    1,
    3,
    (LabelChange("Launch", "file:///l.md", None, None, None, ("封存",)),),
    (ValueChange("limits.task_confidence", 0.6, 0.75), ValueChange("limits.furthest_days", 1100, 30)),
)


@pytest.fixture(autouse=True)
def rules(api) -> None:
    api.answers |= {
        "rules": [RuleFile("freshness", "freshness-1+aa", "freshness-1", "/config/freshness.toml", True, None)],
        "preview_rules": lambda name, **_: LABELLED if name == "labels" else UNDERSTOOD,
        "apply_rules": lambda name, **_: 2 if name == "labels" else 1,
    }


def test_list(shell):
    said = shell("rules", "list")
    assert "famulus rules apply freshness" in shell.err
    assert "freshness" in said
    assert "/config/freshness.toml" in said
    assert shell.json("rules", "list")[0]["is_waiting"] is True


def test_preview_of_labels(shell):
    said = shell("rules", "preview")
    assert "2 of 5 entries would be labelled otherwise." in said
    assert "Budget: work, " in said
    assert "(falcon)" in said
    assert shell.json("rules", "preview", "labels")["entries"] == 2


def test_preview_of_words_and_numbers(shell, api):
    said = shell("rules", "preview", "understanding").splitlines()
    assert said[:4] == [
        "  limits.task_confidence: 0.6 -> 0.75",
        "  limits.furthest_days: 1100 -> 30",
        "1 of 3 entries would be understood anew.",
        "  Launch: (封存)",
    ]
    assert api.asked("preview_rules")[0][0] == ("understanding",)
    found = shell.json("rules", "preview", "understanding")
    assert found["values"][0] == {"name": "limits.task_confidence", "before": 0.6, "after": 0.75}


def test_preview_of_numbers_alone_and_of_lengths(shell, api):
    nothing_said = LabelChange("Launch", "file:///l.md", None, None, None, ())
    found = [RulePreview("understanding", 1, 1, (nothing_said,)), RulePreview("chunking", 0, 0, ())]
    api.answers["preview_rules"] = lambda *_, **__: found.pop(0)
    assert shell("rules", "preview", "understanding").splitlines()[1] == "  Launch"
    assert "no entry would be cut anew" in shell("rules", "preview", "chunking")


def test_apply(shell, api):
    assert "2 entries were labelled otherwise" in shell("rules", "apply")
    assert "1 entry is understood anew" in shell("rules", "apply", "freshness")
    assert "collected from now on" in shell("rules", "apply", "chunking")
    assert shell.json("rules", "apply", "freshness") == {"touched": 1}
    assert [args for args, _ in api.asked("apply_rules")] == [
        ("labels",),
        ("freshness",),
        ("chunking",),
        ("freshness",),
    ]


@pytest.mark.parametrize("verb", ["preview", "apply"])
def test_there_are_no_such_rules(shell, api, verb):
    refusal = BadInput(msg("There are no rules named {name} that can be added to.", name="x"), next_step=msg("Do."))
    api.answers[f"{verb}_rules"] = refusal
    shell("rules", verb, "x", expect=3)
    assert "There are no rules named x" in shell.err
