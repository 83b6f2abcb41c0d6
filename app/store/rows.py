"""Values of the domain as columns, and back."""

from __future__ import annotations

import json
import re
import zlib
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.text import Text, msg
from app.domain.words import day_words, word

if TYPE_CHECKING:
    from collections.abc import Sized
    from datetime import datetime


_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def stamp(instant: datetime | None) -> str | None:
    """A time as it is stored."""
    return None if instant is None else to_ixdtf(instant)


def instant(column: str | None) -> datetime | None:
    """A stored time."""
    return None if column is None else from_ixdtf(column)


def marks(values: Sized) -> str:
    """As many places for values as there are, as they stand between the brackets of IN."""
    return ", ".join("?" * len(values))


def storable(text: str) -> str:
    """A text that a database can hold: NUL and halves of characters (from undecodable file names) become U+FFFD."""
    if text.isascii():
        return text.replace("\0", "\ufffd")
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def packed(text: str) -> bytes:
    """A text as it is stored: UTF-8 behind the byte 0, or deflated behind the byte 1, whichever is shorter.

    A chunk of 240 tokens becomes 490 bytes instead of 910 in English, and 570 instead of 870 in Chinese, for 0.1 ms.
    """
    plain = text.encode("utf-8")
    deflated = zlib.compress(plain, 6, -zlib.MAX_WBITS)
    return b"\1" + deflated if len(deflated) < len(plain) else b"\0" + plain


def unpacked(column: bytes) -> str:
    """A stored text."""
    body = column[1:]
    return (zlib.decompress(body, -zlib.MAX_WBITS) if column[0] else body).decode("utf-8")


def text_column(text: Text | None) -> str | None:
    """A sentence with its values, still untranslated."""
    if text is None:
        return None
    return json.dumps([text.template, {name: str(value) for name, value in text.values.items()}], ensure_ascii=False)


def text_of(column: str | None) -> Text | None:
    """A stored sentence; the kind and the day that it names are words in whichever language it is read."""
    if column is None:
        return None
    template, values = json.loads(column)
    return Text(template, {name: _worded(name, value) for name, value in values.items()})


def _worded(name: str, value: str) -> object:
    if name == "kind":
        return word(value)
    if name == "date" and _DAY.fullmatch(value):
        with suppress(ValueError):
            return day_words(date.fromisoformat(value))
    return value


DELETED_AT_SOURCE = msg("Deleted at its source")
REPLACED = msg("Replaced by a newer version")
"""For those who may not see that version."""
