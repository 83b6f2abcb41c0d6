"""Says why a passage was found: each part of its score, what it adds, and which weights made it so (G4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from app.domain.text import Text, msg
from app.ui import naming
from app.ui.parts.labels import ElidedLabel, plain, said
from app.ui.parts.layouts import column
from app.ui.tokens import GAP, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.domain.context_item import ContextItem
    from app.ui.theme import Theme
    from app.ui.wording import Wording


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the score.

    Attributes:
        field: of `ContextItem`; empty for one that only adds. addend: its name in the explanation.
    """

    label: Text
    field: str
    addend: str = ""


_PARTS: Final = (
    _Part(msg("Meaning"), "semantic_score", "semantic"),
    _Part(msg("Words"), "lexical_score", "lexical"),
    _Part(msg("Freshness"), "freshness_score", "freshness"),
    _Part(msg("Confidence"), "confidence", "confidence"),
    _Part(msg("Open task"), "", "active_task"),
    _Part(msg("Together"), "final_score"),
)
_NOTE: Final = msg("Every part goes from 0 to 1 and means the same for every question; its weight says what it adds.")
_BAR: Final = QSize(220, 6)
_LEAST: Final = 0.005


class ExplainPanel(QFrame):
    """One line a part, and a line of what else counted. Hidden until somebody asks why."""

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self._wording = wording
        self.setProperty("role", "note")
        self._title = ElidedLabel("heading")
        self._rows: dict[str, tuple[_Bar, QLabel, QLabel]] = {}
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(GAP_TINY)
        grid.setColumnStretch(4, 1)
        for place, part in enumerate(_PARTS):
            bar, value, adds = _Bar(theme), plain(role="small"), plain(role="hint")
            grid.addWidget(said(wording, part.label, "small"), place, 0)
            grid.addWidget(bar, place, 1)
            grid.addWidget(value, place, 2)
            grid.addWidget(adds, place, 3, Qt.AlignmentFlag.AlignRight)
            self._rows[part.label.template] = bar, value, adds
        self._facts = plain(role="small", is_wrapping=True)
        self._note = said(wording, _NOTE, "hint", is_wrapping=True)
        inside = column(gap=GAP_SMALL, margins=(GAP, GAP, GAP, GAP))
        inside.addWidget(self._title)
        inside.addLayout(grid)
        inside.addWidget(self._facts)
        inside.addWidget(self._note)
        self.setLayout(inside)
        self.hide()

    def show_item(self, item: ContextItem) -> None:
        """Explain this one."""
        say = self._wording.say
        self._title.show_text(say(msg("Why this was found: {title}", title=item.title)))
        spoken = []
        for part in _PARTS:
            share = float(getattr(item, part.field)) if part.field else None
            adds = item.explanation.get(part.addend)
            bar, value, addend = self._rows[part.label.template]
            bar.show_share(share or 0.0)
            bar.setVisible(share is not None)
            value.setText(f"{share:.2f}" if share is not None else "")
            addend.setText(say(msg("adds {value}", value=f"{adds:.3f}")) if adds is not None else "")
            spoken.append(" ".join(text for text in (say(part.label), value.text(), addend.text()) if text))
        facts = [say(fact) for fact in _facts(item)]
        self._facts.setText(naming.DOT.join(facts))
        self._facts.setVisible(bool(facts))
        self.setAccessibleName(f"{self._title.text()}. {', '.join([*spoken, *facts])}")


def _facts(item: ContextItem) -> list[Text]:
    """What moved the parts, and which weights they were added up by."""
    parts = item.explanation
    found = [msg("decay by age {value}", value=f"{item.time_decay:.2f}")]
    if abs(parts.get("clues", 0.0)) >= _LEAST:
        found.append(msg("clues in the question moved the meaning by {value}", value=f"{parts['clues']:+.2f}"))
    if parts.get("has_vector") == 0.0:
        found.append(msg("found by words only: it has no vector yet"))
    if "coverage" in parts:
        found.append(msg("has {value} of the words", value=f"{parts['coverage'] * 100:.0f}%"))
    if "relevance" in parts:
        found.append(msg("relevance {value}", value=f"{parts['relevance']:.2f}"))
    if parts.get("folded", 0.0) >= 1:
        found.append(msg("stands for {count} more like it", count=int(parts["folded"])))
    if item.ranking:
        found.append(msg("ranking: {version}", version=item.ranking))
    return found


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
