"""Our own icons: one box, one stroke, one colour at a time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor

from app.runtime.paths import resource
from app.ui import icons
from app.ui.tokens import DARK, LIGHT

FOLDER = resource("icons")
SPECIAL = {"app", "tray", "mark", "welcome"}
NAMES = sorted(path.stem for path in FOLDER.glob("*.svg") if path.stem not in SPECIAL)
SOURCES = Path(__file__).resolve().parents[2] / "app" / "ui"


def colours(pixmap):
    image = pixmap.toImage()
    points = [(x, y) for x in range(image.width()) for y in range(image.height())]
    return {image.pixelColor(x, y).name() for x, y in points if image.pixelColor(x, y).alpha() == 255}


@pytest.mark.parametrize("name", NAMES)
def test_an_icon_has_the_box_and_the_stroke_of_the_set(qapp, name):
    source = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert 'viewBox="0 0 20 20"' in source
    assert 'stroke-width="1.5"' in source
    assert not re.search(r'(fill|stroke)="#', source)
    assert colours(icons.picture(name, "#0E6660", 20, 2.0)) <= {"#0e6660"}
    assert not icons.picture(name, "#0E6660", 20, 2.0).toImage().isNull()


def test_an_icon_is_drawn_at_all(qapp):
    assert colours(icons.picture("check", "#B3261E", 20, 3.0)) == {"#b3261e"}


def test_a_disabled_icon_has_another_colour(qapp):
    icon = icons.icon("stop", "#000000", "#888888", 16)
    assert colours(icon.pixmap(16, icon.Mode.Disabled)) <= {"#888888"}


def test_every_named_icon_exists():
    words = {word for path in SOURCES.rglob("*.py") for word in re.findall(r'"([a-z-]+)"', path.read_text())}
    calls = {
        name
        for path in SOURCES.rglob("*.py")
        for name in re.findall(r'(?:icon=|bind_icon\(\w+(?:\.\w+)*, |show_fact\(\s*)"([a-z-]+)"', path.read_text())
    }
    assert calls - set(NAMES) == set()
    # the cloud waits for the day on which something may leave the device
    assert set(NAMES) - words - {"cloud"} == set(), "an icon that nothing uses"


def test_the_art_follows_the_palette(qapp):
    assert LIGHT.accent.lower() in colours(icons.art("welcome", LIGHT, 320, 1.0))
    assert DARK.accent.lower() in colours(icons.art("welcome", DARK, 320, 1.0))


def test_the_tray_says_by_a_dot_that_it_waits(qapp):
    calm, asking = icons.tray_icon("#211E1A"), icons.tray_icon("#211E1A", "#855600")
    assert QColor("#855600").name() in colours(asking.pixmap(64, 64))
    assert QColor("#855600").name() not in colours(calm.pixmap(64, 64))
    assert calm.isMask()
    assert not asking.isMask()
