"""The registry of clients, the record of what they were granted, and what they suggest to remember (G4.6).

A token is never here, only its SHA-256.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.domain.clients import ClientInfo, ClientState
from app.domain.labels import Sensitivity
from app.domain.serving import Candidate, CandidateState
from app.store.rows import instant, stamp, storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.domain.serving import Suggestion
    from app.store.connection import Reader, Row, Writer

_COLUMNS = (
    "name, state, scopes, acls, ceiling, rate_per_minute, items_per_day, program, is_session, created_at,"
    " consented_at, expires_at, last_seen_at"
)
_CANDIDATES = (
    "SELECT candidate_id, client_name, at, coalesce(entry.title, candidate.title), text, reason, state, decided_at"
    " FROM candidate LEFT JOIN entry USING (entry_id)"
)
"""Of one that was accepted, the title is the note's, for as long as that is there."""


@dataclass(frozen=True, slots=True)
class StoredClient:
    """A client with its secrets.

    Attributes:
        token_hash: SHA-256 of its token, in hex. seal_key: by which its item ids are sealed.
    """

    info: ClientInfo
    token_hash: str | None = field(repr=False)
    seal_key: bytes = field(repr=False)


def clients(reader: Reader) -> list[StoredClient]:
    """All clients, in the order in which they came."""
    rows = reader.rows(f"SELECT {_COLUMNS}, token_hash, seal_key FROM client ORDER BY client_id")  # noqa: S608
    return [StoredClient(_info(row[:-2]), row[-2], row[-1]) for row in rows]


def put_client(tx: Writer, client: StoredClient) -> None:
    """Write a client, new or changed, by its name."""
    values = _values(client)
    names = ", ".join(values)
    places = ", ".join("?" * len(values))
    changed = ", ".join(f"{name} = excluded.{name}" for name in values if name != "name")
    tx.run(
        f"INSERT INTO client ({names}) VALUES ({places}) ON CONFLICT (name) DO UPDATE SET {changed}",  # noqa: S608
        *values.values(),
    )


def remove_client(tx: Writer, name: str) -> None:
    """Forget a client; what was logged of it stays."""
    tx.run("DELETE FROM client WHERE name = ?", name)


def remove_sessions(tx: Writer) -> int:
    """Forget the clients whose processes ended with the process that knew them."""
    return tx.run("DELETE FROM client WHERE is_session = 1")


def note_seen(tx: Writer, name: str, at: datetime, program: str) -> None:
    """When a client asked last, and what it says it is; one that is forgotten stays so."""
    tx.run("UPDATE client SET last_seen_at = ?, program = ? WHERE name = ?", stamp(at), storable(program), name)


def note_grant(tx: Writer, info: ClientInfo, action: str, *, now: datetime) -> None:
    """Take down a change of what a client may see; nobody ever changes such a row."""
    tx.insert(
        "INSERT INTO permission_grant (at, client_name, action, scopes, acls, ceiling) VALUES (?, ?, ?, ?, ?, ?)",
        stamp(now),
        info.name,
        action,
        _list(info.scopes),
        _list(info.acls),
        int(info.ceiling),
    )


def put_candidate(tx: Writer, client: str, suggestion: Suggestion, *, digest: str, now: datetime) -> int:
    """Keep a suggestion; returns its number among those of its client, which tells nothing of other clients."""
    number = 1 + int(tx.value("SELECT coalesce(max(number), 0) FROM candidate WHERE client_name = ?", client))
    tx.insert(
        "INSERT INTO candidate (client_name, number, digest, at, title, text, reason, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        client,
        number,
        digest,
        stamp(now),
        storable(suggestion.title),
        storable(suggestion.text),
        storable(suggestion.reason),
        CandidateState.WAITING.value,
    )
    return number


def same_candidate(reader: Reader, client: str, digest: str) -> int | None:
    """The number of the very same suggestion of a client, whatever became of it."""
    found = reader.value("SELECT number FROM candidate WHERE client_name = ? AND digest = ? LIMIT 1", client, digest)
    return None if found is None else int(found)


