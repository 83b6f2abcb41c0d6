"""Whether the database is open, and how it is opened: with the keychain, a passphrase, or the recovery key (DESIGN 4).

The vault holds the key for as long as the database is open, and nothing else does. Opening and closing exclude each
other; whoever uses the house meanwhile gets an error and not half a house.

The store, the search and the sources are imported on a lane when they are first needed: a tray does not wait for them.
"""

from __future__ import annotations

import asyncio
import logging
from functools import cached_property
from typing import TYPE_CHECKING

from app.domain.errors import (
    Damaged,
    Expected,
    KeychainLocked,
    KeychainMissing,
    KeyMissing,
    Locked,
    PassphraseNeeded,
    Refused,
)
from app.domain.events import LockStateChanged
from app.domain.text import msg
from app.famulus.api import LockState
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.famulus.house import House
    from app.famulus.model_host import ModelHost
    from app.famulus.offices import Offices
    from app.famulus.parts import Parts
    from app.famulus.route_host import RouteHost
    from app.store.connection import DatabaseKey
    from app.store.keys import KeyRing
    from app.store.store import Store

_log = logging.getLogger(__name__)
_STATES: tuple[tuple[type[Expected], LockState], ...] = (
    (PassphraseNeeded, LockState.PASSPHRASE_NEEDED),
    (KeychainLocked, LockState.KEYCHAIN_LOCKED),
    (KeychainMissing, LockState.KEYCHAIN_MISSING),
    (KeyMissing, LockState.KEY_MISSING),
)


