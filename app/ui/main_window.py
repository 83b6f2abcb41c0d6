"""The window: the first run, the page that unlocks, or the rail with its pages, as the state of the house asks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QMainWindow, QStackedWidget, QWidget

from app.famulus.api import LockState
from app.ui import icons
from app.ui.hints import keys_in_words
from app.ui.pages.book import Book
from app.ui.pages.health import CONSENT
from app.ui.parts.banner import Banner
from app.ui.parts.layouts import column, row
from app.ui.rail import PAGES, Rail
from app.ui.tokens import GAP, GAP_MEDIUM
from app.ui.unlock import UnlockPage

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QShowEvent

    from app.domain.text import Text
    from app.ui.desk import Desk
    from app.ui.first_run import FirstRun

_SIZE: Final = QSize(1040, 720)
_SMALLEST: Final = QSize(720, 520)


class MainWindow(QMainWindow):
    """`closed` tells that the person closed it; whether it is then in the tray is not its business."""

    closed = Signal()
    language_chosen = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._is_first_run = False
        self._hotkey: tuple[str, Text | None] = ("", None)
        self.setWindowTitle("Famulus")
        self.setWindowIcon(icons.app_icon())
        self.setMinimumSize(_SMALLEST)
        self.resize(_SIZE)
        self.notice = Banner(desk.wording, desk.theme)
        self.rail, self.book = Rail(desk), Book(desk)
        self.shell, self._stack = QWidget(), QStackedWidget()
        self._build()
        self._connect()

    @cached_property
    def unlock(self) -> UnlockPage:
        """The page that unlocks, made when it is first needed."""
        page = UnlockPage(self._desk)
        page.refresh()
        self._stack.addWidget(page)
        return page

    @cached_property
    def first_run(self) -> FirstRun:
        """The guided set-up, made when it is first needed: once, as a rule."""
        from app.ui.first_run import FirstRun  # noqa: PLC0415 - see above

        page = FirstRun(self._desk)
        page.finished.connect(self._on_first_run_finished)
        page.language_chosen.connect(self.language_chosen)
        page.done.show_hotkey(keys_in_words(self._hotkey[0]), self._hotkey[1])
        self._stack.addWidget(page)
        return page

    def show_page(self, name: str) -> None:
        """Open a page, with what it shows fetched anew."""
        self.rail.choose(name)
        self.book.open(name)

    def show_asking(self) -> None:
        """Open the page where a client waits for an answer, and lead to it."""
        self.show_page("agents")
        self.book.agents.show_waiting()

    def open(self) -> None:
        """Bring the window to the front."""
        self.show()
        self.setWindowState(self.windowState() & ~self.windowState().WindowMinimized)
        self.raise_()
        self.activateWindow()

    def show_status(self) -> None:
        """Show what the last report asks for, in case it came before this window did."""
        if self._desk.status.report is not None:
            self._desk.status.changed.emit()

    def show_hotkey(self, hotkey: str, problem: Text | None) -> None:
        """Tell the keys that open quick-ask, or why there are none."""
        self._hotkey = (hotkey, problem)
        self.book.show_hotkey(hotkey)
        if "first_run" in self.__dict__:
            self.first_run.done.show_hotkey(keys_in_words(hotkey), problem)

    def tell(self, *sentences: Text) -> None:
        """A notice above every page."""
        self.notice.show_note(*sentences)

    def showEvent(self, event: QShowEvent) -> None:
        """No control has the ring until the keyboard asks for it, but for what is there to be answered at once."""
        super().showEvent(event)
        shown = self._stack.currentWidget()
        if "first_run" in self.__dict__ and shown is self.first_run:
            self.first_run.take_keyboard()
        elif isinstance(shown, UnlockPage):
            shown.take_keyboard()
        else:
            self._stack.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide; who holds the window decides what that means."""
        event.ignore()
        self.hide()
        self.closed.emit()

    def _on_wanted(self, name: str) -> None:
        if name == CONSENT:
            self.show_asking()
        else:
            self.show_page(name)

    def _on_status(self) -> None:
        report = self._desk.status.report
        if report is None:
            return
        if report.lock is LockState.NEW:
            self._is_first_run = True
        if self._is_first_run:
            self._stack.setCurrentWidget(self.first_run)
        elif report.lock is LockState.OPEN:
            self._show_shell()
        else:
            if self._stack.currentWidget() is self.shell:
                self._close_sheets()
            self._stack.setCurrentWidget(self.unlock)

    def _close_sheets(self) -> None:
        """What is locked shows nothing any more, and a sheet would keep the keyboard from the passphrase."""
        for sheet in self.findChildren(QDialog):
            sheet.reject()

    def _on_first_run_finished(self) -> None:
        self._is_first_run = False
        self._on_status()

    def _show_shell(self) -> None:
        if self.book.currentWidget() is None:
            self.book.open("home")
        if self._stack.currentWidget() is not self.shell:
            self._stack.setCurrentWidget(self.shell)
            self.book.refresh()

    def _connect(self) -> None:
        self._desk.status.changed.connect(self._on_status)
        self.rail.chosen.connect(self.show_page)
        self.book.wants_page.connect(self._on_wanted)
        for number, (name, _, _) in enumerate(PAGES, start=1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number}"), self)
            shortcut.activated.connect(lambda name=name: self._on_shortcut(name))
        close = QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self)
        close.activated.connect(self.close)

    def _on_shortcut(self, name: str) -> None:
        if self._stack.currentWidget() is self.shell:
            self.show_page(name)

    def _build(self) -> None:
        beside_rail = column(gap=0)
        above = row(margins=(GAP_MEDIUM, GAP, GAP_MEDIUM, 0))
        above.addWidget(self.notice)
        beside_rail.addLayout(above)
        beside_rail.addWidget(self.book, 1)
        whole = QHBoxLayout()
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.rail)
        whole.addLayout(beside_rail, 1)
        self.shell.setLayout(whole)
        self.shell.setProperty("role", "page")
        self._stack.addWidget(QWidget())
        self._stack.addWidget(self.shell)
        self.setCentralWidget(self._stack)
