"""From bytes to entries: find the format, and let its module read them. Modules are loaded when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from app.sources.parsing.chat import no_chat
from app.sources.parsing.minutes import with_meeting
from app.sources.parsing.sniffing import Format, sniff
from app.sources.parsing.spoken_times import with_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About, Parsed
    from app.sources.parsing.sniffing import Sniffed

_OF_BYTES = {
    Format.PDF: "app.sources.parsing.pdf",
    Format.DOCX: "app.sources.parsing.docx",
    Format.PPTX: "app.sources.parsing.pptx",
    Format.XLSX: "app.sources.parsing.xlsx",
    Format.OPEN_DOCUMENT: "app.sources.parsing.odf",
    Format.EPUB: "app.sources.parsing.epub",
    Format.RTF: "app.sources.parsing.rtf",
    Format.OUTLOOK: "app.sources.parsing.outlook_message",
    Format.ARCHIVE: "app.sources.parsing.archive",
    Format.MAIL: "app.sources.parsing.mailbox",
    Format.DATABASE: "app.sources.parsing.database",
    Format.PICTURE: "app.sources.parsing.picture",
    Format.RECORDING: "app.sources.parsing.recording",
}
_OF_TEXT = {
    Format.MARKDOWN: "app.sources.parsing.markdown",
    Format.HTML: "app.sources.parsing.html",
    Format.CALENDAR: "app.sources.parsing.calendar",
    Format.VCARD: "app.sources.parsing.vcard",
    Format.TEXT: "app.sources.parsing.plain_text",
    Format.CODE: "app.sources.parsing.program_text",
    Format.DELIMITED: "app.sources.parsing.delimited",
    Format.BOOKMARKS: "app.sources.parsing.bookmarks_html",
    Format.BOOKMARKS_JSON: "app.sources.parsing.bookmarks_json",
    Format.TODO_TXT: "app.sources.parsing.todo_txt",
    Format.TASKWARRIOR: "app.sources.parsing.taskwarrior",
    Format.CHAT: "app.sources.parsing.chat",
    Format.SUBTITLES: "app.sources.parsing.subtitles",
}
_MAY_BE_MINUTES = frozenset({Format.MARKDOWN, Format.TEXT, Format.DOCX, Format.OPEN_DOCUMENT, Format.RTF})


def parse_content(data: bytes, about: About) -> Parsed:
    """Read bytes of any format; raises `Unreadable` for those that are not read."""
    return parse_sniffed(sniff(data, about.name, about.limits.text_chars), data, about)


def parse_sniffed(sniffed: Sniffed, data: bytes, about: About) -> Parsed:
    """Read bytes of a known format; raises `Unreadable`."""
    if about.kind == "chat" and sniffed.format is not Format.CHAT:
        raise no_chat()
    if sniffed.decoded is None:
        of_bytes = cast("Callable[[bytes, About], Parsed]", import_module(_OF_BYTES[sniffed.format]).parse)
        parsed = of_bytes(data, about)
    else:
        of_text = cast("Callable[[Decoded, About], Parsed]", import_module(_OF_TEXT[sniffed.format]).parse)
        parsed = of_text(sniffed.decoded, about)
    return with_seconds(with_meeting(parsed, about.zone)) if sniffed.format in _MAY_BE_MINUTES else parsed
