"""Whether Chinese can be typed here. The window libraries bring ibus along and no fcitx; a person should be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDir, QLibraryInfo, QProcessEnvironment
from PySide6.QtGui import QGuiApplication

from app.domain.text import Text, msg

if TYPE_CHECKING:
    from collections.abc import Iterable

_FCITX: Final = ("fcitx", "fcitx5")


def hint(*, platform: str, module: str, modifiers: str, plugins: Iterable[str]) -> Text | None:
    """What to do so that an input method works, or None where nothing is needed.

    Args:
        platform: Qt's name of the platform.
        module: QT_IM_MODULE; an empty one means the platform's default.
        modifiers: XMODIFIERS, which tells what the desktop runs.
        plugins: the names of the input method plug-ins that are there.
    """
    if platform not in {"xcb", "wayland"}:
        return None
    running = module or modifiers.removeprefix("@im=")
    is_missing = running in _FCITX and not any("fcitx" in name for name in plugins)
    if is_missing:
        return msg(
            "Chinese input by fcitx does not reach this window. Start Famulus with QT_IM_MODULE=ibus and ibus running, "
            "or use fcitx through its ibus frontend."
        )
    return None


def hint_here() -> Text | None:
    """The hint for this process."""
    environment = QProcessEnvironment.systemEnvironment()
    folder = QDir(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath))
    folder.cd("platforminputcontexts")
    return hint(
        platform=QGuiApplication.platformName(),
        module=environment.value("QT_IM_MODULE"),
        modifiers=environment.value("XMODIFIERS"),
        plugins=folder.entryList(),
    )
