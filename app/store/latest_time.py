"""The latest time that this database has seen: a clock that is set back does not take it back (G8.1).

One row of `meta`. Not here: what it is compared with, which is `famulus.known_time`'s.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from app.store.rows import instant, stamp

if TYPE_CHECKING:
    from datetime import datetime

    from app.store.connection import Reader, Writer

_NAME = "latest_time"


def latest_time(reader: Reader) -> datetime | None:
    """The latest time that was seen; None where none was, or what stands there is no time."""
    with suppress(ValueError, OverflowError):
        return instant(reader.value("SELECT value FROM meta WHERE name = ?", _NAME))
    return None


def raise_latest_time(tx: Writer, moment: datetime) -> None:
    """From now on at least this is the latest time."""
    # stored times sort by instant
    tx.run(
        "INSERT INTO meta (name, value) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > value",
        _NAME,
        stamp(moment),
    )


def set_latest_time(tx: Writer, moment: datetime) -> None:
    """Exactly this is the latest time: the person said that all later ones were a wrong clock's.

    What was asked under that clock is dated to this moment, so that it counts as read today, and not for years.
    """
    tx.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", _NAME, stamp(moment))
    tx.run("UPDATE request_log SET at = ? WHERE at > ?", stamp(moment), stamp(moment))
    tx.run("UPDATE client SET last_seen_at = ? WHERE last_seen_at > ?", stamp(moment), stamp(moment))
