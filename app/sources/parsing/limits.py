"""How much one file may cost. The parse process has limits on time and memory besides; these give better messages."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from app.domain.errors import Bug

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Limits for one file.

    Attributes:
        file_bytes: larger files are refused.
        text_chars: text beyond this is left out, with a warning. Four million characters are more than any novel.
        unpacked_bytes: an archive (DOCX) that would unpack to more is refused.
        pages: pages of a PDF beyond this are left out, with a warning.
        entries: entries in one file (events, messages) beyond this are left out, with a warning.
        occurrences: happenings of one recurring event beyond this are left out, with a warning.
        depth: how deep messages may be nested in messages.
    """

    file_bytes: int = 64 * 1024 * 1024
    text_chars: int = 4_000_000
    unpacked_bytes: int = 256 * 1024 * 1024
    pages: int = 3_000
    entries: int = 50_000
    occurrences: int = 4_000
    depth: int = 20

    def to_dict(self) -> dict[str, int]:
        """As plain values, for the parse process."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ParseLimits:
        """Read what `to_dict` made."""
        names = {field.name for field in fields(cls)}
        if set(values) - names or not all(type(value) is int and value > 0 for value in values.values()):
            raise Bug("bad limits in a parse job")
        return cls(**values)
