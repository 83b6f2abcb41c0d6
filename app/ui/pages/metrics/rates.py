"""The five rates with their definitions and their weeks, and the figures of the layers (G7, G7.2)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.domain.text import Text, counted, msg
from app.runtime import clock
from app.ui import moments
from app.ui.pages.metrics import numbers
from app.ui.pages.metrics.rate_card import RateCard
from app.ui.pages.sections import Section
from app.ui.parts.banner import Banner
from app.ui.parts.choice import Choice
from app.ui.parts.labels import plain, said
from app.ui.parts.layouts import beside, card, column, empty
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.metrics import LayerFigure, MetricsReport
    from app.ui.desk import Desk

_WEEKS: Final = {"4": msg("The last 4 weeks"), "12": msg("The last 12 weeks"), "52": msg("The last 52 weeks")}


class RatesSection(Section):
    """A card for each rate; a quiet table for the layers."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._report: MetricsReport | None = None
        self.cards: dict[str, RateCard] = {}
        self.banner = Banner(desk.wording, desk.theme)
        self.span = Choice(desk.wording, desk.theme, msg("Of which time"), _WEEKS)
        self.span.choose("12")
        self._counted = plain(role="small", is_wrapping=True)
        self._cards = column(gap=GAP)
        self._layers, self._figures = card(gap=GAP_SMALL)
        self.span.chosen.connect(lambda _: self.refresh())
        desk.wording.changed.connect(self._show)
        self.content.addLayout(beside(self.span, self._counted, gap=GAP))
        self.content.addWidget(self.banner)
        self.content.addLayout(self._cards)
        self.content.addWidget(self._layers)
        self._layers.hide()

    def refresh(self) -> None:
        """Ask for the figures anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "metrics", self.banner)

    async def _load(self) -> None:
        turn, last = self._begin(), clock.now().date()
        first = last - timedelta(weeks=int(self.span.key)) + timedelta(days=1)
        report = await self._desk.api.metrics(first_day=first, last_day=last)
        if self._is_latest(turn):
            self._report = report
            self._show()

    def _show(self) -> None:
        report = self._report
        if report is None:
            return
        wording = self._desk.wording
        is_one_year = report.first_day.year == report.last_day.year
        written = moments.short_day if is_one_year else moments.written_date
        told = counted(
            "{count} request from {first} to {last}",
            "{count} requests from {first} to {last}",
            count=wording.number(report.requests),
            first=written(report.first_day, wording),
            last=written(report.last_day, wording),
        )
        self._counted.setText(wording.say(told))
        for rate in report.rates:
            if rate.name not in self.cards:
                self.cards[rate.name] = RateCard(self._desk)
                self._cards.addWidget(self.cards[rate.name])
            self.cards[rate.name].show_rate(rate, report.weeks)
        self._show_layers(report.layers)

    def _show_layers(self, figures: Sequence[LayerFigure]) -> None:
        empty(self._figures)
        self._layers.setVisible(bool(figures))
        wording = self._desk.wording
        heading = msg("The layers")
        self._figures.addWidget(said(wording, heading, "heading"))
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP_MEDIUM)
        grid.setVerticalSpacing(GAP_SMALL)
        grid.setColumnStretch(0, 1)
        for place, figure in enumerate(figures):
            grid.addWidget(self._figure(figure), place, 0)
            value = plain(numbers.layer_value(figure, wording))
            value.setAccessibleName(f"{wording.say(figure.title)}: {value.text()}")
            grid.addWidget(value, place, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        table = QWidget()
        table.setLayout(grid)
        self._figures.addWidget(table)

    def _figure(self, figure: LayerFigure) -> QWidget:
        say = self._desk.wording.say
        words = column(gap=0)
        title: Text = figure.title
        words.addWidget(plain(say(title), is_wrapping=True))
        words.addWidget(plain(say(figure.definition), "hint", is_wrapping=True))
        made = QWidget()
        words.setContentsMargins(0, 0, 0, GAP_TINY)
        made.setLayout(words)
        return made
