"""One message, from a server or a mailbox file, as an entry."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.text import Text, msg
from app.sources.intake import FileReader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.entries import Entry
    from app.sources.contract import SourceContext
    from app.sources.intake import Origin


class MailReader:
    """Reads messages in the parse process."""

    def __init__(self, context: SourceContext) -> None:
        self._reader = FileReader(context)

    def read(
        self, data: bytes, native_id: str, origin: Origin, marks: Mapping[str, str], *, name: str = "message.eml"
    ) -> Entry | Text:
        """A message as an entry, or why it cannot be read; blocks.

        Args:
            marks: what is noted beside its content, such as its folder; empty ones are left out.
            name: of its file; the suffix tells the format.
        """
        if data.startswith((b"From ", b">From ")):
            data = data.partition(b"\n")[2]  # the separator of a mailbox file, which may not make one mail into many
        read = self._reader.read_bytes(data, name, native_id, origin)
        if read.refusal is not None:
            return read.refusal.reason
        if not read.entries:
            return msg("There is nothing in it.")
        entry = read.entries[0]
        metadata = {**entry.metadata, **{key: value for key, value in marks.items() if value}}
        return replace(entry, native_id=native_id, source_uri=origin.uri, metadata=MappingProxyType(metadata))
