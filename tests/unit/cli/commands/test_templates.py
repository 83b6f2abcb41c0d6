"""`famulus templates` and `famulus prepare` (G4.5)."""

from __future__ import annotations

import json

from app.domain.serving import Briefing, BriefingPart, TemplateField, TemplateInfo
from app.domain.text import Text, msg
from tests.unit.cli.conftest import item


def info(name: str = "trip", **changes: object) -> TemplateInfo:
    fields = (TemplateField("place", Text("Where."), True), TemplateField("days", Text("When."), False))
    values = {
        "name": name,
        "title": Text("Trip"),
        "meaning": Text("Bookings."),
        "fields": fields,
        "scope": None,
        "kinds": (),
        "window": "",
        "candidates": 12,
    }
    return TemplateInfo(**(values | changes))


def briefing() -> Briefing:
    part = BriefingPart(Text("Bookings"), items=(item(),))
    return Briefing("q1", "trip", Text("Trip"), Text("Put it together."), (part,), "# Trip\n")


def test_the_list_says_which_blanks_there_are(shell, api):
    api.answers["templates"] = [info(), info("mine", problem=msg("The file is no TOML."), is_own=True)]
    shell("templates")
    assert "trip: Trip" in shell.out
    assert "    place  Where." in shell.out
    assert "    days?  When." in shell.out
    assert "The file is no TOML." in shell.out + shell.err


def test_a_task_is_prepared_with_its_blanks(shell, api):
    api.answers["prepare"] = briefing()
    shell("prepare", "trip", "place=Paris", "days=next week = maybe", "--as", "bob")
    arguments, options = api.asked("prepare")[0]
    assert arguments == ("trip", {"place": "Paris", "days": "next week = maybe"})
    assert options["as_client"] == "bob"
    assert shell.out.startswith("# Trip")


def test_as_json_it_has_its_parts(shell, api):
    api.answers["prepare"] = briefing()
    shell("--json", "prepare", "trip", "place=Paris")
    found = json.loads(shell.out)
    assert found["request_id"] == "q1"
    assert found["parts"][0]["items"][0]["source_uri"] == "file:///notes/launch.md"


def test_a_word_that_is_no_blank_is_refused_before_anything_is_asked(shell, api):
    shell("prepare", "trip", "Paris", expect=3)
    assert api.asked("prepare") == []
