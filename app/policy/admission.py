"""The one gate into the database: an `Entry` becomes an `AdmittedEntry` here and nowhere else (DESIGN 2, G8.2, X9.1).

The gate decides scope, access control, sensitivity, trust and confidence, and records which version of the rules
did so (G2.8). What an entry says about itself can make it more sensitive and less trusted, never the other way round.
Who wrote an entry decides how far it is trusted: the person's own words, people they know, strangers, the web. It is
not a parser; what a text holds is looked at by the rules of labels (`policy.labels`), which can only raise its
sensitivity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import AdmittedEntry
from app.domain.errors import Bug
from app.domain.labels import EntryKind, Sensitivity, Trust
from app.policy.labels.rules import NO_LABELS, LabelRules, Traits, lowered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from app.domain.collecting import SourceInfo
    from app.domain.entries import Entry

# RFC 5545 section 3.8.1.3: what a calendar's own CLASS says about an event
_CALENDAR_CLASSES = {"private": Sensitivity.CONFIDENTIAL, "confidential": Sensitivity.CONFIDENTIAL}
WRITERS = frozenset({"author", "organizer", "owner"})
_SENT = re.compile(r"\bsent\b|已发送|已傳送|寄件|发件箱|gesendet|envoy|enviad", re.IGNORECASE)
_WEB_KINDS = frozenset({"web", "html", "bookmark"})


@dataclass(frozen=True, slots=True)
class AdmissionRules:
    """The confidence that each origin deserves, and how far a kind of entry may be trusted.

    Attributes:
        version: recorded with every row that these rules made (G2.8).
        confidence: 0..1 for every trust.
        trust_limits: the most that a kind of entry is trusted, whatever its source is: a mail in one's own folder was
            still written by somebody else.
        labels: which scope, acl and sensitivity an entry gets.
    """

    version: str
    confidence: Mapping[Trust, float]
    trust_limits: Mapping[EntryKind, Trust] = field(default_factory=lambda: MappingProxyType({}))
    labels: LabelRules = NO_LABELS

    def __post_init__(self) -> None:
        """Refuse rules that leave an origin without a confidence."""
        missing = [trust.name for trust in Trust if not 0.0 <= self.confidence.get(trust, -1.0) <= 1.0]
        if missing:
            raise ValueError(f"no confidence between 0 and 1 for {', '.join(missing)}")


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """Whom the person is and knows, by mail addresses in lower case.

    Attributes:
        own: the person's own addresses; empty: not known.
        is_known: whether somebody is in their contacts, or was written to by them.
        is_informed: whether anything is known of whom they know; if not, a stranger cannot be told from a friend.
    """

    own: frozenset[str] = frozenset()
    is_known: Callable[[str], bool] = lambda _: False
    is_informed: Callable[[], bool] = lambda: False


NOBODY = Acquaintance()


DEFAULT_RULES = AdmissionRules(
    version="admission-2",
    confidence=MappingProxyType(
        {
            Trust.WEB: 0.5,
            Trust.STRANGER: 0.6,
            Trust.KNOWN_SENDER: 0.8,
            Trust.OWN_FILES: 0.9,
            Trust.USER: 1.0,
        }
    ),
    trust_limits=MappingProxyType({EntryKind.CHAT: Trust.KNOWN_SENDER}),
)


def admit(
    entry: Entry, source: SourceInfo, rules: AdmissionRules = DEFAULT_RULES, people: Acquaintance = NOBODY
) -> AdmittedEntry:
    """Let one entry in, under its source's labels and what the rules make of it.

    Raises:
        Bug: the entry is not from this source, or lacks what every entry has (G1.2: identity, hash, aware times).
    """
    _require_provenance(entry, source)
    trust = _trust(entry, source, rules, people)
    labels = rules.labels.label(traits_of(entry, source))
    return AdmittedEntry(
        entry=entry,
        scope=labels.scope or source.scope,
        acl=labels.acl or source.acl,
        sensitivity=max(source.sensitivity, _own_sensitivity(entry), labels.sensitivity),
        trust=trust,
        confidence=rules.confidence[trust],
        rule_version=f"{rules.version} {rules.labels.version}".strip(),
        label_reasons=labels.reasons,
    )


def traits_of(entry: Entry, source: SourceInfo) -> Traits:
    """What the rules of labels look at."""
    writers = [person.address for person in entry.people if person.role in WRITERS]
    return Traits(
        places=places_of(entry.native_id, entry.kind.value, entry.metadata, writers, source),
        title=entry.title.casefold(),
        text="\n".join(block.text for block in entry.blocks).casefold(),
    )


def places_of(
    native_id: str, kind: str, metadata: Mapping[str, str], writers: Iterable[str], source: SourceInfo
) -> dict[str, frozenset[str]]:
    """Where an entry comes from, as the conditions of the rules name it."""
    is_event = kind == EntryKind.EVENT.value
    return {
        "source": lowered((source.source_id, source.kind, source.name)),
        "folder": lowered((native_id.partition("#")[0], metadata.get("folder"))),
        "calendar": lowered((metadata.get("calendar"), source.name if is_event else None)),
        "sender": lowered(writers),
        "tag": lowered(metadata.get("tags", "").split()),
        "kind": frozenset({kind}),
    }


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


def _trust(entry: Entry, source: SourceInfo, rules: AdmissionRules, people: Acquaintance) -> Trust:
    if entry.metadata.get("origin", "").strip().casefold() in _WEB_KINDS:
        return min(source.trust, Trust.WEB)
    if entry.kind is EntryKind.MAIL:
        return min(source.trust, _trust_of_mail(entry, people))
    if entry.kind in {EntryKind.EVENT, EntryKind.TASK} and people.own:
        return min(source.trust, _trust_of_invitation(entry, people))
    return min(source.trust, rules.trust_limits.get(entry.kind, Trust.USER))


def _trust_of_mail(entry: Entry, people: Acquaintance) -> Trust:
    """A sender's address can be forged, so one's own counts as such only in the folder of what one sent."""
    senders = lowered(person.address for person in entry.people if person.role == "author")
    if senders and senders <= people.own:
        return Trust.OWN_FILES if _SENT.search(entry.metadata.get("folder", "")) else Trust.KNOWN_SENDER
    if senders and (not people.is_informed() or all(map(people.is_known, senders))):
        return Trust.KNOWN_SENDER
    return Trust.STRANGER


def _trust_of_invitation(entry: Entry, people: Acquaintance) -> Trust:
    """An event that somebody else organises, or a to-do that they give to one, was written by them."""
    called_by = [person.address for person in entry.people if person.role == "organizer"]
    organisers = lowered(called_by)
    if not called_by or (organisers and organisers <= people.own):
        return Trust.USER
    # one without an address is somebody, and nobody knows who
    is_known = bool(organisers) and all(map(people.is_known, organisers))
    return Trust.KNOWN_SENDER if is_known else Trust.STRANGER
