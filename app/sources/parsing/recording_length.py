"""How long a recording is, by its own headers; no sound is decoded for it."""

from __future__ import annotations

import struct

_OPUS_RATE = 48_000
_LAST_PAGE_BYTES = 128 * 1024
_MOST_CHUNKS = 1_000
_MP3_RATES = (44_100, 48_000, 32_000)
_MP3_BITRATES = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_MP3_LOW_BITRATES = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_AMR_FRAMES = (12, 13, 15, 17, 19, 20, 26, 31, 5)
_LONGEST_S = 30 * 24 * 3600.0


def length_s(data: bytes, media_type: str) -> float | None:
    """The length in seconds; None where the headers do not tell it."""
    reader = {
        "audio/wav": _wav,
        "audio/ogg": _ogg,
        "audio/flac": _flac,
        "audio/mp4": _mp4,
        "audio/mpeg": _mp3,
        "audio/amr": _amr,
    }.get(media_type)
    try:
        found = reader(data) if reader is not None else None
    except (struct.error, IndexError, ZeroDivisionError):
        return None
    return found if found is not None and 0 <= found <= _LONGEST_S else None


def wav_parts(data: bytes) -> tuple[tuple[int, int, int, int], bytes] | None:
    """The format (code, channels, rate, bits) and the samples of a WAV file; None where it has none."""
    at, form = 12, None
    for _ in range(_MOST_CHUNKS):
        name, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if name == b"fmt ":
            code, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", data, at + 8)
            if code == 0xFFFE:  # noqa: PLR2004 - WAVE_FORMAT_EXTENSIBLE: the code stands further on
                code = struct.unpack_from("<H", data, at + 32)[0]
            form = code, channels, rate, bits
        elif name == b"data":
            return (form, data[at + 8 : at + 8 + size]) if form is not None else None
        at += 8 + size + size % 2
    return None


def _wav(data: bytes) -> float | None:
    found = wav_parts(data)
    if found is None:
        return None
    (_, channels, rate, bits), samples = found
    return float(len(samples) * 8 / (rate * channels * bits))


def _ogg(data: bytes) -> float | None:
    """The position of the last page (RFC 3533), counted in samples of the stream (RFC 7845 for Opus)."""
    last = data.rfind(b"OggS", max(0, len(data) - _LAST_PAGE_BYTES))
    position = struct.unpack_from("<q", data, last + 6)[0]
    if (opus := data.find(b"OpusHead", 0, 512)) >= 0:
        skipped = struct.unpack_from("<H", data, opus + 10)[0]
        return float(position - skipped) / _OPUS_RATE
    vorbis = data.find(b"\x01vorbis", 0, 512)
    return float(position / struct.unpack_from("<I", data, vorbis + 12)[0]) if vorbis >= 0 else None


def _flac(data: bytes) -> float | None:
    packed = int.from_bytes(data[18:26], "big")
    rate, total = packed >> 44, packed & ((1 << 36) - 1)
    return total / rate


def _mp4(data: bytes) -> float | None:
    """The movie header (ISO/IEC 14496-12, 8.2.2): its time scale and length."""
    at = data.find(b"mvhd")
    if at < 0:
        return None
    if data[at + 4] == 1:
        scale, length = struct.unpack_from(">IQ", data, at + 24)
    else:
        scale, length = struct.unpack_from(">II", data, at + 16)
    return float(length / scale)


def _mp3(data: bytes) -> float | None:
    """By the number of frames that the first one tells, else by its bit rate."""
    start = 0
    if data.startswith(b"ID3"):
        size = 0
        for byte in data[6:10]:
            size = size << 7 | (byte & 0x7F)
        start = size + 10
    head = struct.unpack_from(">I", data, start)[0]
    if head >> 21 != 0x7FF:  # noqa: PLR2004 - the eleven bits with which every frame begins
        return None
    is_first = (head >> 19 & 3) == 3  # noqa: PLR2004 - MPEG 1
    rate = _MP3_RATES[head >> 10 & 3] // (1 if is_first else 2 if (head >> 19 & 3) == 2 else 4)  # noqa: PLR2004
    info = max(data.find(b"Xing", start, start + 256), data.find(b"Info", start, start + 256))
    if info >= 0 and data[info + 7] & 1:
        frames = struct.unpack_from(">I", data, info + 8)[0]
        return float(frames * (1152 if is_first else 576) / rate)
    kilobits = (_MP3_BITRATES if is_first else _MP3_LOW_BITRATES)[head >> 12 & 15]
    return (len(data) - start) * 8 / (kilobits * 1000)


def _amr(data: bytes) -> float | None:
    """Frames of 20 ms (RFC 4867); only narrow-band ones are counted."""
    if not data.startswith(b"#!AMR\n"):
        return None
    at, frames = 6, 0
    while at < len(data):
        kind = data[at] >> 3 & 15
        at += 1 + (_AMR_FRAMES[kind] if kind < len(_AMR_FRAMES) else 0)
        frames += 1
    return frames * 0.02
