"""An inline message: what happened, what was lost, what to do. Calm, and gone when it is no longer true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.domain.text import Text, msg
from app.ui.parts.buttons import Button, button, glyph
from app.ui.parts.labels import pictured, plain, set_role
from app.ui.parts.layouts import column, empty, page_of, row
from app.ui.tokens import GAP, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.errors import Expected
    from app.ui.theme import Theme
    from app.ui.wording import Wording

_BUG = (
    msg("Something went wrong, and it is our fault."),
    msg("Nothing was lost. The log tells where it happened, without personal data."),
)


class Banner(QFrame):
    """Hidden until there is something to say. There are many and few ever speak: each is built when it first does."""

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self._wording = wording
        self._theme = theme
        self._sentences: tuple[Text, ...] = ()
        self._face: _Face | None = None
        self.hide()

    @property
    def text(self) -> str:
        """All that it says."""
        return "\n".join(self._wording.say(sentence) for sentence in self._sentences)

    def show_problem(self, error: Expected) -> None:
        """Show an expected error in its three parts."""
        self._begin("asks", "warning", (error.what, error.lost, error.next_step))

    def show_bug(self) -> None:
        """Say that it is our fault, and that the log knows more."""
        self._begin("asks", "warning", _BUG)

    def end_problem(self) -> None:
        """Nothing to say any more, if what was said was a problem."""
        if self.property("role") == "asks":
            self.clear()

    def show_note(self, *sentences: Text) -> None:
        """Tell something that is no problem."""
        self._begin("note", "info", sentences)

    def offer(self, text: Text, on_click: Callable[[], object], *, role: str = "plain") -> Button:
        """Add a button for what can be done about it."""
        made = button(self._wording, text, on_click, role=role)
        actions = self._built().actions
        actions.insertWidget(actions.count() - 1, made)
        return made

    def clear(self) -> None:
        """Nothing to say any more."""
        self._sentences = ()
        self.hide()

    def _begin(self, role: str, icon: str, sentences: tuple[Text, ...]) -> None:
        self._sentences = sentences
        face = self._built()
        empty(face.actions)
        face.actions.addStretch(1)
        set_role(self, role)
        self._theme.bind_picture(face.glyph, icon, "asks" if role == "asks" else "ink_soft")
        self._show()
        self.show()
        if role == "asks":
            # what failed may be far below on the page; only once it is laid out it has a place to scroll to
            QTimer.singleShot(0, self, self._come_into_view)

    def _come_into_view(self) -> None:
        page = page_of(self)
        if page is not None and self.isVisible():
            page.ensureWidgetVisible(self)

    def _show(self) -> None:
        said = [self._wording.say(sentence) for sentence in self._sentences]
        face = self._built()
        face.head.setText(said[0] if said else "")
        face.body.setText("\n".join(said[1:]))
        face.body.setVisible(len(said) > 1)
        self.setAccessibleName(" ".join(said))

    def _built(self) -> _Face:
        if self._face is None:
            self._face = _Face(
                pictured(self._theme, "warning", "asks"),
                plain(role="heading", is_wrapping=True),
                plain(role="soft", is_wrapping=True),
                row(),
            )
            self._lay_out(self._face)
            self._wording.changed.connect(self._show)
        return self._face

    def _lay_out(self, face: _Face) -> None:
        words = column(gap=GAP_TINY)
        words.addWidget(face.head)
        words.addWidget(face.body)
        words.addLayout(face.actions)
        close = glyph(self._wording, self._theme, "close", msg("Close this message"), self.clear)
        whole = row(gap=GAP, margins=(GAP, GAP, GAP_SMALL, GAP))
        whole.addWidget(face.glyph, 0, Qt.AlignmentFlag.AlignTop)
        whole.addLayout(words, 1)
        whole.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setLayout(whole)


@dataclass(frozen=True, slots=True)
class _Face:
    """The pieces of a banner."""

    glyph: QLabel
    head: QLabel
    body: QLabel
    actions: QHBoxLayout


class EmptyState(QFrame):
    """What a place says while nothing is in it: what will be here, and the one next step."""

    def __init__(self, wording: Wording, theme: Theme, icon: str, what: Text, why: Text | None = None) -> None:
        super().__init__()
        self._wording = wording
        self.setProperty("role", "empty")
        self._inside = column(gap=GAP_SMALL, margins=(GAP * 2, GAP * 3, GAP * 2, GAP * 3))
        self._inside.addWidget(pictured(theme, icon, "ink_faint", size=28), 0, Qt.AlignmentFlag.AlignHCenter)
        for text, role in ((what, "heading"), (why, "soft")):
            if text is not None:
                label = plain(role=role, is_wrapping=True)
                label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
                wording.bind(label, "setText", text)
                self._inside.addWidget(label)
        self.setLayout(self._inside)

    def offer(self, widget: QWidget) -> None:
        """Add the next step."""
        self._inside.addSpacing(GAP_SMALL)
        self._inside.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
