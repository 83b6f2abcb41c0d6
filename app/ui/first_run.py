"""The first run: a short guided set-up with sensible defaults (D8.5)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from app.domain.text import Text, msg
from app.ui.parts.buttons import button
from app.ui.parts.choice import Choice
from app.ui.parts.labels import pictured, plain
from app.ui.parts.layouts import column, line, row
from app.ui.setup.collecting import CollectingStep, DoneStep
from app.ui.setup.key import KeyStep, RecoveryStep
from app.ui.setup.model import ModelStep
from app.ui.setup.places import PlacesStep
from app.ui.setup.welcome import WelcomeStep
from app.ui.tokens import GAP, GAP_HUGE, GAP_LARGE, GAP_SMALL

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.ui.desk import Desk
    from app.ui.setup.step import Step
    from app.ui.theme import Theme

_WIDTH: Final = 576  # with room for a scroll bar beside the content
_LANGUAGES: Final = {"en": msg("English"), "zh_CN": Text("中文")}


class FirstRun(QWidget):
    """`finished` tells that the window can show its pages; `language_chosen` the language of the person."""

    finished = Signal()
    language_chosen = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setProperty("role", "page")
        self.recovery = RecoveryStep(desk)
        self.done = DoneStep(desk)
        self.steps: tuple[Step, ...] = (
            WelcomeStep(desk),
            KeyStep(desk, self.recovery),
            self.recovery,
            PlacesStep(desk),
            ModelStep(desk),
            CollectingStep(desk),
            self.done,
        )
        self._stack = QStackedWidget()
        self._dots = _Dots(desk.theme, len(self.steps))
        self._place = plain(role="hint")
        self.language = Choice(desk.wording, desk.theme, msg("Language"), _LANGUAGES)
        self.back_button = button(desk.wording, msg("Back"), self._back, theme=desk.theme, icon="back")
        self.skip_button = button(desk.wording, msg("Later"), self._skip, role="quiet")
        self.next_button = button(desk.wording, msg("Continue"), self._next, role="primary")
        self._build()
        self._connect()
        self.show_step(0)

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self.steps[self._stack.currentIndex()]

    def take_keyboard(self) -> None:
        """Enter goes on, where one can."""
        (self.next_button if self.next_button.isEnabled() else self._stack).setFocus()

    def show_step(self, place: int) -> None:
        """Show a step by its place."""
        self._stack.setCurrentIndex(place)
        self._dots.show_place(place)
        self._say_place()
        self._desk.wording.bind(self.next_button, "setText", self.step.next_text)
        self._desk.wording.bind(self.next_button, "setAccessibleName", self.step.next_text)
        self.back_button.setVisible(self.step.can_go_back)
        self.skip_button.setVisible(self.step.skip_text is not None)
        self._enable_next(is_ready=self.step.is_ready)
        self.step.enter()

    def _enable_next(self, *, is_ready: bool) -> None:
        # a button that is disabled hands the focus to some other control
        if not is_ready and self.next_button.hasFocus():
            self._stack.setFocus()
        self.next_button.setEnabled(is_ready)
        if is_ready and self._stack.hasFocus():
            self.next_button.setFocus()

    def _next(self) -> None:
        self.step.go_on()

    def _skip(self) -> None:
        self.step.skip()

    def _back(self) -> None:
        self.show_step(self._stack.currentIndex() - 1)

    def _on_finished(self, step: Step) -> None:
        if step is not self.step:
            return
        place = self._stack.currentIndex() + 1
        if place < len(self.steps):
            self.show_step(place)
        else:
            self.finished.emit()

    def _on_readied(self, step: Step, is_ready: bool) -> None:
        if step is self.step:
            self._enable_next(is_ready=is_ready)

    def _say_place(self) -> None:
        place = msg("Step {place} of {count}", place=self._stack.currentIndex() + 1, count=len(self.steps))
        self._place.setText(self._desk.wording.say(place))

    def _connect(self) -> None:
        for step in self.steps:
            step.finished.connect(partial(self._on_finished, step))
            step.readied.connect(partial(self._on_readied, step))
        self.language.chosen.connect(self.language_chosen)
        self._desk.wording.changed.connect(self._on_language)
        self._on_language()

    def _on_language(self) -> None:
        self.language.choose(self._desk.wording.language)
        self._say_place()

    def _build(self) -> None:
        head = row(gap=GAP)
        head.addWidget(pictured(self._desk.theme, "mark", "accent", size=24))
        head.addWidget(plain("Famulus", "heading"))
        head.addStretch(1)
        head.addWidget(self.language)
        foot = row(gap=GAP_SMALL)
        foot.addWidget(self._dots)
        foot.addWidget(self._place)
        foot.addStretch(1)
        for widget in (self.back_button, self.skip_button, self.next_button):
            foot.addWidget(widget)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(self._stack, 1000)
        middle.addStretch(1)
        self._stack.setMaximumWidth(_WIDTH)
        for step in self.steps:
            self._stack.addWidget(_scrolling(step))
        inside = column(gap=GAP_LARGE, margins=(GAP_HUGE, GAP_LARGE, GAP_HUGE, GAP_LARGE))
        inside.addLayout(head)
        inside.addLayout(middle, 1)
        inside.addWidget(line())
        inside.addLayout(foot)
        self.setLayout(inside)


class _Dots(QWidget):
    """Where one is: a dot a step; the words beside it say the same."""

    def __init__(self, theme: Theme, count: int) -> None:
        super().__init__()
        self._theme = theme
        self._count = count
        self._place = 0
        self.setFixedSize(QSize(count * 14 + 10, 8))
        theme.changed.connect(self.update)

    def show_place(self, place: int) -> None:
        """Show another place."""
        self._place = place
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the dots; the present one is longer."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        left = 0.0
        for number in range(self._count):
            is_here = number == self._place
            painter.setBrush(
                QColor(self._theme.palette.accent if number <= self._place else self._theme.palette.pressed)
            )
            painter.drawRoundedRect(QRectF(left, 1, 16 if is_here else 6, 6), 3, 3)
            left += 24 if is_here else 14
        painter.end()


def _scrolling(step: Step) -> QScrollArea:
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setWidget(step)
    return made
