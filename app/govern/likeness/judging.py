"""How two entries with common text are alike: a copy, a quotation, a forwarding, a version, nearly the same, or not.

Common text alone says little: two invoices share all but their numbers, and two weekly reports all but what matters. So
"near" is only what `near_duplicates` finds no difference in, however much is common.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.govern.likeness.rules import rules
from app.govern.likeness.samples import overlap, sample
from app.govern.likeness.versions import are_versions, say_their_version
from app.govern.near_duplicates import difference_of_texts

if TYPE_CHECKING:
    from app.govern.likeness.samples import Overlap, Sampled
    from app.store.likenesses import Compared

_LETTERS = frozenset({EntryKind.MAIL.value, EntryKind.CHAT.value})
_FILES = frozenset({EntryKind.DOCUMENT.value, EntryKind.NOTE.value, EntryKind.PICTURE.value, EntryKind.VOICE.value})
_WITH_OPENING = frozenset({EntryKind.MAIL.value, EntryKind.EVENT.value})
COMPARED = _LETTERS | _FILES | {EntryKind.EVENT.value}
_FRAME = 0.12
"""Of a quoted text so much may be lost: its last line, a signature."""


class Kind(StrEnum):
    """How alike."""

    COPY = "copy"
    QUOTE = "quote"
    FORWARD = "forward"
    VERSION = "version"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two entries are alike, and how much (0..1)."""

    kind: Kind
    score: float


def body_of(kind: str, title: str, text: str) -> str:
    """The text of an entry without the line of its own facts ("Launch from Zhang San ...") that stands before it."""
    if kind in _WITH_OPENING and title and text.startswith(title):
        _, gap, body = text.partition("\n\n")
        return body if gap else text
    return text


def judge(one: Compared, other: Compared, own: Sampled | None = None) -> Verdict | None:
    """How two entries are alike; None where they are not. It is the same both ways round.

    Args:
        own: the sample of the first one's text, where it is at hand.
    """
    if not _may_be_alike(one, other):
        return None
    mine, theirs = own or sample(one.text), sample(other.text)
    if mine.whole is not None and mine.whole == theirs.whole:
        return Verdict(Kind.COPY, 1.0)
    shared = overlap(mine, theirs)
    if max(shared.of_first, shared.of_second) == 0.0:
        return None
    return _as_letters(one, other, shared) or _as_versions(one, other, shared) or _as_near(one, other, shared)


def _may_be_alike(one: Compared, other: Compared) -> bool:
    """Not with itself, nor with its own older versions; events of two times are two events whatever they say."""
    if (one.source_id, one.native_id) == (other.source_id, other.native_id) or {one.kind, other.kind} - COMPARED:
        return False
    is_event = EntryKind.EVENT.value in {one.kind, other.kind}
    return not is_event or (one.kind == other.kind and one.event_time == other.event_time)


def _as_letters(one: Compared, other: Compared, shared: Overlap) -> Verdict | None:
    """A letter that holds another entry's text whole: it quotes or forwards it."""
    sides = sorted(((shared.of_first, shared.of_second, True), (shared.of_second, shared.of_first, False)))
    for of_outer, share, is_first in sides:
        outer, inner = (one, other) if is_first else (other, one)
        if outer.kind not in _LETTERS or share < rules().contained or of_outer > share + _FRAME:
            continue
        title, text = outer.title.casefold().lstrip(), outer.text.casefold()
        if title.startswith(rules().forward_titles) or any(mark in text for mark in rules().forward_marks):
            return Verdict(Kind.FORWARD, share)
        is_answer = outer.thread is not None and outer.thread == inner.thread
        if is_answer or any(mark in text for mark in rules().quote_marks):
            return Verdict(Kind.QUOTE, share)
    return None


def _as_versions(one: Compared, other: Compared, shared: Overlap) -> Verdict | None:
    """Two files whose names differ in their version alone, with much common text."""
    mine, theirs = one.native_id, other.native_id
    if {one.kind, other.kind} - _FILES or mine == theirs or not are_versions(mine, theirs):
        return None
    enough = rules().version_share if say_their_version(mine, theirs) else rules().contained
    share = max(shared.of_both, min(shared.of_first, shared.of_second))
    return Verdict(Kind.VERSION, shared.of_both) if share >= enough else None


def _as_near(one: Compared, other: Compared, shared: Overlap) -> Verdict | None:
    if shared.of_both < rules().near or difference_of_texts(one.text, other.text) is not None:
        return None
    return Verdict(Kind.NEAR, shared.of_both)
