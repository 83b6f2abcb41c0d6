"""A picture or a recording becomes text by the senses, and its bytes go along to be kept (L6.5).

What the parse process decoded is read here, on the lane of the source that asks. Where nothing can read it yet, the
entry is its name, date and length, and the sync that can will read it again.
"""

from __future__ import annotations

import hashlib
import logging
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.entries import Block, Original, Place
from app.domain.errors import Expected
from app.domain.labels import BlockKind, EntryKind
from app.domain.text import Text, msg
from app.sources.parsing.blocks import clean
from app.sources.parsing.parsed import Sense

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.contract import Senses, SourceContext
    from app.sources.parsing.answer import Job
    from app.sources.parsing.parsed import ParsedEntry

_SENSED = frozenset({EntryKind.PICTURE, EntryKind.VOICE})
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sensed:
    """An entry with what the senses made of it.

    Attributes:
        waits_for: what would have to be there for more to be read.
    """

    parsed: ParsedEntry
    original: Original | None = None
    waits_for: Sense | None = None
    warnings: tuple[Text, ...] = ()


def sense(parsed: ParsedEntry, job: Job, sha256: str, context: SourceContext) -> Sensed:
    """Read an entry's pixels or samples, and take its original along; anything else comes back as it is. Blocks."""
    if parsed.kind not in _SENSED:
        return Sensed(parsed)
    original = _original(parsed, job, sha256, context.original_bytes)
    bare = replace(parsed, pixels=None, samples=None)
    if context.senses is None:
        return Sensed(bare, original)
    try:
        blocks = tuple(_read(parsed, context.senses))
    except Expected as problem:
        return Sensed(bare, original, warnings=(problem.what,))
    except Exception as fault:  # noqa: BLE001 - whatever a picture does to a library for pictures, the sync goes on
        _log.warning("a picture or a recording could not be read: %s", type(fault).__name__)
        return Sensed(bare, original, warnings=(msg("What is in it could not be read."),))
    can_hear_later = parsed.kind is EntryKind.VOICE and Sense.SPEECH not in context.senses.abilities
    return Sensed(replace(bare, blocks=blocks), original, Sense.SPEECH if can_hear_later else None)


def _read(parsed: ParsedEntry, senses: Senses) -> Iterator[Block]:
    """The text of a picture as one block; of a recording a block for each stretch, with its second (G2.3)."""
    if parsed.pixels is not None:
        lines = senses.read_picture(parsed.pixels.data, parsed.pixels.width, parsed.pixels.height)
        if text := clean("\n".join(lines)).strip():
            yield Block(BlockKind.PARAGRAPH, text)
    if parsed.samples is not None:
        for second, said in senses.transcribe(parsed.samples.data, parsed.samples.rate) or ():
            if text := clean(said).strip():
                yield Block(BlockKind.PARAGRAPH, text, Place(second=second))


def _original(parsed: ParsedEntry, job: Job, sha256: str, limit: int) -> Original | None:
    """The very bytes that were read; None where they are too many, or no longer there."""
    data = job.data if job.data is not None else _again(job, limit)
    if data is None or not 0 < len(data) <= limit or hashlib.sha256(data).hexdigest() != sha256:
        return None
    return Original(job.path.name, parsed.metadata.get("media_type", ""), data)


def _again(job: Job, limit: int) -> bytes | None:
    flags = 0 if job.follows_links else getattr(os, "O_NOFOLLOW", 0)

    def opened(path: str, wanted: int) -> int:
        return os.open(path, wanted | flags | getattr(os, "O_NONBLOCK", 0))

    try:
        if job.path.stat().st_size > limit:
            return None
        with open(job.path, "rb", opener=opened) as file:
            return file.read(limit + 1)
    except (OSError, ValueError):
        return None
