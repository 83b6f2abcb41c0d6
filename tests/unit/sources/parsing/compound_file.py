"""A writer of compound files (MS-CFB), as small as tests need: every stream is filled up to 4 KiB with zeros."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

SECTOR = 512
LEAST_BYTES = 4096
END, FREE, NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF
FOLDER, STREAM, ROOT = 1, 2, 5


@dataclass
class Folder:
    """What is in a folder: bytes, or folders."""

    items: dict[str, bytes | Folder] = field(default_factory=dict)


def compound_file(root: Folder) -> bytes:
    """All of it in one file."""
    sectors: list[bytes] = []
    fat: list[int] = []
    entries: list[list] = []

    def store(data: bytes) -> int:
        start = len(sectors)
        pieces = [data[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, len(data), SECTOR)]
        sectors.extend(pieces)
        fat.extend([*range(start + 1, start + len(pieces)), END])
        return start

    def add(name: str, kind: int, item: bytes | Folder) -> int:
        number = len(entries)
        entries.append([name, kind, NONE, NONE, END, 0])
        if isinstance(item, bytes):
            data = item.ljust(LEAST_BYTES, b"\0")
            entries[number][4:] = [store(data), len(data)]
            return number
        before = None
        for inner, content in item.items.items():
            added = add(inner, STREAM if isinstance(content, bytes) else FOLDER, content)
            if before is None:
                entries[number][3] = added
            else:
                entries[before][2] = added
            before = added
        return number

    add("Root Entry", ROOT, root)
    directory = store(b"".join(_entry(*entry) for entry in entries))
    table_sectors = -(-(len(fat) + 8) // 126)
    first_table = len(sectors)
    fat.extend([0xFFFFFFFD] * table_sectors)
    table = b"".join(struct.pack("<I", value) for value in fat).ljust(table_sectors * SECTOR, b"\xff")
    tables = [first_table + offset for offset in range(table_sectors)]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack(
        "<HHHHH6xIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, table_sectors, directory, 0, 4096, END, 0, END, 0, 0
    )[:-4]
    head += b"".join(struct.pack("<I", number) for number in tables).ljust(436, b"\xff")
    return head + b"".join(sectors) + table


def _entry(*entry) -> bytes:
    name, kind, right, child, start, size = entry
    encoded = name.encode("utf-16-le")
    made = encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded) + 2, kind, 1, NONE, right, child)
    return made + bytes(36) + struct.pack("<IQ", start, size)


def text(tag: int, value: str) -> dict[str, bytes | Folder]:
    """A property that is a text."""
    return {f"__substg1.0_{tag:04X}001F": value.encode("utf-16-le")}


def old_text(tag: int, value: bytes) -> dict[str, bytes | Folder]:
    """A property that is a text in some code page."""
    return {f"__substg1.0_{tag:04X}001E": value}


def data(tag: int, value: bytes) -> dict[str, bytes | Folder]:
    """A property that is bytes."""
    return {f"__substg1.0_{tag:04X}0102": value}


def numbers(header_bytes: int, **values: tuple[int, int]) -> dict[str, bytes | Folder]:
    """Properties that are numbers, by any name: (type and number of the property, value)."""
    records = b"".join(struct.pack("<HHIQ", tag >> 16, tag & 0xFFFF, 6, value) for tag, value in values.values())
    return {"__properties_version1.0": bytes(header_bytes) + records}
