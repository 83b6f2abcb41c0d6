"""A parse job and its answer, on both sides of the border between the processes."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.domain.instants import from_ixdtf, to_ixdtf
from app.sources.parsing.dates import zone_by_name, zone_name
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.parsed import Sense
from app.sources.parsing.wire import (
    BrokenAnswer,
    parsed_from_dict,
    parsed_to_dict,
    text_from_dict,
    text_to_dict,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from app.domain.text import Text
    from app.sources.parsing.parsed import Parsed


@dataclass(frozen=True, slots=True)
class Job:
    """One file to read, or bytes that a server sent.

    Attributes:
        path: of the file; of bytes, a name for them, whose suffix tells their format where they do not tell it.
        data: the bytes themselves; None: they are to be read from the path.
        kind, options: of the source that asks; see `parsed.About`.
        known_sha256: the hash of the content that is known already; the same content is not parsed again.
        follows_links: whether the path itself may be a symbolic link.
        senses: what beyond text is to be decoded.
    """

    path: Path
    limits: ParseLimits
    zone: tzinfo
    window: tuple[datetime, datetime]
    known_sha256: str | None = None
    follows_links: bool = False
    data: bytes | None = None
    kind: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    senses: frozenset[Sense] = frozenset()

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; a path with bytes that are no UTF-8 is carried as Python carries it."""
        return {
            "path": str(self.path),
            "limits": self.limits.to_dict(),
            "zone": zone_name(self.zone, self.window[0]),
            "window": [to_ixdtf(self.window[0]), to_ixdtf(self.window[1])],
            "known_sha256": self.known_sha256,
            "follows_links": self.follows_links,
            "data": None if self.data is None else b64encode(self.data).decode("ascii"),
            "kind": self.kind,
            "options": dict(self.options),
            "senses": sorted(self.senses),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Job:
        """Read what `to_dict` made."""
        start, end = values["window"]
        return cls(
            path=Path(values["path"]),
            limits=ParseLimits.from_dict(values["limits"]),
            zone=zone_by_name(values["zone"]),
            window=(from_ixdtf(start), from_ixdtf(end)),
            known_sha256=values["known_sha256"],
            follows_links=bool(values["follows_links"]),
            data=None if values["data"] is None else b64decode(values["data"]),
            kind=str(values["kind"]),
            options=MappingProxyType({str(name): str(value) for name, value in values["options"].items()}),
            senses=frozenset(map(Sense, values["senses"])),
        )


@dataclass(frozen=True, slots=True)
class FileState:
    """What a file looked like when it was read. Two equal states mean equal content, unless it `is_fresh`.

    Attributes:
        is_fresh: it was changed so shortly before it was read, or even while, that its time would not show another
            change; its content has to be compared next time.
    """

    size: int
    mtime_ns: int
    inode: int
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a job.

    Attributes:
        state, sha256: None when the file could not be opened.
        parsed: what it was understood as; None when it is refused, or `is_known`.
        refusal: why it cannot be read, and what to do.
        is_known: its content has the known hash.
        fault: for the log: where a parser broke down, without anything of the file.
    """

    state: FileState | None = None
    sha256: str | None = None
    parsed: Parsed | None = None
    refusal: tuple[Text, Text] | None = None
    is_known: bool = False
    fault: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        state = self.state
        return {
            "state": [state.size, state.mtime_ns, state.inode, state.is_fresh] if state is not None else None,
            "sha256": self.sha256,
            "parsed": parsed_to_dict(self.parsed) if self.parsed is not None else None,
            "refusal": [text_to_dict(text) for text in self.refusal] if self.refusal is not None else None,
            "is_known": self.is_known,
            "fault": self.fault,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Answer:
        """Read what `to_dict` made; raises `BrokenAnswer` for anything else."""
        try:
            refusal = values["refusal"]
            answer = cls(
                state=_state(values["state"]),
                sha256=_optional_text(values["sha256"]),
                parsed=parsed_from_dict(values["parsed"]) if values["parsed"] is not None else None,
                refusal=(text_from_dict(refusal[0]), text_from_dict(refusal[1])) if refusal is not None else None,
                is_known=values["is_known"] is True,
                fault=_optional_text(values["fault"]),
            )
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise BrokenAnswer("a broken answer of the parse process") from error
        outcomes = (answer.parsed is not None) + (answer.refusal is not None) + answer.is_known
        if outcomes != 1 or (answer.refusal is None and (answer.state is None or answer.sha256 is None)):
            raise BrokenAnswer("an answer that says nothing, or two things")
        return answer


def _state(values: object) -> FileState | None:
    if values is None:
        return None
    if not isinstance(values, list) or [type(value) for value in values] != [int, int, int, bool]:
        raise TypeError("not the state of a file")
    return FileState(*values)


def _optional_text(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("not a text")
    return value
