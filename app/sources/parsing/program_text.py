"""Text for machines: programs, JSON, YAML, settings. Kept as it is, in blocks of code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.labels import BlockKind
from app.sources.parsing import plain_text

if TYPE_CHECKING:
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About, Parsed


def parse(decoded: Decoded, about: About) -> Parsed:
    """Stretches between empty lines, with their lines."""
    return plain_text.parse_as(decoded, about, BlockKind.CODE)
