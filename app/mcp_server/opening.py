"""The beginning of a talk on stdio: the first line, answered before the rest of the program is loaded.

It is begun once, since a process has one stdin: by the program's first words (`app/__main__.py`) where they say
`mcp`, else by who serves.
"""

from __future__ import annotations

import codecs
import contextlib
import functools
import json
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.mcp_server import greeting
from app.runtime.standard_streams import StandardStreams, TooLong

if TYPE_CHECKING:
    from types import FrameType

LONGEST_LINE = 16 << 20
"""Bytes of a message; what is longer is refused and not read."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What has been said so far.

    Attributes:
        first: the first line; None where the program has closed its end already.
        early: what was answered to it, and shall not be answered again.
    """

    streams: StandardStreams
    first: bytes | TooLong | None
    early: dict[str, Any] | None


@functools.cache
def begin() -> Opening:
    """Wait for the first line, and answer it where it is plain; raises OSError without a stdin or a stdout."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)  # until there is a loop that hears them
    streams = StandardStreams(LONGEST_LINE)
    first = streams.first()
    if isinstance(first, bytes):
        first = first.removeprefix(codecs.BOM_UTF8)  # Windows shells write one before all they say
    early = greeting.answer(first) if isinstance(first, bytes) else None
    if early is not None:
        streams.write(packed(early))
    return Opening(streams, first, early)


def _end(number: int, frame: FrameType | None) -> None:
    """Nothing has been asked yet, so there is nothing to let go of."""
    del number, frame
    sys.exit(0)


def greet() -> None:
    """Begin as early as can be; where that does not work, who serves will say so."""
    with contextlib.suppress(OSError):
        begin()


def packed(message: dict[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")
