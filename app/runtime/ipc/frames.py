"""One frame: a JSON object in ASCII bytes. Strict, since the other side may be anything."""

from __future__ import annotations

import json
from typing import Any, NoReturn

MAX_REQUEST_BYTES = 1 << 24
MAX_REPLY_BYTES = 1 << 28

Frame = dict[str, Any]


class BadFrame(ValueError):
    """Bytes that are no frame."""


def pack(frame: Frame) -> bytes:
    """Write a frame. Undecodable file names keep their surrogates, escaped. Raises ValueError for NaN."""
    return json.dumps(frame, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def unpack(data: bytes) -> Frame:
    """Read a frame; raises `BadFrame` for anything else."""
    try:
        frame = json.loads(data.decode("ascii"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadFrame("not JSON") from error
    if not isinstance(frame, dict):
        raise BadFrame("not an object")
    return frame


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
