"""Archives are listed and not unpacked: one entry with the name, size and date of what is in them.

A ZIP file says so itself; a packed TAR file has to be read through, of which no more than a limit is. Of archives
that Python cannot read (7z, RAR) only the name is known. No member is ever written anywhere, or parsed.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
from dataclasses import dataclass
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.domain.labels import BlockKind, EntryKind
from app.domain.text import msg
from app.sources.parsing.archive_names import readable_name, readable_names
from app.sources.parsing.blocks import BlockWriter, one_line
from app.sources.parsing.dates import storable
from app.sources.parsing.package import ZIP_FAULTS
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.text import Text
    from app.sources.parsing.parsed import About

_MAX_MEMBERS = 20_000
_CLOSED = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd", b"MSCF\0\0\0\0")
_ENCRYPTED_FLAG = 0x1
_TAR_FAULTS = (tarfile.TarError, *ZIP_FAULTS)
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class _Member:
    """A file in an archive. `size_bytes`, `changed_at`: None and empty where they are not known."""

    name: str
    size_bytes: int | None
    changed_at: str


def parse(data: bytes, about: About) -> Parsed:
    """List an archive; raises `Unreadable` for one that is damaged."""
    members: Sequence[_Member] = ()
    warnings: tuple[Text, ...] = ()
    if data.startswith(_CLOSED):
        warnings = (msg("What is in an archive of this kind is not listed; only its name was taken in."),)
    elif data.startswith(b"PK"):
        members, warnings = _zip_members(data)
    else:
        members, warnings = _tar_members(data, about)
    writer = BlockWriter(about.limits.text_chars)
    lines = [_line(member) for member in members]
    writer.add(BlockKind.LIST, "\n".join(lines))
    metadata = {"members": str(len(members))} if members else {}
    entry = ParsedEntry(
        kind=EntryKind.DOCUMENT,
        title=one_line(about.name),
        blocks=writer.blocks,
        metadata=MappingProxyType(metadata),
    )
    facts: dict[str, str | int] = {} if data.startswith(_CLOSED) else {"members": len(members)}
    return Parsed("archive", (entry,), warnings=warnings + writer.warnings(), facts=MappingProxyType(facts))


def _line(member: _Member) -> str:
    size = _size(member.size_bytes) if member.size_bytes is not None else ""
    about = ", ".join(filter(None, (size, member.changed_at)))
    return f"- {one_line(member.name, 1000)}" + (f" ({about})" if about else "")


def _size(size_bytes: int) -> str:
    if size_bytes < 1024:  # noqa: PLR2004 - a KiB
        return f"{size_bytes} B"
    return f"{size_bytes / 1024:.0f} KiB" if size_bytes < _MIB else f"{size_bytes / _MIB:.1f} MiB"


def _cut(count: int) -> tuple[Text, ...]:
    return (msg("Only the first {count} files in it were listed.", count=count),)


def _zip_members(data: bytes) -> tuple[Sequence[_Member], tuple[Text, ...]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            told = archive.infolist()
    except ZIP_FAULTS:
        raise damaged("ZIP") from None
    infos = [info for info in told[:_MAX_MEMBERS] if not info.filename.endswith(("/", "\\"))]
    names = readable_names(infos)
    members = [_Member(name, info.file_size, _day(info.date_time)) for name, info in zip(names, infos, strict=True)]
    warnings = _cut(len(members)) if len(told) > _MAX_MEMBERS else ()
    if any(info.flag_bits & _ENCRYPTED_FLAG for info in infos):
        warnings = (*warnings, msg("Files in it are protected by a password."))
    return members, warnings


def _day(parts: tuple[int, int, int, int, int, int]) -> str:
    """A date as ISO 8601; 1980-01-01 is what programs write who know none."""
    try:
        day = date(*parts[:3])
    except (ValueError, TypeError):
        return ""
    return "" if (day.year, day.month, day.day) == (1980, 1, 1) else day.isoformat()


def _tar_members(data: bytes, about: About) -> tuple[Sequence[_Member], tuple[Text, ...]]:
    """The members of a TAR file, packed or not; what is packed and no TAR file holds one file without a name."""
    members: list[_Member] = []
    warnings: tuple[Text, ...] = ()
    try:
        for member in _tar_infos(data, about.limits.unpacked_bytes):
            if member.isdir():
                continue
            changed = storable(_stamp(member.mtime), UTC)
            day = changed.date().isoformat() if changed is not None and member.mtime else ""
            members.append(_Member(_tar_name(member.name), member.size, day))
            if len(members) >= _MAX_MEMBERS:
                warnings = _cut(len(members))
                break
    except _TooMuch:
        warnings = (msg("It is too long to be read through; only its beginning was listed."),)
    except _TAR_FAULTS:
        if not members and data[257:262] == b"ustar":
            raise damaged("TAR") from None
        if members:
            warnings = (msg("It is damaged; only what stands before the damage was listed."),)
    if not members and not warnings:
        members = [_Member(about.stem, None, "")]
    return members, warnings


def _stamp(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _tar_name(name: str) -> str:
    """Names that are no UTF-8 come with their bytes as surrogates."""
    data = name.encode("utf-8", "surrogateescape")
    return readable_name(data)


def _tar_infos(data: bytes, limit_bytes: int) -> Iterator[tarfile.TarInfo]:
    with _unpacked(data) as plain:
        bounded: Any = _Bounded(plain, limit_bytes)
        with tarfile.open(fileobj=bounded, mode="r|") as archive:
            yield from archive


def _unpacked(data: bytes) -> Any:  # noqa: ANN401 - three kinds of streams
    import bz2  # noqa: PLC0415 - few archives need them
    import gzip  # noqa: PLC0415 - see above
    import lzma  # noqa: PLC0415 - see above

    packed = io.BytesIO(data)
    if data.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=packed)
    if data.startswith(b"BZh"):
        return bz2.BZ2File(packed)
    return lzma.LZMAFile(packed) if data.startswith(b"\xfd7zXZ") else packed


class _TooMuch(Exception):
    """The archive unpacks to more than is read."""


class _Bounded:
    """A stream that gives no more than so many bytes."""

    def __init__(self, stream: Any, limit_bytes: int) -> None:  # noqa: ANN401 - see _unpacked
        self._stream = stream
        self._left = limit_bytes

    def read(self, size: int) -> bytes:
        """As `io.RawIOBase.read`; raises `_TooMuch` at the limit."""
        if self._left <= 0:
            raise _TooMuch
        data: bytes = self._stream.read(min(size, self._left))
        self._left -= len(data)
        return data
