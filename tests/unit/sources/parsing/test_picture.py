"""Pictures are decoded in the parse process, within limits, and come out as pixels (L6.5)."""

from __future__ import annotations

import io
import zlib
from base64 import b64encode
from datetime import datetime
from struct import pack
from zoneinfo import ZoneInfo

import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import Unreadable
from app.domain.labels import EntryKind
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.parsed import About, Parsed, Sense
from app.sources.parsing.picture_dates import date_in_name
from app.sources.parsing.wire import BrokenAnswer, parsed_from_dict, parsed_to_dict

ZONE = ZoneInfo("Asia/Shanghai")
EVERY = frozenset(Sense)


def parsed(data: bytes, name: str = "board.png", senses: frozenset[Sense] = EVERY) -> Parsed:
    window = (datetime(2020, 1, 1, tzinfo=ZONE), datetime(2029, 1, 1, tzinfo=ZONE))
    return parse_content(data, About(name, ZONE, window, ParseLimits(), senses=senses))


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 20), mode: str = "RGB", **options: object) -> bytes:
    file = io.BytesIO()
    PIL.Image.new(mode, size).save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "TIFF", "GIF"])
def test_formats(kind: str) -> None:
    (entry,) = parsed(picture(kind)).entries
    assert (entry.kind, entry.title) == (EntryKind.PICTURE, "board")
    assert entry.pixels is not None
    assert (entry.pixels.width, entry.pixels.height, len(entry.pixels.data)) == (40, 20, 2400)
    assert entry.metadata["media_type"].startswith("image/")


def test_what_is_transparent_is_white() -> None:
    (entry,) = parsed(picture(mode="RGBA")).entries
    assert entry.pixels is not None
    assert set(entry.pixels.data) == {255}


@pytest.mark.parametrize(
    ("size", "expected"),
    [((3000, 1000), (2560, 853)), ((1000, 8000), (1000, 8000)), ((2000, 9000), (1440, 6480)), ((800, 600), (800, 600))],
)
def test_sizes_are_bounded(size: tuple[int, int], expected: tuple[int, int]) -> None:
    (entry,) = parsed(picture("JPEG", size)).entries
    assert entry.pixels is not None
    assert (entry.pixels.width, entry.pixels.height) == expected


def test_it_stands_upright_and_knows_when_it_was_taken() -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    exif[0x0132] = "2024:05:02 08:00:00"
    exif.get_ifd(0x8769).update({0x9003: "2024:05:01 12:30:45", 0x9011: "+02:00"})
    (entry,) = parsed(picture("JPEG", exif=exif), "a.jpg").entries
    assert entry.pixels is not None
    assert (entry.pixels.width, entry.pixels.height) == (20, 40)
    assert entry.event_time is not None
    assert entry.event_time.isoformat() == "2024-05-01T12:30:45+02:00"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Screenshot_2024-05-01-12-30-45.png", "2024-05-01 12:30:45"),
        ("IMG_20240501_123045.jpg", "2024-05-01 12:30:45"),
        ("微信图片_20240501123045.jpg", "2024-05-01 12:30:45"),
        ("Screenshot 2024-05-01 at 12.30.45.png", "2024-05-01 12:30:45"),
        ("IMG-20240501-WA0003.jpg", "2024-05-01 00:00:00"),
        ("屏幕截图 2024-05-01.png", "2024-05-01 00:00:00"),
        ("holiday.png", None),
        ("20241399_000000.png", None),
    ],
)
def test_dates_in_names(name: str, expected: str | None) -> None:
    found = date_in_name(name, ZONE)
    assert (f"{found:%Y-%m-%d %H:%M:%S}" if found else None) == expected


def bomb(width: int, height: int) -> bytes:
    """A PNG that is small and claims to be large."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))

    head = pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1_000_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize("data", [bomb(60_000, 60_000), bomb(7_000, 6_000)])
def test_a_picture_that_unpacks_to_too_much_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match="million pixels"):
        parsed(data)


def test_what_is_not_to_be_read_is_refused() -> None:
    with pytest.raises(Unreadable, match="settings"):
        parsed(picture(), senses=frozenset())
    with pytest.raises(Unreadable, match="HEIC"):
        parsed(b"\0\0\0\x18ftypheic" + bytes(40), "a.heic")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF", "GIF"])
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_damaged_pictures_are_refused_or_read(kind: str, data: st.DataObject) -> None:
    whole = bytearray(picture(kind))
    for _ in range(3):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        parsed(bytes(whole[: data.draw(st.integers(16, len(whole)))]))
    except Unreadable:
        return


def test_pixels_pass_the_border_between_processes_whole_or_not_at_all() -> None:
    result = parsed(picture())
    values = parsed_to_dict(result)
    assert parsed_from_dict(values).entries[0].pixels == result.entries[0].pixels
    good = values["entries"][0]["pixels"]
    bomb = b64encode(zlib.compress(bytes(1 << 24))).decode()
    for bad in (
        [41, *good[1:]],
        [*good[:2], "AAAA"],
        [*good[:2], good[2][:-8]],
        [1 << 20, 1 << 20, bomb],
        [40, 20, bomb],
    ):
        values["entries"][0]["pixels"] = bad
        with pytest.raises(BrokenAnswer):
            parsed_from_dict(values)


def test_light_letters_without_a_background_get_a_dark_one() -> None:
    layers = PIL.Image.new("RGBA", (40, 20))
    layers.paste((255, 255, 255, 255), (5, 5, 15, 15))
    file = io.BytesIO()
    layers.save(file, "PNG")
    (entry,) = parsed(file.getvalue()).entries
    assert entry.pixels is not None
    assert (min(entry.pixels.data), max(entry.pixels.data)) == (24, 255)


@pytest.mark.parametrize(("value", "expected"), [(0, 0), (32_896, 128), (65_535, 255)])
def test_grey_of_sixteen_bits_keeps_its_shades(value: int, expected: int) -> None:
    file = io.BytesIO()
    PIL.Image.new("I;16", (40, 20), value).save(file, "PNG")
    (entry,) = parsed(file.getvalue()).entries
    assert entry.pixels is not None
    assert set(entry.pixels.data) == {expected}
