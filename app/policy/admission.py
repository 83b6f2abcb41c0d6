"""The one gate into the database: an `Entry` becomes an `AdmittedEntry` here and nowhere else (DESIGN 2, G8.2, X9.1).

The gate decides scope, access control, sensitivity, trust and confidence, and records which version of the rules
did so (G2.8). What an entry says about itself can make it more sensitive and less trusted, never the other way round.
It is not a parser and not a content filter: it never looks into the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import AdmittedEntry
from app.domain.errors import Bug
from app.domain.labels import EntryKind, Sensitivity, Trust

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.domain.collecting import SourceInfo
    from app.domain.entries import Entry

# RFC 5545 section 3.8.1.3: what a calendar's own CLASS says about an event
_CALENDAR_CLASSES = {"private": Sensitivity.CONFIDENTIAL, "confidential": Sensitivity.CONFIDENTIAL}
_WEB_KINDS = frozenset({"web", "html", "bookmark"})


@dataclass(frozen=True, slots=True)
class AdmissionRules:
    """The confidence that each origin deserves, and how far a kind of entry may be trusted.

    Attributes:
        version: recorded with every row that these rules made (G2.8).
        confidence: 0..1 for every trust.
        trust_limits: the most that a kind of entry is trusted, whatever its source is: a mail in one's own folder was
            still written by somebody else.
    """

    version: str
    confidence: Mapping[Trust, float]
    trust_limits: Mapping[EntryKind, Trust] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        """Refuse rules that leave an origin without a confidence."""
        missing = [trust.name for trust in Trust if not 0.0 <= self.confidence.get(trust, -1.0) <= 1.0]
        if missing:
            raise ValueError(f"no confidence between 0 and 1 for {', '.join(missing)}")


DEFAULT_RULES = AdmissionRules(
    version="admission-1",
    confidence=MappingProxyType(
        {
            Trust.WEB: 0.5,
            Trust.STRANGER: 0.6,
            Trust.KNOWN_SENDER: 0.8,
            Trust.OWN_FILES: 0.9,
            Trust.USER: 1.0,
        }
    ),
    trust_limits=MappingProxyType({EntryKind.MAIL: Trust.KNOWN_SENDER, EntryKind.CHAT: Trust.KNOWN_SENDER}),
)


def admit(entry: Entry, source: SourceInfo, rules: AdmissionRules = DEFAULT_RULES) -> AdmittedEntry:
    """Let one entry in, under its source's labels.

    Raises:
        Bug: the entry is not from this source, or lacks what every entry has (G1.2: identity, hash, aware times).
    """
    _require_provenance(entry, source)
    trust = _trust(entry, source, rules)
    return AdmittedEntry(
        entry=entry,
        scope=source.scope,
        acl=source.acl,
        sensitivity=max(source.sensitivity, _own_sensitivity(entry)),
        trust=trust,
        confidence=rules.confidence[trust],
        rule_version=rules.version,
    )


def _require_provenance(entry: Entry, source: SourceInfo) -> None:
    if entry.source_id != source.source_id:
        raise Bug("an entry of another source was offered for admission")
    if not (entry.native_id and entry.content_hash and entry.source_uri):
        raise Bug("an entry without identity, hash or address was offered for admission")
    if not (source.scope and source.acl):
        raise Bug("a source without scope or access control was offered for admission")
    if any(_is_naive(instant) for instant in _times(entry)):
        raise Bug("an entry with a time without offset was offered for admission")


def _times(entry: Entry) -> list[datetime | None]:
    times = [entry.created_at, entry.updated_at, entry.event_time, entry.valid_from, entry.valid_to]
    if entry.task is not None:
        times += [entry.task.due_at, entry.task.completed_at]
    if entry.event is not None:
        for occurrence in entry.event.occurrences:
            times += [occurrence.start, occurrence.end]
    return times


def _is_naive(instant: datetime | None) -> bool:
    return instant is not None and instant.utcoffset() is None


def _own_sensitivity(entry: Entry) -> Sensitivity:
    """What the entry says about itself: a calendar's CLASS, or a sensitivity in a document's front matter."""
    declared = entry.metadata.get("sensitivity", "").strip()
    try:
        from_word = Sensitivity.from_word(declared)
    except KeyError:
        from_word = Sensitivity.PUBLIC
    calendar_class = entry.metadata.get("class", "").strip().casefold()
    return max(from_word, _CALENDAR_CLASSES.get(calendar_class, Sensitivity.PUBLIC))


def _trust(entry: Entry, source: SourceInfo, rules: AdmissionRules) -> Trust:
    trust = min(source.trust, rules.trust_limits.get(entry.kind, Trust.USER))
    if entry.metadata.get("origin", "").strip().casefold() in _WEB_KINDS:
        trust = min(trust, Trust.WEB)
    return trust
