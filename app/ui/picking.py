"""Lets a person choose folders and files, without ever blocking the loop: dialogs open and answer later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog

from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.ui.wording import Wording


def pick_folder(parent: QWidget, wording: Wording, then: Callable[[str], object]) -> QFileDialog:
    """Open the system's dialog for a folder; `then` gets its path."""
    dialog = _dialog(parent, wording.say(msg("Choose a folder")), then)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.open()
    return dialog


def pick_file(parent: QWidget, wording: Wording, then: Callable[[str], object]) -> QFileDialog:
    """Open the system's dialog for one file; `then` gets its path."""
    dialog = _dialog(parent, wording.say(msg("Choose a file")), then)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.open()
    return dialog


def pick_calendars(parent: QWidget, wording: Wording, then: Callable[[str], object]) -> QFileDialog:
    """Open the system's dialog for calendar files; `then` gets each path."""
    dialog = _dialog(parent, wording.say(msg("Choose calendars")), then)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilter(wording.say(msg("Calendars (*.ics)")))
    dialog.open()
    return dialog


def pick_target(parent: QWidget, wording: Wording, name: str, then: Callable[[str], object]) -> QFileDialog:
    """Open the system's dialog for a file that is to be written, by default `name`; `then` gets its path."""
    dialog = _dialog(parent, wording.say(msg("Save as")), then)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setDefaultSuffix(name.rpartition(".")[2])
    dialog.selectFile(name)
    dialog.open()
    return dialog


def _dialog(parent: QWidget, title: str, then: Callable[[str], object]) -> QFileDialog:
    dialog = QFileDialog(parent, title, home_folder())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda paths: [then(path) for path in paths])
    return dialog


def home_folder() -> str:
    """Where choosing begins."""
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.HomeLocation)
