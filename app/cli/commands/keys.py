"""Commands about the key of the database: its recovery key, its passphrase, opening and locking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli import passphrase
from app.cli.command import command, option, subgroup
from app.cli.session import Opening
from app.domain.errors import BadInput, Refused
from app.domain.text import msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.cli.session import Session
    from app.famulus.api import FamulusApi


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(key)


key = subgroup(click.Group(), "key", msg("The key that encrypts your data."))


@command(key, "recovery", msg("Make a recovery key, and print it this once. An older one opens nothing any more."))
@option("--yes", "is_sure", meaning=msg("Do not ask before an older one is replaced."), is_flag=True)
def recovery(session: Session, *, is_sure: bool) -> None:
    """Make a recovery key."""

    async def work(api: FamulusApi) -> str:
        if (await api.status()).has_recovery_key and not is_sure:
            if not passphrase.can_ask():
                raise Refused(
                    msg("There is a recovery key already, and nobody is there to confirm its replacement."),
                    next_step=msg("Add --yes to replace it."),
                )
            click.confirm(translate(msg("Replace the present recovery key?")), default=False, abort=True, err=True)
        return await api.new_recovery_key()

    made = session.run(work)
    if session.is_json:
        session.screen.json({"recovery_key": made})
        return
    session.screen.say(made)
    session.screen.note(msg("Write it down, and keep it where only you find it: it opens your data on its own."))


@command(key, "passphrase", msg("Protect the key with a passphrase, or change it."))
@option(
    "--new-passphrase-fd",
    "descriptor",
    meaning=msg("Read the new passphrase from this file descriptor."),
    type=int,
    metavar="N",
)
@option("--remove", "is_removing", meaning=msg("Put the key back into the system keychain."), is_flag=True)
def set_passphrase(session: Session, descriptor: int | None, *, is_removing: bool) -> None:
    """Set or remove the passphrase."""
    if is_removing and descriptor is not None:
        raise click.UsageError(translate(msg("Either --remove or --new-passphrase-fd.")))

    async def work(api: FamulusApi) -> None:
        if is_removing:
            chosen = None
        elif descriptor is not None:
            chosen = passphrase.read_line(descriptor)
        else:
            chosen = passphrase.ask(msg("The new passphrase of your data"), is_new=True)
        await api.set_passphrase(chosen)

    session.run(work)
    if session.is_json:
        session.screen.json({"key": "keychain" if is_removing else "passphrase"})
    session.screen.note(
        msg("The key is in the system keychain.") if is_removing else msg("The key is protected by the new passphrase.")
    )


@command(key, "unlock", msg("Open the database, with its passphrase or with the recovery key."))
@option("--recovery", "is_recovering", meaning=msg("Ask for the recovery key."), is_flag=True)
@option(
    "--recovery-fd",
    "descriptor",
    meaning=msg("Read the recovery key from this file descriptor."),
    type=int,
    metavar="N",
)
def unlock(session: Session, descriptor: int | None, *, is_recovering: bool) -> None:
    """Open the database."""

    async def by_recovery_key(api: FamulusApi) -> None:
        given = passphrase.ask(msg("The recovery key")) if descriptor is None else passphrase.read_line(descriptor)
        if not given.strip():
            raise BadInput(msg("No recovery key was given."), next_step=msg("Try again."))
        await api.unlock(recovery_key=given)

    async def done(_: FamulusApi) -> None:
        """The session has opened it already."""

    if is_recovering or descriptor is not None:
        session.run(by_recovery_key, opening=Opening.NEVER)
    else:
        session.run(done)
    if session.is_json:
        session.screen.json({"is_open": True})
    session.screen.note(msg("The database is open."))


@command(key, "lock", msg("Close the database and forget its key until it is opened again."))
def lock(session: Session) -> None:
    """Close the database."""

    async def work(api: FamulusApi) -> None:
        await api.lock()

    session.run(work, opening=Opening.NEVER)
    if session.is_json:
        session.screen.json({"is_open": False})
    session.screen.note(msg("The database is locked."))
