"""A page with sections: one heading, a row of tabs, and below them the section that is chosen.

A section is made when somebody first wants to see it, and fetches what it shows anew whenever it is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.ui.pages.heading import Heading
from app.ui.parts.layouts import Page, column
from app.ui.parts.tabs import Tabs
from app.ui.tokens import GAP_MEDIUM

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.domain.text import Text
    from app.ui.desk import Desk


class Section(QWidget):
    """What is below the tabs."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._turn = 0
        self.content = column(gap=GAP_MEDIUM)
        self.setLayout(self.content)

    def refresh(self) -> None:
        """Fetch anew what is shown."""

    def _begin(self) -> int:
        """Begin to fetch something; see `_is_latest`."""
        self._turn += 1
        return self._turn

    def _is_latest(self, turn: int) -> bool:
        """Whether nothing else was asked for since: an answer that comes late belongs to a question that is gone."""
        return turn == self._turn


class SectionedPage(Page):
    """Opens with its first section.

    Args:
        sections: by their names the words of their tabs, and what makes each.
    """

    def __init__(
        self, desk: Desk, title: Text, about: Text, sections: Mapping[str, tuple[Text, Callable[[], Section]]]
    ) -> None:
        super().__init__()
        self._desk = desk
        self._makers = {name: make for name, (_, make) in sections.items()}
        self._made: dict[str, Section] = {}
        self.tabs = Tabs(desk.wording, {name: words for name, (words, _) in sections.items()})
        self._place = column(gap=0)
        self.content.addWidget(Heading(desk.wording, title, about))
        self.content.addWidget(self.tabs)
        self.content.addLayout(self._place)
        self.content.addStretch(1)
        self.tabs.chosen.connect(self._on_chosen)

    def section(self, name: str) -> Section:
        """A section, made if it is not there yet."""
        if name not in self._made:
            made = self._made[name] = self._makers[name]()
            self._place.addWidget(made)
            # only once it is in its place: before, it would be a window of its own
            made.setVisible(name == self.tabs.current)
        return self._made[name]

    def open_section(self, name: str) -> None:
        """Show a section, with what it shows fetched anew."""
        if self.tabs.current == name:
            self.refresh()
        else:
            self.tabs.choose(name)

    def refresh(self) -> None:
        """Fetch anew what the open section shows."""
        if self._desk.status.is_open:
            self._show().refresh()

    def _on_chosen(self, _: str) -> None:
        self._show()
        self.verticalScrollBar().setValue(0)
        self.refresh()

    def _show(self) -> Section:
        current = self.section(self.tabs.current)
        for made in self._made.values():
            made.setVisible(made is current)
        return current
