"""Pictures and recordings, known by their first bytes; with what senses they may be read is `parsed.Sense`."""

from __future__ import annotations

from dataclasses import dataclass

_PICTURE, _RECORDING = "picture", "recording"


@dataclass(frozen=True, slots=True)
class MediaKind:
    """What a file is: `picture` or `recording`, and its media type (RFC 6838)."""

    format: str
    media_type: str


_SIGNATURES: tuple[tuple[int, bytes, MediaKind], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", MediaKind(_PICTURE, "image/png")),
    (0, b"\xff\xd8\xff", MediaKind(_PICTURE, "image/jpeg")),
    (0, b"GIF8", MediaKind(_PICTURE, "image/gif")),
    (0, b"II*\0", MediaKind(_PICTURE, "image/tiff")),
    (0, b"MM\0*", MediaKind(_PICTURE, "image/tiff")),
    (8, b"WEBP", MediaKind(_PICTURE, "image/webp")),
    (4, b"ftypheic", MediaKind(_PICTURE, "image/heic")),
    (4, b"ftypheix", MediaKind(_PICTURE, "image/heic")),
    (4, b"ftypmif1", MediaKind(_PICTURE, "image/heic")),
    (4, b"ftypavif", MediaKind(_PICTURE, "image/avif")),
    (8, b"WAVE", MediaKind(_RECORDING, "audio/wav")),
    (0, b"OggS", MediaKind(_RECORDING, "audio/ogg")),
    (0, b"fLaC", MediaKind(_RECORDING, "audio/flac")),
    (4, b"ftypM4A", MediaKind(_RECORDING, "audio/mp4")),
    (0, b"ID3", MediaKind(_RECORDING, "audio/mpeg")),
    (0, b"\xff\xfb", MediaKind(_RECORDING, "audio/mpeg")),
    (0, b"\xff\xf3", MediaKind(_RECORDING, "audio/mpeg")),
    (0, b"#!AMR", MediaKind(_RECORDING, "audio/amr")),
    (0, b"\x02#!SILK", MediaKind(_RECORDING, "audio/silk")),
    (0, b"#!SILK", MediaKind(_RECORDING, "audio/silk")),
)
_VIDEO_IN_OGG = b"theora"


def media_kind(data: bytes, name: str) -> MediaKind | None:
    """What a picture or a recording is; None for everything else, videos among it."""
    if data.startswith(b"BM") and data[6:10] == b"\0\0\0\0":
        return MediaKind(_PICTURE, "image/bmp")
    if data[4:8] == b"ftyp" and name.lower().endswith(".m4a"):
        return MediaKind(_RECORDING, "audio/mp4")
    found = (kind for offset, mark, kind in _SIGNATURES if data[offset : offset + len(mark)] == mark)
    kind = next(found, None)
    return None if kind is not None and kind.media_type == "audio/ogg" and _VIDEO_IN_OGG in data[:256] else kind
