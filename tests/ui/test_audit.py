"""What was read: a summary, the requests by day, what each got, and the way to its source."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.ui.pages.agents import audit as audit_module
from app.ui.pages.agents.audit_rows import since_of, source_in_short
from app.ui.pages.agents.page import AgentsPage
from app.ui.parts.filter_field import NOTHING_FITS
from tests.ui.demo_world import NOW
from tests.ui.stage import calm, until


async def audit_of(desk, name=None):
    page = AgentsPage(desk)
    page.resize(900, 800)
    page.show()
    page.open_section("audit")
    section = page.audit
    if name is not None:
        section.show_client(name)
    await until(lambda: section.lists)
    await calm()
    return page, section


def rows(section):
    return [row for listed in section.lists for row in listed.rows]


def test_this_week_of_one_agent_at_a_glance(stage):
    async def scenario(desk):
        _, section = await audit_of(desk, "claude-desktop")
        await until(lambda: section._report.client == "claude-desktop")
        assert section.span.key == "7"
        assert section.figures.accessibleName() == "requests: 4, refused: 0, items read: 6, different ones: 5"
        client, since, _ = [details for name, details in desk.api.calls if name == "audit"][-1]
        assert client == "claude-desktop"
        assert since == NOW - timedelta(days=7)
        titles = [(row.depth, row.title) for row in rows(section)]
        assert titles[:4] == [
            (0, "test report deadline"),
            (1, "Weekly meeting, 10 May"),
            (1, "Test plan, version 4"),
            (1, "Deleted since"),
        ]

    stage.play(scenario)


def test_what_comes_late_is_not_shown_as_what_another_agent_read(stage):
    async def scenario(desk):
        _, section = await audit_of(desk)
        audit, slow = desk.api.audit, asyncio.Event()

        async def held(*, client=None, **options):
            found = await audit(client=client, **options)
            if client == "claude-desktop":
                await slow.wait()
            return found

        desk.api.audit = held
        section.show_client("claude-desktop")
        await calm()
        section.show_client("editor")
        await until(lambda: section._report.client == "editor")
        slow.set()
        await calm()
        assert section.client.key == section._report.client == "editor"

    stage.play(scenario)


def test_the_card_of_an_agent_leads_to_what_it_read(stage):
    async def scenario(desk):
        page = AgentsPage(desk)
        page.show()
        page.refresh()
        await until(lambda: "editor" in page.clients.cards)
        page.clients.cards["editor"].audit_button.click()
        await until(lambda: page.audit._report is not None and page.audit._report.client == "editor")
        assert page.tabs.current == "audit"
        assert page.audit.client.accessibleName() == "Who: editor"

    stage.play(scenario)


def test_all_agents_together_without_what_the_person_asked(stage):
    def prepare(api):
        mine = replace(api.served.audit.lines[0], request_id="mine", client="owner", query="my own question")
        report = replace(api.served.audit, lines=(mine, *api.served.audit.lines))
        api.served = replace(api.served, audit=report)

    async def scenario(desk):
        _, section = await audit_of(desk)
        assert section.client.accessibleName() == "Who: All agents"
        assert section.figures.accessibleName() == "requests: 6, refused: 1, items read: 7, different ones: 6"
        assert "my own question" not in [row.title for row in rows(section)]
        section.client.choose("*")
        section.refresh()
        await until(lambda: "my own question" in [row.title for row in rows(section)])
        assert "you" in rows(section)[0].details
        section.client.choose("owner")
        section.refresh()
        await until(lambda: section._report.client == "owner")
        assert [row.title for row in rows(section) if row.depth == 0] == ["my own question"]

    stage.play(scenario, prepare=prepare)


def test_what_is_looked_for_is_found_among_all_and_not_only_among_what_is_shown(stage, monkeypatch):
    monkeypatch.setattr(audit_module, "_MOST_LINES", 200)

    def prepare(api):
        one = api.served.audit.lines[0]
        lines = [replace(one, request_id=str(number), query="weather", items=()) for number in range(500)]
        lines[470] = replace(lines[470], query="everything about 工资")
        api.served = replace(api.served, audit=replace(api.served.audit, lines=tuple(lines)))

    async def scenario(desk):
        _, section = await audit_of(desk)
        assert section._shown.isVisible()
        section.filter.setText("工资")
        assert not said_nothing(section), "it is not known yet"
        await until(lambda: [row.title for row in rows(section)] == ["everything about 工资"])
        assert not section._shown.isVisible()
        section.filter.setText("nobody asked this")
        await until(lambda: said_nothing(section))
        section.filter.clear()
        assert len(rows(section)) == 100

    stage.play(scenario, prepare=prepare)


def said_nothing(section):
    return any(label.isVisible() and label.text() == str(NOTHING_FITS) for label in section.findChildren(QLabel))


def test_an_agent_that_was_removed_is_still_among_them(stage):
    async def scenario(desk):
        desk.api.registered = [one for one in desk.api.registered if one.name != "editor"]
        _, section = await audit_of(desk)
        assert "editor" in section._names
        assert "everything about salaries" in [row.title for row in rows(section)]

    stage.play(scenario)


def test_a_refusal_has_its_reason_and_levels_are_a_glyph_and_a_word(stage):
    async def scenario(desk):
        _, section = await audit_of(desk)
        refused = next(row for row in rows(section) if row.title == "everything about salaries")
        assert "refused: beyond its limits" in refused.details
        assert refused.icon == "stop"
        secret = next(row for row in rows(section) if row.title == "Re: who writes the report?")
        assert (secret.icon, "confidential" in secret.details) == ("lock", True)
        stale = next(row for row in rows(section) if "no longer valid" in row.details)
        assert stale.depth == 1

    stage.play(scenario)


def test_enter_opens_the_source_and_nothing_opens_a_request(stage, monkeypatch):
    opened = []

    async def note(uri, _):
        opened.append(uri)

    monkeypatch.setattr(audit_module, "open_source", note)

    async def scenario(desk):
        page, section = await audit_of(desk)
        page.activateWindow()
        first = section.lists[0]
        section.filter.setFocus()
        QTest.keyClick(section.filter, Qt.Key.Key_Down)
        await until(first.hasFocus)
        assert first.current.title == "test report deadline"
        QTest.keyClick(first, Qt.Key.Key_Return)
        await calm()
        assert opened == []
        QTest.keyClick(first, Qt.Key.Key_Down)
        QTest.keyClick(first, Qt.Key.Key_Return)
        await until(lambda: opened)
        assert opened == ["file:///home/mei/Notes/weekly.md"]

    stage.play(scenario)


def test_words_narrow_to_requests_and_to_items(stage):
    async def scenario(desk):
        _, section = await audit_of(desk)
        section.filter.setText("manual")
        await calm()
        assert [row.title for row in rows(section)] == ["who writes the report", "Manual"]
        section.filter.setText("no such thing")
        assert rows(section) == []
        section.filter.setText("")
        assert len(rows(section)) > 8

    stage.play(scenario)


def test_other_spans_ask_anew(stage):
    async def scenario(desk):
        _, section = await audit_of(desk)
        before = desk.api.names().count("audit")
        section.span.choose("today")
        section.span.chosen.emit("today")
        await until(lambda: desk.api.names().count("audit") > before)
        since = [details[1] for name, details in desk.api.calls if name == "audit"][-1]
        assert (since.hour, since.date()) == (0, NOW.date())
        assert since_of("30", NOW) == NOW - timedelta(days=30)

    stage.play(scenario)


def test_when_nothing_was_read_the_page_says_what_will_be_here(stage):
    async def scenario(desk):
        page = AgentsPage(desk)
        page.show()
        page.open_section("audit")
        page.audit.show_client("old-script")
        await until(page.audit._empty.isVisible)
        assert not page.audit._summary.isVisible()

    stage.play(scenario)


def test_a_list_passes_the_wheel_on_and_follows_the_keyboard(stage):
    async def scenario(desk):
        page, section = await audit_of(desk)
        page.resize(900, 300)
        await calm()
        listed = section.lists[-1]
        place = QPointF(20, 20)
        turn = QWheelEvent(
            place,
            listed.mapToGlobal(place),
            QPoint(),
            QPoint(0, -240),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(listed.viewport(), turn)
        assert not turn.isAccepted() or page.verticalScrollBar().value() > 0
        page.verticalScrollBar().setValue(0)
        page.activateWindow()
        listed.enter()
        await until(listed.hasFocus)
        await calm()
        assert page.verticalScrollBar().value() > 0, "the chosen row was brought into view"

    stage.play(scenario)


def test_the_last_name_of_an_address():
    assert source_in_short("file:///home/mei/a%20b.md#L3") == "a b.md"
    assert source_in_short("file:///home/mei/%E4%BC%9A%E8%AE%AE.md") == "会议.md"
    assert source_in_short("file:///home/mei/%E2%80%AEgpj.exe%0A%00") == "gpj.exe", "no marks that turn letters"
    assert len(source_in_short(f"file:///home/{'a' * 5000}")) == 120
    assert source_in_short("") == ""


def test_all_agents_are_one_question(stage):
    async def scenario(desk):
        _, section = await audit_of(desk)
        desk.api.calls.clear()
        section.refresh()
        await until(lambda: "audit" in desk.api.names())
        await calm()
        assert desk.api.names().count("audit") == 1

    stage.play(scenario)
