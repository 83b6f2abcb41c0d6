"""A few numbers side by side, each with its word below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.ui.parts.labels import plain
from app.ui.parts.layouts import column, empty, row
from app.ui.tokens import GAP_LARGE

if TYPE_CHECKING:
    from collections.abc import Sequence


class Figures(QWidget):
    """Shows pairs of number and word; a screen reader hears them as one sentence."""

    def __init__(self) -> None:
        super().__init__()
        self._inside = row(gap=GAP_LARGE)
        self.setLayout(self._inside)

    def show_pairs(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Show other numbers."""
        empty(self._inside)
        for number, word in pairs:
            pair = column(gap=0)
            pair.addWidget(plain(number, "figure"))
            pair.addWidget(plain(word, "small", is_wrapping=True))
            self._inside.addLayout(pair, 1)
        self.setAccessibleName(", ".join(f"{word}: {number}" for number, word in pairs))
