"""Rates with their definitions and weeks, the layers, and the reviews (G7)."""

from __future__ import annotations

import errno
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from app.domain.errors import ReadOnly
from app.ui.pages.metrics import numbers
from app.ui.pages.metrics.page import MetricsPage
from app.ui.pages.metrics.reviews import _write_text
from app.ui.parts.markdown_view import MarkdownView
from app.ui.parts.rate_chart import RateChart
from tests.ui.demo_served import metrics
from tests.ui.stage import calm, until


async def metrics_page(desk, section="rates"):
    page = MetricsPage(desk)
    page.resize(900, 800)
    page.show()
    desk.api.shown = page  # kept as long as the scenario
    page.open_section(section)
    await calm()
    return page


def words(widget):
    return [label.text() for label in widget.findChildren(QLabel) if not label.isHidden()]


def test_a_time_over_two_years_names_them(stage):
    def prepare(api):
        report = replace(api.served.metrics, first_day=date(2024, 5, 15), last_day=date(2025, 5, 13))
        api.served = replace(api.served, metrics=report)

    async def scenario(desk):
        page = await metrics_page(desk)
        await until(lambda: page.rates.cards)
        assert page.rates._counted.text().endswith("from 15 May 2024 to 13 May 2025")

    stage.play(scenario, prepare=prepare)


def test_each_rate_has_its_value_its_counts_and_its_definition(stage):
    async def scenario(desk):
        page = await metrics_page(desk)
        await until(lambda: len(page.rates.cards) == 5)
        said = words(page.rates.cards["task_success"])
        assert said[:4] == ["Task success", "85%", "41 of 48", "higher is better"]
        assert any(text.startswith("Successful tasks of those") for text in said)
        assert "lower is better" in words(page.rates.cards["expired_context"])
        assert "week of 12 May: 86%" in page.rates.cards["task_success"].accessibleName()

    stage.play(scenario)


def test_a_rate_of_which_nothing_was_counted_says_so(stage):
    async def scenario(desk):
        page = await metrics_page(desk)
        await until(lambda: page.rates.cards)
        card = page.rates.cards["manual_correction"]
        assert card.value.text() == "Nothing counted yet"
        assert not card.chart.isVisible()
        assert "0 of 0" not in words(card)

    stage.play(scenario)


def test_the_layers_are_a_table(stage):
    async def scenario(desk):
        page = await metrics_page(desk)
        await until(lambda: page.rates.cards)
        said = words(page.rates._layers)
        for text in ("Sources up to date", "96%", "0.1 s", "Beyond a limit or a right.", "3"):
            assert text in said

    stage.play(scenario)


def test_another_span_asks_for_other_days(stage):
    async def scenario(desk):
        page = await metrics_page(desk)
        await until(lambda: page.rates.cards)
        page.rates.span.choose("4")
        page.rates.span.chosen.emit("4")
        await until(lambda: desk.api.names().count("metrics") == 2)
        (first, last) = [details for name, details in desk.api.calls if name == "metrics"][-1]
        assert (last - first).days == 27

    stage.play(scenario)


def test_a_line_has_gaps_and_a_scale_that_fits(qapp, stage):
    async def scenario(desk):
        chart = RateChart(desk.theme)
        chart.resize(400, 116)
        chart.show_weeks("abcd", [0.5, None, 0.25, 1.0], ["a", "", "c", "d"])
        assert [len(run) for run in chart.runs()] == [1, 2]
        assert chart.top == 1.0
        lower, higher = chart.runs()[1]
        assert higher.y() < lower.y()
        chart.show_weeks("ab", [0.004, 0.0], ["a", "b"])
        assert chart.top == 0.02
        chart.show_weeks("", [], [])
        assert (chart.runs(), chart.top) == ([], 1.0)
        assert not chart.grab().isNull()

    stage.play(scenario)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_chart_takes_its_colours_from_the_tokens(stage, mode):
    async def scenario(desk):
        desk.theme.use(mode)
        chart = RateChart(desk.theme)
        chart.resize(400, 116)
        chart.show_weeks("ab", [0.5, 0.5], ["a", "b"])
        image = chart.grab().toImage()
        seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
        assert desk.theme.palette.accent.lower() in seen

    stage.play(scenario)


def test_the_week_under_the_pointer_is_told(stage):
    async def scenario(desk):
        chart = RateChart(desk.theme)
        chart.resize(400, 116)
        chart.show_weeks("abc", [0.5, None, 0.25], ["week a", "", "week c"])
        place = QPointF(390, 50)
        none = Qt.MouseButton.NoButton
        move = QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(chart, move)
        assert chart._near == 2
        assert not chart.grab().isNull()
        QApplication.sendEvent(chart, QEvent(QEvent.Type.Leave))
        assert chart._near is None

    stage.play(scenario)


