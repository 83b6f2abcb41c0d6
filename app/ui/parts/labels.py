"""Labels: always plain text, since what they show may come from anybody's file or mail (X9.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QSizePolicy

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QWidget

    from app.domain.text import Text
    from app.ui.theme import Theme
    from app.ui.wording import Wording

_IDEOGRAPHS: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
"""Between these a line ends anywhere as it is."""
_LONG_WORD: Final = re.compile(rf"[^\s{_IDEOGRAPHS}]{{30,}}")
# as `html.escape` has it; that module brings the table of all entities, 0.7 MB
_HARMLESS: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
_PIECE: Final = re.compile(r"(.{12,}?)(?=[\w!-~])")


class _WrappingLabel(QLabel):
    """Lines that end within a word, too, where it is longer than words are: a path, or what a stranger wrote.

    Qt would make the label, and with it the page, as wide as that word.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = ""
        self.setText(text)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def setText(self, text: str) -> None:
        """See the class."""
        self._text = text
        super().setText(_LONG_WORD.sub(lambda word: _PIECE.sub("\\1\N{ZERO WIDTH SPACE}", word[0]), text))

    def text(self) -> str:
        """What it says, without the places where a line may end."""
        return self._text


def plain(text: str = "", role: str = "body", *, is_wrapping: bool = False) -> QLabel:
    """A label for text that is composed elsewhere."""
    label = _WrappingLabel(text) if is_wrapping else QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    return label


def said(wording: Wording, text: Text, role: str = "body", *, is_wrapping: bool = False) -> QLabel:
    """A label with a sentence of ours, which follows the language."""
    label = plain(role=role, is_wrapping=is_wrapping)
    wording.bind(label, "setText", text)
    return label


def pictured(theme: Theme, name: str, ink: str = "ink_soft", *, size: int = 20) -> QLabel:
    """A label with an icon, which follows the colours. It says nothing, so it stands beside a word."""
    label = QLabel()
    label.setFixedSize(size, size)
    theme.bind_picture(label, name, ink, size=size)
    return label


def tooltip(text: str) -> str:
    """A text as a tooltip. Qt takes what looks like HTML for HTML, so all of it is made harmless HTML."""
    return f"<qt>{text.translate(_HARMLESS)}</qt>" if text else ""


def on_button(text: str) -> str:
    """A text of unknown origin as the words of a button or a menu, where & would mark a key."""
    return text.replace("&", "&&")


def set_role(widget: QWidget, role: str) -> None:
    """Change what a widget is, and with it its look."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        restyle(widget)


def restyle(widget: QWidget) -> None:
    """Let the style sheet look at a widget's properties again."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class ElidedLabel(QLabel):
    """One line that is cut with an ellipsis where it does not fit; the whole text is its tooltip and its name."""

    def __init__(self, role: str = "body", mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        """Take a new text."""
        self.setText(text)
        self.setToolTip(tooltip(text))

    def minimumSizeHint(self) -> QSize:
        """Almost nothing in width: it can always be cut."""
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        area = self.contentsRect()
        line = painter.fontMetrics().elidedText(self.text(), self._mode, area.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(area, int(self.alignment()), line)
        painter.end()
