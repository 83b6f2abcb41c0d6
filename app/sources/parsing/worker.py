"""What runs in the parse process: open one file, read it, understand it. A dict in, a dict out.

It opens regular files only, never a pipe or a device, and no symbolic link unless the job allows it. It is the border
at which whatever a hostile file makes a library raise becomes a refusal.
"""

from __future__ import annotations

import hashlib
import os
import stat
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.domain.errors import Unreadable
from app.domain.text import msg
from app.runtime import clock
from app.sources.parsing import database_files, refusals, sqlite_image
from app.sources.parsing.answer import Answer, FileState, Job
from app.sources.parsing.dispatch import parse_sniffed
from app.sources.parsing.facts import with_facts
from app.sources.parsing.parsed import WORDS, About
from app.sources.parsing.sniffing import sniff, words

if TYPE_CHECKING:
    from app.sources.parsing.parsed import Parsed

# How long a file must have rested for its time to tell of any later change: the tick of its file system, and some.
# A time in whole seconds comes from one that keeps no finer ones (FAT keeps two).
_COARSE_NS = 2_000_000_000
_FINE_NS = 100_000_000
_SECOND_NS = 1_000_000_000


def handle(job: dict[str, Any]) -> dict[str, Any]:
    """Do one job; see `answer.Job` and `answer.Answer`. Raises MemoryError, which the process itself answers."""
    return _answer(Job.from_dict(job)).to_dict()


def _answer(job: Job) -> Answer:
    try:
        data, state = _taken(job) if job.data is None else (job.data, _no_file(job))
    except Unreadable as error:
        return Answer(refusal=(error.what, error.next_step))
    sha256 = hashlib.sha256(data).hexdigest()
    if sha256 == job.known_sha256:
        return Answer(state, sha256, is_known=True)
    try:
        return Answer(state, sha256, parsed=_parsed(data, job))
    except Unreadable as error:
        return Answer(state, sha256, refusal=(error.what, error.next_step))
    except MemoryError:
        raise
    except RecursionError:
        deep = refusals.unreadable(msg("Its parts are nested too deeply."))
        return Answer(state, sha256, refusal=(deep.what, deep.next_step))
    except Exception as fault:  # noqa: BLE001 - the border: see the module docstring
        broken = refusals.unreadable(msg("It is damaged in a way that Famulus does not understand."))
        return Answer(state, sha256, refusal=(broken.what, broken.next_step), fault=_where(fault))


def _parsed(data: bytes, job: Job) -> Parsed:
    sniffed = words(data) if job.kind == WORDS else sniff(data, job.path.name, job.limits.text_chars)
    about = About(
        _name(job.path), job.zone, job.window, job.limits, kind=job.kind, options=job.options, senses=job.senses
    )
    return with_facts(parse_sniffed(sniffed, data, about), sniffed)


def _name(path: Path) -> str:
    """The file's name as text; bytes that are no UTF-8 become U+FFFD."""
    return os.fsencode(path.name).decode("utf-8", "replace")


def _taken(job: Job) -> tuple[bytes, FileState]:
    """A file's bytes; of a database what is committed in it, with what stands in the files beside it."""
    data, state = _read(job)
    if not sqlite_image.is_database(data):
        return data, state
    del data  # it is read once more, together with its journals
    return database_files.settled(job.path, lambda path: _read(replace(job, path=path, follows_links=False)))


def _read(job: Job) -> tuple[bytes, FileState]:
    """All bytes of a file, and its state; raises `Unreadable`."""
    try:
        descriptor = os.open(job.path, _flags(follows_links=job.follows_links))
    except (OSError, ValueError) as error:
        raise _not_opened(error) from None
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise refusals.unreadable(msg("It is not a regular file."), msg("Only files can be taken in."))
        if before.st_size > job.limits.file_bytes:
            raise refusals.too_big(before.st_size, job.limits.file_bytes)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(job.limits.file_bytes + 1)
        after = os.fstat(descriptor)
    except OSError as error:
        raise _not_opened(error) from None
    finally:
        os.close(descriptor)
    if len(data) > job.limits.file_bytes:
        raise refusals.too_big(len(data), job.limits.file_bytes)
    changed = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or len(data) != after.st_size
    return data, FileState(before.st_size, before.st_mtime_ns, before.st_ino, changed or _is_fresh(before.st_mtime_ns))


def _no_file(job: Job) -> FileState:
    """The state of bytes that are in no file; raises `Unreadable` when they are too many."""
    size = len(job.data or b"")
    if size > job.limits.file_bytes:
        raise refusals.too_big(size, job.limits.file_bytes)
    return FileState(size, 0, 0, is_fresh=False)


def _flags(*, follows_links: bool) -> int:
    """Read only, without waiting (a pipe would), and without following a link; as far as the system knows these."""
    flags = os.O_RDONLY
    for name in ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", *(() if follows_links else ("O_NOFOLLOW",))):
        flags |= getattr(os, name, 0)
    return flags


def _is_fresh(mtime_ns: int) -> bool:
    age_ns = clock.system_ns() - mtime_ns
    return age_ns < (_COARSE_NS if mtime_ns % _SECOND_NS == 0 else _FINE_NS)


def _not_opened(error: Exception) -> Unreadable:
    if isinstance(error, FileNotFoundError):
        return refusals.unreadable(msg("It is no longer there."), msg("Look whether it was moved or deleted."))
    if isinstance(error, PermissionError):
        return refusals.unreadable(
            msg("Famulus may not open it."), msg("Allow reading it, or close the program that uses it.")
        )
    return refusals.unreadable(
        msg("The system cannot read it."), msg("Look whether its disk or network folder is all right.")
    )


def _where(fault: Exception) -> str:
    """The kind of an exception and the place of ours that it passed last; nothing of its message."""
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if "sources" in Path(frame.filename).parts]
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(fault).__name__}{place}"
