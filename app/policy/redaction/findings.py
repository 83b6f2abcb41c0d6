"""A finding: a personal stretch of a text, and of what kind; and how findings that overlap become one (L5.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Kind(StrEnum):
    """What is redacted; the value is the word in the placeholder, so a language model can read it."""

    EMAIL = "EMAIL"
    URL = "URL"
    IP = "IP"
    MAC = "MAC"
    GUID = "GUID"
    PHONE = "PHONE"
    ID_NUMBER = "ID"
    PASSPORT = "PASSPORT"
    PERMIT = "PERMIT"
    PLATE = "PLATE"
    TAX_NUMBER = "TAX"
    SOCIAL_SECURITY = "SOCIAL"
    MILITARY = "MILITARY"
    LICENCE = "LICENCE"
    HEALTH_NUMBER = "HEALTHNO"
    BANK_CARD = "CARD"
    BANK_ACCOUNT = "ACCOUNT"
    USER_NAME = "USER"
    SECRET = "SECRET"  # noqa: S105 - the word in a placeholder
    DEVICE = "DEVICE"
    LOCATION = "LOCATION"
    BIRTH_DATE = "BIRTH"
    AGE = "AGE"
    MONEY = "MONEY"
    HEALTH = "HEALTH"
    RELIGION = "RELIGION"
    ETHNICITY = "ETHNICITY"
    ORIENTATION = "ORIENTATION"
    POLITICS = "POLITICS"
    CRIME = "RECORD"
    BIOMETRIC = "BIOMETRIC"
    GENDER = "GENDER"
    FAMILY_STATUS = "FAMILY"
    JOB = "JOB"
    SELF = "SELF"
    ADDRESS = "ADDRESS"
    POSTCODE = "POSTCODE"
    PERSON = "PERSON"
    ORGANISATION = "ORG"
    PLACE = "PLACE"
    NAME = "NAME"
    """A proper name of unknown kind."""
    LITERAL = "TEXT"
    """What merely looks like a placeholder."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A personal stretch of a text.

    Attributes:
        start, end: in characters of the text as it was given, `end` exclusive.
        kind: what it is.
        weight: how sure the rule is, 0..1; where two overlap, the surer one names the kind.
    """

    start: int
    end: int
    kind: Kind
    weight: float = 0.5


_WHERE = frozenset({Kind.ADDRESS, Kind.PLACE, Kind.POSTCODE, Kind.NAME, Kind.PERSON, Kind.ORGANISATION})
_GAP = re.compile(r"[\s,()#]{0,4}\Z")
_WIDE_GAP = re.compile(r"[^.!?;:\n]{0,16}\s?,?\s{0,2}\Z")
_LONGEST_GAP = 20


def join_addresses(found: Sequence[Finding], text: str) -> tuple[Finding, ...]:
    """The parts of one address as one: a street, a flat and a city with nothing but commas and line ends between them.

    Args:
        found: in order and apart, see `merge`.
        text: that they stand in.
    """
    joined: list[Finding] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is None or not _belong_together(last, one, text):
            joined.append(one)
        else:
            joined[-1] = Finding(last.start, one.end, Kind.ADDRESS, max(last.weight, one.weight))
    return tuple(joined)


def _belong_together(last: Finding, one: Finding, text: str) -> bool:
    if one.start - last.end > _LONGEST_GAP or Kind.ADDRESS not in (last.kind, one.kind):
        return False
    gap = text[last.end : one.start]
    if {last.kind, one.kind} <= {Kind.ADDRESS, Kind.POSTCODE}:
        return _WIDE_GAP.match(gap) is not None
    is_before = last.kind in (Kind.PERSON, Kind.ORGANISATION)  # a name above an address is somebody, not a part of it
    return one.kind in _WHERE and last.kind in _WHERE and not is_before and _GAP.match(gap) is not None


def merge(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in order and apart from each other: those that overlap become one that covers them all.

    Nothing that any rule found is given up, since a leak is worse than a word too many; the surest of those that
    overlap gives the kind, and at the same weight the longest.
    """
    merged: list[Finding] = []
    for found in sorted(findings, key=lambda one: (one.start, -one.end)):
        if found.start >= found.end:
            continue
        if not merged or found.start >= merged[-1].end:
            merged.append(found)
            continue
        last = merged[-1]
        surest = max(last, found, key=lambda one: (one.weight, one.end - one.start))
        merged[-1] = Finding(last.start, max(last.end, found.end), surest.kind, surest.weight)
    return tuple(merged)
