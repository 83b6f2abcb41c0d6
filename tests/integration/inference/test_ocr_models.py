"""The real models read pictures that are drawn here, offline (L6.5)."""

from __future__ import annotations

import socket
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest

from app.inference.ocr import PictureReader, is_installed

pytestmark = pytest.mark.skipif(not is_installed(), reason="what reads pictures is not installed")
FONTS = (
    Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
    Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"),
    Path("/System/Library/Fonts/PingFang.ttc"),
    Path("C:/Windows/Fonts/msyh.ttc"),
)
LINES = ("The boat sails on Friday, 14 May.", "船周五出发，王芳负责刷漆。", "Price: 1,280.50 EUR")


@pytest.fixture(scope="module")
def reader() -> PictureReader:
    return PictureReader()


def drawn(lines: tuple[str, ...], font: Path) -> tuple[bytes, int, int]:
    image = PIL.Image.new("RGB", (640, 60 + 50 * len(lines)), "white")
    draw = PIL.ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        draw.text((30, 30 + 50 * number), line, font=PIL.ImageFont.truetype(str(font), 24), fill="black")
    return image.tobytes(), image.width, image.height


def test_english_and_chinese(reader: PictureReader, monkeypatch: pytest.MonkeyPatch) -> None:
    font = next((font for font in FONTS if font.exists()), None)
    if font is None:
        pytest.skip("no font with Chinese letters is known here")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert tuple(reader.read(*drawn(LINES, font))) == LINES
    assert reader.is_loaded
    reader.unload()
    assert not reader.is_loaded


def test_a_picture_without_text(reader: PictureReader) -> None:
    assert list(reader.read(bytes(3 * 200 * 100), 200, 100)) == []
    noise = np.random.default_rng(1).integers(0, 255, (100, 200, 3), np.uint8)
    assert isinstance(reader.read(noise.tobytes(), 200, 100), list)
    assert isinstance(reader.read(bytes(3), 1, 1), list)
