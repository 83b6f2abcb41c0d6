"""What the terminal shows. Everything passes here, so that no document can send it commands.

A title or a passage may hold escape sequences, or characters that turn the direction of writing; they are shown as
what they are, never obeyed (X9.1).
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any, TextIO, cast

from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.domain.text import Text

# C0 without tab and newline, delete, C1; line separators, direction marks and overrides, tags
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_INVISIBLE = "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_UNSAFE = re.compile(f"[{_CONTROLS}{_INVISIBLE}\ud800-\udfff]")


class _Nowhere(io.TextIOBase):
    """Instead of a stream that was closed before the program began, as by `>&-` or a service manager."""

    def write(self, text: str) -> int:
        """Let it go."""
        return len(text)


class Screen:
    """The two streams of a command: results on `out`, everything else on `err`."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self._out = out or sys.stdout or cast("TextIO", _Nowhere())
        self._err = err or sys.stderr or cast("TextIO", _Nowhere())
        for stream in (self._out, self._err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a title in another script must not end the command

    @property
    def is_terminal(self) -> bool:
        """Whether a person watches what goes to `err`."""
        return self._err.isatty()

    def say(self, text: Text | str = "") -> None:
        """Print a line of a result; a `str` is data and is not translated."""
        self._out.write(readable(text if isinstance(text, str) else translate(text)) + "\n")

    def note(self, text: Text | str) -> None:
        """Print a line that is no result."""
        self._err.write(readable(text if isinstance(text, str) else translate(text)) + "\n")

    def json(self, value: Any) -> None:  # noqa: ANN401 - any JSON value
        """Print a value as one line of JSON, whatever the terminal's encoding."""
        can_show_all = (self._out.encoding or "ascii").lower().replace("-", "").replace("_", "") == "utf8"
        text = json.dumps(value, ensure_ascii=not can_show_all, allow_nan=False)
        self._out.write(_UNSAFE.sub(lambda found: json.dumps(found.group())[1:-1], text) + "\n")
        self._out.flush()

    def flush(self) -> None:
        """Hand on what was printed."""
        self._out.flush()
        self._err.flush()

    def give_up(self) -> None:
        """Print nothing more: nobody reads it."""
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._out.fileno())


def readable(text: str) -> str:
    """Text whose control characters are shown instead of obeyed."""
    return _UNSAFE.sub(_show, text.replace("\r\n", "\n"))


def one_line(text: str, width: int = 200) -> str:
    """The beginning of a text on one line, at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def _show(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 - two digits suffice below
