"""The health line of a source: a glyph and words for what it is doing, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.domain.collecting import SyncState
from app.domain.text import Text, msg
from app.ui import moments, naming

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.collecting import SourceInfo
    from app.ui.collecting import Job

COLLECTING: Final = msg("Collecting now")
_PAUSED: Final = msg("Paused")


@dataclass(frozen=True, slots=True)
class Health:
    """What the line shows. `needs_person` colours it amber, and never stands without its words."""

    icon: str
    parts: tuple[Text, ...]
    needs_person: bool = False
    is_quiet: bool = False

    @property
    def ink(self) -> str:
        """The token of the glyph's colour."""
        return "asks" if self.needs_person else "ink_soft" if self.is_quiet else "accent"


def health_of(source: SourceInfo, job: Job | None, now: datetime) -> Health:
    """How a source is; a sync of ours that is under way knows it better than the database."""
    if job is not None:
        return Health("pause", (_PAUSED,), needs_person=True) if job.switch.is_paused else Health("sync", (COLLECTING,))
    if source.is_paused:
        return Health("pause", (_PAUSED,), is_quiet=True)
    if source.state is SyncState.FAILED:
        told = tuple(part for part in (source.problem, source.next_step) if part is not None)
        if source.next_sync_at is not None and source.next_sync_at > now:
            told += (msg("tried again {when}", when=moments.wait(source.next_sync_at, now)),)
        return Health("warning", told or (msg("Stopped"),), needs_person=True)
    if source.state is SyncState.SYNCING:
        return Health("sync", (COLLECTING,))
    if source.state is SyncState.PAUSED:
        return Health("pause", (_PAUSED,), needs_person=True)
    return _at_rest(source, now)


def _at_rest(source: SourceInfo, now: datetime) -> Health:
    if not naming.is_followed(source):
        return Health("done", ())
    if source.last_sync_at is None:
        return Health("clock", (msg("Not collected yet"),), is_quiet=True)
    return Health("done", (msg("Up to date"), msg("synced {age}", age=moments.age(source.last_sync_at, now))))
