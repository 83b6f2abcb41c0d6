"""What format a file has: by its content first, and by its name only where the content leaves it open."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass
from enum import StrEnum

from app.domain.text import msg
from app.sources.parsing import signatures
from app.sources.parsing.chat_formats import chat_format
from app.sources.parsing.container_formats import container_format
from app.sources.parsing.encodings import Decoded, decode, is_text
from app.sources.parsing.picture_kinds import media_kind
from app.sources.parsing.record_formats import record_format
from app.sources.parsing.refusals import not_read_yet
from app.sources.parsing.sqlite_image import is_database
from app.sources.parsing.subtitles import is_subtitles


class Format(StrEnum):
    """The formats that are read."""

    TEXT = "text"
    CODE = "code"
    DELIMITED = "delimited"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"
    OPEN_DOCUMENT = "open_document"
    EPUB = "epub"
    RTF = "rtf"
    OUTLOOK = "outlook"
    ARCHIVE = "archive"
    MAIL = "mail"
    CALENDAR = "calendar"
    VCARD = "vcard"
    DATABASE = "database"
    BOOKMARKS = "bookmarks"
    BOOKMARKS_JSON = "bookmarks_json"
    TODO_TXT = "todo_txt"
    TASKWARRIOR = "taskwarrior"
    CHAT = "chat"
    PICTURE = "picture"
    RECORDING = "recording"
    SUBTITLES = "subtitles"


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The format, and the text when the format is a text of which the encoding is known already.

    Attributes:
        is_whole: whether the text is all of it; of a very long one only the beginning is decoded.
    """

    format: Format
    decoded: Decoded | None = None
    is_whole: bool = True


_BY_SUFFIX = {
    **dict.fromkeys(("md", "markdown", "mdown", "mkd", "mdx"), Format.MARKDOWN),
    **dict.fromkeys(("html", "htm", "xhtml"), Format.HTML),
    **dict.fromkeys(("eml", "mht", "mhtml", "emlx", "msg"), Format.MAIL),
    **dict.fromkeys(("ics", "ical", "ifb", "icalendar"), Format.CALENDAR),
    **dict.fromkeys(("vcf", "vcard"), Format.VCARD),
    **dict.fromkeys(("csv", "tsv"), Format.DELIMITED),
    **dict.fromkeys(
        (
            *("py", "js", "ts", "tsx", "jsx", "c", "h", "cpp", "hpp", "cc", "cs", "java", "kt", "go", "rs", "rb"),
            *("sh", "bash", "zsh", "ps1", "bat", "sql", "r", "lua", "pl", "php", "swift", "scala", "hs", "el", "css"),
            *("json", "jsonl", "ndjson", "yaml", "yml", "toml", "ini", "cfg", "conf", "xml", "xsl", "svg", "plist"),
        ),
        Format.CODE,
    ),
}
_HEAD_CHARS = 4096
_RECORDS_HEAD_CHARS = 16_384
_HEAD_BYTES = 64 * 1024
# UTF-32 takes four, and a little more makes sure that the limit on characters is met, and told
_WIDE_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)  # one in UTF-32 has a NUL in each character
_MOST_BYTES_A_CHARACTER = 5
_NO_TEXT = msg("It is not text, and of a kind that Famulus does not know.")
_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"<[a-zA-Z][^>]{0,200}>")
_CALENDAR_START = re.compile(r"\s*BEGIN:VCALENDAR\b", re.IGNORECASE)
_CALENDAR_PART = re.compile(
    r"^BEGIN:V(?:CALENDAR|EVENT|TODO|JOURNAL|ALARM|TIMEZONE|FREEBUSY)", re.IGNORECASE | re.MULTILINE
)
_CARD_START = re.compile(r"\s*BEGIN:VCARD\b", re.IGNORECASE)
_CARD_PART = re.compile(r"^BEGIN:VCARD\s*$", re.IGNORECASE | re.MULTILINE)
_UNIX_FROM = re.compile(r">?From \S.*\n")
_HEADER = re.compile(r"([!-9;-~]{1,70})[ \t]*:(.*)")
_TELLING_HEADERS = frozenset(
    (
        *("from", "to", "cc", "bcc", "subject", "date", "received", "message-id", "mime-version", "return-path"),
        *("content-type", "content-transfer-encoding", "delivered-to", "reply-to", "sender", "in-reply-to"),
        *("references", "list-id", "dkim-signature", "envelope-to", "x-original-to", "resent-from", "x-sender"),
        *("user-agent", "x-mailer", "x-priority", "importance", "thread-topic", "status", "x-apparently-to"),
    )
)
_STRONG_HEADERS = _TELLING_HEADERS - {"date", "to", "status", "sender", "references", "importance", "user-agent"}


def words(data: bytes) -> Sniffed:
    """Words as they were read before somebody agreed to them: a note, whatever else they would pass for.

    Read as a file they could be a mail from somebody, a contact or an appointment that nobody agreed to.
    """
    return Sniffed(Format.MARKDOWN, Decoded(data.decode("utf-8", "replace"), "utf-8"))


