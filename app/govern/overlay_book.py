"""What a person adds to the rules of passages, understanding and freshness: shown first, applied on demand (G2.8).

In force is what was applied last, kept in the database. Applying touches only the entries that the change can touch:
with new words, those in which one of them stands; with new numbers, those whose text is read at all. They wait to be
understood anew, in the background, and whatever a person decided of them stays decided. New lengths of passages hold
for what is collected from then on.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.progress import Progress, ignore_progress
from app.domain.rules import LabelChange, RulePreview, ValueChange
from app.domain.text import msg
from app.govern.rule_tables import Overlay, lay_over, read_overlay, state_of, text_of
from app.govern.understanding.rules import understanding_rules
from app.runtime import clock
from app.runtime.stop import StopSwitch
from app.store import labelling
from app.store.understanding_rows import carry_over, understood_texts
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.rules import RuleFile
    from app.store.connection import Reader
    from app.store.database import Database

CHUNKING = "chunking"
_SHOWN = 50
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Touched:
    """The entries that a change touches, and of how many."""

    looked_at: int
    entries: list[tuple[int, LabelChange]]


class OverlayBook:
    """See the module docstring. Methods block.

    Args:
        own: the person's own file; it need not exist.
        version: of all the rules of understanding together, as they are in force.
    """

    def __init__(self, name: str, database: Database, own: Path, version: Callable[[], str]) -> None:
        self.name = name
        self._database = database
        self._own = own
        self._version = version
        self._in_force = self._applied()
        lay_over(name, self._in_force)

    def close(self) -> None:
        """Let the shipped rules hold again; another database may have none of these."""
        lay_over(self.name, None)

    def state(self) -> RuleFile:
        """Which rules are in force, and whether others wait."""
        return state_of(self.name, self._own, self._in_force.version, lambda: self._wanted()[0].version)

    def preview(self, progress: ProgressSink, stop: StopSignal) -> RulePreview:
        """What the person's file would change. Raises `BadInput` for a wrong file, `Cancelled`."""
        wanted, _ = self._wanted()
        with self._database.reader() as reader:
            touched = self._touched(reader, wanted, progress, stop)
        values = tuple(ValueChange(*one) for one in wanted.numbers)
        shown = tuple(change for _, change in touched.entries[:_SHOWN])
        return RulePreview(self.name, len(touched.entries), touched.looked_at, shown, values)

    def put_in_force(self) -> int:
        """Put the person's file in force; on the writer's lane. Returns how many entries wait to be understood anew.

        Raises:
            BadInput: the file is wrong; nothing was changed.
        """
        wanted, own = self._wanted()
        old = self._version()
        try:
            with self._database.write() as tx:
                touched = self._touched(tx, wanted, ignore_progress, StopSwitch())
                lay_over(self.name, wanted)
                note_rules(tx, wanted.version, now=clock.now())
                note_rules(tx, self._version(), now=clock.now())
                labelling.apply_rules(tx, self.name, own)
                ids = [entry_id for entry_id, _ in touched.entries]
                carry_over(tx, (old, self._version()), ids)
        except BaseException:  # what is not written is not in force either
            lay_over(self.name, self._in_force)
            raise
        self._in_force = wanted
        return len(touched.entries)

    def _touched(self, reader: Reader, wanted: Overlay, progress: ProgressSink, stop: StopSignal) -> _Touched:
        """What the change from the rules in force touches; words that went count like words that came."""
        found: list[tuple[int, LabelChange]] = []
        looked_at = 0
        if self.name == CHUNKING or wanted.version == self._in_force.version:
            return _Touched(0, found)
        words = sorted(wanted.words ^ self._in_force.words)
        has_numbers = wanted.numbers != self._in_force.numbers
        kinds = sorted(kind.value for kind in understanding_rules().reading.kinds)
        for entry_id, title, uri, text in understood_texts(reader, kinds):
            stop.checkpoint()
            looked_at += 1
            folded = " ".join(f"{title}\n{text}".casefold().split())
            standing = tuple(word for word in words if word in folded)
            if standing or has_numbers:
                found.append((entry_id, LabelChange(title, uri, None, None, None, standing)))
            progress(Progress("rules", msg("Looking what the rules would change"), looked_at))
        return _Touched(looked_at, found)

    def _applied(self) -> Overlay:
        with self._database.reader() as reader:
            own = labelling.applied_rules(reader, self.name)
        try:
            return read_overlay(self.name, (own or "").encode())
        except BadInput:  # an older Famulus allowed what this one does not
            _log.warning("the applied rules %s are not understood any more; the shipped ones are used", self.name)
            return read_overlay(self.name, b"")

    def _wanted(self) -> tuple[Overlay, str]:
        """What the files say, and the text of the person's own."""
        try:
            own = self._own.read_bytes()
        except FileNotFoundError:
            return read_overlay(self.name, b""), ""
        except OSError:
            raise BadInput(
                msg("The file {name}.toml cannot be read.", name=self.name),
                next_step=msg("Allow reading it, and try again."),
            ) from None
        return read_overlay(self.name, own), text_of(self.name, own)
