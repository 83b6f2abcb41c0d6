"""Files that are replaced whole or not at all: a crash leaves the old one or the new one, never half of one."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING

from app.domain.errors import DiskFull, Expected, ReadOnly, Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from pathlib import Path

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file by `data`, readable by its owner alone.

    Raises:
        DiskFull, ReadOnly, Unavailable: the old file is as it was.
    """
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise explain(error, path) from error


def explain(error: OSError, path: Path) -> Expected:
    """Say what an error of the file system means for the person whose file or folder it is."""
    if error.errno in _FULL:
        return DiskFull(
            msg("There is no room left on the disk of {path}.", path=str(path)),
            next_step=msg("Free some space, then try again."),
        )
    if error.errno in _FORBIDDEN:
        return ReadOnly(
            msg("{path} cannot be written.", path=str(path)),
            next_step=msg("Make its folder writable for you, or choose another one with --basedir."),
        )
    return Unavailable(
        msg("{path} cannot be used: {reason}.", path=str(path), reason=error.strerror or type(error).__name__),
        next_step=msg("Look at the disk that holds it, then try again."),
    )