class Vault:
    """See the module docstring.

    Attributes:
        state: what the database waits for.
        problem: why it is not open, or None.
    """

    def __init__(self, parts: Parts, model: ModelHost, routes: RouteHost | None = None) -> None:
        self._parts = parts
        self._routes = routes
        self._model = model
        self._turn = asyncio.Lock()
        self._house: House | None = None
        self._key: DatabaseKey | None = None
        self._found_key: DatabaseKey | None = None
        self.state = LockState.NEW
        self.problem: Expected | None = None
        self.has_recovery_key = False

    @property
    def is_open(self) -> bool:
        """Whether there is a house."""
        return self._house is not None

    @property
    def house(self) -> House:
        """What an open database offers; raises what keeps it closed."""
        if self._house is not None:
            return self._house
        if self.problem is not None:
            raise self.problem
        raise Locked(
            msg("There is no database yet."),
            next_step=msg("Finish the set-up in the window, or run any command that collects something."),
        )

    async def offices(self) -> Offices:
        """The same, with all that a search does not need, which may have to be opened first; raises as `House.offices`.

        What is locked meanwhile raises why, too.
        """
        found = await self.house.offices()
        _ = self.house
        return found

    async def open_quietly(self) -> None:
        """Open with what is at hand, at start; what keeps it closed stands in `state` and `problem`."""
        try:
            await self._open(self._key_at_hand)
        except Expected as problem:
            _log.info("the database stays locked: %s", problem.code)

    async def create(self, passphrase: str | None) -> str:
        """Make a key and a database; returns the recovery key.

        Raises:
            Refused: there is a database already.
            KeychainLocked, KeychainMissing, DiskFull, ReadOnly: nothing was made.
        """

        def make() -> tuple[Store, DatabaseKey, str]:
            made = self._keys.create(passphrase=passphrase)
            store = _store_type().create(self._path, made.key, now=clock.now())
            return store, made.key, made.recovery_key

        async with self._turn:
            if self._house is not None:
                raise _open_already()
            store, key, recovery_key = await self._parts.lanes.writer.run(make)
            await self._move_in(store, key)
            return recovery_key

    async def unlock(self, *, passphrase: str | None, recovery_key: str | None) -> None:
        """Open a locked database. A recovery key puts the key back where it was, or under the passphrase given.

        Raises:
            as `KeyRing.unlock`, `KeyRing.recover` and `Database.open`; the state is then as it was.
        """
        if self._house is not None:
            return
        if recovery_key is not None:
            await self._open(lambda: self._keys.recover(recovery_key, passphrase=passphrase))
        else:
            await self._open(lambda: self._keys.unlock(passphrase=passphrase))

    async def lock(self) -> None:
        """Close the database and forget its key; nothing happens when it is closed."""
        async with self._turn:
            house, self._house, self._key = self._house, None, None
            if house is None:
                return
            # before it is closed, which takes its time: who asks meanwhile is not told that there is no database
            self.problem = Locked(
                msg("The database is locked."), next_step=msg("Unlock it in the window, or with `famulus key unlock`.")
            )
            await house.close()
            self.state = LockState.PASSPHRASE_NEEDED if await self._has_passphrase() else LockState.KEYCHAIN_LOCKED
            self._parts.bus.publish(LockStateChanged(is_open=False))

    async def set_passphrase(self, passphrase: str | None) -> None:
        """Wrap the key by a passphrase, or put it into the keychain; see `KeyRing.set_passphrase`."""
        key = self._held_key()
        await self._parts.lanes.writer.run(self._keys.set_passphrase, key, passphrase)

    async def new_recovery_key(self) -> str:
        """Replace the recovery key; see `KeyRing.new_recovery_key`."""
        key = self._held_key()
        recovery_key = await self._parts.lanes.writer.run(self._keys.new_recovery_key, key)
        self.has_recovery_key = True
        return recovery_key

    @cached_property
    def _keys(self) -> KeyRing:
        from app.store.keys import KeyRing  # noqa: PLC0415 - see the module docstring

        return KeyRing(self._parts.paths.data, self._parts.keychain)

    @cached_property
    def _path(self) -> Path:
        from app.store.database import FILE_NAME  # noqa: PLC0415 - see the module docstring

        return self._parts.paths.data / FILE_NAME

    def _key_at_hand(self) -> DatabaseKey:
        return self._keys.unlock()

    def _has_database(self) -> bool:
        return self._path.exists()

    @property
    def is_damaged(self) -> bool:
        """Whether the database could not be opened because it is damaged."""
        return self._house is None and isinstance(self.problem, Damaged)

    async def rescue(self) -> None:
        """Copy what can be read of a database with damaged pages into a new one, and open that (X9.2).

        The damaged file is kept beside it; what could not be read comes back with the next sync of its source.

        Raises:
            Damaged: nothing of it can be read; it is left as it is.
            DiskFull, ReadOnly: it is left as it is.
        """
        from app.store.rescue import rescue  # noqa: PLC0415 - for bad days alone

        key = self._key or self._found_key
        if key is None:
            _ = self.house  # raises what keeps it closed
            return
        await self.lock()
        await self._parts.lanes.writer.run(rescue, self._path, key, now=clock.now())
        await self._open(lambda: key)

    async def _open(self, find_key: Callable[[], DatabaseKey]) -> None:
        def work() -> tuple[Store, DatabaseKey]:
            key = self._found_key = find_key()
            return _store_type().open(self._path, key, now=clock.now()), key

        async with self._turn:
            if self._house is not None:
                return
            if not await self._parts.lanes.blocking.run(self._has_database):
                # A key alone holds nothing that could be lost: creation was interrupted, or the database moved away.
                self.state, self.problem = LockState.NEW, None
                return
            # imported while the key is asked for or derived
            self._parts.lanes.blocking.submit(_house_type)
            try:
                store, key = await self._parts.lanes.writer.run(work)
            except Expected as problem:
                self.state, self.problem = _state_of(problem), problem
                raise
            await self._move_in(store, key)

    async def _move_in(self, store: Store, key: DatabaseKey) -> None:
        try:
            house = await self._parts.lanes.blocking.run(_make_house, self._parts, store, self._model, self._routes)
        except Expected as problem:
            await self._parts.lanes.writer.run(store.close)
            self.state, self.problem = LockState.FAILED, problem
            raise
        self._house, self._key = house, key
        self.state, self.problem = LockState.OPEN, None
        self.has_recovery_key = await self._parts.lanes.blocking.run(self._keys.has_recovery_key)
        await house.start()
        self._parts.bus.publish(LockStateChanged(is_open=True))

    async def _has_passphrase(self) -> bool:
        mode = await self._parts.lanes.blocking.run(self._keys.mode)
        return mode == "passphrase"

    def _held_key(self) -> DatabaseKey:
        if self._key is None:
            _ = self.house  # raises what keeps it closed
            raise _open_already()
        return self._key


def _store_type() -> type[Store]:
    from app.store.store import Store  # noqa: PLC0415 - see the module docstring

    return Store


def _house_type() -> type[House]:
    from app.famulus.house import House  # noqa: PLC0415 - see the module docstring

    return House


def _make_house(parts: Parts, store: Store, model: ModelHost, routes: RouteHost | None) -> House:
    return _house_type()(parts, store, model, routes)


def _state_of(problem: Expected) -> LockState:
    for kind, state in _STATES:
        if isinstance(problem, kind):
            return state
    # a wrong passphrase leaves the question where it was
    return LockState.PASSPHRASE_NEEDED if problem.code == "wrong_key" else LockState.FAILED


def _open_already() -> Refused:
    return Refused(msg("There is a database already, and it is open."), next_step=msg("Use it, or lock it first."))
