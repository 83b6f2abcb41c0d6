"""The header of a message, as mail programs write it: encoded words, raw 8-bit text, broken dates and addresses."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from email.errors import HeaderParseError
from email.header import decode_header
from email.policy import EmailPolicy
from email.utils import getaddresses, parsedate_tz
from functools import lru_cache
from typing import TYPE_CHECKING

from app.domain.entries import PersonRef
from app.sources.parsing.blocks import clean, one_line
from app.sources.parsing.dates import storable
from app.sources.parsing.encodings import codec_for, decode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from email.message import EmailMessage

# What the standard library's header parser raises on input that it does not expect
PARSER_FAULTS = (
    *(ValueError, TypeError, IndexError, KeyError, AttributeError, LookupError, AssertionError),
    *(HeaderParseError, RecursionError, OverflowError),
)
_FOLD = re.compile(r"[\r\n]+[ \t]*")
_ENCODED_WORD = re.compile(r"=\?[^?\s]+\?[bqBQ]\?[^?]*\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s*(=\?[^?\s]+\?[bqBQ]\?)")
# Text that should have been encoded stands in a word as it is; and a word whose end was cut off
_RAW_WORD = re.compile(r"=\?[^?\s]{1,75}\?[qQ]\?([^?]*[^\x00-\x7f?][^?]*)\?=")
_OPEN_WORD = re.compile(r"=\?[^?\s]{1,75}\?(?:[bB]\?[A-Za-z0-9+/=]+|[qQ]\?[^?\s]+)\Z")
# ISO-2022-JP and its like, unencoded
_ESCAPE = "\x1b"
_ADDRESS = re.compile(r"[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9.-]{1,200}")
_MESSAGE_ID = re.compile(r"<([^<>\s]{1,500})>")
_MAX_HEADER_CHARS = 20_000
_MAX_PARSED_CHARS = 4_000
_MAX_PEOPLE = 100
_STANDARD = EmailPolicy()


class _ShortHeaders(EmailPolicy):
    """Headers are taken apart up to a length only: the standard library takes quadratic time for it.

    What a message is made of (Content-Type and its like) is asked for while it is read, so no caller can be in between.
    """

    def header_fetch_parse(self, name: str, value: str) -> str:
        """A header, taken apart; it is asked for again for each thing that it says."""
        return value if hasattr(value, "name") else _taken_apart(name, value[:_MAX_PARSED_CHARS])


@lru_cache(maxsize=64)
def _taken_apart(name: str, value: str) -> str:
    parsed: str = _STANDARD.header_fetch_parse(name, value)
    return parsed


SHORT_HEADERS = _ShortHeaders()


def raw_header(message: EmailMessage, name: str) -> str | None:
    """A header as it stands in the file, unfolded; bytes over 127 are kept as surrogates."""
    wanted = name.lower()
    for key, value in message.raw_items():
        if key.lower() == wanted:
            return _FOLD.sub(" ", str(value))[:_MAX_HEADER_CHARS].strip()
    return None


def header(message: EmailMessage, name: str, charset: str | None = None) -> str | None:
    """A header as a reader should see it. `charset` is tried for raw 8-bit text."""
    raw = raw_header(message, name)
    if raw is None:
        return None
    if raw.isascii() and "=?" not in raw and _ESCAPE not in raw:
        return clean(raw)
    # the standard library takes a header apart in quadratic time
    if raw.isascii() and _ESCAPE not in raw and len(raw) <= _MAX_PARSED_CHARS:
        try:
            parsed = str(message[name])
        except PARSER_FAULTS:
            parsed = "\ufffd"
        if "\ufffd" not in parsed and not _ENCODED_WORD.search(parsed) and not _OPEN_WORD.search(parsed):
            return clean(parsed).strip()
    return decode_words(raw, charset)


def decode_words(raw: str, charset: str | None = None) -> str:
    """Decode RFC 2047 words and raw 8-bit text. Words of one charset are joined first: some mailers cut a character."""
    if not raw.isascii() or _ESCAPE in raw:
        data = raw.encode("utf-8", "surrogateescape")
        raw = decode(data, "iso-2022-jp" if raw.isascii() else charset).text
        raw = _RAW_WORD.sub(lambda word: word[1].replace("_", " "), raw)
    if _OPEN_WORD.search(raw):
        raw += "?="
    try:
        pieces = decode_header(_BETWEEN_WORDS.sub(r"\1 \2", raw))
    except (HeaderParseError, ValueError, TypeError):
        return clean(raw).strip()
    return clean("".join(_piece(content, label) for content, label in pieces)).strip()


def _piece(content: bytes | str, label: str | None) -> str:
    if isinstance(content, str):
        return content
    if label is None:
        return content.decode("raw-unicode-escape", "replace")
    return decode(content, label if codec_for(label) is not None else None).text


def people(message: EmailMessage, charset: str | None = None) -> tuple[PersonRef, ...]:
    """Who wrote the message and who got it."""
    found = list(_people(message, "from", "author", charset)) or list(_people(message, "sender", "author", charset))
    for name in ("to", "cc", "bcc"):
        found.extend(_people(message, name, "recipient", charset))
    unique = {(person.name, person.address.lower(), person.role): person for person in found}
    return tuple(unique.values())[:_MAX_PEOPLE]


def _people(message: EmailMessage, name: str, role: str, charset: str | None) -> Iterable[PersonRef]:
    raw = raw_header(message, name)
    if not raw:
        return
    try:
        pairs = [pair for pair in getaddresses([raw]) if pair[1]]
    except PARSER_FAULTS:
        pairs = []
    if not pairs:
        pairs = [("", address) for address in _ADDRESS.findall(raw)]
    for label, address in pairs:
        yield PersonRef(
            name=one_line(decode_words(label, charset), 200).strip("\"' "),
            address=one_line(decode_words(address, charset), 320),
            role=role,
        )


def sent_at(message: EmailMessage) -> datetime | None:
    """When it was sent; when the last server took it, where its own date makes no sense."""
    candidates = [raw_header(message, "date"), raw_header(message, "resent-date")]
    received = raw_header(message, "received")
    if received:
        candidates.append(received.rpartition(";")[2])
    return next((date for text in candidates if text and (date := _date(text)) is not None), None)


def _date(text: str) -> datetime | None:
    try:
        parts = parsedate_tz(text.encode("ascii", "ignore").decode())
        if parts is None:
            return None
        offset_s = parts[9]
        zone = UTC if offset_s is None else timezone(timedelta(seconds=offset_s))
        return storable(datetime(*parts[:5], min(parts[5], 59), tzinfo=zone), UTC)
    except PARSER_FAULTS:
        return None


def message_ids(message: EmailMessage, name: str) -> list[str]:
    """The identifiers in a header such as Message-ID or References, without their brackets."""
    return [clean(found) for found in _MESSAGE_ID.findall(raw_header(message, name) or "")]
