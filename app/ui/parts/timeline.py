"""Days with their events as a time line: one dot an event on one line a day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui import naming
from app.ui.parts.labels import ElidedLabel, plain
from app.ui.parts.layouts import column, row
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from app.ui.theme import Theme

_MOST_CHARACTERS: Final = 500
_TIME_WIDTH: Final = 96
_RAIL_WIDTH: Final = 16
_DOT: Final = 4.0


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing on its day, in words. `is_past` is dimmed; `is_task` is a to-do rather than an event."""

    time: str
    title: str
    details: str = ""
    is_past: bool = False
    is_task: bool = False

    def __post_init__(self) -> None:
        """Each is one line, and nothing in it turns or hides letters, whoever wrote it (X9.1)."""
        object.__setattr__(self, "title", naming.in_one_line(self.title, _MOST_CHARACTERS))
        object.__setattr__(self, "details", naming.in_one_line(self.details, _MOST_CHARACTERS))


class DayLine(QWidget):
    """A day's heading and its moments."""

    def __init__(self, theme: Theme, heading: str, moments: Sequence[Moment], *, nothing: str = "") -> None:
        super().__init__()
        inside = column(gap=0)
        inside.addWidget(plain(heading, "heading"))
        inside.addSpacing(GAP_TINY)
        for place, moment in enumerate(moments):
            inside.addWidget(_MomentRow(theme, moment, is_first=place == 0, is_last=place == len(moments) - 1))
        if not moments:
            inside.addWidget(plain(nothing, "hint"))
        self.setLayout(inside)


class _MomentRow(QWidget):
    """Time, dot on the line, title with details below it."""

    def __init__(self, theme: Theme, moment: Moment, *, is_first: bool, is_last: bool) -> None:
        super().__init__()
        time = plain(moment.time, "small")
        time.setFixedWidth(_TIME_WIDTH)
        time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        time.setContentsMargins(0, GAP_TINY + 1, 0, 0)
        words = column(gap=0, margins=(0, GAP_TINY, 0, GAP_TINY))
        title = ElidedLabel("soft" if moment.is_past else "body")
        title.show_text(moment.title)
        words.addWidget(title)
        if moment.details:
            details = ElidedLabel("small")
            details.show_text(moment.details)
            words.addWidget(details)
        whole = row(gap=GAP)
        whole.addWidget(time)
        whole.addWidget(_Rail(theme, moment, is_first=is_first, is_last=is_last))
        whole.addLayout(words, 1)
        whole.addSpacing(GAP_MEDIUM)
        self.setLayout(whole)
        self.setAccessibleName(" ".join(part for part in (moment.time, moment.title, moment.details) if part))


class _Rail(QWidget):
    """The line beside the times, with a dot for an event and a square for a task."""

    def __init__(self, theme: Theme, moment: Moment, *, is_first: bool, is_last: bool) -> None:
        super().__init__()
        self._theme = theme
        self._moment = moment
        self._is_first = is_first
        self._is_last = is_last
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As wide as the dot needs."""
        return QSize(_RAIL_WIDTH, 24)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the line and the dot."""
        colour = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(self.width() / 2, 14.5)
        painter.setPen(QPen(QColor(colour.pressed), 2))
        if not self._is_first:
            painter.drawLine(QPointF(middle.x(), 0), middle)
        if not self._is_last:
            painter.drawLine(middle, QPointF(middle.x(), self.height()))
        painter.setPen(QPen(QColor(colour.ink_faint if self._moment.is_past else colour.accent), 2))
        painter.setBrush(QColor(colour.surface if self._moment.is_past else colour.accent))
        if self._moment.is_task:
            painter.drawRoundedRect(int(middle.x() - _DOT), int(middle.y() - _DOT), int(_DOT * 2), int(_DOT * 2), 2, 2)
        else:
            painter.drawEllipse(middle, _DOT, _DOT)
        painter.end()
