"""The compound file of an Outlook message (MS-OXMSG on MS-CFB): items with their properties by number."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from app.domain.text import msg
from app.sources.parsing.encodings import codec_for, decode
from app.sources.parsing.refusals import damaged, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

_FAULTS = (
    *(OSError, ValueError, TypeError, IndexError, KeyError, AttributeError, struct.error, OverflowError),
    *(EOFError, UnicodeError, RecursionError),
)
_MAX_STREAMS = 20_000
_TEXT, _OLD_TEXT, _BINARY, _OBJECT = 0x001F, 0x001E, 0x0102, 0x000D
_NUMBERS = frozenset((0x0002, 0x0003, 0x000B, 0x0014, 0x0040))
_MESSAGE_PAGE, _INTERNET_PAGE = 0x3FFD, 0x3FDE
_PROPERTIES = "__properties_version1.0"
_VALUE = "__substg1.0_"
_RECORD_BYTES = 16
# The header in front of the properties, by what they are of
_ROOT_HEADER, _ENCLOSED_HEADER, _PART_HEADER = 32, 24, 8
_PAGES = {936: "gb18030", 54936: "gb18030", 950: "cp950", 65001: "utf-8", 20127: "cp1252", 28591: "cp1252"}


@dataclass(slots=True)
class OutlookItem:
    """A message, a recipient or an attachment.

    Attributes:
        streams: the paths of values of any length, by (property, type).
        values: the numbers, by property.
        charset: of texts that are not Unicode; None: to be found out.
    """

    file: OutlookFile
    path: tuple[str, ...]
    streams: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    values: dict[int, int] = field(default_factory=dict)
    charset: str | None = None

    def text(self, tag: int) -> str | None:
        """A property that is a text."""
        if (path := self.streams.get((tag, _TEXT))) is not None:
            return self.file.read(path).decode("utf-16-le", "replace").rstrip("\0")
        if (path := self.streams.get((tag, _OLD_TEXT))) is not None:
            return decode(self.file.read(path).rstrip(b"\0"), self.charset).text
        return None

    def data(self, tag: int) -> bytes | None:
        """A property that is bytes."""
        path = self.streams.get((tag, _BINARY))
        return self.file.read(path) if path is not None else None

    def number(self, tag: int) -> int | None:
        """A property that is a number or a time."""
        return self.values.get(tag)

    def children(self, kind: str) -> Iterator[OutlookItem]:
        """The items of a kind within this one, in their order."""
        for name in self.file.folders(self.path):
            if name.lower().startswith(kind):
                yield self.file.item((*self.path, name), _PART_HEADER, self.charset)

    def enclosed(self, tag: int) -> OutlookItem | None:
        """A message within this one."""
        name = f"{_VALUE}{tag:04X}{_OBJECT:04X}"
        found = next((folder for folder in self.file.folders(self.path) if folder.lower() == name.lower()), None)
        return self.file.item((*self.path, found), _ENCLOSED_HEADER, self.charset) if found is not None else None


class OutlookFile:
    """One file.

    Args:
        limit_bytes: what all that is read from it may come to: its streams may lie one upon another.

    Raises:
        Unreadable: it is damaged.
    """

    def __init__(self, data: bytes, limit_bytes: int) -> None:
        import olefile  # noqa: PLC0415 - 30 ms that only Outlook's messages need

        self._left = limit_bytes
        try:
            self._ole: Any = olefile.OleFileIO(io.BytesIO(data))
            paths = [tuple(path) for path in self._ole.listdir(streams=True, storages=False)[:_MAX_STREAMS]]
        except _FAULTS:
            raise damaged("MSG") from None
        self._streams: dict[tuple[str, ...], list[str]] = {}
        self._folders: dict[tuple[str, ...], dict[str, None]] = {}
        for path in paths:
            self._streams.setdefault(path[:-1], []).append(path[-1])
            for depth in range(1, len(path)):
                self._folders.setdefault(path[: depth - 1], {})[path[depth - 1]] = None
        self.root = self.item((), _ROOT_HEADER, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ole.close()

    def folders(self, path: tuple[str, ...]) -> list[str]:
        """The names of what is within an item."""
        return sorted(self._folders.get(path, ()))

    def read(self, path: tuple[str, ...]) -> bytes:
        """A stream; empty for one that is damaged. Raises `Unreadable` when all is too much."""
        try:
            size = self._ole.get_size(list(path))
            self._left -= size
            if self._left < 0:
                raise unreadable(msg("It would unpack to far more than a document has."))
            data: bytes = self._ole.openstream(list(path)).read()
        except _FAULTS:
            return b""
        return data

    def item(self, path: tuple[str, ...], header_bytes: int, charset: str | None) -> OutlookItem:
        """Read the properties of an item."""
        item = OutlookItem(self, path, charset=charset)
        for name in self._streams.get(path, ()):
            lowered = name.lower()
            if lowered == _PROPERTIES:
                item.values = dict(_numbers(self.read((*path, name))[header_bytes:]))
            elif lowered.startswith(_VALUE) and len(name) == len(_VALUE) + 8:
                try:
                    tag, kind = int(name[-8:-4], 16), int(name[-4:], 16)
                except ValueError:
                    continue
                item.streams[tag, kind] = (*path, name)
        page = item.values.get(_MESSAGE_PAGE) or item.values.get(_INTERNET_PAGE)
        if page:
            item.charset = _PAGES.get(page) or codec_for(f"cp{page}") or charset
        return item


def _numbers(data: bytes) -> Iterator[tuple[int, int]]:
    for at in range(0, len(data) - _RECORD_BYTES + 1, _RECORD_BYTES):
        kind, tag, _, value = struct.unpack_from("<HHIQ", data, at)
        if kind in _NUMBERS:
            yield tag, value if kind in (0x0014, 0x0040) else value & 0xFFFFFFFF
