"""A list on a page: as high as its rows, so that the page scrolls and the wheel is never caught; worked by keyboard.

The arrows walk, Enter opens, and the page follows. Rows and their painting are those of quick-ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from app.ui.hit_list import HEIGHT, HEIGHT_WITH_SNIPPET, HitList
from app.ui.parts.filter_field import NOTHING_FITS
from app.ui.parts.labels import plain, said
from app.ui.parts.layouts import column, page_of
from app.ui.tokens import GAP, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent

    from app.domain.text import Text
    from app.ui.rows import Row
    from app.ui.theme import Theme
    from app.ui.wording import Wording

    Index = QModelIndex | QPersistentModelIndex

_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ROOM_AROUND: Final = 24


class RecordList(HitList):
    """`opened` tells the row that was clicked, or on which Enter was pressed."""

    def __init__(self, wording: Wording, theme: Theme, name: Text) -> None:
        super().__init__(wording, theme, name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self._nothing = said(wording, NOTHING_FITS, "hint", is_wrapping=True)
        self._nothing.setContentsMargins(GAP, 0, GAP, 0)
        self._nothing.hide()
        self._is_narrowed = False

    def framed(self, heading: str = "", *, is_narrowed: bool = False) -> QFrame:
        """The list on a card, under a heading if one is given; rows and heading begin at the same place.

        With `is_narrowed` a field above it narrows it, and the card says when that leaves nothing.
        """
        self._is_narrowed = is_narrowed
        frame = QFrame()
        frame.setProperty("role", "card")
        inside = column(gap=GAP_SMALL, margins=(GAP_TINY, GAP, GAP_TINY, GAP))
        if heading:
            head = plain(heading, "heading", is_wrapping=True)
            head.setContentsMargins(GAP, 0, GAP, 0)
            inside.addWidget(head)
        inside.addWidget(self)
        inside.addWidget(self._nothing)
        frame.setLayout(inside)
        return frame

    def show_rows(self, rows: Sequence[Row]) -> None:
        """List other rows. Where all are equally high, Qt need not ask each."""
        self.setUniformItemSizes(len({bool(row.snippet) for row in rows}) <= 1)
        super().show_rows(rows)
        if self._is_narrowed:
            self.setVisible(bool(rows))
            self._nothing.setVisible(not rows)

    def enter(self) -> None:
        """Take the keyboard, with a row chosen."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Who comes by the keyboard stands on a row."""
        super().focusInEvent(event)
        if self.current is None and self.rows and event.reason() is not Qt.FocusReason.MouseFocusReason:
            self.choose(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the module."""
        chosen = self.current
        if event.key() in _ENTER and chosen is not None:
            self.opened.emit(chosen)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, not the list."""
        event.ignore()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Bring the chosen row into view on the page."""
        super().currentChanged(current, previous)
        page = page_of(self)
        inside = page.widget() if page is not None else None
        if page is not None and inside is not None and current.isValid() and self.hasFocus():
            area = self.visualRect(current)
            for corner in (area.bottomLeft(), area.topLeft()):
                place = self.viewport().mapTo(inside, corner)
                page.ensureVisible(place.x(), place.y(), 0, _ROOM_AROUND)

    def _height(self) -> int:
        return sum(HEIGHT_WITH_SNIPPET if row.snippet else HEIGHT for row in self.rows)
