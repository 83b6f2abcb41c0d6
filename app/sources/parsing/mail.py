"""Messages (RFC 5322, MIME): who, when, what was written, what was quoted, and what is attached.

The standard library takes them apart; this module mends what real mail programs break. The text of attachments in a
known format is taken in with the message, one level deep. Nothing is fetched, and nothing that a mail says is believed.
"""

from __future__ import annotations

import binascii
import email
from base64 import b64decode
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from app.domain.entries import Block
from app.domain.errors import Unreadable
from app.domain.labels import BlockKind, EntryKind
from app.domain.text import Text, msg
from app.sources.parsing import html
from app.sources.parsing.blocks import BlockWriter, distinct, one_line, whole_text
from app.sources.parsing.encodings import decode, is_text
from app.sources.parsing.mail_headers import (
    PARSER_FAULTS,
    SHORT_HEADERS,
    decode_words,
    header,
    message_ids,
    people,
    raw_header,
    sent_at,
)
from app.sources.parsing.mail_text import write_text
from app.sources.parsing.mail_voices import quoted, with_voices
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.policy import Policy

    from app.sources.parsing.parsed import About

_MIN_PLAIN_SHARE = 0.3
_MAX_PARTS = 2_000
_MAX_REFERENCES = 20
_ENCRYPTED = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"))


@dataclass(slots=True)
class _Reading:
    """One message while it is taken apart."""

    about: About
    writer: BlockWriter
    charset: str | None
    names: list[str] = field(default_factory=list)
    parts: int = 0
    is_enclosed: bool = False
    warnings: list[Text] = field(default_factory=list)


def parse(data: bytes, about: About) -> Parsed:
    """Read one message.

    Raises:
        Unreadable: it has neither a header nor a text, or is nested without end.
    """
    message = _open(data)
    charset = _charset(message)
    ids = message_ids(message, "message-id")
    writer = BlockWriter(about.limits.text_chars, message_id=ids[0] if ids else None)
    reading = _Reading(about, writer, charset)
    try:
        _part(message, reading, 0)
    except RecursionError:
        raise unreadable(msg("Its parts are nested too deeply.")) from None
    if not message.keys() and not writer.blocks:
        raise damaged("mail")
    entry = _entry(message, reading)
    facts: dict[str, str | int] = {
        "subject": header(message, "subject", charset) or "",
        "attachments": len(reading.names),
    }
    if (sender := header(message, "from", charset)) is not None:
        facts["from"] = sender
    warnings = distinct(reading.warnings) + writer.warnings()
    return Parsed("mail", (entry,), warnings=warnings, facts=MappingProxyType(facts))


class _PartCount:
    """Makes the parts of one message, and stops at too many: every line is held against all that enclose it."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, policy: Policy) -> EmailMessage:
        self._count += 1
        if self._count > _MAX_PARTS:
            raise unreadable(msg("It has too many parts."))
        return EmailMessage(policy)


def _open(data: bytes) -> EmailMessage:
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n\t ")
    try:
        policy: Any = SHORT_HEADERS.clone(message_factory=cast("Any", _PartCount()))
        return cast("EmailMessage", email.message_from_bytes(data, policy=policy))
    except PARSER_FAULTS:
        raise damaged("mail") from None


def _entry(message: EmailMessage, reading: _Reading) -> ParsedEntry:
    metadata: dict[str, str] = {}
    own, answered, before = (message_ids(message, name) for name in ("message-id", "in-reply-to", "references"))
    if own:
        metadata["message_id"] = own[0]
    if answered or before:
        metadata["in_reply_to"] = (answered or before[-1:])[0]
    if before:
        metadata["references"] = " ".join(before[-_MAX_REFERENCES:])
    if reading.names:
        metadata["attachments"] = one_line(", ".join(reading.names), 2000)
    sent = sent_at(message)
    subject = one_line(header(message, "subject", reading.charset) or "")
    return ParsedEntry(
        kind=EntryKind.MAIL,
        title=subject or one_line(reading.about.stem),
        blocks=reading.writer.blocks,
        created_at=sent,
        updated_at=sent,
        event_time=sent,
        people=people(message, reading.charset),
        thread=next(iter((*before, *answered, *own)), None),
        metadata=MappingProxyType(metadata),
    )


def _part(part: EmailMessage, reading: _Reading, depth: int) -> None:
    """Take one part in: text into the blocks, names of attachments into the list."""
    reading.parts += 1
    if reading.parts > _MAX_PARTS or depth > reading.about.limits.depth:
        reading.warnings.append(msg("It has too many parts, or they are nested too deeply; not all were read."))
        return
    kind = part.get_content_type()
    name = _file_name(part)
    is_attachment = name is not None or _disposition(part) == "attachment"
    if is_attachment:
        reading.names.append(name or "?")
    if kind in _ENCRYPTED or kind == "multipart/encrypted":
        reading.warnings.append(msg("Its text is encrypted; only its header was taken in."))
    elif kind == "multipart/alternative":
        _alternatives(part, reading, depth)
    elif kind == "message/rfc822":
        _enclosed(part, reading, depth)
    elif part.is_multipart():
        for child in _children(part):
            _part(child, reading, depth + 1)
    elif kind.startswith("text/") and kind != "text/calendar" and not is_attachment:
        _write(part, kind, reading)
    else:
        _attached(part, name or "", reading)


def _children(part: EmailMessage) -> Iterator[EmailMessage]:
    payload = part.get_payload()
    if isinstance(payload, list):
        yield from cast("list[EmailMessage]", payload)


def _alternatives(part: EmailMessage, reading: _Reading, depth: int) -> None:
    """The same text in several forms: the plain one, unless it says much less than the HTML."""
    children = list(_children(part))
    plain = [child for child in children if child.get_content_type() == "text/plain" and _file_name(child) is None]
    rich = [child for child in children if child not in plain]
    plain_text = "".join(_text(child, reading) for child in plain).strip()
    if not (plain and rich):
        for child in children:
            _part(child, reading, depth + 1)
        return
    # read once, and taken over or left: read again, what is nested would be read twice as often at every level
    trial = replace(reading, writer=BlockWriter(max(1, reading.writer.left_chars)), names=[], warnings=[])
    for child in rich:
        _part(child, trial, depth + 1)
    reading.parts = trial.parts
    reading.names.extend(trial.names)
    if len(plain_text) >= _MIN_PLAIN_SHARE * sum(len(block.text) for block in trial.writer.blocks):
        for child in plain:
            _part(child, reading, depth + 1)
    else:
        reading.warnings.extend(trial.warnings)
        reading.writer.extend(trial.writer.blocks)
        reading.writer.was_cut |= trial.writer.was_cut


def _enclosed(part: EmailMessage, reading: _Reading, depth: int) -> None:
    """A message within the message: its header as a line, its text under its subject; all of it somebody's words."""
    for child in _children(part):
        message = _decoded_message(part, child)
        subject = one_line(header(message, "subject", reading.charset) or "")
        reading.writer.heading(min(depth + 1, 6), subject)
        who = ", ".join(person.name or person.address for person in people(message) if person.role == "author")
        sent = sent_at(message)
        line = " · ".join(filter(None, (who, sent.isoformat() if sent else "")))
        reading.writer.extend([quoted(Block(BlockKind.PARAGRAPH, line))])
        was_enclosed, reading.is_enclosed = reading.is_enclosed, True
        _part(message, reading, depth + 1)
        reading.is_enclosed = was_enclosed


