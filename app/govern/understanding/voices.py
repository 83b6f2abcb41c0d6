"""Who says a sentence of an entry, and to whom: "I" in somebody's mail is its sender, in a chat whoever's line it is.

A note, a document and a recording are the person's own; nobody is named for them. Names are those of the entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.govern.understanding.contract import StoredEntry

OWN = ""
"""The one whose notes these are."""
_SPOKEN = frozenset({EntryKind.MAIL, EntryKind.CHAT})
_LABEL = re.compile(
    r"(?:^|\n)[ \t]{0,4}(?:\[[^\]\n]{1,40}\][ \t]{0,4})?"
    r"(?P<who>[^\s:：,，。\n][^:：,，。\n]{0,38})[:：](?=\s|[^\x00-\x7f])"
)
_LOOKED_BACK = 4_000


@dataclass(frozen=True, slots=True)
class Voice:
    """Who speaks and to whom; `OWN` for the person of the notes, None for somebody who is not known."""

    speaker: str | None
    addressee: str | None


@dataclass(frozen=True, slots=True)
class Talk:
    """An entry as a talk.

    Attributes:
        authors, others: names (addresses where there is no name) of who wrote it, and of who else takes part.
    """

    kind: EntryKind
    text: str
    authors: Sequence[str] = ()
    others: Sequence[str] = ()

    def at(self, place: int) -> Voice:
        """Whose words stand at a place of the text."""
        if self.kind not in _SPOKEN:
            return Voice(OWN, None)
        people = list(dict.fromkeys([*self.authors, *self.others]))
        if self.kind is EntryKind.MAIL:
            speaker = self.authors[0] if len(self.authors) == 1 else None
            rest = [name for name in self.others if name != speaker]
            return Voice(speaker, rest[0] if len(rest) == 1 else None)
        speaker = self._said_by(place, people)
        rest = [name for name in people if name != speaker]
        return Voice(speaker, rest[0] if speaker is not None and len(rest) == 1 else None)

    def _said_by(self, place: int, people: Sequence[str]) -> str | None:
        """Who is named before the line, as far back as a label stands; of one author alone that one."""
        start = max(0, place - _LOOKED_BACK)
        line_end = self.text.find("\n", place)
        before = self.text[start : len(self.text) if line_end < 0 else line_end]
        label = None
        for match in _LABEL.finditer(before):
            if start + match.start("who") > place:
                break
            if not people or match["who"].strip() in people:
                label = match["who"].strip()
        return label or (self.authors[0] if len(self.authors) == 1 else None)


def talk_of(entry: StoredEntry) -> Talk:
    """A stored entry as a talk."""
    named = [(person.name or person.address, person.role) for person in entry.people]
    authors = [name for name, role in named if role == "author" and name]
    return Talk(entry.kind, entry.text, authors, [name for name, role in named if role != "author" and name])


def without_label(text: str) -> str:
    """A line of a chat without who says it."""
    match = _LABEL.match(text)
    return text if match is None else text[match.end() :].lstrip()
