"""Completions offer phrases, and nothing of the person."""

from app.mcp_server.prompts import completions


def test_a_time_is_completed_in_both_languages():
    assert "this week" in completions("week", "th")
    assert completions("when", "本") == ("本周", "本月")
    assert "today" in completions("day", "")


def test_other_fields_are_not():
    assert completions("meeting", "to") == ()