def test_numbers_are_written_as_people_read_them(stage):
    assert [numbers.percent(value) for value in (0.0, 0.0022, 0.5, 0.996, 1.0)] == [
        "0%",
        "0.2%",
        "50%",
        "100%",
        "100%",
    ]

    async def scenario(desk):
        figure = metrics().layers[0]

        def shown(**changes):
            return numbers.layer_value(replace(figure, **changes), desk.wording)

        assert shown(value=None) == "\N{EN DASH}"
        assert shown(value=2.5, unit="seconds") == "2.5 s"
        assert shown(value=582.34, unit="seconds") == "9.7 min", "nobody reckons hundreds of seconds"
        assert shown(value=1234.0, unit="count") == "1,234"

    stage.play(scenario)


async def reviews_of(desk):
    page = await metrics_page(desk, "reviews")
    await until(lambda: page.reviews.list.rows)
    return page.reviews


def test_a_review_is_read_as_a_document_and_its_html_stays_text(stage):
    async def scenario(desk):
        reviews = await reviews_of(desk)
        assert [row.title for row in reviews.list.rows] == [
            "Weekly review, 5 May \N{EN DASH} 11 May 2025",
            "Monthly review of the rules, 1 Apr \N{EN DASH} 30 April 2025",
            "Weekly review, 28 Apr \N{EN DASH} 4 May 2025",
        ]
        reviews.list.opened.emit(reviews.list.rows[0])
        await until(reviews.text.isVisible)
        shown = reviews.text.toPlainText()
        assert "What stands out" in shown
        assert "## What" not in shown
        assert "<script>alert(1)</script>" in shown
        assert reviews.text.loadResource(2, "file:///etc/passwd") is None
        reviews.back_button.click()
        assert reviews.list.isVisible()

    stage.play(scenario)


def test_the_keyboard_stays_where_the_review_is_read(stage):
    async def scenario(desk):
        reviews = await reviews_of(desk)
        reviews.window().activateWindow()
        reviews.list.enter()
        await until(reviews.list.hasFocus)
        QTest.keyClick(reviews.list, Qt.Key.Key_Return)
        await until(reviews.text.isVisible)
        assert reviews.back_button.hasFocus()
        QTest.keyClick(reviews.back_button, Qt.Key.Key_Space)
        await until(reviews.list.hasFocus)

    stage.play(scenario)


def test_a_review_is_copied_and_put_into_a_file(stage, tmp_path):
    async def scenario(desk):
        reviews = await reviews_of(desk)
        reviews.list.opened.emit(reviews.list.rows[0])
        await until(reviews.text.isVisible)
        reviews.copy_button.click()
        assert QGuiApplication.clipboard().text().startswith("# Weekly review")
        reviews.export_button.click()
        dialog = reviews.findChild(QFileDialog)
        assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
        dialog.reject()
        target = tmp_path / "review.md"
        reviews.export_to(str(target))
        await until(lambda: str(target) in reviews.banner.text)
        assert target.read_text("utf-8").startswith("# Weekly review")
        reviews.export_to(str(tmp_path / "no" / "such" / "folder.md"))
        await until(lambda: "could not be written" in reviews.banner.text)
        reviews.export_to(str(tmp_path / "nul\0.md"))
        await until(lambda: "could not be written" in reviews.banner.text)

    stage.play(scenario)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    def half(path, text, **more):
        path.write_bytes(text[:3].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    target = tmp_path / "review.md"
    target.write_text("of last year", "utf-8")
    monkeypatch.setattr(Path, "write_text", half)
    with pytest.raises(ReadOnly):
        _write_text(str(target), "# Weekly review")
    assert [(one.name, one.read_text("utf-8")) for one in tmp_path.iterdir()] == [("review.md", "of last year")]


def test_a_table_that_is_too_wide_breaks_no_word(stage):
    heads = "Ranking|Searches|Found something|Task success|Adoption|Context hits|Expired context|Corrections by hand"
    text = f"|{heads}|\n|{'---|' * 8}\n|ranking-2|{'100.0%|' * 7}\n"

    async def scenario(desk):
        view = MarkdownView(desk.theme)
        view.resize(600, 400)
        view.show()
        view.show_markdown(text)
        await calm()
        (table,) = view.document().rootFrame().childFrames()
        for column in range(8):
            block = table.cellAt(0, column).firstCursorPosition().block()
            layout = block.layout()
            ends = [layout.lineAt(line).textStart() for line in range(1, layout.lineCount())]
            assert all(block.text()[end - 1] == " " for end in ends), block.text()

    stage.play(scenario)


def test_one_is_written_now_and_opened(stage):
    async def scenario(desk):
        reviews = await reviews_of(desk)
        reviews.kind.choose("monthly")
        reviews.write_button.click()
        await until(reviews.text.isVisible)
        assert [details[0].value for name, details in desk.api.calls if name == "write_review"] == ["monthly"]

    stage.play(scenario)


def test_without_reviews_the_page_says_what_will_be_here(stage):
    async def scenario(desk):
        page = await metrics_page(desk, "reviews")
        await until(page.reviews._empty.isVisible)

    stage.play(scenario, prepare=lambda api: setattr(api, "written", []))
