"""Light, dark, and as the system is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QPushButton

from app.ui.theme import Theme
from app.ui.tokens import DARK, LIGHT


@pytest.fixture
def theme(qapp):
    return Theme(qapp, "light")


def turn_system(qapp, monkeypatch, scheme):
    monkeypatch.setattr("app.ui.theme.is_system_dark", lambda: scheme == Qt.ColorScheme.Dark)
    qapp.styleHints().colorSchemeChanged.emit(scheme)


def test_a_change_dresses_the_whole_application(qapp, theme):
    told = []
    theme.changed.connect(lambda: told.append(theme.palette))
    theme.use("dark")
    assert told == [DARK]
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.paper.lower()
    assert DARK.paper in qapp.styleSheet()


def test_icons_follow(theme):
    button = QPushButton()
    theme.bind_icon(button, "check", "accent")
    before = button.icon().pixmap(20, 20).toImage()
    theme.use("dark")
    assert button.icon().pixmap(20, 20).toImage() != before


def test_auto_follows_the_system(qapp, theme, monkeypatch):
    theme.use("auto")
    turn_system(qapp, monkeypatch, Qt.ColorScheme.Dark)
    assert theme.palette == DARK
    turn_system(qapp, monkeypatch, Qt.ColorScheme.Light)
    assert theme.palette == LIGHT


def test_a_choice_does_not_follow_the_system(qapp, theme, monkeypatch):
    turn_system(qapp, monkeypatch, Qt.ColorScheme.Dark)
    assert theme.palette == LIGHT
