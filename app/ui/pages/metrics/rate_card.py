"""One rate: its value, what was divided by what, its definition, and how it went by weeks (G7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSizePolicy

from app.domain.text import msg
from app.ui import moments
from app.ui.pages.metrics import numbers
from app.ui.parts.labels import plain, set_role
from app.ui.parts.layouts import column, row
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.metrics import Rate, RatesOfWeek
    from app.ui.desk import Desk
    from app.ui.parts.rate_chart import RateChart

_WORDS_WIDTH = 168


class RateCard(QFrame):
    """The chart comes when there is something to draw, and the library that draws it is there."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.chart: RateChart | None = None
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._title = plain(role="heading", is_wrapping=True)
        self.value = plain(role="figure", is_wrapping=True)
        self._counted = plain(role="small", is_wrapping=True)
        self._direction = plain(role="hint", is_wrapping=True)
        self._definition = plain(role="small", is_wrapping=True)
        self._beside = row(gap=GAP_MEDIUM)
        self._build()

    def show_rate(self, rate: Rate, weeks: Sequence[RatesOfWeek]) -> None:
        """Show the numbers in words, and to a screen reader the weeks as well."""
        wording = self._desk.wording
        say = wording.say
        is_counted = rate.value is not None
        self._title.setText(say(rate.title))
        self.value.setText(say(numbers.rate(rate)))
        set_role(self.value, "figure" if is_counted else "soft")
        self._counted.setText(say(numbers.part_of_whole(rate, wording)))
        self._counted.setVisible(is_counted)
        self._direction.setText(say(numbers.direction(rate.name)))
        self._definition.setText(say(rate.definition))
        parts = [self._title.text(), self.value.text(), *self._spoken(rate.name, weeks)]
        self.setAccessibleName(". ".join(parts))

    def show_chart(self, chart: RateChart, name: str, weeks: Sequence[RatesOfWeek]) -> None:
        """Draw the weeks; `chart` is kept from the first time on."""
        if self.chart is None:
            self.chart = chart
            self._beside.addWidget(chart, 1, Qt.AlignmentFlag.AlignVCenter)
        wording = self._desk.wording
        labels = [moments.short_day(week.first_day, wording) for week in weeks]
        values = [dict(week.values).get(name) for week in weeks]
        self.chart.show_weeks(labels, values)
        self.chart.setAccessibleName(", ".join(self._spoken(name, weeks)))
        self.chart.setVisible(any(value is not None for value in values))

    def _spoken(self, name: str, weeks: Sequence[RatesOfWeek]) -> list[str]:
        wording = self._desk.wording
        counted = [(week.first_day, dict(week.values).get(name)) for week in weeks]
        return [
            wording.say(
                msg("week of {day}: {value}", day=moments.short_day(day, wording), value=numbers.percent(value))
            )
            for day, value in counted
            if value is not None
        ]

    def _build(self) -> None:
        words = column(gap=GAP_TINY)
        for label in (self.value, self._counted, self._direction):
            label.setFixedWidth(_WORDS_WIDTH)
            words.addWidget(label)
        words.addStretch(1)
        self._beside.addLayout(words)
        whole = column(gap=GAP_SMALL, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        whole.addWidget(self._title)
        whole.addLayout(self._beside)
        whole.addSpacing(GAP - GAP_SMALL)
        whole.addWidget(self._definition)
        self.setLayout(whole)
