"""How quick-ask looks in each of its states. It decides nothing: `quick_ask` tells it what to show."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.domain.text import Text, msg
from app.ui.answer_view import AnswerView, Skeleton
from app.ui.ask_field import AskField
from app.ui.explain_panel import ExplainPanel
from app.ui.feedback_row import FeedbackRow
from app.ui.floating_panel import FloatingPanel
from app.ui.hints import HintLine
from app.ui.hit_list import HitList
from app.ui.parts.badge import LocalBadge
from app.ui.parts.banner import Banner
from app.ui.parts.labels import pictured, plain
from app.ui.parts.layouts import column, line, row
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY, PANEL_WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.ui.rows import Row
    from app.ui.theme import Theme
    from app.ui.wording import Wording

_FIELD_ROW: Final = 64
_TEXT_WIDTH: Final = PANEL_WIDTH - 2 * GAP_MEDIUM - 2


class Mode(Enum):
    """What quick-ask shows."""

    START = auto()
    HITS = auto()
    ACTIONS = auto()
    LOOKING = auto()
    ANSWER = auto()
    MESSAGE = auto()


_HINTS: Final = {
    Mode.START: ("ask", "last", "close"),
    Mode.HITS: ("ask", "next", "copy", "why", "close"),
    Mode.ACTIONS: ("run", "next", "close"),
    Mode.LOOKING: ("close",),
    Mode.ANSWER: ("open", "next", "copy", "why", "close"),
    Mode.MESSAGE: ("ask", "last", "close"),
}


class QuickAskView(FloatingPanel):
    """The field, what is below it, and the hints."""

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__(_FIELD_ROW)
        self._wording = wording
        self._theme = theme
        self.mode = Mode.START
        self.field = AskField(wording, lambda: self.list.current is not None)
        self.list = HitList(wording, theme, msg("Sources"))
        self.answer = AnswerView(theme)
        self.explain = ExplainPanel(wording, theme)
        self.feedback = FeedbackRow(wording, theme)
        self.banner = Banner(wording, theme)
        self._skeleton = Skeleton(theme)
        self._message = _Message(wording, theme)
        self._hints = HintLine(wording)
        self._note = plain(role="small")
        self._note_row = self._make_note_row()
        self._body, self._text, self._below = QWidget(), QWidget(), QWidget()
        self._build()
        wording.bind(self, "setWindowTitle", msg("Ask Famulus"))

    def show_start(self) -> None:
        """Only the field."""
        self._show(Mode.START)

    def show_hits(self, rows: Sequence[Row], *, are_actions: bool = False) -> None:
        """What fits the text so far."""
        self.list.show_rows(rows)
        self._show(Mode.ACTIONS if are_actions else Mode.HITS, self.list)

    def show_looking(self) -> None:
        """The answer is being looked for."""
        self._show(Mode.LOOKING, self._skeleton)

    def show_answer(self, text: str, citations: int, rows: Sequence[Row]) -> None:
        """The answer and its sources; the first one is chosen."""
        self.answer.show_answer(text, citations)
        self.answer.fit(_TEXT_WIDTH)
        self.list.show_rows(rows)
        self.list.choose(0 if rows else None)
        self._show(Mode.ANSWER, self.answer, *((self.list,) if rows else ()))
        self.announce(text)

    def show_message(self, icon: str, *sentences: Text, hints: Sequence[str] = _HINTS[Mode.MESSAGE]) -> None:
        """Say why there is neither hit nor answer."""
        self._message.show_sentences(icon, *sentences)
        self._show(Mode.MESSAGE, self._message)
        self._hints.show_hints(*hints)
        self.announce(" ".join(self._wording.say(sentence) for sentence in sentences))

    def show_note(self, note: Text | None) -> None:
        """A quiet line above the hints: what the person should know about the results."""
        self._note.setText(self._wording.say(note) if note is not None else "")
        self._note_row.setVisible(note is not None)

    def announce(self, text: str) -> None:
        """Let a screen reader say what appeared, since the cursor stays in the field."""
        if text:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, text))

    def update_hints(self) -> None:
        """Enter asks or opens, depending on whether a hit is chosen."""
        if self.mode is Mode.HITS:
            first = "open" if self.list.current is not None else "ask"
            self._hints.show_hints(first, *_HINTS[Mode.HITS][1:])

    def _show(self, mode: Mode, *visible: QWidget) -> None:
        self.mode = mode
        if self.list not in visible:
            self.list.show_rows(())
        for widget in (self.answer, self.list, self._skeleton, self._message):
            widget.setVisible(widget in visible)
        self.explain.hide()
        self.feedback.hide()
        self.banner.clear()
        self._text.setVisible(not {self.answer, self._skeleton, self._message}.isdisjoint(visible))
        self._below.setVisible(self.list in visible)
        self._body.setVisible(bool(visible))
        self._hints.show_hints(*_HINTS[mode])
        self.update_hints()

    def _build(self) -> None:
        head = row(gap=GAP, margins=(GAP_MEDIUM + GAP_TINY, 0, GAP_MEDIUM, 0))
        head.addWidget(pictured(self._theme, "ask", "accent", size=22))
        head.addWidget(self.field, 1)
        head.addWidget(LocalBadge(self._wording, self._theme))
        field_row = QWidget()
        field_row.setFixedHeight(_FIELD_ROW)
        field_row.setLayout(head)
        text = column(gap=0, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_TINY))
        _fill(text, self.answer, self._skeleton, self._message)
        self._text.setLayout(text)
        found = column(gap=GAP_SMALL, margins=(GAP_SMALL, GAP_SMALL, GAP_SMALL, GAP_SMALL))
        _fill(found, self.list, self.explain)
        self._below.setLayout(found)
        body = column(gap=0)
        _fill(body, line(), self._text, self._below)
        self._body.setLayout(body)
        self.inside.addWidget(field_row)
        self.inside.addWidget(self._body)
        problem = row(margins=(GAP_SMALL, 0, GAP_SMALL, GAP_SMALL))
        problem.addWidget(self.banner)
        self.inside.addLayout(problem)
        self.inside.addWidget(self.feedback)
        self.inside.addWidget(self._note_row)
        self.inside.addWidget(line())
        self.inside.addWidget(self._hints)

    def _make_note_row(self) -> QFrame:
        made = QFrame()
        inside = row(gap=GAP_SMALL, margins=(GAP_MEDIUM + GAP_TINY, GAP_TINY, GAP_MEDIUM, GAP_SMALL))
        inside.addWidget(pictured(self._theme, "info", size=16), 0, Qt.AlignmentFlag.AlignVCenter)
        inside.addWidget(self._note, 1)
        made.setLayout(inside)
        made.hide()
        return made


class _Message(QWidget):
    """An icon, a sentence, and what to do."""

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self._wording = wording
        self._theme = theme
        self._sentences: tuple[Text, ...] = ()
        self._glyph = pictured(theme, "search", "ink_faint", size=20)
        self._head = plain(role="heading", is_wrapping=True)
        self._body = plain(role="soft", is_wrapping=True)
        words = column(gap=GAP_TINY)
        words.addWidget(self._head)
        words.addWidget(self._body)
        inside = row(gap=GAP, margins=(GAP_TINY, GAP_SMALL, GAP_TINY, GAP_SMALL))
        inside.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(words, 1)
        self.setLayout(inside)
        wording.changed.connect(self._say)

    def show_sentences(self, icon: str, *sentences: Text) -> None:
        """Say these."""
        self._theme.bind_picture(self._glyph, icon, "ink_faint")
        self._sentences = sentences
        self._say()

    def _say(self) -> None:
        said = [self._wording.say(sentence) for sentence in self._sentences]
        self._head.setText(said[0] if said else "")
        self._body.setText("\n".join(said[1:]))
        self._body.setVisible(len(said) > 1)


def _fill(layout: QVBoxLayout, *widgets: QWidget) -> None:
    for widget in widgets:
        layout.addWidget(widget)
