"""What `famulus import --json` says a file was understood as: plain facts, named as other programs name them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.sources.parsing.blocks import whole_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.sources.parsing.parsed import Parsed
    from app.sources.parsing.sniffing import Sniffed


def with_facts(parsed: Parsed, sniffed: Sniffed) -> Parsed:
    """Add the encoding of a text file, and the hash of its text before anything was made of it."""
    if sniffed.decoded is None:
        return parsed
    facts = {**parsed.facts, "encoding": sniffed.decoded.encoding}
    if sniffed.is_whole:
        facts["text_sha256"] = hashlib.sha256(sniffed.decoded.text.encode("utf-8", "surrogatepass")).hexdigest()
    return replace(parsed, facts=MappingProxyType(facts))


def understood(parsed: Parsed) -> Mapping[str, object]:
    """All facts: the parser's own (subject, from, attachments, events, todos, encoding), the text, and the titles."""
    facts: dict[str, object] = {"format": parsed.format, **parsed.facts}
    facts["titles"] = [entry.title for entry in parsed.entries]
    facts["text"] = "\n\n".join(text for entry in parsed.entries if (text := whole_text(entry.blocks)))
    return MappingProxyType(facts)
