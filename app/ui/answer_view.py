"""Shows an answer: 15 px, line height 1.5, citations as small numbers that lead to their source.

The text may quote anybody's file. It is inserted as characters, never as HTML.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QWidget

from app.ui.tokens import GAP, GAP_SMALL, LINE_ANSWER_PERCENT, SIZE_ANSWER

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.ui.theme import Theme

_CITATION: Final = re.compile(r"\s?\[(\d{1,2})\]")
_SCHEME: Final = "cite:"
_MOST_HEIGHT: Final = 264
_CITATION_SIZE: Final = 11


class AnswerView(QTextBrowser):
    """`cited` tells the number of a citation that was clicked."""

    cited = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text = ""
        self._citations = 0
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        # the field keeps the cursor; the text can still be selected with the mouse
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setViewportMargins(0, 0, 0, 0)
        self.anchorClicked.connect(self._on_anchor)
        theme.changed.connect(self._render)

    @property
    def text(self) -> str:
        """The answer with its citations, as it is copied."""
        return self._text

    def show_answer(self, text: str, citations: int) -> None:
        """Show a text in which `[1]` to `[citations]` lead to sources."""
        self._text = text
        self._citations = citations
        self._render()

    def fit(self, width: int) -> None:
        """Take the height that the text needs at a width, up to a limit after which it scrolls."""
        self.document().setTextWidth(width)
        height = round(self.document().size().height())
        self.setFixedHeight(min(height, _MOST_HEIGHT))

    def _render(self) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        block = QTextBlockFormat()
        block.setLineHeight(LINE_ANSWER_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        for place, paragraph in enumerate(self._text.split("\n")):
            if place:
                cursor.insertBlock()
            cursor.setBlockFormat(block)
            self._insert(cursor, paragraph)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.setAccessibleName(self._text)

    def _insert(self, cursor: QTextCursor, paragraph: str) -> None:
        plain = self._plain_format()
        end = 0
        for match in _CITATION.finditer(paragraph):
            number = int(match[1])
            if not 1 <= number <= self._citations:
                continue
            cursor.insertText(paragraph[end : match.start()], plain)
            cursor.insertText(f"\N{NARROW NO-BREAK SPACE}{number}", self._citation_format(number))
            end = match.end()
        cursor.insertText(paragraph[end:], plain)

    def _plain_format(self) -> QTextCharFormat:
        form = QTextCharFormat()
        font = QFont(self.font())
        font.setPixelSize(SIZE_ANSWER)
        form.setFont(font)
        form.setForeground(QColor(self._theme.palette.ink))
        return form

    def _citation_format(self, number: int) -> QTextCharFormat:
        form = QTextCharFormat()
        font = QFont(self.font())
        font.setPixelSize(_CITATION_SIZE)
        font.setWeight(QFont.Weight.DemiBold)
        form.setFont(font)
        form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        form.setForeground(QColor(self._theme.palette.accent))
        form.setAnchor(True)
        form.setAnchorHref(f"{_SCHEME}{number}")
        form.setFontUnderline(False)
        return form

    def _on_anchor(self, url: QUrl) -> None:
        number = url.toString().removeprefix(_SCHEME)
        if number.isdigit():
            self.cited.emit(int(number))


class Skeleton(QWidget):
    """Stands where the answer will be, while it is looked for."""

    _LINES: Final = (0.92, 0.97, 0.55)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedHeight(len(self._LINES) * 22 + GAP)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the lines of a text that is not there yet."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.palette.hover))
        for place, share in enumerate(self._LINES):
            painter.drawRoundedRect(0, GAP_SMALL + place * 22, round(self.width() * share), 11, 5, 5)
        painter.end()
