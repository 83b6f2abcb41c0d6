"""The keys that open quick-ask from anywhere (D8.2).

Works on X11, macOS and Windows through pynput, which listens in a thread of its own. Wayland lets no program listen:
there, and without a display, the person binds `famulus --toggle` in the desktop's settings, and the window says so.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.domain.text import Text, msg
from app.ui.hints import keys_in_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_log = logging.getLogger(__name__)
_LISTENING: Final = frozenset({"xcb", "cocoa", "windows"})


class Hotkey(QObject):
    """`pressed` comes on the window's thread. `problem` says why there is none."""

    pressed = Signal()

    def __init__(self, platform: str | None = None) -> None:
        super().__init__()
        self._platform = platform if platform is not None else QGuiApplication.platformName()
        self._listener: Any = None
        self.keys = ""
        self.problem: Text | None = None

    @property
    def is_active(self) -> bool:
        """Whether the keys are listened for."""
        return self._listener is not None

    def listen(self, keys: str) -> None:
        """Listen for these keys, written like `<ctrl>+<alt>+<space>`, instead of those before."""
        self.stop()
        self.keys = keys
        self.problem = self._start(keys)
        if self.problem is not None:
            _log.info("there is no global hotkey on %s", self._platform)

    def stop(self) -> None:
        """Listen no longer."""
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    def _start(self, keys: str) -> Text | None:
        if self._platform not in _LISTENING:
            return msg("This desktop lets no program listen for keys. Bind a key to famulus --toggle in its settings.")
        make = _listener_type()
        if make is None:
            return msg("The part that listens for keys cannot start here. Bind a key to famulus --toggle.")
        if self._platform == "xcb" and is_taken(keys):
            return msg(
                "{keys} is taken by another program. Choose other keys in the settings.", keys=keys_in_words(keys)
            )
        try:
            # emitting is allowed from the listener's thread; Qt delivers it on ours
            self._listener = make({keys: self.pressed.emit})
            self._listener.start()
        except ValueError:
            self._listener = None
            return msg("{keys} cannot be a hotkey. Choose other keys in the settings.", keys=keys_in_words(keys))
        return None


def load_listener() -> None:
    """Import what listens, which takes long; from any thread."""
    if QGuiApplication.platformName() in _LISTENING:
        _listener_type()


def _listener_type() -> Callable[[dict[str, Callable[[], object]]], Any] | None:
    """The listener of pynput; its import fails where there is no display."""
    try:
        from pynput import keyboard  # noqa: PLC0415 - costs time, and fails without a display
    except Exception:  # noqa: BLE001 - its backends raise whatever the display's library raises
        return None
    make: Callable[[dict[str, Callable[[], object]]], Any] = keyboard.GlobalHotKeys
    return make


def is_taken(keys: str) -> bool:
    """Whether another program has grabbed these keys on X11: the X server refuses to give them twice."""
    try:
        from Xlib import XK, X  # noqa: PLC0415 - only X11 has it
        from Xlib import display as x_display  # noqa: PLC0415
        from Xlib.error import BadAccess, CatchError, DisplayError  # noqa: PLC0415
    except ImportError:
        return False
    code, held = _x11_keys(keys, XK, X)
    if not code:
        return False
    try:
        display = x_display.Display()
    except (DisplayError, OSError):
        return False
    try:
        root, caught = display.screen().root, CatchError(BadAccess)
        key = display.keysym_to_keycode(code)
        root.grab_key(key, held, 1, X.GrabModeAsync, X.GrabModeAsync, onerror=caught)
        display.sync()
        root.ungrab_key(key, held)
        display.sync()
        return caught.get_error() is not None
    finally:
        display.close()


def _x11_keys(keys: str, names: ModuleType, masks: ModuleType) -> tuple[int, int]:
    """The keysym and the modifier mask of a hotkey; 0 for a key that X11 names otherwise."""
    held_by = {"ctrl": masks.ControlMask, "alt": masks.Mod1Mask, "shift": masks.ShiftMask, "cmd": masks.Mod4Mask}
    held, last = 0, ""
    for part in (part.strip("<>") for part in keys.split("+")):
        if part in held_by:
            held |= held_by[part]
        else:
            last = part
    for name in (last, last.title(), last.upper()):
        if code := names.string_to_keysym(name):
            return int(code), held
    return 0, held
