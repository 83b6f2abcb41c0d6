"""Messages as Outlook stores them (MSG, MS-OXMSG): brought into the form of RFC 5322, and read like any other mail.

So they have the same facts, the same quotes and signatures, and their attachments are read by the same rules.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING

from app.sources.parsing import mail
from app.sources.parsing.blocks import BlockWriter, one_line, whole_text
from app.sources.parsing.compressed_rtf import unpacked_rtf
from app.sources.parsing.encodings import decode
from app.sources.parsing.outlook_storage import OutlookFile, OutlookItem
from app.sources.parsing.refusals import damaged
from app.sources.parsing.rtf_reader import RtfReader
from app.sources.parsing.sniffing import declared_charset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.parsed import About, Parsed

_SUBJECT, _HEADERS = 0x0037, 0x007D
_BODY, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_SENT, _DELIVERED, _CREATED = 0x0039, 0x0E06, 0x3007
_MESSAGE_ID, _REFERENCES, _IN_REPLY_TO = 0x1035, 0x1039, 0x1042
_SENDER_NAMES, _SENDER_ADDRESSES = (0x0042, 0x0C1A), (0x5D02, 0x5D01, 0x0065, 0x0C1F)
_NAME, _ADDRESSES, _RECIPIENT_KIND = 0x3001, (0x39FE, 0x3003), 0x0C15
_DATA, _LONG_NAME, _SHORT_NAME, _MIME = 0x3701, 0x3707, 0x3704, 0x370E
_KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
_KEPT = ("from", "to", "cc", "date", "message-id", "in-reply-to", "references", "list-id")
_HEADER_LINE = re.compile(r"^([!-9;-~]{1,70})[ \t]*:[ \t]?(.*)$")
_MIME_TYPE = re.compile(r"(?!multipart/|message/)[a-z]{1,30}/[a-z0-9.+-]{1,100}")
_MAX_HEADER_CHARS = 100_000
_MAX_DEPTH = 10
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def parse(data: bytes, about: About) -> Parsed:
    """Read a message; raises `Unreadable`."""
    with OutlookFile(data, about.limits.unpacked_bytes) as file:
        if not file.root.streams and not file.root.values:
            raise damaged("MSG")
        message = b"".join(_message(file.root, about, 0))
    return replace(mail.parse(message, about), format="mail")


def _message(item: OutlookItem, about: About, depth: int) -> Iterator[bytes]:
    """A message with its header and all its parts; text is in base64, so that no border can stand in it."""
    for name, value in _header(item).items():
        yield f"{name}: {value}\r\n".encode("utf-8", "replace")
    border = f"=_part_{depth}"
    yield f'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="{border}"\r\n\r\n'.encode()
    yield f'--{border}\r\nContent-Type: multipart/alternative; boundary="{border}_text"\r\n\r\n'.encode()
    for kind, text in _texts(item, about):
        yield f"--{border}_text\r\nContent-Type: {kind}; charset=utf-8\r\n".encode()
        yield from _base64(text.encode("utf-8", "replace"))
    yield f"--{border}_text--\r\n".encode()
    for attachment in item.children("__attach_version1.0"):
        yield f"--{border}\r\n".encode()
        yield from _attachment(attachment, about, depth)
    yield f"--{border}--\r\n".encode()


def _header(item: OutlookItem) -> dict[str, str]:
    """The header that the message came with where it has one, filled up with what Outlook knows."""
    found = _transport(item)
    # what Outlook shows, and of which the header may be an older or a broken form
    if (subject := item.text(_SUBJECT)) is not None:
        found["Subject"] = _word(one_line(subject, 2_000))
    sender = _person(item, _SENDER_NAMES, _SENDER_ADDRESSES)
    if sender:
        found.setdefault("From", sender)
    recipients: dict[str, list[str]] = {}
    for recipient in item.children("__recip_version1.0"):
        kind = _KINDS.get(recipient.number(_RECIPIENT_KIND) or 1, "To")
        if person := _person(recipient, (_NAME,), _ADDRESSES):
            recipients.setdefault(kind, []).append(person)
    for kind, people in recipients.items():
        found.setdefault(kind, ", ".join(people))
    sent = _time(item.number(_SENT) or item.number(_DELIVERED) or item.number(_CREATED))
    if sent is not None:
        found.setdefault("Date", format_datetime(sent))
    for name, tag in (("Message-ID", _MESSAGE_ID), ("In-Reply-To", _IN_REPLY_TO), ("References", _REFERENCES)):
        if value := item.text(tag):
            found.setdefault(name, _plain(value))
    return found


def _transport(item: OutlookItem) -> dict[str, str]:
    """Of the header of a message that came by mail, what says who, when and to what."""
    found: dict[str, str] = {}
    current = ""
    for line in (item.text(_HEADERS) or "")[:_MAX_HEADER_CHARS].splitlines():
        if line[:1] in (" ", "\t"):
            if current:
                found[current] += " " + _plain(line)
            continue
        match = _HEADER_LINE.match(line)
        name = match[1].lower() if match else ""
        current = ""
        if match and name in _KEPT:
            current = "Message-ID" if name == "message-id" else name.title()
            if current in found:
                current = ""
            else:
                found[current] = _plain(match[2])
    return {name: value for name, value in found.items() if value.strip()}


def _person(item: OutlookItem, names: tuple[int, ...], addresses: tuple[int, ...]) -> str:
    """Somebody as in a header; an address within an organisation's own directory is no mail address."""
    name = next((text for tag in names if (text := one_line(item.text(tag) or "", 200))), "").strip("'\" ")
    known = [one_line(item.text(tag) or "", 320).strip("<> ") for tag in addresses]
    address = next((text for text in known if "@" in text and " " not in text), "")
    if not address:
        return _word(name) if name else ""
    return f"{_word(name)} <{address}>" if name and name != address else address


