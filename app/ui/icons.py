"""Our own icons: strokes in one colour, recoloured by token, sharp on every screen."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.runtime.paths import resource
from app.ui.tokens import ICON_SIZE, Palette

if TYPE_CHECKING:
    from collections.abc import Iterable

_TRAY_SIZES: Final = (16, 22, 24, 32, 44, 64)
_APP_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)


@lru_cache(maxsize=256)
def icon(name: str, colour: str, disabled: str, size: int = ICON_SIZE, trailing: int = 0) -> QIcon:
    """An icon in one colour, and in another while disabled; `size` logical pixels high, with room after it."""
    drawn = QIcon()
    for mode, ink in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        for scale in _scales():
            pixmap = _blank(QSize((size + trailing) * scale, size * scale))
            painter = QPainter(pixmap)
            painter.drawPixmap(0, 0, _draw(_coloured(name, ink), size * scale))
            painter.end()
            pixmap.setDevicePixelRatio(scale)
            drawn.addPixmap(pixmap, mode)
    return drawn


def picture(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    """The same as a pixmap for a screen with that many device pixels to a logical one."""
    pixmap = _draw(_coloured(name, colour), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def art(name: str, palette: Palette, width: int, ratio: float) -> QPixmap:
    """A larger drawing, whose colours are named by token."""
    source = _read(name)
    for token in ("on_accent", "accent", "asks", "ink_faint", "paper", "surface", "sunken"):
        source = source.replace(f"token-{token}", str(getattr(palette, token)))
    renderer = _renderer(source)
    shape = renderer.defaultSize()
    size = QSize(width, round(width * shape.height() / max(shape.width(), 1)))
    pixmap = _blank(size * ratio)
    _paint(renderer, pixmap)
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def app_icon() -> QIcon:
    """The icon of the application, in its own colours."""
    return _icon_of(_draw(_read("app"), size) for size in _APP_SIZES)


def tray_icon(colour: str, dot: str | None = None) -> QIcon:
    """The mark in one colour; `dot` is the colour of a state dot, which comes with a word in the tooltip."""
    drawn = _icon_of(_with_dot(_draw(_coloured("tray", colour), size), dot) for size in _TRAY_SIZES)
    # macOS colours a template itself, but would take the meaning out of a dot
    drawn.setIsMask(dot is None)
    return drawn


def _scales() -> Iterable[int]:
    """The sharpnesses in which an icon may be asked for on the screens that are there."""
    return range(1, max(2, math.ceil(max(screen.devicePixelRatio() for screen in QGuiApplication.screens()))) + 1)


def _icon_of(pixmaps: Iterable[QPixmap]) -> QIcon:
    drawn = QIcon()
    for pixmap in pixmaps:
        drawn.addPixmap(pixmap)
    return drawn


def _with_dot(pixmap: QPixmap, colour: str | None) -> QPixmap:
    if colour is None:
        return pixmap
    size = pixmap.width()
    diameter = size * 0.42
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    gap = size * 0.07
    place = QRectF(size - diameter, size - diameter, diameter, diameter)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.setBrush(Qt.GlobalColor.black)
    painter.drawEllipse(place.adjusted(-gap, -gap, gap, gap))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.setBrush(QColor(colour))
    painter.drawEllipse(place)
    painter.end()
    return pixmap


@lru_cache(maxsize=128)
def _read(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text(encoding="utf-8")


def _coloured(name: str, colour: str) -> str:
    return _read(name).replace("currentColor", colour)


def _renderer(source: str) -> QSvgRenderer:
    renderer = QSvgRenderer()
    renderer.load(QByteArray(source.encode()))
    return renderer


def _blank(size: QSize) -> QPixmap:
    pixmap = QPixmap(size)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def _draw(source: str, pixels: int) -> QPixmap:
    pixmap = _blank(QSize(pixels, pixels))
    _paint(_renderer(source), pixmap)
    return pixmap


def _paint(renderer: QSvgRenderer, pixmap: QPixmap) -> None:
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, pixmap.width(), pixmap.height()))
    painter.end()
