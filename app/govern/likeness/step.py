"""The step of understanding that finds out which earlier entries an entry is like (G2.1).

Its cost does not grow with the number of entries: a few dozen look-ups of samples, and a dozen texts compared at most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.govern.likeness.judging import COMPARED, body_of, judge
from app.govern.likeness.rules import rules
from app.govern.likeness.samples import sample
from app.store import likenesses
from app.store.likenesses import Likeness
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.govern.likeness.samples import Sampled
    from app.govern.understanding.contract import Understood
    from app.store.connection import Reader, Writer
    from app.store.likenesses import Compared


@dataclass(frozen=True, slots=True)
class Alike:
    """What an entry's samples are, and what it is like."""

    samples: Sequence[int] = ()
    found: Sequence[Likeness] = ()


class LikenessStep:
    """See the module docstring."""

    @property
    def version(self) -> str:
        """Of resources/rules/likeness.toml."""
        return rules().version

    def look(self, reader: Reader, understood: Understood) -> Alike:
        """Sample the text, and compare it with those that have samples in common."""
        entry = understood.entry
        if entry.kind.value not in COMPARED:
            return Alike()
        own = sample(body_of(entry.kind.value, entry.title, entry.text))
        return Alike(own.chosen, _likes(reader, entry.entry_id, own))

    def apply(self, tx: Writer, understood: Understood, found: object, now: datetime) -> None:
        """Write it; what was found before for this entry is replaced."""
        assert isinstance(found, Alike)  # noqa: S101 - made by `look`
        entry_id = understood.entry.entry_id
        note_rules(tx, self.version, now=now)
        likenesses.begin_rules(tx, self.version)
        likenesses.unlink(tx, entry_id)
        likenesses.write_samples(tx, entry_id, found.samples)
        for likeness in found.found:
            if likenesses.is_there(tx, likeness.other_id):
                likenesses.link(tx, likeness, self.version)


def _likes(reader: Reader, entry_id: int, own: Sampled) -> list[Likeness]:
    limits = rules()
    holders = likenesses.holders(reader, own.chosen, most=limits.holders)
    if own.whole is not None:
        # a whole text in common is enough
        for other, count in likenesses.holders(reader, (own.whole,), most=limits.holders).items():
            holders[other] += count
    del holders[entry_id]
    enough = min(limits.in_common, len(own.chosen))
    others = [other for other, count in holders.most_common(limits.candidates) if count >= enough]
    if not others:
        return []
    mine = next(map(_bare, likenesses.compared(reader, [entry_id], longest=limits.longest)), None)
    if mine is None:
        return []
    found: list[Likeness] = []
    for candidate in map(_bare, likenesses.compared(reader, others, longest=limits.longest)):
        verdict = judge(mine, candidate, own)
        if verdict is not None:
            found.append(Likeness(entry_id, candidate.entry_id, verdict.kind.value, round(verdict.score, 4)))
    return found


def _bare(entry: Compared) -> Compared:
    return replace(entry, text=body_of(entry.kind, entry.title, entry.text))
