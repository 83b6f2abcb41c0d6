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
from app.ui.parts.rate_chart import RateChart
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.metrics import Rate, RatesOfWeek
    from app.ui.desk import Desk

_WORDS_WIDTH = 168


class RateCard(QFrame):
    """Without anything counted there is no chart."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.chart = RateChart(desk.theme)
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
        """Show the numbers in words and the weeks as a line; a screen reader hears the weeks as well."""
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
        values = [dict(week.values).get(rate.name) for week in weeks]
        labels = [moments.short_day(week.first_day, wording) for week in weeks]
        told = [self._tell(label, value) for label, value in zip(labels, values, strict=True)]
        self.chart.show_weeks(labels, values, told)
        self.chart.setVisible(any(value is not None for value in values))
        spoken = [sentence for sentence in told if sentence]
        self.chart.setAccessibleName(", ".join(spoken))
        self.setAccessibleName(". ".join([self._title.text(), self.value.text(), *spoken]))

    def _tell(self, label: str, value: float | None) -> str:
        if value is None:
            return ""
        return self._desk.wording.say(msg("week of {day}: {value}", day=label, value=numbers.percent(value)))

    def _build(self) -> None:
        words = column(gap=GAP_TINY)
        for label in (self.value, self._counted, self._direction):
            label.setFixedWidth(_WORDS_WIDTH)
            words.addWidget(label)
        words.addStretch(1)
        self._beside.addLayout(words)
        self._beside.addWidget(self.chart, 1, Qt.AlignmentFlag.AlignVCenter)
        self._beside.addStretch(0)
        whole = column(gap=GAP_SMALL, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        whole.addWidget(self._title)
        whole.addLayout(self._beside)
        whole.addSpacing(GAP - GAP_SMALL)
        whole.addWidget(self._definition)
        self.setLayout(whole)
