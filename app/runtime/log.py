"""The log: what happened, never to whom. No exception message is written, since it may quote a person's data.

Our own modules log ids, counts and kinds. Of other libraries only the place is written, since nobody here knows what
they put into their messages.
"""

from __future__ import annotations

import logging
import logging.handlers
import sys
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.settings.file import explain

if TYPE_CHECKING:
    import asyncio
    from types import TracebackType

_OURS = "app"
_ROOT = Path(__file__).resolve().parents[2]
_CONTROL = dict.fromkeys((*range(32), 127, 0x2028, 0x2029), " ")
_MAX_FRAMES = 12
_log = logging.getLogger(__name__)


class SafeFormatter(logging.Formatter):
    """One line a record; errors as their types and places."""

    def format(self, record: logging.LogRecord) -> str:
        """See the module docstring."""
        moment = self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z")
        is_ours = record.name == _OURS or record.name.startswith(_OURS + ".")
        message = record.getMessage() if is_ours else f"(withheld) {Path(record.pathname).name}:{record.lineno}"
        line = f"{moment} {record.levelname.lower()} {record.name}: {message}"
        if record.exc_info and record.exc_info[1] is not None:
            line += " <- " + describe(record.exc_info[1])
        return line.translate(_CONTROL)


def describe(error: BaseException) -> str:
    """Types and places of an error and what caused it, innermost last; no messages."""
    parts: list[str] = []
    current: BaseException | None = error
    while current is not None and len(parts) < _MAX_FRAMES:
        frames = traceback.extract_tb(current.__traceback__)[-_MAX_FRAMES:]
        places = " > ".join(f"{_place(frame.filename)}:{frame.lineno}" for frame in frames)
        parts.append(f"{type(current).__name__}({places})")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return " from ".join(parts)


def start(path: Path, level: str) -> None:
    """Write the log of this process to `path`, kept to five files of 1 MiB.

    Raises:
        ReadOnly, DiskFull, Unavailable: the file cannot be written.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        handler = logging.handlers.RotatingFileHandler(path, maxBytes=1 << 20, backupCount=4, encoding="utf-8")
    except OSError as error:
        raise explain(error, path) from error
    handler.setFormatter(SafeFormatter())
    _install(handler, level)


def start_on_stderr(level: str) -> None:
    """Log to whoever started this process: for one that runs long and has no file of its own."""
    handler = logging.StreamHandler()
    handler.setFormatter(SafeFormatter())
    _install(handler, level)


def start_quietly() -> None:
    """Log nowhere: for a short-lived command, whose errors go to the person."""
    _install(logging.NullHandler(), "error")


def catch_unhandled(loop: asyncio.AbstractEventLoop | None = None) -> None:
    """Log what nobody caught, in every thread and on `loop`, instead of printing it with its message."""
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda args: _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)
    if loop is not None:
        loop.set_exception_handler(_log_from_loop)


def _install(handler: logging.Handler, level: str) -> None:
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger(_OURS).setLevel(level.upper())
    # A handler that cannot write (a full disk) must not print the record on the terminal instead.
    logging.raiseExceptions = False


def _log_uncaught(kind: type[BaseException], error: BaseException | None, _: TracebackType | None) -> None:
    if error is not None and not issubclass(kind, KeyboardInterrupt | SystemExit):
        _log.critical("nobody caught this", exc_info=error)


def _log_from_loop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    _log.error("the loop met an error", exc_info=error if isinstance(error, BaseException) else None)


def _place(filename: str) -> str:
    """A file's name without the folders that could hold a person's name."""
    path = Path(filename)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT / _OURS) else path.name
