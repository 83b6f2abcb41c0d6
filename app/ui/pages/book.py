"""The pages of the window, each made when somebody first wants to see it: making all would hold the loop up.

All but the first are imported then too, in a few milliseconds: most days need two or three of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from app.ui.pages.home import HomePage
from app.ui.parts.layouts import Page

if TYPE_CHECKING:
    from app.ui.desk import Desk
    from app.ui.pages.about import AboutPage
    from app.ui.pages.agents.page import AgentsPage
    from app.ui.pages.changes import ChangesPage
    from app.ui.pages.metrics.page import MetricsPage
    from app.ui.pages.prepare.page import PreparePage
    from app.ui.pages.settings import SettingsPage
    from app.ui.pages.sources import SourcesPage
    from app.ui.pages.tasks import TasksPage

P = TypeVar("P", bound=Page)


class Book(QStackedWidget):
    """`wants_ask`, `wants_page` and `setting_changed` hand on what the pages tell."""

    wants_ask = Signal(str)
    wants_page = Signal(str)
    setting_changed = Signal(str, str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._hotkey = ""

    @cached_property
    def home(self) -> HomePage:
        """See `pages.home`."""
        page = HomePage(self._desk)
        page.show_hotkey(self._hotkey)
        page.wants_ask.connect(self.wants_ask)
        page.wants_page.connect(self.wants_page)
        return self._added(page)

    @cached_property
    def tasks(self) -> TasksPage:
        """See `pages.tasks`."""
        from app.ui.pages.tasks import TasksPage  # noqa: PLC0415 - see the module docstring

        return self._added(TasksPage(self._desk))

    @cached_property
    def changes(self) -> ChangesPage:
        """See `pages.changes`."""
        from app.ui.pages.changes import ChangesPage  # noqa: PLC0415 - see the module docstring

        return self._added(ChangesPage(self._desk))

    @cached_property
    def prepare(self) -> PreparePage:
        """See `pages.prepare`."""
        from app.ui.pages.prepare.page import PreparePage  # noqa: PLC0415 - see the module docstring

        return self._added(PreparePage(self._desk))

    @cached_property
    def agents(self) -> AgentsPage:
        """See `pages.agents`."""
        from app.ui.pages.agents.page import AgentsPage  # noqa: PLC0415 - see the module docstring

        return self._added(AgentsPage(self._desk))

    @cached_property
    def metrics(self) -> MetricsPage:
        """See `pages.metrics`."""
        from app.ui.pages.metrics.page import MetricsPage  # noqa: PLC0415 - see the module docstring

        return self._added(MetricsPage(self._desk))

    @cached_property
    def sources(self) -> SourcesPage:
        """See `pages.sources`."""
        from app.ui.pages.sources import SourcesPage  # noqa: PLC0415 - see the module docstring

        return self._added(SourcesPage(self._desk))

    @cached_property
    def settings(self) -> SettingsPage:
        """See `pages.settings`."""
        from app.ui.pages.settings import SettingsPage  # noqa: PLC0415 - see the module docstring

        page = SettingsPage(self._desk)
        page.changed.connect(self.setting_changed)
        return self._added(page)

    @cached_property
    def about(self) -> AboutPage:
        """See `pages.about`."""
        from app.ui.pages.about import AboutPage  # noqa: PLC0415 - see the module docstring

        return self._added(AboutPage(self._desk))

    def open(self, name: str) -> None:
        """Show a page by its name, with what it shows fetched anew."""
        page: Page = getattr(self, name)
        self.setCurrentWidget(page)
        page.refresh()

    def refresh(self) -> None:
        """Fetch anew what the open page shows."""
        page = self.currentWidget()
        if isinstance(page, Page):
            page.refresh()

    def show_hotkey(self, hotkey: str) -> None:
        """Remember the keys that open quick-ask, and show them where that is."""
        self._hotkey = hotkey
        if "home" in self.__dict__:
            self.home.show_hotkey(hotkey)

    def _added(self, page: P) -> P:
        self.addWidget(page)
        return page
