"""Buttons by what they are for: primary, plain, quiet, glyph alone, final (red), link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton

from app.ui.parts.labels import on_button, restyle
from app.ui.tokens import GAP_TINY, ICON_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent

    from app.domain.text import Text
    from app.ui.theme import Theme
    from app.ui.wording import Wording

_INKS: Final = {"primary": "on_accent", "final": "final", "link": "accent"}
_SMALL_ICON: Final = 16
_BY_KEYBOARD: Final = frozenset(
    {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}
)
_COMES_BACK: Final = frozenset({Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason})
"""A sheet or a menu that it opened is closed."""


class Button(QPushButton):
    """A button with a role. Its focus ring shows for those who came by the keyboard, and not after a click."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._was_ringed = False
        self.setProperty("role", role)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # without this, a dialog takes the first button as its default, and Enter presses it unseen
        self.setAutoDefault(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring."""
        is_back = self._was_ringed and event.reason() in _COMES_BACK
        self._ring(is_ringed=is_back or event.reason() in _BY_KEYBOARD)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take it away."""
        self._was_ringed = bool(self.property("is_ringed"))
        self._ring(is_ringed=False)
        super().focusOutEvent(event)

    def _ring(self, *, is_ringed: bool) -> None:
        if bool(self.property("is_ringed")) is not is_ringed:
            self.setProperty("is_ringed", is_ringed)
            restyle(self)


def button(
    wording: Wording,
    text: Text,
    on_click: Callable[[], object],
    *,
    role: str = "plain",
    theme: Theme | None = None,
    icon: str = "",
) -> Button:
    """A button with words, and an icon before them if one is named."""
    made = Button(role)
    wording.bind(made, "setText", text)
    wording.bind(made, "setAccessibleName", text)
    if theme is not None and icon:
        set_icon(made, theme, icon, _INKS.get(role, "ink_soft"))
    made.clicked.connect(lambda _: on_click())
    return made


def glyph(wording: Wording, theme: Theme, icon: str, name: Text, on_click: Callable[[], object]) -> Button:
    """A button with an icon alone; its name is spoken and shown as a tooltip."""
    made = Button("glyph")
    made.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
    theme.bind_icon(made, icon)
    wording.bind(made, "setAccessibleName", name)
    wording.bind(made, "setToolTip", name)
    made.clicked.connect(lambda _: on_click())
    return made


def words_of(text: str, on_click: Callable[[], object]) -> Button:
    """A link with words that are not ours, such as a question that was asked."""
    made = Button("link")
    made.setText(on_button(text))
    made.setAccessibleName(text)
    made.clicked.connect(lambda _: on_click())
    return made


def set_icon(made: QPushButton, theme: Theme, icon: str, ink: str, *, size: int = _SMALL_ICON) -> None:
    """Give a button an icon before its words. Qt leaves 4 px between them, which is too little."""
    made.setIconSize(QSize(size + GAP_TINY, size))
    theme.bind_icon(made, icon, ink, size=size, trailing=GAP_TINY)
