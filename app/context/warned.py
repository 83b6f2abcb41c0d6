"""Which quoted mails come with a word of warning, and behind the others (X9.1).

A mail may look like another one: the same title from another address, whose domain is not the one that it speaks of.
And what somebody says whom the person does not know counts less than what those say whom they do. Nothing is left out:
it is said who it is from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Trust
from app.store.reading import senders_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.context.evidence import Evidence
    from app.store.connection import Reader

_REPLY = re.compile(r"^(?:(?:re|fwd?|aw|wg|答复|回复|转发)\s?[:：]\s?)+", re.IGNORECASE)
_SUFFIX_PARTS = 2


@dataclass(frozen=True, slots=True)
class Warned:
    """Evidence with the address to warn of: of somebody unknown, or who looks like somebody else; "" for none."""

    evidence: Evidence
    stranger: str = ""
    lookalike: str = ""


def warned(reader: Reader, quoted: Sequence[Evidence]) -> list[Warned]:
    """Evidence in its order, what is to be warned of behind the rest."""
    mails = [item for item in quoted if item.ranked.passage.kind is EntryKind.MAIL]
    senders = senders_of(reader, {item.ranked.passage.entry_id for item in mails})
    is_any_known = any(item.ranked.item.trust > Trust.STRANGER for item in quoted)
    found = [_judged(item, mails, senders, is_any_known=is_any_known) for item in quoted]
    return sorted(found, key=lambda one: bool(one.stranger or one.lookalike))


def _judged(item: Evidence, mails: Sequence[Evidence], senders: Mapping[int, str], *, is_any_known: bool) -> Warned:
    own = senders.get(item.ranked.passage.entry_id, "")
    if not own or item.ranked.passage.kind is not EntryKind.MAIL:
        return Warned(item)
    for other in mails:
        theirs = senders.get(other.ranked.passage.entry_id, "")
        if (
            theirs
            and _domain(theirs) != _domain(own)
            and _title(other) == _title(item)
            and _is_real(other, theirs, item, own)
        ):
            return Warned(item, lookalike=own)
    if is_any_known and item.ranked.item.trust <= Trust.STRANGER:
        return Warned(item, stranger=own)
    return Warned(item)


def _is_real(other: Evidence, theirs: str, item: Evidence, own: str) -> bool:
    """Of two mails of one title: whether the other sender is known, or is whom both speak of, and this one is not."""
    if other.ranked.item.trust != item.ranked.item.trust:
        return other.ranked.item.trust > item.ranked.item.trust
    return _speaks_of(item, theirs) and not _speaks_of(item, own)


def _speaks_of(item: Evidence, address: str) -> bool:
    """Whether a mail names the house that an address is of: facebook, of security@facebook.com."""
    text = f"{item.ranked.passage.title} {item.ranked.passage.text.partition(chr(10) * 2)[2]}".casefold()
    house = _domain(address).rpartition(".")[0].rpartition(".")[2]
    return bool(house) and house in text


def _title(item: Evidence) -> str:
    return _REPLY.sub("", " ".join(item.ranked.passage.title.split())).casefold()


def _domain(address: str) -> str:
    parts = address.rpartition("@")[2].casefold().split(".")
    return ".".join(parts[-_SUFFIX_PARTS:])
