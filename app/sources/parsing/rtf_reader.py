"""Takes rich text apart: groups, control words and bytes (RTF 1.9); `rtf` makes an entry of it.

Text is bytes in the code page of its font, Unicode numbers, or both for old readers; bytes are gathered until the code
page changes, since a character may be spread over several tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.labels import BlockKind
from app.domain.text import msg
from app.sources.parsing.blocks import table_text
from app.sources.parsing.refusals import unreadable
from app.sources.parsing.rtf_words import CHARSETS, DESTINATIONS, SYMBOLS, codec_of_page

if TYPE_CHECKING:
    from app.sources.parsing.blocks import BlockWriter

_TOKEN = re.compile(
    rb"\\(?:([a-zA-Z]{1,40})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|([^a-zA-Z]))|([{}])|([^\\{}\r\n\0]+)|[\r\n\0]+|\\"
)
_NO_MARKUP = re.compile(rb"[^\\{}]+")
_MAX_GROUPS = 2_000
_MAX_STYLES = 5_000
_MAX_HEADING_CHARS = 300
_MAX_MARK_CHARS = 12
_HEADING = re.compile(r"\s*(?:heading|标题|標題|überschrift|titre)\s*([1-9])\s*;?", re.IGNORECASE)
_SKIPPED, _FONTS, _STYLES, _INFO, _BULLET, _TEXT = "skipped", "fonts", "styles", "info", "bullet", "text"
_INFO_WORDS = {"title": "title", "author": "creator", "subject": "subject", "keywords": "keywords"}
_TIME_PARTS = ("yr", "mo", "dy", "hr", "min")
_TIME_WORDS = {"creatim": "created", "revtim": "modified"}


@dataclass(frozen=True, slots=True)
class _State:
    """What holds in a group, and is forgotten at its end.

    Attributes:
        target: where text goes.
        info: the property that is being told.
        codec: of bytes that are text.
        fallback: how many characters after a Unicode number repeat it for old readers.
        is_hidden: also of deleted text, and of what is only RTF in a wrapped HTML mail.
        font, style: what is being declared in their tables.
    """

    target: str = _TEXT
    info: str = ""
    codec: str = "cp1252"
    fallback: int = 1
    is_hidden: bool = False
    font: int = 0
    style: int = 0


class RtfReader:
    """Reads one document into blocks.

    Attributes:
        info: what the document says of itself, by Dublin Core names.
        has_paragraphs: whether there was anything like a text, be it an empty one.
    """

    def __init__(self, data: bytes, writer: BlockWriter) -> None:
        self._data = data
        self._writer = writer
        self._state = _State()
        self._stack: list[_State] = []
        self._default = "cp1252"
        self._fonts: dict[int, str] = {}
        self._levels: dict[int, int] = {}
        self._bytes = bytearray()
        self._text: list[str] = []
        self._high = 0
        self._to_skip = 0
        self._style, self._outline = 0, 0
        self._is_item = self._is_cell = self._is_starred = False
        self._cells: list[str] = []
        self._rows: list[list[str]] = []
        self._list: list[str] = []
        self._time: dict[str, int] = {}
        self.info: dict[str, str] = {}
        self.has_paragraphs = False

    def read(self) -> None:
        """Read to the end, or to where the writer is full; raises `Unreadable` for groups nested without end."""
        at, data = 0, self._data
        while not self._writer.was_cut:
            if self._state.target is _SKIPPED and (gap := _NO_MARKUP.match(data, at)) is not None:
                at = gap.end()
            if (token := _TOKEN.match(data, at)) is None:
                break
            at = token.end() + self._take(token)
        self._end_paragraph()
        self._end_table()
        self._end_list()

    def _take(self, token: re.Match[bytes]) -> int:
        """Take one token in; returns how many bytes behind it are no rich text."""
        word, number, code, symbol, brace, plain = token.groups()
        if plain is not None:
            self._add_bytes(plain)
        elif word == b"bin":
            return max(0, int(number or 0))
        elif word is not None:
            self._word(word.decode("ascii"), int(number) if number is not None else None)
        elif code is not None:
            self._add_bytes(bytes((int(code, 16),)))
        elif brace is not None:
            self._open() if brace == b"{" else self._close()
        elif symbol is not None:
            self._symbol(symbol)
        return 0

    def _open(self) -> None:
        if len(self._stack) >= _MAX_GROUPS:
            raise unreadable(msg("Its parts are nested too deeply."))
        self._flush()
        self._stack.append(self._state)
        self._to_skip = 0

    def _close(self) -> None:
        self._flush()
        before = self._state
        if self._stack:
            self._state = self._stack.pop()
        if before.target is _STYLES and self._state.target is _STYLES:
            self._declare_style(before)
        elif before.target is _INFO and before.info and before.info != self._state.info:
            self._tell_info(before)
        elif before.target is not self._state.target and before.target in (_FONTS, _STYLES, _INFO):
            self._text.clear()
        self._to_skip = 0
        self._is_starred = False

    def _word(self, word: str, number: int | None) -> None:
        is_starred, self._is_starred = self._is_starred, False
        if (text := SYMBOLS.get(word)) is not None:
            self._add_text(text)
        elif word == "u" and number is not None:
            self._add_code(number)
        elif word in DESTINATIONS or is_starred:
            self._enter(word)
        else:
            self._format(word, number)

    def _enter(self, word: str) -> None:
        """A group that is no running text, or one that is after all."""
        self._flush()
        target = DESTINATIONS.get(word, _SKIPPED)
        if self._state.target is _SKIPPED or target is _TEXT:
            return
        if target is _INFO:
            self._time = {}
        info = _INFO_WORDS.get(word, "") or _TIME_WORDS.get(word, "")
        self._state = replace(self._state, target=target, info=info)
        if target is _BULLET:
            self._is_item = True

    def _format(self, word: str, number: int | None) -> None:
        value = number if number is not None else 1
        if word in {"par", "sect", "page"}:
            self._end_paragraph()
        elif word == "pard":
            self._style, self._outline, self._is_cell, self._is_item = 0, 0, False, self._is_item and bool(self._text)
        elif word in {"cell", "nestcell"}:
            self._end_cell()
        elif word in {"row", "nestrow"}:
            self._end_row()
        elif word == "intbl":
            self._is_cell = True
        elif word in {"v", "deleted", "htmlrtf"}:
            self._flush()
            self._state = replace(self._state, is_hidden=value != 0)
        elif word == "uc":
            self._state = replace(self._state, fallback=max(0, min(value, 10)))
        elif word == "outlinelevel":
            self._outline = value + 1 if 0 <= value < 9 else 0  # noqa: PLR2004 - nine levels
        elif word in _TIME_PARTS and self._state.target is _INFO:
            self._time[word] = value
        else:
            self._font_or_style(word, number or 0)

    def _font_or_style(self, word: str, number: int) -> None:
        state = self._state
        if word == "ansicpg":
            self._default = codec_of_page(number) or self._default
            self._switch(replace(state, codec=self._default))
        elif word in {"mac", "pc", "pca"}:
            self._default = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[word]
            self._switch(replace(state, codec=self._default))
        elif word == "f":
            codec = state.codec if state.target is _FONTS else self._fonts.get(number, self._default)
            self._switch(replace(state, font=number, codec=codec))
        elif word in {"fcharset", "cpg"} and state.target is _FONTS:
            said = CHARSETS.get(number) if word == "fcharset" else codec_of_page(number)
            if said is not None and len(self._fonts) < _MAX_STYLES:
                self._fonts[state.font] = said
        elif word == "plain":
            self._switch(replace(state, codec=self._default, is_hidden=False))
        elif word == "s":
            self._state = replace(state, style=number)
            if state.target is _TEXT:
                self._style = number

    def _switch(self, state: _State) -> None:
        if state.codec != self._state.codec:
            self._flush()
        self._state = state

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._is_starred = True
        elif symbol in b"\\{}":
            self._add_bytes(symbol)
        elif symbol in (b"\n", b"\r"):
            self._end_paragraph()
        elif symbol in (b"~", b"_"):
            self._add_text("\u00a0" if symbol == b"~" else "-")

    def _add_bytes(self, data: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(data))
            self._to_skip -= skipped
            data = data[skipped:]
        if self._state.target is not _SKIPPED and not self._state.is_hidden:
            self._bytes += data

    def _add_text(self, text: str) -> None:
        self._flush()
        if self._state.target is not _SKIPPED and not self._state.is_hidden:
            self._text.append(text)

    def _add_code(self, number: int) -> None:
        """A UTF-16 unit, which old programs write as a signed number; two may make one character."""
        unit = number & 0xFFFF
        self._to_skip = self._state.fallback
        if 0xD800 <= unit < 0xDC00:  # noqa: PLR2004 - the first half of a pair
            self._high = unit
            return
        if self._high and 0xDC00 <= unit < 0xE000:  # noqa: PLR2004 - the second half
            unit = 0x10000 + ((self._high - 0xD800) << 10) + (unit - 0xDC00)
        self._high = 0
        skip, self._to_skip = self._to_skip, 0
        self._add_text(chr(unit))
        self._to_skip = skip

    def _flush(self) -> None:
        if self._bytes:
            self._text.append(_decoded(bytes(self._bytes), self._state.codec))
            self._bytes.clear()

    def _taken(self) -> str:
        self._flush()
        text = "".join(self._text)
        self._text.clear()
        return text

    def _end_paragraph(self) -> None:
        if self._state.target is not _TEXT:
            return
        self.has_paragraphs = True
        self._flush()
        if self._is_cell:
            self._text.append("\n")
            return
        text = self._taken()
        if self._cells or self._rows:
            self._end_table()
        level = self._levels.get(self._style, 0) or self._outline
        if self._is_item and text.strip():
            self._list.append(_item(text.strip()))
        elif text.strip():
            self._end_list()
            if level and len(text) <= _MAX_HEADING_CHARS:
                self._writer.heading(level, text)
            else:
                self._writer.add(BlockKind.PARAGRAPH, text)
        self._is_item = False

    def _end_cell(self) -> None:
        self._cells.append(self._taken().strip())
        self._is_item = False

    def _end_row(self) -> None:
        if self._text:
            self._end_cell()
        self._end_list()
        self._rows.append(self._cells)
        self._cells = []

    def _end_table(self) -> None:
        rows = [*self._rows, self._cells] if self._cells else self._rows
        self._rows, self._cells = [], []
        self._writer.add(BlockKind.TABLE, table_text(rows))

    def _end_list(self) -> None:
        items, self._list = self._list, []
        kind = BlockKind.LIST if len(items) > 1 else BlockKind.PARAGRAPH
        self._writer.add(kind, "\n".join(items))

    def _declare_style(self, state: _State) -> None:
        name = _HEADING.fullmatch(self._taken())
        if name is not None and len(self._levels) < _MAX_STYLES:
            self._levels[state.style] = int(name[1])

    def _tell_info(self, state: _State) -> None:
        text = self._taken().strip()
        if state.info in _TIME_WORDS.values():
            parts = [self._time.get(part, 0) for part in _TIME_PARTS]
            text = "{:04d}-{:02d}-{:02d}T{:02d}:{:02d}".format(*(abs(part) for part in parts))
        self.info.setdefault(state.info, text)


def _decoded(data: bytes, codec: str) -> str:
    """Western text may stand in a document of a Chinese code page without a word about it."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        is_wide = codec.startswith(("gb", "cp9", "johab", "utf"))
        return data.decode("cp1252" if is_wide and not data[-1:].isascii() else codec, "replace")


def _item(text: str) -> str:
    """An item with its number, or with a dash for whatever bullet it had."""
    mark, tab, rest = text.partition("\t")
    if not tab or len(mark) > _MAX_MARK_CHARS:
        return f"- {text}"
    return f"{mark} {rest.strip()}" if any(map(str.isdigit, mark)) else f"- {rest.strip()}"
