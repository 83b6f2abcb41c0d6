"""Light or dark: as the person chose, or as the system is, also while the window is open (D8.6)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFontDatabase, QGuiApplication, QPalette

from app.ui import fonts, icons, stylesheet
from app.ui.bindings import Bindings
from app.ui.tokens import DARK, ICON_SIZE, LIGHT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.ui.tokens import Palette

AUTO: Final = "auto"


class Theme(QObject):
    """Holds the palette in use, and dresses the application in it."""

    changed = Signal()

    def __init__(self, app: QApplication, mode: str = AUTO) -> None:
        super().__init__()
        self._app = app
        self._mode = mode
        self._bindings = Bindings()
        self._palette = LIGHT
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self._dress()

    @property
    def palette(self) -> Palette:
        """The colours in use."""
        return self._palette

    def use(self, mode: str) -> None:
        """Change to "light", "dark" or "auto"."""
        self._mode = mode
        self._dress()

    def bind_icon(
        self, target: QObject, name: str, ink: str = "ink_soft", *, size: int = ICON_SIZE, trailing: int = 0
    ) -> None:
        """Give a button or an action an icon in the colour of a token, and again after a change of colours."""
        self._bindings.bind(target, "setIcon", partial(self._icon, name, ink, size, trailing))

    def bind_picture(self, target: QObject, name: str, ink: str = "ink_soft", *, size: int = ICON_SIZE) -> None:
        """Give a label an icon as its picture."""
        self._bindings.bind(target, "setPixmap", partial(self._picture, name, ink, size))

    def bind_art(self, target: QObject, name: str, width: int) -> None:
        """Give a label a larger drawing."""
        self._bindings.bind(target, "setPixmap", partial(self._art, name, width))

    def _icon(self, name: str, ink: str, size: int, trailing: int) -> object:
        return icons.icon(name, str(getattr(self._palette, ink)), self._palette.ink_faint, size, trailing)

    def _picture(self, name: str, ink: str, size: int) -> object:
        return icons.picture(name, str(getattr(self._palette, ink)), size, self._app.devicePixelRatio())

    def _art(self, name: str, width: int) -> object:
        return icons.art(name, self._palette, width, self._app.devicePixelRatio())

    def _on_system_changed(self) -> None:
        if self._mode == AUTO:
            self._dress()

    def _is_dark_wanted(self) -> bool:
        return is_system_dark() if self._mode == AUTO else self._mode == "dark"

    def _dress(self) -> None:
        self._palette = DARK if self._is_dark_wanted() else LIGHT
        self._app.setPalette(_qt_palette(self._palette))
        # the desktop's own theme may set fonts again whenever it likes; the style sheet has the last word
        faces, fixed = fonts.interface_font().families(), fonts.fixed_families(QFontDatabase.families())
        self._app.setStyleSheet(stylesheet.build(self._palette, faces=faces, fixed=fixed))
        self._bindings.refresh()
        self.changed.emit()


def prepare(app: QApplication) -> None:
    """Choose the style that takes our colours, and our faces; once, before the first widget is made."""
    app.setStyle("Fusion")
    app.setFont(fonts.interface_font())


def is_system_dark() -> bool:
    """Whether the desktop is dark; one that does not say is light."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def _qt_palette(colour: Palette) -> QPalette:
    """The same colours for what no style sheet reaches: native menus, selections, placeholders."""
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: colour.paper,
        QPalette.ColorRole.WindowText: colour.ink,
        QPalette.ColorRole.Base: colour.surface,
        QPalette.ColorRole.AlternateBase: colour.sunken,
        QPalette.ColorRole.Text: colour.ink,
        QPalette.ColorRole.Button: colour.surface,
        QPalette.ColorRole.ButtonText: colour.ink,
        QPalette.ColorRole.PlaceholderText: colour.ink_faint,
        QPalette.ColorRole.Highlight: colour.accent,
        QPalette.ColorRole.HighlightedText: colour.on_accent,
        QPalette.ColorRole.Link: colour.accent,
        QPalette.ColorRole.ToolTipBase: colour.ink,
        QPalette.ColorRole.ToolTipText: colour.paper,
    }
    for role, value in roles.items():
        palette.setColor(role, QColor(value))
    disabled = QPalette.ColorGroup.Disabled
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(disabled, role, QColor(colour.ink_faint))
    return palette
