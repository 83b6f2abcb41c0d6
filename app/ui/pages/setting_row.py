"""One setting: its meaning, and the control that its kind asks for, derived from the declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.text import Text, msg
from app.settings import kinds
from app.settings.declarations import HOTKEY, Setting
from app.ui.parts.banner import Banner
from app.ui.parts.choice import Choice
from app.ui.parts.hotkey_field import HotkeyField
from app.ui.parts.labels import said
from app.ui.parts.layouts import column, row
from app.ui.parts.toggles import Switch
from app.ui.tokens import GAP, GAP_LARGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.ui.desk import Desk

_WORDS: Final = {
    "auto": msg("As the system"),
    "en": msg("English"),
    "zh_CN": msg("Chinese"),
    "light": msg("Light"),
    "dark": msg("Dark"),
    "debug": msg("Everything"),
    "info": msg("What happens"),
    "warning": msg("What is odd"),
    "error": msg("Only errors"),
}
_FIELD_WIDTH: Final = 180


class Control(Protocol):
    """A control for a value as text."""

    widget: QWidget

    def show_value(self, value: str) -> None:
        """Show a value without telling."""


class SettingRow(QWidget):
    """Meaning at the left, control at the right; a value that is refused is taken back, and the reason shown."""

    def __init__(self, desk: Desk, setting: Setting[Any], on_changed: Callable[[str, str], object]) -> None:
        super().__init__()
        self._desk = desk
        self.setting = setting
        self._on_changed = on_changed
        self._value = setting.kind.show(setting.default)
        self.banner = Banner(desk.wording, desk.theme)
        self.control = make_control(desk, setting, self._change)
        self._build()

    async def load(self) -> None:
        """Show the present value."""
        self._value = await self._desk.api.setting(self.setting.name)
        self.control.show_value(self._value)

    def _change(self, value: str) -> None:
        if value != self._value:
            self._desk.doing(self._store(value), f"change {self.setting.name}", self.banner)

    async def _store(self, value: str) -> None:
        self.banner.clear()
        try:
            await self._desk.api.change_setting(self.setting.name, value)
            self._value = value
        finally:
            self.control.show_value(self._value)
        self._on_changed(self.setting.name, value)
        if self.setting.needs_restart:
            self.banner.show_note(msg("This takes effect when Famulus starts again."))

    def _build(self) -> None:
        words = column(gap=0)
        words.addWidget(said(self._desk.wording, self.setting.meaning, is_wrapping=True))
        if isinstance(self.setting.kind, kinds.Whole | kinds.Fraction):
            words.addWidget(said(self._desk.wording, self.setting.kind.allowed, "hint", is_wrapping=True))
        line = row(gap=GAP_LARGE)
        line.addLayout(words, 1)
        line.addWidget(self.control.widget, 0, Qt.AlignmentFlag.AlignVCenter)
        whole = column(gap=GAP)
        whole.addLayout(line)
        whole.addWidget(self.banner)
        self.setLayout(whole)


def make_control(desk: Desk, setting: Setting[Any], change: Callable[[str], object]) -> Control:
    """The control for a setting's kind."""
    if setting is HOTKEY:
        return _HotkeyControl(desk, change)
    if isinstance(setting.kind, kinds.Choice):
        return _ChoiceControl(desk, setting, setting.kind, change)
    if isinstance(setting.kind, kinds.Flag):
        return _FlagControl(desk, setting, change)
    return _TextControl(desk, setting, change)


class _HotkeyControl:
    def __init__(self, desk: Desk, change: Callable[[str], object]) -> None:
        self._field = HotkeyField(desk.wording)
        self._field.captured.connect(change)
        self.widget: QWidget = self._field

    def show_value(self, value: str) -> None:
        self._field.show_keys(value)


class _ChoiceControl:
    def __init__(self, desk: Desk, setting: Setting[Any], kind: kinds.Choice, change: Callable[[str], object]) -> None:
        options = {word: _WORDS.get(word, Text(word)) for word in kind.words}
        self._choice = Choice(desk.wording, desk.theme, setting.meaning, options)
        self._choice.chosen.connect(change)
        self.widget: QWidget = self._choice

    def show_value(self, value: str) -> None:
        self._choice.choose(value)


class _FlagControl:
    def __init__(self, desk: Desk, setting: Setting[Any], change: Callable[[str], object]) -> None:
        self._switch = Switch(desk.wording, desk.theme, setting.meaning)
        # clicked, unlike toggled, is silent when the value is only shown
        self._switch.clicked.connect(lambda is_on: change("true" if is_on else "false"))
        self.widget: QWidget = self._switch

    def show_value(self, value: str) -> None:
        self._switch.setChecked(value == "true")


class _TextControl:
    def __init__(self, desk: Desk, setting: Setting[Any], change: Callable[[str], object]) -> None:
        self._field = QLineEdit()
        self._field.setFixedWidth(_FIELD_WIDTH)
        desk.wording.bind(self._field, "setAccessibleName", setting.meaning)
        self._field.editingFinished.connect(lambda: change(self._field.text().strip()))
        self.widget: QWidget = self._field

    def show_value(self, value: str) -> None:
        self._field.setText(value)
