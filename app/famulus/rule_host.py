"""Rules that are data, in the running program: who is known, which labels are in force, and applying others (G2.8)."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.events import EntriesChanged, Progressed
from app.domain.labels import Trust
from app.domain.progress import Progress, ignore_progress
from app.domain.text import msg
from app.govern.overlay_book import OverlayBook
from app.govern.rule_book import NAME, RuleBook
from app.govern.rule_tables import OPEN_TO_CHANGE
from app.policy.admission import Acquaintance
from app.runtime.stop import StopSwitch
from app.settings.declarations import OWN_ADDRESSES
from app.store.labelling import has_contacts, is_acquainted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.collecting import SourceInfo
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.rules import RuleFile, RulePreview
    from app.famulus.governing import Governing
    from app.famulus.parts import Parts
    from app.govern.pipeline import Pipeline
    from app.store.database import Database

_ACCOUNTS = frozenset({"imap", "caldav", "carddav"})
_ADDRESS = re.compile(r"[^\s,;/:@]{1,64}@[^\s,;/:@]{1,255}")


class RuleHost:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, database: Database, pipeline: Pipeline, governing: Governing) -> None:
        self._parts = parts
        self._governing = governing
        self._database = database
        self._pipeline = pipeline
        self._book = RuleBook(database, parts.paths.config / "labels.toml")
        self._overlays = {
            name: OverlayBook(name, database, parts.paths.config / f"{name}.toml", lambda: governing.queue.version)
            for name in OPEN_TO_CHANGE
        }
        self._switch = StopSwitch()
        self._one_at_a_time = asyncio.Lock()
        self.own_addresses: frozenset[str] = frozenset()

    def follow(self, sources: Sequence[SourceInfo]) -> None:
        """Admit by the rules in force; the person's addresses are those of the settings and of their mailboxes."""
        own = {one.casefold() for one in _ADDRESS.findall(self._parts.settings.get(OWN_ADDRESSES))}
        for info in sources:
            if info.kind in _ACCOUNTS and info.trust >= Trust.OWN_FILES:
                named = info.location.partition("://")[2].partition("/")[0].rpartition("@")[0]
                user = info.options.get("user", "") or named
                own |= {user.casefold().replace("%40", "@")} if "@" in user.replace("%40", "@") else set()
        known = sorted(own)
        self.own_addresses = frozenset(own)

        def is_known(address: str) -> bool:
            with self._database.reader() as reader:
                return is_acquainted(reader, address, known)

        def is_informed() -> bool:
            if known:
                return True
            with self._database.reader() as reader:
                return has_contacts(reader)

        self._pipeline.admit_by(self._book.admission, Acquaintance(frozenset(own), is_known, is_informed))

    async def list(self) -> Sequence[RuleFile]:
        """The files of rules that a person may add to."""
        states = [self._book.state, *(book.state for book in self._overlays.values())]
        return [await self._parts.lanes.blocking.run(state) for state in states]

    async def preview(self, name: str, *, progress: ProgressSink, stop: StopSignal | None) -> RulePreview:
        """What the rules of a person's file would change; raises `BadInput`, `Cancelled`."""
        book = self._book if name == NAME else self._overlay(name)
        return await self._parts.lanes.blocking.run(book.preview, progress, stop or StopSwitch())

    async def apply(self, name: str, sources: Sequence[SourceInfo], *, progress: ProgressSink) -> int:
        """Put the rules of a person's file in force.

        Every entry is labelled by new labels before this returns; what is to be understood anew waits for its turn.

        Returns:
            How many entries came out otherwise, or wait.

        Raises:
            BadInput: there are no such rules, or the file is wrong.
        """
        if name == NAME:
            await self._parts.lanes.writer.run(self._book.put_in_force)
            self.follow(sources)
            return await self.catch_up(progress)
        count = await self._parts.lanes.writer.run(self._overlay(name).put_in_force)
        self._governing.wake()
        return count

    def _overlay(self, name: str) -> OverlayBook:
        if name not in self._overlays:
            raise BadInput(
                msg("There are no rules named {name} that can be added to.", name=name),
                next_step=msg("Use one of: {names}.", names=", ".join((NAME, *self._overlays))),
            )
        return self._overlays[name]

    async def catch_up(self, progress: ProgressSink = ignore_progress) -> int:
        """Go on with labelling that was interrupted; batch by batch, so that other writing goes on between them."""
        async with self._one_at_a_time:
            return await self._catch_up(progress)

    async def _catch_up(self, progress: ProgressSink) -> int:
        lanes, count = self._parts.lanes, 0
        token = await lanes.readers.run(self._book.waiting)
        if not token:
            return 0
        last_id: int | None = 0
        while last_id is not None and not self._switch.is_stopped:
            batch, last_id = await lanes.blocking.run(self._book.next_batch, last_id)
            count += await lanes.writer.run(self._book.relabel, batch) if batch else 0
            told = Progress("rules", msg("Labelling entries by the new rules"), count)
            progress(told)
            self._parts.bus.publish(Progressed(told))
        if last_id is None:
            await lanes.writer.run(self._book.finish, token)
        if count:
            self._parts.bus.publish(EntriesChanged(NAME, count))
        return count

    def stop(self) -> None:
        """End after the present batch; it goes on at the next start."""
        self._switch.stop()

    def close(self) -> None:
        """Let the shipped rules hold again; for when nothing is read or cut by a person's own any more."""
        for book in self._overlays.values():
            book.close()
