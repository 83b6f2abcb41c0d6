"""The settings, generated from their declarations. A change applies at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal

from app.domain.events import SettingChanged
from app.domain.text import msg
from app.settings.declarations import DECLARATIONS
from app.ui.pages.heading import Heading
from app.ui.pages.setting_row import SettingRow
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button
from app.ui.parts.labels import said
from app.ui.parts.layouts import Page, beside, card, line
from app.ui.tokens import GAP_MEDIUM

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.ui.desk import Desk

_SECTIONS: Final = {
    "interface": msg("Interface"),
    "sync": msg("Collecting"),
    "ranking": msg("Ranking"),
    "files": msg("Reading files"),
    "model": msg("Model"),
    "store": msg("Database"),
    "process": msg("Background process"),
    "log": msg("Log"),
}
_EVERYDAY: Final = frozenset({"interface", "sync"})


class SettingsPage(Page):
    """`changed` tells the name and the new value, for what the window itself has to do about it."""

    changed = Signal(str, str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.banner = Banner(desk.wording, desk.theme)
        self.rows: dict[str, SettingRow] = {}
        self._advanced: list[QWidget] = []
        self.content.addWidget(Heading(desk.wording, msg("Settings"), None))
        self.content.addWidget(self.banner)
        known = [name for name in _SECTIONS if any(setting.section == name for setting in DECLARATIONS)]
        later = dict.fromkeys(setting.section for setting in DECLARATIONS if setting.section not in _SECTIONS)
        sections = [*known, *later]
        for section in [name for name in sections if name in _EVERYDAY]:
            self.content.addWidget(self._make_section(section))
        self.more_button = button(desk.wording, msg("Show the advanced settings"), self._toggle_advanced, role="link")
        self.content.addLayout(beside(self.more_button))
        for section in [name for name in sections if name not in _EVERYDAY]:
            made = self._make_section(section)
            made.hide()
            self._advanced.append(made)
            self.content.addWidget(made)
        self.content.addStretch(1)
        desk.bus.subscribe(SettingChanged, self._on_changed)

    def refresh(self) -> None:
        """Show the present values."""
        self._desk.doing(self._load(), "settings", self.banner)

    def _on_changed(self, event: SettingChanged) -> None:
        if event.name in self.rows:
            self._desk.doing(self.rows[event.name].load(), "settings", self.banner)

    async def _load(self) -> None:
        for row in self.rows.values():
            await row.load()

    def _make_section(self, section: str) -> QWidget:
        made, inside = card(gap=GAP_MEDIUM)
        if section in _SECTIONS:
            inside.addWidget(said(self._desk.wording, _SECTIONS[section], "heading"))
        for place, setting in enumerate(setting for setting in DECLARATIONS if setting.section == section):
            if place:
                inside.addWidget(line())
            self.rows[setting.name] = SettingRow(self._desk, setting, self.changed.emit)
            inside.addWidget(self.rows[setting.name])
        return made

    def _toggle_advanced(self) -> None:
        is_shown = not self._advanced[0].isVisibleTo(self)
        for widget in self._advanced:
            widget.setVisible(is_shown)
        text = msg("Hide the advanced settings") if is_shown else msg("Show the advanced settings")
        self._desk.wording.bind(self.more_button, "setText", text)
        self._desk.wording.bind(self.more_button, "setAccessibleName", text)