def _decoded_message(part: EmailMessage, child: EmailMessage) -> EmailMessage:
    """An enclosed message; some programs encode it in base64, which the standard forbids (RFC 2046, section 5.2.1)."""
    if (raw_header(part, "content-transfer-encoding") or "").lower() != "base64":
        return child
    try:
        return _open(b64decode(child.as_bytes().strip()))
    except (*PARSER_FAULTS, binascii.Error, Unreadable):
        return child


def _write(part: EmailMessage, kind: str, reading: _Reading) -> None:
    text = _text(part, reading)
    written = BlockWriter(max(1, reading.writer.left_chars))
    is_html = kind == "text/html"
    if is_html:
        html.read_into(text, written)
    else:
        write_text(text, written)
    blocks = with_voices(written.blocks, is_html=is_html)
    reading.writer.extend([quoted(block) for block in blocks] if reading.is_enclosed else blocks)
    reading.writer.was_cut |= written.was_cut


def _attached(part: EmailMessage, name: str, reading: _Reading) -> None:
    """The text of an attachment in a known format, under its name; anything else is only named."""
    if reading.about.depth or reading.writer.was_cut or part.get_content_maintype() in ("image", "audio", "video"):
        return
    data = _bytes(part)
    if not data:
        return
    from app.sources.parsing.dispatch import parse_content  # noqa: PLC0415 - the two know each other

    limits = replace(reading.about.limits, text_chars=max(1, reading.writer.left_chars))
    about = replace(reading.about, name=one_line(name) or "?", limits=limits, depth=reading.about.depth + 1)
    try:
        parsed = parse_content(data, about)
    except Unreadable:
        return
    attached = BlockWriter(limits.text_chars)
    for entry in parsed.entries:
        attached.extend(entry.blocks)
    if name and whole_text(attached.blocks).strip():
        reading.writer.heading(1, name)
    reading.writer.extend(attached.blocks)


def _text(part: EmailMessage, reading: _Reading) -> str:
    data = _bytes(part)
    decoded = decode(data, _charset(part) or reading.charset)
    if not is_text(decoded):
        return ""
    if decoded.has_losses:
        reading.warnings.append(
            msg("Some bytes make no sense as {encoding} and were left out.", encoding=decoded.encoding)
        )
    return decoded.text


def _bytes(part: EmailMessage) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except PARSER_FAULTS:
        payload = None
    return payload if isinstance(payload, bytes) else b""


def _charset(part: EmailMessage) -> str | None:
    try:
        return part.get_content_charset()
    except PARSER_FAULTS:
        return None


def _file_name(part: EmailMessage) -> str | None:
    try:
        name = part.get_filename()
    except PARSER_FAULTS:
        return "?"
    if not name:
        return None
    return one_line(decode_words(str(name)), 200) or "?"


def _disposition(part: EmailMessage) -> str | None:
    try:
        return part.get_content_disposition()
    except PARSER_FAULTS:
        return None
