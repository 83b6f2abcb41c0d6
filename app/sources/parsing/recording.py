"""Voice notes and other recordings: their length and date, and samples where these can be transcribed (L6.5).

Without a speech model a recording is an entry all the same: that it is there, how long it is, and from when.
"""

from __future__ import annotations

import hashlib
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.domain.text import msg
from app.sources.parsing.blocks import one_line
from app.sources.parsing.parsed import Parsed, ParsedEntry, Sense
from app.sources.parsing.picture_dates import date_in_name
from app.sources.parsing.picture_kinds import media_kind
from app.sources.parsing.recording_length import length_s
from app.sources.parsing.recording_samples import MOST_SECONDS, decoded
from app.sources.parsing.refusals import unreadable

if TYPE_CHECKING:
    from app.domain.text import Text
    from app.sources.parsing.parsed import About, Samples


def parse(data: bytes, about: About) -> Parsed:
    """One entry with the recording's name, length and date.

    Raises:
        Unreadable: recordings are not to be read.
    """
    if Sense.RECORDINGS not in about.senses:
        raise unreadable(
            msg("Recordings are not taken in, as the settings want it."),
            msg("Switch files.read_recordings on if Famulus should know of them."),
        )
    kind = media_kind(data, about.name)
    media_type = kind.media_type if kind is not None else "audio"
    length = length_s(data, media_type)
    samples: Samples | None = None
    warnings: tuple[Text, ...] = ()
    if Sense.SPEECH in about.senses:
        samples = decoded(data, media_type)
        if samples is None:
            warnings = (msg("What is said in it cannot be decoded ({kind}); it is known by name.", kind=media_type),)
        elif length is not None and length > MOST_SECONDS:
            warnings = (msg("Only its first {count} minutes are transcribed.", count=MOST_SECONDS // 60),)
    metadata = {"media_type": media_type}
    facts: dict[str, str | int] = {"media_type": media_type}
    if length is not None:
        metadata["duration_s"] = str(round(length))
        facts["duration_s"] = round(length)
    at = date_in_name(about.name, about.zone)
    entry = ParsedEntry(
        kind=EntryKind.VOICE,
        title=one_line(about.stem),
        blocks=(),
        # heard later by a model, the same recording is another entry
        content_hash="" if samples is not None else hashlib.sha256(b"not heard\0" + data).hexdigest(),
        event_time=at,
        metadata=MappingProxyType(metadata),
        samples=samples,
    )
    return Parsed("recording", (entry,), warnings=warnings, facts=MappingProxyType(facts))
