"""When a picture or a recording was made: by its EXIF data, else by the name that a device gave its file."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from app.sources.parsing.dates import storable

if TYPE_CHECKING:
    from datetime import tzinfo

    from PIL.Image import Exif

_EXIF_PART = 0x8769
_TAKEN, _TAKEN_OFFSET = 0x9003, 0x9011
_CHANGED = 0x0132
_EXIF_TIME = re.compile(r"(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)")
_OFFSET = re.compile(r"[+-]\d\d:\d\d")
_IN_NAME = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?:(?:[-_. T]| at |日 ?){1,3}|(?=\d{6}(?!\d)))"
    r"([0-2]\d)[-_.:h]?([0-5]\d)(?:[-_.:m]?([0-5]\d))?(?!\d)(?!\s?[AaPp][Mm])"
)
_DAY_IN_NAME = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-_.]([01]\d)[-_.]([0-3]\d)(?!\d)|(?<!\d)(20\d\d)([01]\d)([0-3]\d)(?!\d)"
)


def date_in_exif(exif: Exif, zone: tzinfo) -> datetime | None:
    """When it was taken (EXIF 2.32, DateTimeOriginal with its offset), else when it was last changed."""
    part = exif.get_ifd(_EXIF_PART)
    taken = _EXIF_TIME.match(str(part.get(_TAKEN, "")))
    text = taken or _EXIF_TIME.match(str(exif.get(_CHANGED, "")))
    if text is None:
        return None
    offset = str(part.get(_TAKEN_OFFSET, ""))
    year, month, day, hour, minute, second = text.groups()
    suffix = offset if taken and _OFFSET.fullmatch(offset) else ""
    try:
        moment = datetime.fromisoformat(f"{year}-{month}-{day}T{hour}:{minute}:{second}{suffix}")
    except ValueError:
        return None
    return storable(moment, zone)


def date_in_name(name: str, zone: tzinfo) -> datetime | None:
    """`Screenshot_2024-05-01-12-30-45.png`, `IMG_20240501_123045.jpg`: phones and desktops name files by the moment."""
    name = name[:300]
    if match := _IN_NAME.search(name):
        parts = [int(part or 0) for part in match.groups()]
    elif day := _DAY_IN_NAME.search(name):
        parts = [int(part) for part in day.groups() if part is not None]
    else:
        return None
    try:
        moment = datetime(*parts, tzinfo=zone)  # type: ignore[arg-type,misc]
    except ValueError:
        return None
    return storable(moment, zone)
