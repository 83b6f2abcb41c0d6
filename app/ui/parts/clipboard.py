"""Puts secrets on the clipboard, and takes them off again after a minute."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QMimeData, QTimer
from PySide6.QtGui import QClipboard, QGuiApplication

_KEPT_MS: Final = 60_000
# programs that keep what was copied are asked not to keep this
_HINTS: Final = {
    "x-kde-passwordManagerHint": b"secret",
    "ExcludeClipboardContentFromMonitorProcessing": b"1",
    "org.nspasteboard.ConcealedType": b"1",
}


def copy_secret(secret: str) -> None:
    """Copy a secret; it is taken off the clipboard after a minute, unless something else is on it by then."""
    QGuiApplication.clipboard().setMimeData(as_secret(secret))


def as_secret(text: str) -> QMimeData:
    """What is put on the clipboard now, by whoever asked for it, as `copy_secret` would."""
    data = QMimeData()
    data.setText(text)
    for kind, value in _HINTS.items():
        data.setData(kind, value)
    QTimer.singleShot(_KEPT_MS, lambda: _take_off(text))
    return data


def forget_secret() -> None:
    """Take off the clipboard what of ours is on it: a program that ends keeps no promise about the next minute."""
    clipboard = QGuiApplication.clipboard()
    if clipboard.ownsClipboard() and all(clipboard.mimeData().hasFormat(kind) for kind in _HINTS):
        clipboard.clear()


def _take_off(secret: str) -> None:
    clipboard = QGuiApplication.clipboard()
    # what is only marked with the mouse is on a clipboard of its own, on some desktops
    for mode in (QClipboard.Mode.Clipboard, QClipboard.Mode.Selection):
        if clipboard.text(mode) == secret:
            clipboard.clear(mode)
