"""The icon in the tray: its menu, its state, and its badge "local" (D8.1, A5.4).

State is a dot and a word in the tooltip, never colour alone. Where a desktop has no tray, the window says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from app.domain.text import Text, msg
from app.famulus.api import LockState
from app.runtime import clock
from app.ui import icons, moments, naming
from app.ui.parts.labels import on_button
from app.ui.theme import is_system_dark
from app.ui.tokens import DARK, LIGHT

if TYPE_CHECKING:
    from app.domain.context_item import AgendaItem
    from app.ui.desk import Desk

_MENU: Final = (
    ("ask", "ask", msg("Ask\N{HORIZONTAL ELLIPSIS}")),
    ("home", "home", msg("Open Famulus")),
    ("sync", "sync", msg("Sync now")),
    ("pause", "pause", msg("Pause indexing")),
    ("quit", "quit", msg("Quit Famulus")),
)
_ASKS: Final = msg("An agent asks for access\N{HORIZONTAL ELLIPSIS}")
_NEXT_EVENT_CHARACTERS: Final = 48


class Tray(QObject):
    """`acted` tells the name of a menu entry: ask, home, sync, pause, quit; or consent, where a client waits."""

    acted = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._next: AgendaItem | None = None
        self.menu = QMenu()
        self.actions: dict[str, QAction] = {}
        self._event_line = self.menu.addAction("")
        self._event_line.setEnabled(False)
        self._event_separator = self.menu.addSeparator()
        self.actions["consent"] = self._add("consent", "asks", _ASKS, ink="asks")
        for name, icon, text in _MENU:
            if name == "quit":
                self.menu.addSeparator()
            self.actions[name] = self._add(name, icon, text)
        self.icon = QSystemTrayIcon()
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._on_activated)
        desk.status.changed.connect(self._show)
        desk.wording.changed.connect(self._show)
        desk.theme.changed.connect(self._show)
        desk.attention.changed.connect(self._show)
        self._show()

    @staticmethod
    def is_available() -> bool:
        """Whether this desktop has a tray."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show(self) -> None:
        """Put the icon there."""
        self.icon.show()

    def hide(self) -> None:
        """Take it away, before quitting."""
        self.icon.hide()

    def show_next(self, item: AgendaItem | None) -> None:
        """Show what comes next as the first line of the menu."""
        self._next = item
        self._show_next()

    def tell(self, head: Text, detail: Text) -> None:
        """A message beside the tray, where the desktop can show one."""
        if QSystemTrayIcon.supportsMessages():
            say = self._desk.wording.say
            self.icon.showMessage(say(head), say(detail), icons.app_icon(), 8000)

    def _add(self, name: str, icon: str, text: Text, *, ink: str = "ink_soft") -> QAction:
        action = self.menu.addAction("")
        self._desk.theme.bind_icon(action, icon, ink, size=16)
        self._desk.wording.bind(action, "setText", text)
        action.triggered.connect(lambda: self.acted.emit(name))
        return action

    def _show(self) -> None:
        state, needs_person = self._state()
        colour = self._desk.theme.palette
        self.icon.setIcon(icons.tray_icon(_ink_of_panel(), colour.asks if needs_person else None))
        self.icon.setToolTip(self._desk.wording.say(msg("Famulus, local: {state}", state=state)))
        report = self._desk.status.report
        is_open = self._desk.status.is_open
        is_paused = report is not None and report.is_embedding_paused
        self.actions["consent"].setVisible(is_open and bool(self._desk.attention.clients))
        self.actions["sync"].setEnabled(is_open)
        self.actions["pause"].setEnabled(is_open)
        text = msg("Go on with indexing") if is_paused else msg("Pause indexing")
        self._desk.wording.bind(self.actions["pause"], "setText", text)
        self._desk.theme.bind_icon(self.actions["pause"], "play" if is_paused else "pause", size=16)
        self._show_next()

    def _state(self) -> tuple[Text, bool]:
        """A word for the state, and whether it waits for the person."""
        report = self._desk.status.report
        if report is None:
            return msg("starting"), False
        if report.lock is not LockState.OPEN:
            return (msg("not set up yet") if report.lock is LockState.NEW else msg("locked")), True
        if self._desk.attention.clients:
            return msg("an agent asks you"), True
        if report.warnings:
            return msg("needs you"), True
        if report.is_embedding_paused:
            return msg("indexing is paused"), False
        return (msg("indexing"), False) if report.counts.waiting else (msg("ready"), False)

    def _show_next(self) -> None:
        is_shown = self._next is not None and self._desk.status.is_open
        self._event_line.setVisible(is_shown)
        self._event_separator.setVisible(is_shown)
        if self._next is None:
            return
        now = clock.now()
        time = moments.time_of(self._next, now, self._desk.wording)
        title = naming.in_one_line(self._next.title, _NEXT_EVENT_CHARACTERS)
        day = ""
        if self._next.start is not None:
            date = self._next.start.astimezone(now.tzinfo).date()
            day = "" if date == now.date() else moments.day_heading(date, now.date(), self._desk.wording)
        self._event_line.setText(on_button("  ".join(part for part in (day, time, title) if part)))

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        # on macOS a click opens the menu already
        if reason is QSystemTrayIcon.ActivationReason.Trigger and QGuiApplication.platformName() != "cocoa":
            self.acted.emit("ask")


def _ink_of_panel() -> str:
    """Panels do not tell their colour; most follow the system's scheme rather than ours."""
    return DARK.ink if is_system_dark() else LIGHT.ink
