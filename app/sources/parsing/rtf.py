"""Rich text (RTF 1.9): headings, paragraphs, lists and tables, in the code pages of its fonts.

Pictures, embedded objects, headers and footers, hidden and deleted text are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.labels import BlockKind, EntryKind
from app.sources.parsing.blocks import BlockWriter, one_line
from app.sources.parsing.office_properties import properties_from
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged
from app.sources.parsing.rtf_reader import RtfReader

if TYPE_CHECKING:
    from app.sources.parsing.parsed import About


def parse(data: bytes, about: About) -> Parsed:
    """Read a document; raises `Unreadable`."""
    writer = BlockWriter(about.limits.text_chars)
    reader = RtfReader(data, writer)
    reader.read()
    if not writer.blocks and not reader.has_paragraphs:
        raise damaged("RTF")
    said = properties_from(reader.info)
    heading = next((block.text for block in writer.blocks if block.kind is BlockKind.HEADING), "")
    entry = ParsedEntry(
        kind=EntryKind.DOCUMENT,
        title=said.title or heading or one_line(about.stem),
        blocks=writer.blocks,
        created_at=said.created_at,
        updated_at=said.updated_at,
        people=said.people,
        metadata=said.metadata,
    )
    return Parsed("rtf", (entry,), warnings=writer.warnings())
