"""An entry that a question found or should have found, with the two marks that a person can give it (G7.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.domain.text import Text, msg
from app.runtime import clock
from app.ui import naming, rows
from app.ui.parts.buttons import Button, set_icon
from app.ui.parts.labels import ElidedLabel, pictured
from app.ui.parts.layouts import beside, column, row
from app.ui.tokens import GAP, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from app.domain.metrics import MarkedItem
    from app.ui.desk import Desk

_WANTED: Final = msg("Should be found")
_UNWANTED: Final = msg("Should not")
_TITLE_CHARACTERS: Final = 120


class MarkRow(QWidget):
    """`marked` tells the entry and True, False, or None where a mark was taken back."""

    marked = Signal(int, object)

    def __init__(self, desk: Desk, found: MarkedItem) -> None:
        super().__init__()
        self._desk = desk
        self._entry_id = found.entry_id
        self._found = found
        title = naming.in_one_line(found.item.title, _TITLE_CHARACTERS)
        self.wanted = self._toggle(_WANTED, msg("“{title}” should be found", title=title))
        self.unwanted = self._toggle(_UNWANTED, msg("“{title}” should not be found", title=title))
        self.show_mark(found.is_wanted)
        self.wanted.clicked.connect(lambda is_on: self._on_clicked(is_on, is_wanted=True))
        self.unwanted.clicked.connect(lambda is_on: self._on_clicked(is_on, is_wanted=False))
        self._lines = tuple(ElidedLabel(role) for role in ("body", "hint", "small"))
        self._build()
        desk.wording.changed.connect(self._show)
        self._show()

    def show_mark(self, is_wanted: bool | None) -> None:
        """Show what was said."""
        for made, icon, is_on in (
            (self.wanted, "check", is_wanted is True),
            (self.unwanted, "close", is_wanted is False),
        ):
            made.setChecked(is_on)
            set_icon(made, self._desk.theme, icon, "accent" if is_on else "ink_soft", size=14)

    def _on_clicked(self, is_on: bool, *, is_wanted: bool) -> None:
        mark = is_wanted if is_on else None
        self.show_mark(mark)
        self.marked.emit(self._entry_id, mark)

    def _toggle(self, text: Text, name: Text) -> Button:
        made = Button("toggle")
        made.setCheckable(True)
        self._desk.wording.bind(made, "setText", text)
        self._desk.wording.bind(made, "setAccessibleName", name)
        return made

    def _show(self) -> None:
        (shown,) = rows.of_items([self._found.item], self._desk.wording, clock.now(), has_snippets=True)
        for label, text in zip(self._lines, (shown.title, shown.snippet, shown.details), strict=True):
            label.show_text(text)
            label.setVisible(bool(text))

    def _build(self) -> None:
        words = column(gap=GAP_TINY)
        for label in self._lines:
            words.addWidget(label)
        words.addLayout(beside(self.wanted, self.unwanted, gap=GAP_SMALL))
        whole = row(gap=GAP)
        icon = pictured(self._desk.theme, naming.kind_icon(self._found.item.source_type), size=18)
        whole.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        whole.addLayout(words, 1)
        self.setLayout(whole)
