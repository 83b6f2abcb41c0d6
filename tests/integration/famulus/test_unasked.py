"""What a window shows by itself, while somebody types or the minute turns, is in no log of requests (G7)."""

from __future__ import annotations

from app.domain.context_item import SearchRequest


async def test_only_what_was_asked_counts(api):
    await api.clip("The ferry leaves at nine.", title="Ferry")
    for is_asked in (False, True):
        assert await api.search(SearchRequest("ferry"), is_asked=is_asked)
        await api.agenda("2026-12-01", is_asked=is_asked)
        await api.tasks(is_asked=is_asked)
        report = await api.audit(client="owner")
        assert report.requests == (3 if is_asked else 0)
    assert [asked.query for asked in await api.asked_questions()] == ["ferry"]
