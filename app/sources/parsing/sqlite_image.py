"""What is committed in an SQLite database, from the bytes of its file and of the journal beside it.

A program that has a database open keeps what it wrote last in a write-ahead log, or keeps in a rollback journal what
was there before an unfinished write. SQLite itself would have to open the files where they are, and write beside them
or into a copy; here the journal is applied in memory, and nothing touches the disk. The formats are those of
https://www.sqlite.org/fileformat2.html, sections 3 and 4.
"""

from __future__ import annotations

import struct
import sys
from array import array

MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_WAL_MAGIC = (0x377F0682, 0x377F0683)
_WAL_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_JOURNAL_MAGIC = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_JOURNAL_HEADER = struct.Struct(">5I")
_ALL_TO_THE_END = 0xFFFFFFFF
_MASK = 0xFFFFFFFF
_SAMPLE_STEP = 200
_PAGE_SIZES = frozenset(2**power for power in range(9, 17))
_SECTOR_SIZES = frozenset(2**power for power in range(5, 17))
# Bytes 18 and 19 say "2" where there is a write-ahead log, which a database in memory cannot have
_VERSIONS = slice(18, 20)


def is_database(data: bytes) -> bool:
    """Whether a file is an SQLite database."""
    return data.startswith(MAGIC)


def committed(data: bytes, wal: bytes = b"", journal: bytes = b"") -> bytes:
    """The database as its next reader would see it, as one file that needs no journal.

    Frames and records that are torn, stale or not committed change nothing.
    """
    if len(data) < _HEADER_BYTES or (data[_VERSIONS] == b"\1\1" and not wal and not journal):
        return data
    image = bytearray(data)
    page_size = _page_size(data)
    if page_size in _PAGE_SIZES:
        _roll_back(image, journal, page_size)
        _apply_log(image, wal, page_size)
    image[_VERSIONS] = b"\1\1"
    return bytes(image)


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    return 65_536 if size == 1 else size


def _apply_log(image: bytearray, wal: bytes, page_size: int) -> None:
    """Write the pages of all committed transactions of a write-ahead log, up to the first frame that is not whole."""
    if len(wal) < _WAL_HEADER.size:
        return
    magic, _, log_page_size, _, salt1, salt2, *written = _WAL_HEADER.unpack_from(wal)
    swap = (magic == _WAL_MAGIC[1]) == (sys.byteorder == "little")
    state = _checksum(wal[:24], (0, 0), swap=swap)
    if magic not in _WAL_MAGIC or log_page_size != page_size or list(state) != written:
        return
    waiting: dict[int, int] = {}
    position, frame = _WAL_HEADER.size, _FRAME_HEADER.size + page_size
    while position + frame <= len(wal):
        page, size_after, frame_salt1, frame_salt2, *written = _FRAME_HEADER.unpack_from(wal, position)
        body = position + _FRAME_HEADER.size
        state = _checksum(wal[position : position + 8] + wal[body : body + page_size], state, swap=swap)
        if (frame_salt1, frame_salt2) != (salt1, salt2) or list(state) != written or page == 0:
            return
        waiting[page] = body
        if size_after:
            if size_after * page_size > len(image) + len(wal):
                return
            _write(image, {number: wal[at : at + page_size] for number, at in waiting.items()}, page_size, size_after)
            waiting.clear()
        position += frame


def _checksum(data: bytes, state: tuple[int, int], *, swap: bool) -> tuple[int, int]:
    """The checksum of section 4.2, going on from the one before."""
    words = array("I", data)
    if swap:
        words.byteswap()
    first, second = state
    pairs = iter(words)
    for one, two in zip(pairs, pairs, strict=True):
        first = (first + one + second) & _MASK
        second = (second + two + first) & _MASK
    return first, second


def _write(image: bytearray, pages: dict[int, bytes], page_size: int, count: int) -> None:
    """Write pages (numbered from 1), and make the database so many pages long."""
    size = count * page_size
    if len(image) < size:
        image.extend(bytes(size - len(image)))
    del image[size:]
    for number, content in pages.items():
        if number <= count:
            image[(number - 1) * page_size : number * page_size] = content


def _roll_back(image: bytearray, journal: bytes, page_size: int) -> None:
    """Write back what was there before a transaction that is not finished (section 3)."""
    position = 0
    pages: dict[int, bytes] = {}
    pages_before = 0
    while journal[position : position + 8] == _JOURNAL_MAGIC and position + 28 <= len(journal):
        count, nonce, before, sector, size = _JOURNAL_HEADER.unpack_from(journal, position + 8)
        if size != page_size or sector not in _SECTOR_SIZES:
            break
        pages_before = pages_before or before
        record = page_size + 8
        start = position + sector
        if count == _ALL_TO_THE_END:
            count = max(0, len(journal) - start) // record
        whole = _records(journal, start, min(count, max(0, len(journal) - start) // record), (page_size, nonce))
        for number, content in whole:
            pages.setdefault(number, content)
        if len(whole) < count or not count:
            break
        position = -(-(start + count * record) // sector) * sector
    if pages and 0 < pages_before * page_size <= len(image) + len(journal):
        _write(image, pages, page_size, pages_before)


def _records(journal: bytes, start: int, count: int, sizes: tuple[int, int]) -> list[tuple[int, bytes]]:
    """The records of one segment of a journal, up to the first one whose checksum is wrong."""
    page_size, nonce = sizes
    found: list[tuple[int, bytes]] = []
    for index in range(count):
        at = start + index * (page_size + 8)
        number = int.from_bytes(journal[at : at + 4], "big")
        content = journal[at + 4 : at + 4 + page_size]
        written = int.from_bytes(journal[at + 4 + page_size : at + 8 + page_size], "big")
        sample = sum(content[offset] for offset in range(page_size - _SAMPLE_STEP, 0, -_SAMPLE_STEP))
        if not number or (nonce + sample) & _MASK != written:
            break
        found.append((number, content))
    return found
