"""The rules of labels that are in force, and a change of them: shown first, applied on demand (G2.8, G8.2).

In force is what was applied last, kept in the database, so that a file that somebody edits changes nothing by itself.
Applying touches only the entries whose labels come out otherwise, in small transactions, and goes on where it was after
a crash, since doing it twice changes nothing more.
"""

from __future__ import annotations

import logging
import uuid
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.domain.progress import Progress
from app.domain.rules import LabelChange, RulePreview
from app.domain.text import msg
from app.govern.rule_tables import state_of
from app.policy.admission import DEFAULT_RULES, WRITERS, places_of
from app.policy.labels.rules import Traits, read_label_rules
from app.runtime import clock
from app.runtime.paths import resource
from app.store import labelling
from app.store.source_rows import sources
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.domain.collecting import SourceInfo
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.rules import RuleFile
    from app.policy.admission import AdmissionRules
    from app.policy.labels.rules import LabelRules
    from app.store.connection import Reader
    from app.store.database import Database
    from app.store.labelling import LabelledEntry

NAME = "labels"
_SHOWN = 50
_AT_ONCE = 100
_log = logging.getLogger(__name__)


class RuleBook:
    """See the module docstring. Methods block.

    Args:
        own: the person's own file; it need not exist.
    """

    def __init__(self, database: Database, own: Path) -> None:
        self._database = database
        self._own = own
        self._shipped = resource("rules", "labels.toml").read_bytes()
        self._in_force = self._applied()

    @property
    def admission(self) -> AdmissionRules:
        """What new entries are admitted by."""
        return replace(DEFAULT_RULES, labels=self._in_force)

    def state(self) -> RuleFile:
        """Which rules are in force, and whether others wait."""
        return state_of(NAME, self._own, self._in_force.version, lambda: self._wanted()[0].version)

    def preview(self, progress: ProgressSink, stop: StopSignal) -> RulePreview:
        """What the rules of the files would change. Raises `BadInput` for a wrong file, `Cancelled`."""
        wanted, _ = self._wanted()
        shown: list[LabelChange] = []
        count = looked_at = 0
        with self._database.reader() as reader:
            for before, after in self._differences(reader, wanted):
                stop.checkpoint()
                looked_at += 1
                if after is not None:
                    count += 1
                    if len(shown) < _SHOWN:
                        shown.append(_change(before, after))
                progress(Progress("rules", msg("Looking what the rules would change"), looked_at))
        return RulePreview(NAME, count, looked_at, tuple(shown))

    def put_in_force(self) -> None:
        """Let new entries be labelled by the rules of the files. Raises `BadInput` for a wrong file."""
        wanted, own = self._wanted()
        with self._database.write() as tx:
            note_rules(tx, _version(wanted), now=clock.now())
            labelling.apply_rules(tx, NAME, own)
            labelling.let_labels_wait(tx, uuid.uuid4().hex)
        self._in_force = wanted

    def next_batch(self, last_id: int) -> tuple[list[LabelledEntry], int | None]:
        """The next entries whose labels are not those of the rules in force, with those that they should have.

        Returns:
            Some entries, perhaps none; and the id behind which to go on, None at the end.
        """
        batch: list[LabelledEntry] = []
        with self._database.reader() as reader:
            for number, (before, after) in enumerate(self._differences(reader, self._in_force, last_id), start=1):
                if after is not None:
                    batch.append(after)
                if number >= _AT_ONCE:
                    return batch, before.entry_id
        return batch, None

    def relabel(self, batch: list[LabelledEntry]) -> int:
        """Write labels; on the writer's lane."""
        with self._database.write() as tx:
            note_rules(tx, _version(self._in_force), now=clock.now())
            for entry in batch:
                labelling.relabel(tx, entry, _version(self._in_force))
        return len(batch)

    def waiting(self) -> str:
        """Not empty: rules were put in force, or a source was changed, and not all entries follow yet."""
        with self._database.reader() as reader:
            return labelling.labels_waiting(reader)

    def finish(self, token: str) -> None:
        """All entries follow what was in force when `waiting` gave this; not what came since."""
        with self._database.write() as tx:
            if labelling.labels_waiting(tx) == token:
                labelling.let_labels_wait(tx, "")

    def _applied(self) -> LabelRules:
        with self._database.reader() as reader:
            own = labelling.applied_rules(reader, NAME)
        try:
            return read_label_rules(self._shipped, own.encode() if own else None)
        except BadInput:  # an older Famulus allowed what this one does not
            _log.warning("the applied rules of labels are not understood any more; the shipped ones are used")
            return read_label_rules(self._shipped)

    def _wanted(self) -> tuple[LabelRules, str]:
        """What the files say, and the text of the person's own."""
        try:
            own = self._own.read_bytes()
        except FileNotFoundError:
            return read_label_rules(self._shipped), ""
        except OSError:
            raise BadInput(
                msg("The file labels.toml cannot be read."), next_step=msg("Allow reading it, and try again.")
            ) from None
        return read_label_rules(self._shipped, own), own.decode("utf-8")

    def _differences(
        self, reader: Reader, rules: LabelRules, last_id: int = 0
    ) -> Iterator[tuple[LabelledEntry, LabelledEntry | None]]:
        """Every entry, and how it would be labelled; None: as it is."""
        by_id = {info.source_id: info for info in sources(reader)}
        for entry in labelling.labelled_entries(reader, last_id):
            info = by_id[entry.source_id]
            labels = rules.label(_traits(reader, entry, info))
            after = replace(
                entry,
                scope=labels.scope or info.scope,
                acl=labels.acl or info.acl,
                sensitivity=max(entry.sensitivity, int(info.sensitivity), int(labels.sensitivity)),
                reasons=labels.reasons,
            )
            yield entry, after if after != entry else None


def _traits(reader: Reader, entry: LabelledEntry, info: SourceInfo) -> Traits:
    writers = labelling.writers_of(reader, entry.entry_id, sorted(WRITERS))
    return Traits(
        places=MappingProxyType(places_of(entry.native_id, entry.kind, entry.metadata, writers, info)),
        title=entry.title.casefold(),
        text=labelling.text_of_entry(reader, entry.entry_id).casefold(),
    )


def _version(rules: LabelRules) -> str:
    return f"{DEFAULT_RULES.version} {rules.version}".strip()


def _change(before: LabelledEntry, after: LabelledEntry) -> LabelChange:
    is_raised = before.sensitivity != after.sensitivity
    return LabelChange(
        title=before.title,
        source_uri=before.native_id,
        scope=after.scope if after.scope != before.scope else None,
        acl=after.acl if after.acl != before.acl else None,
        sensitivity=Sensitivity(after.sensitivity).word if is_raised else None,
        reasons=after.reasons,
    )
