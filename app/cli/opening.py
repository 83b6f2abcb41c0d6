"""How the command line opens the database: with the keychain where there is one, else with a passphrase (DESIGN 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli import passphrase
from app.domain.errors import Expected, KeychainMissing, WrongKey
from app.domain.text import msg
from app.famulus.api import LockState

if TYPE_CHECKING:
    from app.cli.session import Session
    from app.famulus.api import FamulusApi

_ATTEMPTS = 3


async def ensure_open(api: FamulusApi, session: Session) -> None:
    """Open the database, or make a new one; raises `Expected` when that does not work."""
    status = await api.status()
    if status.lock is LockState.OPEN:
        return
    if status.lock is LockState.NEW:
        await _create(api, session)
    elif status.lock is LockState.PASSPHRASE_NEEDED:
        await _unlock_by_passphrase(api, session)
    else:
        await api.unlock(passphrase=passphrase.given(session))


async def open_if_possible(api: FamulusApi, session: Session) -> None:
    """Open an existing database with what is at hand; asks nobody, and leaves it locked when that does not work."""
    given = passphrase.given(session)
    status = await api.status()
    if given is not None and status.lock is LockState.PASSPHRASE_NEEDED:
        try:
            await api.unlock(passphrase=given)
        except Expected as error:
            session.screen.note(error.what)


async def _create(api: FamulusApi, session: Session) -> None:
    """Make the database. With a passphrase only if one was given, or if there is no keychain."""
    given = passphrase.given(session)
    try:
        recovery_key = await api.create(passphrase=given)
    except KeychainMissing:
        if not passphrase.can_ask():
            raise
        chosen = passphrase.ask(msg("This system has no keychain. Choose a passphrase for your data"), is_new=True)
        recovery_key = await api.create(passphrase=chosen)
    except Expected:
        # Another command may have been faster: then there is a database, and it is open or can be opened.
        if (await api.status()).lock is LockState.NEW:
            raise
        await ensure_open(api, session)
        return
    session.screen.note(msg("A new encrypted database was made."))
    if passphrase.can_ask():
        session.screen.note(msg("Write down its recovery key, which opens it on its own: {key}", key=recovery_key))
    else:  # what a program reads may end in a log
        session.screen.note(msg("Make a recovery key, and keep it safe, with: famulus key recovery --yes"))


async def _unlock_by_passphrase(api: FamulusApi, session: Session) -> None:
    given = passphrase.given(session)
    if given is not None:
        await api.unlock(passphrase=given)
        return
    for attempt in range(_ATTEMPTS):
        answer = passphrase.ask(msg("The passphrase of your data"))
        try:
            await api.unlock(passphrase=answer)
        except WrongKey as error:
            if attempt == _ATTEMPTS - 1:
                raise
            session.screen.note(error.what)
        else:
            return
