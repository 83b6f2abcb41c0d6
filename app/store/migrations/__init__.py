"""The schema's history: one frozen module for each version, run in order, each in one transaction.

A migration is never edited after its release; a stored database of each version is a test (`tests/data/databases`).
Before a migration runs on an existing database, the encrypted file is copied beside it (`famulus.db.before-v<N>`).
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Protocol

from app.domain.errors import FromTheFuture
from app.domain.text import msg
from app.store.atomic_file import sync_folder
from app.store.migrations import m0001_first, m0002_governed, m0003_served

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from sqlcipher3 import dbapi2

APPLICATION_ID = 0x46414D55
"""“FAMU”, in the header of every database of ours."""


class Migration(Protocol):
    """A module of this package."""

    def upgrade(self, raw: dbapi2.Connection, now: datetime) -> None:
        """Bring the schema from the version before to this one, inside the caller's transaction."""


MIGRATIONS: Sequence[Migration] = (m0001_first, m0002_governed, m0003_served)


def version_of(raw: dbapi2.Connection) -> int:
    """The schema version of an open database; 0 for a new one."""
    return int(raw.execute("PRAGMA user_version").fetchone()[0])


def refuse_the_future(raw: dbapi2.Connection) -> None:
    """Raise `FromTheFuture` where a newer Famulus has written."""
    if version_of(raw) > len(MIGRATIONS):
        raise FromTheFuture(
            msg("This database was written by a newer version of Famulus."),
            next_step=msg("Install the newest Famulus, or restore a backup made by this version."),
        )


def migrate(raw: dbapi2.Connection, *, now: datetime, backup_beside: Path | None = None) -> None:
    """Run what is missing. A failure leaves the database at the last version that was reached whole.

    Args:
        backup_beside: the database file, where it has content worth a copy.
    """
    version = version_of(raw)
    if version < len(MIGRATIONS) and backup_beside is not None:
        _copy_aside(raw, backup_beside, version + 1)
    for number, migration in enumerate(MIGRATIONS[version:], start=version + 1):
        raw.execute("BEGIN EXCLUSIVE")
        try:
            migration.upgrade(raw, now)
            raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            raw.execute(f"PRAGMA user_version = {number}")
            raw.execute("COMMIT")
        except BaseException:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            raise


def _copy_aside(raw: dbapi2.Connection, path: Path, version: int) -> None:
    """Copy the encrypted file as it is; the log is emptied into it first, and nobody writes in between."""
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    target = path.with_name(f"{path.name}.before-v{version}")
    draft = target.with_name(target.name + ".new")
    raw.execute("BEGIN IMMEDIATE")
    try:
        shutil.copyfile(path, draft)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.chmod(0o600)
        draft.replace(target)
        sync_folder(path.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    finally:
        raw.execute("ROLLBACK")
