"""The key of the database: random, in the system keychain or wrapped by a passphrase, with a recovery key (D3.1).

What is known of it stands in `key.json` beside the database (`key_file`). Its id is also the first 16 bytes of the
database file and the key's name in the keychain, so a database whose key.json was lost is still opened from the
keychain, and a key.json that belongs to another database is recognised. A check value (an HMAC) tells a wrong key from
a damaged database.

Every change is made in the order that leaves the key reachable after a crash at any moment: the new place first, then
key.json, and only then the old place is emptied. Python cannot wipe memory, so the key stays in the process's memory
until that is used for something else; SECURITY.md says what this means.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from app.domain.errors import BadInput, KeychainMissing, KeyMissing, PassphraseNeeded, Refused, WrongKey
from app.domain.text import msg
from app.store.atomic_file import write_atomically
from app.store.connection import DatabaseKey
from app.store.database import FILE_NAME, key_id_of
from app.store.faults import translated
from app.store.key_file import KEY_FILE_NAME, KeyFile, KeyMode
from app.store.recovery_key import new_recovery_key, secret_of
from app.store.wrapping import Purpose, passphrase_secret, unwrap, wrap

if TYPE_CHECKING:
    from pathlib import Path


class SecretStore(Protocol):
    """The system keychain (`app.runtime.secrets.Keychain`). Each may raise `KeychainLocked` or `KeychainMissing`."""

    def get(self, name: str) -> str:
        """A secret; raises `KeyMissing`."""

    def set(self, name: str, secret: str) -> None:
        """Keep a secret, proven by reading it back."""

    def delete(self, name: str) -> None:
        """Forget a secret, if it is there."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made. The recovery key is shown this once, and stored nowhere."""

    key: DatabaseKey
    recovery_key: str


