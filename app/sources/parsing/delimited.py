"""Tables as text: CSV and TSV files become one table, its first row the header."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from app.domain.labels import BlockKind
from app.sources.parsing import plain_text
from app.sources.parsing.blocks import BlockWriter, table_text

if TYPE_CHECKING:
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About, Parsed

_DELIMITERS = ",\t;|"


def parse(decoded: Decoded, about: About) -> Parsed:
    """The rows, cells apart by ` | `; what is no table after all is read as plain text."""
    writer = BlockWriter(about.limits.text_chars)
    lines = decoded.text[: 2 * about.limits.text_chars].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    delimiter = "\t" if about.name.lower().endswith(".tsv") else max(_DELIMITERS, key=lines[0].count)
    try:
        rows = list(csv.reader((f"{line}\n" for line in lines), delimiter=delimiter))
    except csv.Error:
        return plain_text.parse(decoded, about)
    writer.add(BlockKind.TABLE, table_text(rows), lines=(1, max(1, len(lines) - (lines[-1] == ""))))
    return plain_text.as_note(decoded, about, writer)
