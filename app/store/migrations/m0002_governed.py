"""Version 2, what governance adds: records, freshness rules, changes with an undo, merges, likenesses (G2). Frozen.

Everything here hangs on an entry and goes with it (G8.4). Times are IXDTF texts, reasons are packed `Text`s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from sqlcipher3 import dbapi2

_STATEMENTS = (
    "ALTER TABLE source ADD COLUMN options TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE source ADD COLUMN failures INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE source ADD COLUMN next_sync_at TEXT",
    "ALTER TABLE source ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE source ADD COLUMN last_counts TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE entry ADD COLUMN thread TEXT",
    "CREATE INDEX entry_thread ON entry (thread) WHERE thread IS NOT NULL",
    # why an entry has its scope, acl, sensitivity and trust: ids of rules
    "ALTER TABLE entry ADD COLUMN label_reasons TEXT NOT NULL DEFAULT '[]'",
    # which entries were understood, and by which rules: an entry without a row of the present version waits
    """
    CREATE TABLE understanding (
        entry_id INTEGER PRIMARY KEY REFERENCES entry ON DELETE CASCADE,
        rule_version TEXT NOT NULL REFERENCES rule_version,
        understood_at TEXT NOT NULL,
        is_by_model INTEGER NOT NULL,
        problem TEXT
    ) STRICT
    """,
    "CREATE INDEX understanding_version ON understanding (rule_version)",
    # One thing that an entry states. kind: task, decision, condition, plan. event_at: when a plan happens; due_at:
    # until when a task is to be done; both are instants, and is_whole_day tells that only a day was said.
    """
    CREATE TABLE record (
        record_id INTEGER PRIMARY KEY AUTOINCREMENT,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        chunk_id INTEGER REFERENCES chunk ON DELETE SET NULL,
        ordinal INTEGER NOT NULL,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        owner TEXT,
        owner_id INTEGER REFERENCES entity ON DELETE SET NULL,
        project_id INTEGER REFERENCES entity ON DELETE SET NULL,
        event_at TEXT,
        event_end TEXT,
        due_at TEXT,
        is_whole_day INTEGER NOT NULL DEFAULT 0,
        status TEXT NOT NULL,
        condition TEXT,
        consequence TEXT,
        condition_of INTEGER REFERENCES record ON DELETE SET NULL,
        first_line INTEGER,
        last_line INTEGER,
        valid_from TEXT,
        valid_to TEXT,
        completed_at TEXT,
        confidence REAL NOT NULL,
        trust INTEGER NOT NULL,
        sensitivity INTEGER NOT NULL,
        rule_version TEXT NOT NULL REFERENCES rule_version,
        stale_reason TEXT,
        superseded_by INTEGER REFERENCES record ON DELETE SET NULL
    ) STRICT
    """,
    "CREATE INDEX record_entry ON record (entry_id)",
    "CREATE INDEX record_chunk ON record (chunk_id) WHERE chunk_id IS NOT NULL",
    "CREATE INDEX record_due ON record (due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX record_event ON record (event_at) WHERE event_at IS NOT NULL",
    "CREATE INDEX record_condition ON record (condition_of) WHERE condition_of IS NOT NULL",
    "CREATE INDEX record_superseded ON record (superseded_by) WHERE superseded_by IS NOT NULL",
    "CREATE INDEX record_owner ON record (owner_id) WHERE owner_id IS NOT NULL",
    "CREATE INDEX record_project ON record (project_id) WHERE project_id IS NOT NULL",
    # An executable rule of a record (G2.6, G2.7): at due_at, unless watched_id is done, effect happens to record_id.
    # state: armed, fired, disarmed, undone
    """
    CREATE TABLE freshness_rule (
        rule_id INTEGER PRIMARY KEY AUTOINCREMENT,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        record_id INTEGER NOT NULL REFERENCES record ON DELETE CASCADE,
        watched_id INTEGER REFERENCES record ON DELETE CASCADE,
        kind TEXT NOT NULL,
        due_at TEXT NOT NULL,
        effect TEXT NOT NULL,
        state TEXT NOT NULL,
        fired_at TEXT,
        rule_version TEXT NOT NULL REFERENCES rule_version
    ) STRICT
    """,
    "CREATE INDEX freshness_due ON freshness_rule (state, due_at)",
    "CREATE INDEX freshness_entry ON freshness_rule (entry_id)",
    "CREATE INDEX freshness_record ON freshness_rule (record_id)",
    "CREATE INDEX freshness_watched ON freshness_rule (watched_id) WHERE watched_id IS NOT NULL",
    # What governance changed on its own, with the state before, so that it can be undone. entry_id: whose subject it
    # is; cause_id: the entry that says so. undone_by: 'owner', or the rules that took it back. subject_key and
    # cause_key name both sides so that they are known again when their entries are understood anew.
    """
    CREATE TABLE change (
        change_id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        effective_at TEXT NOT NULL,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        cause_id INTEGER REFERENCES entry ON DELETE SET NULL,
        subject_kind TEXT NOT NULL,
        subject_id INTEGER NOT NULL,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
        reason TEXT NOT NULL,
        actor TEXT NOT NULL,
        rule_version TEXT NOT NULL REFERENCES rule_version,
        undone_at TEXT,
        undone_by TEXT,
        kind TEXT NOT NULL DEFAULT '',
        is_suggestion INTEGER NOT NULL DEFAULT 0,
        subject_key TEXT NOT NULL DEFAULT '',
        cause_key TEXT NOT NULL DEFAULT ''
    ) STRICT
    """,
    "CREATE INDEX change_entry ON change (entry_id)",
    "CREATE INDEX change_cause ON change (cause_id) WHERE cause_id IS NOT NULL",
    "CREATE INDEX change_subject ON change (subject_kind, subject_id)",
    # What an entry says will be (plan, task, decision, fact), or says of another statement (cancel, move, resume ...);
    # head: the folded word for what it speaks of; body: the rest, as JSON. By it statements find each other.
    """
    CREATE TABLE statement (
        statement_id INTEGER PRIMARY KEY AUTOINCREMENT,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        chunk_id INTEGER REFERENCES chunk ON DELETE SET NULL,
        record_id INTEGER REFERENCES record ON DELETE SET NULL,
        kind TEXT NOT NULL,
        head TEXT NOT NULL,
        said_at TEXT NOT NULL,
        body TEXT NOT NULL,
        rule_version TEXT NOT NULL REFERENCES rule_version,
        stale_reason TEXT
    ) STRICT
    """,
    "CREATE INDEX statement_entry ON statement (entry_id)",
    "CREATE INDEX statement_head ON statement (head, kind, said_at)",
    "CREATE INDEX statement_chunk ON statement (chunk_id) WHERE chunk_id IS NOT NULL",
    "CREATE INDEX statement_record ON statement (record_id) WHERE record_id IS NOT NULL",
    # a passage that says nothing but what is no longer so
    "ALTER TABLE chunk ADD COLUMN stale_reason TEXT",
    "CREATE INDEX chunk_stale ON chunk (chunk_id) WHERE stale_reason IS NOT NULL",
    # kind: copy, quote, forward, version, near. Symmetric: entry_id < other_id; score is the likeness, 0..1.
    """
    CREATE TABLE likeness (
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        other_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        kind TEXT NOT NULL,
        score REAL NOT NULL,
        rule_version TEXT NOT NULL REFERENCES rule_version,
        PRIMARY KEY (entry_id, other_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX likeness_other ON likeness (other_id)",
    # Samples of the text of an entry, by which entries with common text find each other (`store.likenesses`). Without a
    # reference to entry, which would double it: ids never come back, and `likenesses.forget` empties it.
    """
    CREATE TABLE sample (
        value INTEGER NOT NULL,
        entry_id INTEGER NOT NULL,
        PRIMARY KEY (value, entry_id)
    ) STRICT, WITHOUT ROWID
    """,
    # of a reading (kind 'reading'): the name that it reads
    "ALTER TABLE alias ADD COLUMN origin TEXT",
    # entity.canonical_id says who is who now; this says why, and since when, and what a person undid. entry_id: the
    # entry that says so, without which it falls.
    """
    CREATE TABLE entity_merge (
        merge_id INTEGER PRIMARY KEY AUTOINCREMENT,
        entity_id INTEGER NOT NULL REFERENCES entity ON DELETE CASCADE,
        into_id INTEGER NOT NULL REFERENCES entity ON DELETE CASCADE,
        evidence TEXT NOT NULL,
        confidence REAL NOT NULL,
        actor TEXT NOT NULL,
        rule_version TEXT NOT NULL REFERENCES rule_version,
        merged_at TEXT NOT NULL,
        undone_at TEXT,
        entry_id INTEGER REFERENCES entry ON DELETE SET NULL
    ) STRICT
    """,
    "CREATE INDEX merge_entity ON entity_merge (entity_id)",
    "CREATE INDEX merge_into ON entity_merge (into_id)",
    "CREATE INDEX merge_entry ON entity_merge (entry_id) WHERE entry_id IS NOT NULL",
    # a relation may be to a plain value, ends, and is replaced by a newer one
    "ALTER TABLE relation ADD COLUMN object_text TEXT",
    "ALTER TABLE relation ADD COLUMN chunk_id INTEGER REFERENCES chunk ON DELETE SET NULL",
    "ALTER TABLE relation ADD COLUMN trust INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE relation ADD COLUMN stale_reason TEXT",
    "ALTER TABLE relation ADD COLUMN superseded_by INTEGER REFERENCES relation ON DELETE SET NULL",
    "CREATE INDEX relation_chunk ON relation (chunk_id) WHERE chunk_id IS NOT NULL",
    "CREATE INDEX relation_superseded ON relation (superseded_by) WHERE superseded_by IS NOT NULL",
    # the encrypted original of a picture or a recording lies in the folder blobs under its id
    """
    CREATE TABLE blob (
        blob_id TEXT PRIMARY KEY,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        name TEXT NOT NULL,
        media_type TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        created_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX blob_entry ON blob (entry_id)",
    # files whose rows are gone, by whatever way; they are removed after the commit
    "CREATE TABLE blob_gone (blob_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
    """
    CREATE TRIGGER blob_goes AFTER DELETE ON blob BEGIN
        INSERT OR IGNORE INTO blob_gone VALUES (OLD.blob_id);
    END
    """,
)


def upgrade(raw: dbapi2.Connection, now: datetime) -> None:  # noqa: ARG001 - every migration is called alike
    """Add the tables and columns."""
    for statement in _STATEMENTS:
        raw.execute(statement)
