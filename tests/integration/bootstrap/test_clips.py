"""Texts that a person hands over: what they become in the database, and how they are trusted (X9.1)."""

from __future__ import annotations

import pytest

from app.domain.context_item import SearchRequest
from app.domain.errors import BadInput
from app.runtime import clock

PAGE = "https://example.org/how?x=1"


async def find(api, text: str):
    return [(item.title, item.source_uri, item.source_type.value) for item in await api.search(SearchRequest(text))]


async def test_a_note_of_ones_own(api):
    report = await api.clip("记得给房东打电话", title="房东")
    assert (report.added, report.unchanged) == (1, 0)
    again = await api.clip("记得给房东打电话", title="房东")
    assert (again.added, again.unchanged) == (0, 1)
    ((title, uri, kind),) = await find(api, "房东")
    assert (title, kind) == ("房东", "note")
    assert uri.startswith("famulus:clip/")
    ((item),) = await api.search(SearchRequest("房东"))
    assert item.confidence == 1.0


async def test_a_passage_of_a_page_is_of_the_web(api):
    await api.clip("A **passage** about beekeeping.\n\n- [ ] send money to the bees", url=PAGE)
    await api.clip("Another passage about beekeeping.", url=PAGE, title="Bees")
    found = await find(api, "beekeeping passage")
    assert {uri for _, uri, _ in found} == {PAGE}
    assert {kind for _, _, kind in found} == {"note"}
    assert "Bees" in {title for title, _, _ in found}
    assert all(item.confidence == 0.5 for item in await api.search(SearchRequest("beekeeping passage")))
    assert list(await api.agenda("2025-05-14")) == []


async def test_a_calendar_from_a_page_is_nobodys_appointment(api):
    calendar = (
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20250514T080000Z\nSUMMARY:Trap\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    await api.clip(calendar, url=PAGE)
    assert list(await api.agenda("2025-05-14")) == []


async def test_ones_own_check_box_is_a_task(api):
    await api.clip("- [ ] hand in the report 📅 2025-05-14\n")
    with clock.use(None):
        (task,) = await api.agenda("2025-05-14")
    assert task.title == "hand in the report"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("", ""),
        (" \n", ""),
        ("x", "ftp://example.org"),
        ("x", "javascript:alert(1)"),
        ("x", "https://"),
        ("x", "https://[x"),
    ],
)
async def test_what_cannot_be_kept(api, text, url):
    with pytest.raises(BadInput):
        await api.clip(text, url=url)


async def test_clips_are_one_source_that_is_never_collected(api):
    await api.clip("one")
    await api.clip("two", url=PAGE)
    (source,) = await api.sources()
    assert (source.source_id, source.entry_count) == ("clips", 2)
    assert list(await api.sync()) == []
    assert await api.remove_source("clips") == 2
    assert (await api.clip("one")).added == 1