def candidates(reader: Reader, *, include_decided: bool = False, limit: int = 1000) -> Sequence[Candidate]:
    """Suggestions, newest first."""
    rows = reader.rows(
        f"{_CANDIDATES} WHERE ? OR state = 'waiting' ORDER BY candidate_id DESC LIMIT ?", include_decided, limit
    )
    return [_candidate(row) for row in rows]


def candidate(reader: Reader, candidate_id: int) -> Candidate | None:
    """One suggestion."""
    row = reader.row(f"{_CANDIDATES} WHERE candidate_id = ?", candidate_id)
    return None if row is None else _candidate(row)


def waiting_candidates(reader: Reader, client: str | None = None) -> int:
    """How many suggestions are undecided, of one client or of all."""
    return int(
        reader.value(
            "SELECT count(*) FROM candidate WHERE state = 'waiting' AND (? IS NULL OR client_name = ?)", client, client
        )
    )


def accept_candidate(tx: Writer, candidate_id: int, entry_id: int | None, *, now: datetime) -> None:
    """Note that a suggestion became a note, which has its words from now on; so they go when the note is deleted."""
    tx.run(
        "UPDATE candidate SET state = ?, decided_at = ?, entry_id = ?, title = '', text = '', reason = ''"
        " WHERE candidate_id = ?",
        CandidateState.ACCEPTED.value,
        stamp(now),
        entry_id,
        candidate_id,
    )


def decline_candidate(tx: Writer, candidate_id: int, *, now: datetime) -> None:
    """Note that the person does not want it."""
    tx.run(
        "UPDATE candidate SET state = ?, decided_at = ? WHERE candidate_id = ?",
        CandidateState.DECLINED.value,
        stamp(now),
        candidate_id,
    )


def delete_decided_before(tx: Writer, moment: datetime) -> int:
    """Forget suggestions that were decided long ago."""
    return tx.run("DELETE FROM candidate WHERE decided_at < ?", stamp(moment))


def _values(client: StoredClient) -> dict[str, object]:
    info = client.info
    return {
        "name": info.name,
        "state": info.state.value,
        "token_hash": client.token_hash,
        "seal_key": client.seal_key,
        "scopes": _list(info.scopes),
        "acls": _list(info.acls),
        "ceiling": int(info.ceiling),
        "rate_per_minute": info.rate_per_minute,
        "items_per_day": info.items_per_day,
        "program": storable(info.program),
        "is_session": int(info.is_session),
        "created_at": stamp(info.created_at),
        "consented_at": stamp(info.consented_at),
        "expires_at": stamp(info.expires_at),
        "last_seen_at": stamp(info.last_seen_at),
    }


def _info(row: Row) -> ClientInfo:
    name, state, scopes, acls, ceiling, rate, items, program, is_session, *times = row
    created_at = instant(times[0])
    assert created_at is not None  # noqa: S101 - the column is NOT NULL
    return ClientInfo(
        name=name,
        state=ClientState(state),
        scopes=frozenset(json.loads(scopes)),
        acls=frozenset(json.loads(acls)),
        ceiling=Sensitivity(ceiling),
        rate_per_minute=rate,
        items_per_day=items,
        program=program,
        is_session=bool(is_session),
        created_at=created_at,
        consented_at=instant(times[1]),
        expires_at=instant(times[2]),
        last_seen_at=instant(times[3]),
    )


def _candidate(row: Row) -> Candidate:
    candidate_id, client, at, title, text, reason, state, decided_at = row
    came_at = instant(at)
    assert came_at is not None  # noqa: S101 - the column is NOT NULL
    return Candidate(candidate_id, client, came_at, title, text, reason, CandidateState(state), instant(decided_at))


def _list(words: Iterable[str]) -> str:
    return json.dumps(sorted(map(storable, words)), ensure_ascii=False)
