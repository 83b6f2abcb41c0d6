"""The window: the first run, the page that unlocks, or the rail with its pages, as the state of the house asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QWidget

from app.famulus.api import LockState
from app.ui import icons
from app.ui.first_run import FirstRun
from app.ui.pages.about import AboutPage
from app.ui.pages.home import HomePage
from app.ui.pages.settings import SettingsPage
from app.ui.pages.sources import SourcesPage
from app.ui.parts.banner import Banner
from app.ui.parts.layouts import column, row
from app.ui.rail import PAGES, Rail
from app.ui.tokens import GAP, GAP_MEDIUM
from app.ui.unlock import UnlockPage

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QShowEvent

    from app.domain.text import Text
    from app.ui.desk import Desk
    from app.ui.parts.layouts import Page

_SIZE: Final = QSize(1040, 720)
_SMALLEST: Final = QSize(720, 520)


class MainWindow(QMainWindow):
    """`closed` tells that the person closed it; whether it is then in the tray is not its business."""

    closed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._is_first_run = False
        self.setWindowTitle("Famulus")
        self.setWindowIcon(icons.app_icon())
        self.setMinimumSize(_SMALLEST)
        self.resize(_SIZE)
        self.notice = Banner(desk.wording, desk.theme)
        self.rail = Rail(desk)
        self.home, self.sources = HomePage(desk), SourcesPage(desk)
        self.settings, self.about = SettingsPage(desk), AboutPage(desk)
        self._pages: dict[str, Page] = {
            "home": self.home,
            "sources": self.sources,
            "settings": self.settings,
            "about": self.about,
        }
        self._page_stack, self._stack = QStackedWidget(), QStackedWidget()
        self.shell, self.unlock, self.first_run = QWidget(), UnlockPage(desk), FirstRun(desk)
        self._build()
        self._connect()

    def show_page(self, name: str) -> None:
        """Open a page, with what it shows fetched anew."""
        self.rail.choose(name)
        self._page_stack.setCurrentWidget(self._pages[name])
        self._refresh_page()

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

    def tell(self, *sentences: Text) -> None:
        """A notice above every page."""
        self.notice.show_note(*sentences)

    def showEvent(self, event: QShowEvent) -> None:
        """No control has the ring until the keyboard asks for it."""
        super().showEvent(event)
        self._stack.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide; who holds the window decides what that means."""
        event.ignore()
        self.hide()
        self.closed.emit()

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
            self._stack.setCurrentWidget(self.unlock)

    def _on_first_run_finished(self) -> None:
        self._is_first_run = False
        self._on_status()

    def _show_shell(self) -> None:
        if self._stack.currentWidget() is not self.shell:
            self._stack.setCurrentWidget(self.shell)
            self._refresh_page()

    def _refresh_page(self) -> None:
        page = self._page_stack.currentWidget()
        if isinstance(page, HomePage | SourcesPage | SettingsPage):
            page.refresh()

    def _connect(self) -> None:
        self._desk.status.changed.connect(self._on_status)
        self.first_run.finished.connect(self._on_first_run_finished)
        self.rail.chosen.connect(self.show_page)
        self.home.wants_page.connect(self.show_page)
        for number, (name, _, _) in enumerate(PAGES, start=1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number}"), self)
            shortcut.activated.connect(lambda name=name: self._on_shortcut(name))
        close = QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self)
        close.activated.connect(self.close)

    def _on_shortcut(self, name: str) -> None:
        if self._stack.currentWidget() is self.shell:
            self.show_page(name)

    def _build(self) -> None:
        for page in self._pages.values():
            self._page_stack.addWidget(page)
        beside_rail = column(gap=0)
        above = row(margins=(GAP_MEDIUM, GAP, GAP_MEDIUM, 0))
        above.addWidget(self.notice)
        beside_rail.addLayout(above)
        beside_rail.addWidget(self._page_stack, 1)
        whole = QHBoxLayout()
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.rail)
        whole.addLayout(beside_rail, 1)
        self.shell.setLayout(whole)
        self.shell.setProperty("role", "page")
        for widget in (QWidget(), self.shell, self.unlock, self.first_run):
            self._stack.addWidget(widget)
        self.setCentralWidget(self._stack)
