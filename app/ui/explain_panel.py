"""Says why a passage was found: the parts of its score as bars with numbers (G4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from app.domain.text import msg
from app.ui.parts.labels import ElidedLabel, plain, said
from app.ui.parts.layouts import column
from app.ui.tokens import GAP, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.domain.context_item import ContextItem
    from app.ui.theme import Theme
    from app.ui.wording import Wording

_PARTS: Final = (
    ("semantic_score", msg("Meaning")),
    ("lexical_score", msg("Words")),
    ("freshness_score", msg("Freshness")),
    ("confidence", msg("Confidence")),
    ("final_score", msg("Together")),
)
_NOTE: Final = msg(
    "Every part goes from 0 to 1 and means the same for every question. Meaning weighs most, then freshness."
)
_BAR: Final = QSize(220, 6)


class ExplainPanel(QFrame):
    """One line a part. Hidden until somebody asks why."""

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self._wording = wording
        self.setProperty("role", "note")
        self._title = ElidedLabel("heading")
        self._rows: dict[str, tuple[_Bar, QLabel]] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(GAP_TINY)
        grid.setColumnStretch(3, 1)
        for place, (name, label) in enumerate(_PARTS):
            bar, value = _Bar(theme), plain(role="small")
            grid.addWidget(said(wording, label, "small"), place, 0)
            grid.addWidget(bar, place, 1)
            grid.addWidget(value, place, 2)
            self._rows[name] = bar, value
        self._note = said(wording, _NOTE, "hint", is_wrapping=True)
        inside = column(gap=GAP_SMALL, margins=(GAP, GAP, GAP, GAP))
        inside.addWidget(self._title)
        inside.addLayout(grid)
        inside.addWidget(self._note)
        self.setLayout(inside)
        self.hide()

    def show_item(self, item: ContextItem) -> None:
        """Explain this one."""
        self._title.show_text(self._wording.say(msg("Why this was found: {title}", title=item.title)))
        spoken = []
        for name, label in _PARTS:
            share = float(getattr(item, name))
            bar, value = self._rows[name]
            bar.show_share(share)
            value.setText(f"{share:.2f}")
            spoken.append(f"{self._wording.say(label)} {share:.2f}")
        self.setAccessibleName(f"{self._title.text()}. {', '.join(spoken)}")


class _Bar(QWidget):
    """A share as a bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Its one size."""
        return _BAR

    def show_share(self, share: float) -> None:
        """Show a share of 0..1."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the track and the bar."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.palette.pressed))
        painter.drawRoundedRect(QRectF(self.rect()), 3, 3)
        painter.setBrush(QColor(self._theme.palette.accent))
        painter.drawRoundedRect(QRectF(0, 0, self.width() * self._share, self.height()), 3, 3)
        painter.end()
