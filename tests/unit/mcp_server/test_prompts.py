"""Completions offer phrases, and nothing of the person."""

import re

from app.mcp_server.prompts import completions, prompt_name


def test_a_time_is_completed_in_both_languages():
    assert "this week" in completions("week", "th")
    assert completions("when", "本") == ("本周", "本月")
    assert "today" in completions("day", "")


def test_other_fields_are_not():
    assert completions("meeting", "to") == ()


def test_a_prompt_can_be_typed_whatever_its_template_is_called():
    assert prompt_name("weekly-report") == "weekly-report"
    made = {prompt_name(name) for name in ("站会", "站会 2026", "réunion", "a b", "x" * 65, "\udce9")}
    assert len(made) == 6
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in made)
    assert prompt_name("站会") == prompt_name("站会")
