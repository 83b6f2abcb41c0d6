"""Tries what the window stands on: a screen, a tray, a hotkey, an input method. Part of `famulus selftest`."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from app.domain.text import Text, msg
from app.runtime import environment
from app.settings.declarations import HOTKEY
from app.ui import input_method
from app.ui.hotkey import Hotkey


def try_desktop() -> Text | None:
    """What this desktop does not have, or None when all is there. Makes a Qt application for a moment."""
    if not environment.has_screen():
        return msg("There is no screen here; the command line works without one.")
    application = QApplication.instance() or QApplication(sys.argv[:1])
    if not QSystemTrayIcon.isSystemTrayAvailable():
        return msg("This desktop has no tray; Famulus stays in its window.")
    hotkey = Hotkey()
    hotkey.listen(HOTKEY.default)
    application.processEvents()
    hotkey.stop()
    return hotkey.problem if hotkey.problem is not None else input_method.hint_here()
