"""The egress ledger: a row for each time that something left the device (X7.1). Rows are added, and never changed."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.outgoing import Egress, EgressLine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.store.connection import Reader, Row, Writer


def note_egress(tx: Writer, egress: Egress, *, now: datetime) -> None:
    """Take one down."""
    tx.insert(
        "INSERT INTO egress (at, recipient, purpose, data_level, size_bytes, replaced) VALUES (?, ?, ?, ?, ?, ?)",
        to_ixdtf(now),
        egress.recipient,
        egress.purpose,
        egress.data_level,
        egress.size_bytes,
        json.dumps(dict(egress.replaced), sort_keys=True),
    )


def egress_lines(reader: Reader, *, limit: int, since: datetime | None = None) -> Sequence[EgressLine]:
    """The latest lines, newest first; with `since` only those from then on."""
    rows = reader.rows(
        """
        SELECT at, recipient, purpose, data_level, size_bytes, replaced FROM egress
        WHERE at >= ? ORDER BY egress_id DESC LIMIT ?
        """,
        to_ixdtf(since) if since is not None else "",
        limit,
    )
    return [_line(row) for row in rows]


def _line(row: Row) -> EgressLine:
    at, recipient, purpose, data_level, size_bytes, replaced = row
    counts = {str(kind): int(count) for kind, count in json.loads(replaced).items()}
    return EgressLine(from_ixdtf(at), Egress(recipient, purpose, data_level, size_bytes, MappingProxyType(counts)))