class KeyRing:
    """The key in one data folder. Calls can block on the keychain's prompt and on Argon2id: off the loop, please."""

    def __init__(self, folder: Path, keychain: SecretStore) -> None:
        self._folder = folder
        self._path = folder / KEY_FILE_NAME
        self._database = folder / FILE_NAME
        self._keychain = keychain

    def mode(self) -> KeyMode:
        """Where the key is; `NEW` where there is neither a key nor a database.

        Raises:
            Damaged, FromTheFuture, KeyMissing: as `unlock`.
        """
        if not self._path.exists() and not self._database.exists():
            return KeyMode.NEW
        return self._read().mode

    def has_recovery_key(self) -> bool:
        """Whether a recovery key opens this database."""
        return self._path.exists() and self._read().recovery is not None

    def create(self, *, passphrase: str | None = None) -> NewKey:
        """Make a key for a new database, into the keychain, or wrapped by a passphrase.

        Raises:
            Refused: there is a database already.
            KeychainLocked, KeychainMissing: nothing was made.
            DiskFull, ReadOnly: nothing was made.
        """
        if self._database.exists():
            raise Refused(
                msg("There is a database already, so no new key was made."),
                next_step=msg("Unlock the present database, or move it away first."),
            )
        _refuse_empty(passphrase)
        self._keep_copy()
        key = DatabaseKey(secrets.token_bytes(32), secrets.token_bytes(16))
        recovery_key = new_recovery_key()
        recovery = wrap(key.secret, Purpose.RECOVERY, secret_of(recovery_key), key.key_id)
        self._settle(key, KeyFile(key.key_id, KeyMode.KEYCHAIN, b"", recovery), passphrase, is_new=True)
        return NewKey(key, recovery_key)

    def unlock(self, *, passphrase: str | None = None, recovery_key: str | None = None) -> DatabaseKey:
        """The key of the database that is here; nothing is changed.

        Raises:
            PassphraseNeeded: give one.
            WrongKey: the passphrase, recovery key or kept key does not fit.
            BadInput: the recovery key has a typing error.
            KeyMissing: neither key.json nor the keychain has it.
            KeychainLocked, KeychainMissing: as they say.
            Damaged, FromTheFuture: key.json cannot be understood; it is left as it is.
        """
        file = self._read()
        if recovery_key is not None:
            return self._by_recovery_key(file, recovery_key)
        if file.mode is KeyMode.PASSPHRASE:
            return self._by_passphrase(file, passphrase)
        return self._from_keychain(file)

    def recover(self, recovery_key: str, *, passphrase: str | None = None) -> DatabaseKey:
        """Open with the recovery key, and put the key back into the keychain, or under a new passphrase.

        Raises:
            as `unlock`, and as `create` where the key cannot be put back.
        """
        file = self._read()
        key = self._by_recovery_key(file, recovery_key)
        self._settle(key, file, passphrase)
        return key

    def set_passphrase(self, key: DatabaseKey, passphrase: str | None) -> None:
        """Wrap the key by a passphrase instead of what held it before, or (None) put it into the keychain.

        Raises:
            BadInput: the passphrase is empty.
            KeychainLocked, KeychainMissing, DiskFull, ReadOnly: the key is where it was.
        """
        self._settle(key, self._read(), passphrase)

    def new_recovery_key(self, key: DatabaseKey) -> str:
        """Make a new recovery key, to be shown once; the one before opens nothing from now on.

        Raises:
            DiskFull, ReadOnly: the one before is still good.
        """
        recovery_key = new_recovery_key()
        recovery = wrap(key.secret, Purpose.RECOVERY, secret_of(recovery_key), key.key_id)
        self._store(replace(self._read(), recovery=recovery))
        return recovery_key

    def _settle(self, key: DatabaseKey, file: KeyFile, passphrase: str | None, *, is_new: bool = False) -> None:
        """Put the key where it is to be, then write key.json, then empty the place where it no longer belongs."""
        _refuse_empty(passphrase)
        check = _check(key)
        if passphrase is None:
            self._keychain.set(_name(key.key_id), base64.b64encode(key.secret).decode("ascii"))
            self._store(replace(file, mode=KeyMode.KEYCHAIN, check=check, passphrase=None))
            return
        wrapped = wrap(key.secret, Purpose.PASSPHRASE, passphrase_secret(passphrase), key.key_id)
        self._store(replace(file, mode=KeyMode.PASSPHRASE, check=check, passphrase=wrapped))
        # a key that was just made was never there, and a keychain that does not work must not stand in its way
        if is_new:
            return
        # also when key.json said that it is not there: an earlier attempt may have met a locked keychain
        with suppress(KeychainMissing):
            self._keychain.delete(_name(key.key_id))

    def _by_passphrase(self, file: KeyFile, passphrase: str | None) -> DatabaseKey:
        if passphrase is None:
            raise PassphraseNeeded(
                msg("The database is locked by a passphrase."), next_step=msg("Enter your passphrase.")
            )
        assert file.passphrase is not None  # noqa: S101 - `KeyFile.from_bytes` has seen to it
        secret = unwrap(file.passphrase, passphrase_secret(passphrase), file.key_id)
        if secret is None:
            raise WrongKey(
                msg("The passphrase is not the right one."),
                next_step=msg("Try again (mind capitals and the keyboard layout), or use your recovery key."),
            )
        return self._proven(file, secret)

    def _by_recovery_key(self, file: KeyFile, recovery_key: str) -> DatabaseKey:
        secret = None if file.recovery is None else unwrap(file.recovery, secret_of(recovery_key), file.key_id)
        if secret is None:
            raise WrongKey(
                msg("The recovery key does not open this database."),
                next_step=msg("Use the newest recovery key that you made for it; older ones are void."),
            )
        return self._proven(file, secret)

    def _from_keychain(self, file: KeyFile) -> DatabaseKey:
        try:
            secret = base64.b64decode(self._keychain.get(_name(file.key_id)), validate=True)
        except ValueError:
            secret = b""
        return self._proven(file, secret)

    def _proven(self, file: KeyFile, secret: bytes) -> DatabaseKey:
        if len(secret) == 32:  # noqa: PLR2004
            key = DatabaseKey(secret, file.key_id)
            # a key.json made up from the keychain (see `_read`) has no check; the database itself decides then
            if not file.check or hmac.compare_digest(_check(key), file.check):
                return key
        raise WrongKey(
            msg("The key that was kept for this database is not its key."),
            next_step=msg("Unlock the database with your recovery key."),
        )

    def _read(self) -> KeyFile:
        with translated(self._path):
            if not self._path.exists():
                return self._without_key_file()
            data = self._path.read_bytes()
        file = KeyFile.from_bytes(data)
        known = key_id_of(self._database)
        if known is not None and known != file.key_id:
            raise WrongKey(
                msg("The key file (key.json) belongs to another database."),
                next_step=msg("Put back the key file that belongs to this database, or restore both from a backup."),
            )
        return file

    def _without_key_file(self) -> KeyFile:
        """The database names its key itself, which is enough where the key is in the keychain."""
        key_id = key_id_of(self._database)
        if key_id is None:
            raise KeyMissing(
                msg("There is no key for this database."),
                next_step=msg("Put the key file (key.json) and the database back into their folder."),
            )
        try:
            self._keychain.get(_name(key_id))
        except (KeyMissing, KeychainMissing) as error:
            raise KeyMissing(
                msg("The key file (key.json) is missing, and the system keychain does not hold the key."),
                lost=msg("The database is as it was."),
                next_step=msg("Put key.json back beside the database; a backup has one too."),
            ) from error
        return KeyFile(key_id, KeyMode.KEYCHAIN, b"")

    def _store(self, file: KeyFile) -> None:
        with translated(self._path):
            write_atomically(self._path, file.to_bytes())

    def _keep_copy(self) -> None:
        """Keep the key file of a database that is not here now (moved away, or never finished)."""
        with translated(self._path):
            if self._path.exists():
                write_atomically(self._folder / f"key.{secrets.token_hex(4)}.old.json", self._path.read_bytes())


def _refuse_empty(passphrase: str | None) -> None:
    if passphrase is not None and not passphrase.strip():
        raise BadInput(msg("An empty passphrase protects nothing."), next_step=msg("Choose a longer one."))


def _check(key: DatabaseKey) -> bytes:
    return hmac.digest(key.secret, b"famulus key check v1" + key.key_id, "sha256")


def _name(key_id: bytes) -> str:
    """The key's name in the keychain."""
    return f"database {key_id.hex()}"
