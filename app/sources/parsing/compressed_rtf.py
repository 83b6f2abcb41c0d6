"""Rich text as Outlook packs it (MS-OXRTFCP): a dictionary of 4 KiB that begins with common control words."""

from __future__ import annotations

_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_WINDOW = 4096
_HEADER_BYTES = 16
_PACKED, _PLAIN = b"LZFu", b"MELA"


def unpacked_rtf(data: bytes, limit_bytes: int) -> bytes:
    """The rich text, up to a number of bytes; empty for what is none. Damage ends it early."""
    mark, packed = data[8:12], data[_HEADER_BYTES:]
    if mark == _PLAIN:
        return packed[: min(limit_bytes, int.from_bytes(data[4:8], "little"))]
    return _unpacked(packed, limit_bytes) if mark == _PACKED else b""


def _unpacked(packed: bytes, limit_bytes: int) -> bytes:
    window = bytearray(_START.ljust(_WINDOW, b"\0"))
    place = len(_START)
    out = bytearray()
    at = 0
    while at < len(packed) and len(out) < limit_bytes:
        control = packed[at]
        at += 1
        for bit in range(8):
            size = 2 if control >> bit & 1 else 1
            if at + size > len(packed):
                return bytes(out)
            if size == 1:
                piece = packed[at : at + 1]
            else:
                reference = int.from_bytes(packed[at : at + 2], "big")
                source = reference >> 4
                if source == place:
                    return bytes(out)
                piece = _copied(window, source, place, (reference & 15) + 2)
            at += size
            out += piece
            for byte in piece:
                window[place] = byte
                place = (place + 1) % _WINDOW
    return bytes(out)


def _copied(window: bytearray, source: int, place: int, length: int) -> bytes:
    """A stretch of the window, which may run into what it is itself about to write."""
    distance = (place - source) % _WINDOW
    return bytes(window[(source + offset % distance) % _WINDOW] for offset in range(length))