def sniff(data: bytes, name: str, text_chars: int) -> Sniffed:
    """Find the format; raises `Unreadable`, with what the file is, for those that are not read.

    Args:
        text_chars: as much of a text is needed at most.
    """
    if b"%PDF-" in data[:1024] or data.startswith(b"%!PS-Adobe-3.0 PDF"):
        is_subject = _BY_SUFFIX.get(_suffix(name)) is Format.MAIL and looks_like_mail(data)
        return Sniffed(Format.MAIL if is_subject else Format.PDF)
    if (container := container_format(data, _suffix(name))) is not None:
        return Sniffed(Format(container))
    if is_database(data):
        return Sniffed(Format.DATABASE)
    if (media := media_kind(data, name)) is not None:
        return Sniffed(Format(media.format))
    if (kind := signatures.refused_kind(data)) is not None:
        raise not_read_yet(kind)
    by_name = _BY_SUFFIX.get(_suffix(name))
    if by_name is Format.MAIL or (by_name is not Format.MARKDOWN and looks_like_mail(data)):
        return Sniffed(Format.MAIL)
    if not is_text(decode(data[:_HEAD_BYTES])):
        raise not_read_yet(_NO_TEXT)
    beginning = _beginning(data, text_chars)
    decoded = decode(beginning, declared_charset(data))
    if not is_text(decoded):
        raise not_read_yet(_NO_TEXT)
    head = decoded.text[:_RECORDS_HEAD_CHARS]
    known = record_format(head, name) or ("chat" if chat_format(head, name) is not None else None)
    if known is None and is_subtitles(head, name):
        known = "subtitles"
    chosen = Format(known) if known is not None else _text_format(decoded.text[:_HEAD_CHARS], by_name)
    return Sniffed(chosen, decoded, is_whole=len(beginning) == len(data))


def _beginning(data: bytes, text_chars: int) -> bytes:
    """As many bytes as hold so many characters in any encoding; cut where no character is cut."""
    size = _MOST_BYTES_A_CHARACTER * text_chars
    if len(data) <= size:
        return data
    # in UTF-16 and UTF-32, what is a line end elsewhere is a part of a character
    if data.startswith(_WIDE_MARKS) or b"\0" in data[:_HEAD_BYTES]:
        return data[: size // 4 * 4]
    line_end = data.rfind(b"\n", size // 2, size) + 1
    while not line_end and size > 0 and data[size] & 0xC0 == 0x80:  # noqa: PLR2004 - within a character of UTF-8
        size -= 1
    return data[: line_end or size]


def _suffix(name: str) -> str:
    return name.rpartition(".")[2].lower() if "." in name else ""


def _text_format(head: str, by_name: Format | None) -> Format:
    if _CALENDAR_START.match(head) or (by_name is Format.CALENDAR and _CALENDAR_PART.search(head)):
        return Format.CALENDAR
    if _CARD_START.match(head) or (by_name is Format.VCARD and _CARD_PART.search(head)):
        return Format.VCARD
    if by_name is Format.MARKDOWN:
        return by_name
    if _HTML_START.match(head) or (by_name is Format.HTML and _TAG.search(head)):
        return Format.HTML
    return by_name if by_name in (Format.CODE, Format.DELIMITED) else Format.TEXT


def looks_like_mail(data: bytes) -> bool:
    """Whether a file begins with the header of a message (RFC 5322), perhaps after a mailbox's separator line."""
    head = data[:16_384].lstrip(b"\r\n\t ").decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    separator = _UNIX_FROM.match(head)
    if separator is not None:
        head = head[separator.end() :]
    seen: set[str] = set()
    for line in head.split("\n"):
        if not line.strip():
            break
        if line[0] in " \t":
            if not seen:
                return False
            continue
        header = _HEADER.match(line)
        if header is None:
            # one stray line does not make a mail into something else, an unknown beginning does
            if len(seen) < 3:  # noqa: PLR2004 - see above
                return False
            continue
        seen.add(header[1].lower())
    strong = seen & _STRONG_HEADERS
    return len(seen & _TELLING_HEADERS) >= 2 and len(strong) >= (1 if separator is not None else 2)  # noqa: PLR2004


_XML_CHARSET = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{2,40})["']""")
_META_CHARSET = re.compile(rb"""<meta\b[^>]{0,300}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{2,40})""", re.IGNORECASE)

_CARD_CHARSET = re.compile(rb";CHARSET=([A-Za-z0-9._-]{2,40})[:;]", re.IGNORECASE)


def declared_charset(data: bytes) -> str | None:
    """What an XML or HTML document, or a contact card, says of its own encoding."""
    if data[:64].lstrip().upper().startswith(b"BEGIN:VCARD"):
        of_card = _CARD_CHARSET.search(data, 0, _HEAD_BYTES)
        return of_card[1].decode("ascii").lower() if of_card is not None else None
    head = data[:8192]
    if b"<" not in head:
        return None
    found = _XML_CHARSET.search(head[:400]) or _META_CHARSET.search(head)
    label = found[1].decode("ascii").lower() if found is not None else None
    # the declaration was read as ASCII, so it cannot be UTF-16 (WHATWG HTML, section 13.2.3.2)
    return "utf-8" if label is not None and label.startswith(("utf-16", "utf-32", "ucs-")) else label