def _texts(item: OutlookItem, about: About) -> Iterator[tuple[str, str]]:
    plain = item.text(_BODY)
    if plain and plain.strip():
        yield "text/plain", plain
    html = item.text(_HTML)
    if html is None and (data := item.data(_HTML)):
        html = decode(data, declared_charset(data) or item.charset).text
    if html and html.strip():
        yield "text/html", html
    elif not (plain and plain.strip()):
        writer = BlockWriter(about.limits.text_chars)
        RtfReader(unpacked_rtf(item.data(_RTF) or b"", about.limits.file_bytes), writer).read()
        yield "text/plain", whole_text(writer.blocks)


def _attachment(item: OutlookItem, about: About, depth: int) -> Iterator[bytes]:
    name = next((text for tag in (_LONG_NAME, _SHORT_NAME, _NAME) if (text := one_line(item.text(tag) or "", 200))), "")
    disposition = f'Content-Disposition: attachment; filename="{_word(name or "?")}"\r\n'
    enclosed = item.enclosed(_DATA)
    if enclosed is not None and depth < _MAX_DEPTH:
        yield f"Content-Type: message/rfc822\r\n{disposition}\r\n".encode()
        yield from _message(enclosed, about, depth + 1)
        yield b"\r\n"
        return
    said = (item.text(_MIME) or "").lower()
    kind = said if _MIME_TYPE.fullmatch(said) else "application/octet-stream"
    yield f"Content-Type: {kind}\r\n{disposition}".encode()
    yield from _base64(item.data(_DATA) or b"")


def _base64(data: bytes) -> Iterator[bytes]:
    yield b"Content-Transfer-Encoding: base64\r\n\r\n"
    # lines of 76 characters, as the standard wants them
    for start in range(0, len(data), 57 * 1024):
        encoded = b64encode(data[start : start + 57 * 1024])
        yield b"\r\n".join(encoded[at : at + 76] for at in range(0, len(encoded), 76)) + b"\r\n"


def _word(text: str) -> str:
    """A text in a header (RFC 2047), also where it is plain: then no comma or quote in it means anything."""
    if re.fullmatch(r"[A-Za-z0-9 ._-]*", text):
        return text
    return f"=?utf-8?b?{b64encode(text.encode('utf-8', 'replace')).decode('ascii')}?="


def _plain(value: str) -> str:
    return " ".join(value.replace("\0", "").split())


def _time(ticks: int | None) -> datetime | None:
    """A time as Windows counts: tenths of microseconds since 1601."""
    if not ticks:
        return None
    try:
        return _EPOCH + timedelta(microseconds=ticks // 10)
    except OverflowError:
        return None
