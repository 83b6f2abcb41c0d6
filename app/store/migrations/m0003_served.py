"""Version 3, what serving adds: clients and their grants, logs of requests and outcomes, suggestions, marks (G4.6, G7).

The logs hold references and numbers, never a copy of what was found; what has no row any more is shown as deleted
(G8.4). Times are IXDTF texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from sqlcipher3 import dbapi2

_STATEMENTS = (
    # Who may ask. token_hash: SHA-256 of a random token, also of one that waits for consent or was revoked; seal_key:
    # by which its item ids are sealed. scopes, acls: JSON lists. is_session: ends with the process that asked for it.
    """
    CREATE TABLE client (
        client_id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL,
        token_hash TEXT UNIQUE,
        seal_key BLOB NOT NULL,
        scopes TEXT NOT NULL DEFAULT '[]',
        acls TEXT NOT NULL DEFAULT '[]',
        ceiling INTEGER NOT NULL DEFAULT 0,
        rate_per_minute INTEGER NOT NULL,
        items_per_day INTEGER NOT NULL,
        program TEXT NOT NULL DEFAULT '',
        is_session INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL,
        consented_at TEXT,
        expires_at TEXT,
        last_seen_at TEXT
    ) STRICT
    """,
    # every change of what a client may see; rows are added, and never changed
    """
    CREATE TABLE permission_grant (
        grant_id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        client_name TEXT NOT NULL,
        action TEXT NOT NULL,
        scopes TEXT NOT NULL DEFAULT '[]',
        acls TEXT NOT NULL DEFAULT '[]',
        ceiling INTEGER
    ) STRICT
    """,
    # client_name: 'owner' for the person. query: what was asked, in the asker's words; refusal: the code of an error;
    # include_stale: what is no longer so was asked for too.
    """
    CREATE TABLE request_log (
        request_id TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        client_name TEXT NOT NULL,
        action TEXT NOT NULL,
        template TEXT,
        query TEXT,
        refusal TEXT,
        item_count INTEGER NOT NULL DEFAULT 0,
        include_stale INTEGER NOT NULL DEFAULT 0,
        ranking TEXT NOT NULL DEFAULT ''
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX request_at ON request_log (at)",
    "CREATE INDEX request_client ON request_log (client_name, at)",
    # What a request got. entry_id and chunk_id are no references: a line outlives what it names.
    # is_cited: null until an outcome tells.
    """
    CREATE TABLE retrieval_log (
        request_id TEXT NOT NULL REFERENCES request_log ON DELETE CASCADE,
        rank INTEGER NOT NULL,
        entry_id INTEGER NOT NULL,
        chunk_id INTEGER,
        score REAL NOT NULL,
        is_stale INTEGER NOT NULL,
        sensitivity INTEGER NOT NULL,
        is_cited INTEGER,
        PRIMARY KEY (request_id, rank)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX retrieval_entry ON retrieval_log (entry_id)",
    # what became of a request; null: nothing was said of it
    """
    CREATE TABLE outcome_log (
        outcome_id INTEGER PRIMARY KEY AUTOINCREMENT,
        request_id TEXT NOT NULL REFERENCES request_log ON DELETE CASCADE,
        at TEXT NOT NULL,
        actor TEXT NOT NULL,
        is_success INTEGER,
        is_adopted INTEGER,
        fields_total INTEGER,
        fields_edited INTEGER
    ) STRICT
    """,
    "CREATE INDEX outcome_request ON outcome_log (request_id)",
    "CREATE INDEX outcome_at ON outcome_log (at)",
    # What a client suggests to remember: untrusted, and nothing but a suggestion until the person takes it.
    # entry_id: the note that was made of it, which alone has its words then. number: among those of its client, who
    # learns no other one; digest: of the words under the client's key, by which the same suggestion is known again.
    """
    CREATE TABLE candidate (
        candidate_id INTEGER PRIMARY KEY AUTOINCREMENT,
        client_name TEXT NOT NULL,
        number INTEGER NOT NULL,
        digest TEXT NOT NULL,
        at TEXT NOT NULL,
        title TEXT NOT NULL DEFAULT '',
        text TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        state TEXT NOT NULL,
        decided_at TEXT,
        entry_id INTEGER REFERENCES entry ON DELETE SET NULL
    ) STRICT
    """,
    "CREATE INDEX candidate_state ON candidate (state, at)",
    "CREATE INDEX candidate_client ON candidate (client_name, digest)",
    "CREATE INDEX candidate_entry ON candidate (entry_id) WHERE entry_id IS NOT NULL",
    # of a passage of a recording or its transcript: where it begins, in seconds from the start
    "ALTER TABLE chunk ADD COLUMN second INTEGER",
    # which entries a question should have found, and which not, as the person said
    """
    CREATE TABLE mark (
        mark_id INTEGER PRIMARY KEY AUTOINCREMENT,
        query TEXT NOT NULL,
        asked_at TEXT NOT NULL,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        is_wanted INTEGER NOT NULL,
        marked_at TEXT NOT NULL,
        UNIQUE (query, entry_id)
    ) STRICT
    """,
    "CREATE INDEX mark_entry ON mark (entry_id)",
    # reviews that were written: Markdown, in its language
    """
    CREATE TABLE report (
        report_id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        first_day TEXT NOT NULL,
        last_day TEXT NOT NULL,
        made_at TEXT NOT NULL,
        language TEXT NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (kind, first_day)
    ) STRICT
    """,
)


def upgrade(raw: dbapi2.Connection, now: datetime) -> None:  # noqa: ARG001 - every migration is called alike
    """Add the tables, and the column."""
    for statement in _STATEMENTS:
        raw.execute(statement)
