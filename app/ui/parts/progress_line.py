"""How far long work is: a sentence, a thin bar, and buttons to pause and cancel it (D8.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app.domain.text import Text, msg
from app.ui.parts.buttons import glyph
from app.ui.parts.labels import ElidedLabel, plain
from app.ui.parts.layouts import column, row
from app.ui.tokens import GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from app.domain.progress import Progress
    from app.ui.theme import Theme
    from app.ui.wording import Wording

_PAUSE: Final = msg("Pause")
_RESUME: Final = msg("Go on")
_CANCEL: Final = msg("Cancel")


class ProgressLine(QWidget):
    """Shows the last `Progress`; `paused` tells True or False, `cancelled` that the person said stop."""

    paused = Signal(bool)
    cancelled = Signal()

    def __init__(self, wording: Wording, theme: Theme, *, is_share: bool = False) -> None:
        """Show counts of things, or a share in percent where what is counted says nothing to a person."""
        super().__init__()
        self._is_share = is_share
        self._wording = wording
        self._theme = theme
        self._progress: Progress | None = None
        self._is_paused = False
        self._label = ElidedLabel("small")
        self._count = plain(role="small")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self.pause_button = glyph(wording, theme, "pause", _PAUSE, self._on_pause)
        self.cancel_button = glyph(wording, theme, "stop", _CANCEL, self._on_cancel)
        self._build()
        wording.changed.connect(self._show)

    @property
    def is_paused(self) -> bool:
        """Whether the person paused the work."""
        return self._is_paused

    def begin(self, label: Text) -> None:
        """Nothing is done yet, and how much there is to do is not known."""
        self._label.show_text(self._wording.say(label))
        self._count.setText("")
        self._bar.setRange(0, 0)
        self._set_paused(is_paused=False)
        self.pause_button.setEnabled(True)
        self.cancel_button.setEnabled(True)

    def show_progress(self, progress: Progress) -> None:
        """Show a step forward."""
        self._progress = progress
        self._show()

    def _show(self) -> None:
        progress = self._progress
        if progress is None:
            return
        self._label.show_text(self._wording.say(progress.label))
        done = self._wording.number(progress.done)
        if progress.total is None:
            self._bar.setRange(0, 0)
            self._count.setText(done if progress.done else "")
        else:
            self._bar.setRange(0, max(progress.total, 1))
            self._bar.setValue(progress.done)
            self._count.setText(self._wording.say(self._counted(progress.done, progress.total)))
        self._bar.setAccessibleName(f"{self._label.text()} {self._count.text()}")

    def _counted(self, done: int, total: int) -> Text:
        if self._is_share:
            return msg("{percent}%", percent=min(done * 100 // total, 100))
        return msg("{done} of {total}", done=self._wording.number(done), total=self._wording.number(total))

    def _on_pause(self) -> None:
        self._set_paused(is_paused=not self._is_paused)
        self.paused.emit(self._is_paused)

    def _set_paused(self, *, is_paused: bool) -> None:
        self._is_paused = is_paused
        self._theme.bind_icon(self.pause_button, "play" if is_paused else "pause")
        for setter in ("setAccessibleName", "setToolTip"):
            self._wording.bind(self.pause_button, setter, _RESUME if is_paused else _PAUSE)

    def _on_cancel(self) -> None:
        self.cancel_button.setEnabled(False)
        self.pause_button.setEnabled(False)
        self.cancelled.emit()

    def _build(self) -> None:
        words = row(gap=GAP_SMALL)
        words.addWidget(self._label, 1)
        words.addWidget(self._count)
        left = column(gap=GAP_TINY + 2)
        left.addLayout(words)
        left.addWidget(self._bar)
        whole = row(gap=GAP_TINY)
        whole.addLayout(left, 1)
        whole.addSpacing(GAP_SMALL)
        whole.addWidget(self.pause_button)
        whole.addWidget(self.cancel_button)
        self.setLayout(whole)
