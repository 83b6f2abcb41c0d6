"""Pictures and screenshots: decoded here, read by the senses outside (L6.5).

What goes out is plain pixels, bounded: most pictures are made smaller until their longer side fits; a long screenshot
keeps its width, since letters made smaller are no letters any more. A picture that would unpack to too much is refused
by the size that it claims, before anything is unpacked.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.domain.text import msg
from app.sources.parsing.blocks import one_line
from app.sources.parsing.parsed import Parsed, ParsedEntry, Pixels, Sense
from app.sources.parsing.picture_dates import date_in_exif, date_in_name
from app.sources.parsing.picture_kinds import media_kind
from app.sources.parsing.refusals import damaged, not_read_yet, unreadable

if TYPE_CHECKING:
    from datetime import datetime

    from PIL.Image import Image

    from app.sources.parsing.parsed import About

_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "TIFF", "GIF")
_MOST_PIXELS = 40_000_000
_LONGEST_SIDE = 2_560
_SHORT_SIDE = 1_440
_LONGEST_STRIP = 10_240
_STRIP_RATIO = 2.5
_DARK, _SEEN, _LIGHT = (24, 24, 24), 127, 200
"""The page behind light letters; from which alpha something is seen; from which grey on it is light."""
_MOST_OF_EIGHT_BITS = 255


@dataclass(frozen=True, slots=True)
class _Decoded:
    pixels: Pixels
    taken_at: datetime | None
    size: tuple[int, int]


def parse(data: bytes, about: About) -> Parsed:
    """One entry with the picture's name and date, and its pixels.

    Raises:
        Unreadable: too large, damaged, of a kind that is not decoded, or pictures are not to be read.
    """
    kind = media_kind(data, about.name)
    if Sense.PICTURES not in about.senses:
        raise unreadable(
            msg("Pictures are not read, as the settings want it."),
            msg("Switch files.read_pictures on if Famulus should know the text in them."),
        )
    if kind is None or kind.media_type in {"image/heic", "image/avif"}:
        raise not_read_yet(msg("Pictures in this format (HEIC, AVIF) are not read; export it as JPEG or PNG."))
    found = _decoded(data, about)
    width, height = found.size
    entry = ParsedEntry(
        kind=EntryKind.PICTURE,
        title=one_line(about.stem),
        blocks=(),
        created_at=found.taken_at,
        event_time=found.taken_at or date_in_name(about.name, about.zone),
        metadata=MappingProxyType({"media_type": kind.media_type, "size": f"{width} x {height}"}),
        pixels=found.pixels,
    )
    return Parsed("picture", (entry,), facts=MappingProxyType({"width": width, "height": height}))


def _decoded(data: bytes, about: About) -> _Decoded:
    import PIL.Image  # noqa: PLC0415 - loaded by the few files that need it
    import PIL.ImageOps  # noqa: PLC0415 - see above

    PIL.Image.MAX_IMAGE_PIXELS = None  # the limit is our own, and a refusal rather than a warning
    try:
        with warnings.catch_warnings(action="ignore"), PIL.Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            width, height = image.size
            if width * height > _MOST_PIXELS or not width or not height:
                raise _too_large(width * height)
            taken_at = date_in_exif(image.getexif(), about.zone)
            image.draft("RGB", _target(width, height))
            upright = PIL.ImageOps.exif_transpose(image)
            small = _shrunk(_plain(upright))
    except (OSError, ValueError, SyntaxError, EOFError, KeyError, TypeError, IndexError, OverflowError):
        raise damaged("picture") from None
    return _Decoded(Pixels(*small.size, small.tobytes()), taken_at, (width, height))


def _plain(image: Image) -> Image:
    """The picture in RGB; what is transparent is white as a page is, and dark behind light letters."""
    import PIL.Image  # noqa: PLC0415 - see `_decoded`

    if image.mode.startswith("I"):
        return _eight_bits(image).convert("RGB")
    if image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info:
        layers = image.convert("RGBA")
        page = PIL.Image.new("RGBA", layers.size, _DARK if _is_light(layers) else "white")
        return PIL.Image.alpha_composite(page, layers).convert("RGB")
    return image.convert("RGB")


def _eight_bits(image: Image) -> Image:
    """Grey values of 16 bits, which Pillow would cut off at 255 instead of making them smaller."""
    grey = image.convert("I")
    highest = grey.getextrema()[1]
    is_wide = isinstance(highest, int | float) and highest > _MOST_OF_EIGHT_BITS
    return grey.point(lambda value: value * (1 / 257) + 0).convert("L") if is_wide else grey.convert("L")


def _is_light(layers: Image) -> bool:
    """Whether all that can be seen is so light that it would vanish on a white page."""
    shape = layers.getchannel("A")
    lowest_alpha, _ = shape.getextrema()
    seen = layers.convert("L").histogram(mask=shape.point(lambda alpha: 255 if alpha > _SEEN else 0))
    return lowest_alpha == 0 and any(seen) and not any(seen[:_LIGHT])


def _shrunk(image: Image) -> Image:
    import PIL.Image  # noqa: PLC0415 - see `_decoded`

    target = _target(*image.size)
    return image if target == image.size else image.resize(target, PIL.Image.Resampling.LANCZOS)


def _target(width: int, height: int) -> tuple[int, int]:
    """The size to which a picture is made smaller; a tall strip keeps a width that can be read."""
    factor = min(1.0, _LONGEST_SIDE / max(width, height))
    if height > _STRIP_RATIO * width:
        factor = min(1.0, max(factor, min(_SHORT_SIDE / width, _LONGEST_STRIP / height)))
    return max(1, round(width * factor)), max(1, round(height * factor))


def _too_large(count: int) -> Exception:
    return unreadable(
        msg("The picture has {count} million pixels; over 40 are not read.", count=-(-count // 1_000_000)),
        msg("Save a smaller copy if Famulus should know the text in it."),
    )
