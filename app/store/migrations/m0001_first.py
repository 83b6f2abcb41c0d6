"""Version 1: the tables of the first release (G3.1). Frozen.

`chunk_id` is the rowid of the full-text index and the id in the vector index; AUTOINCREMENT, so that the id of a
deleted chunk never comes back as another one. Times are IXDTF texts (`app.domain.instants`), which sort by instant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.instants import to_ixdtf

if TYPE_CHECKING:
    from datetime import datetime

    from sqlcipher3 import dbapi2

_TABLES = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE rule_version (
        version TEXT PRIMARY KEY,
        first_used_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    # content_hash: the exclusive or of the hashes of all current entries: `check` proves by it that none is missing
    """
    CREATE TABLE source (
        source_id TEXT PRIMARY KEY,
        source_type TEXT NOT NULL,
        source_uri TEXT NOT NULL,
        name TEXT NOT NULL,
        scope TEXT NOT NULL,
        acl TEXT NOT NULL,
        sensitivity INTEGER NOT NULL,
        trust INTEGER NOT NULL,
        state TEXT NOT NULL,
        created_at TEXT NOT NULL,
        last_sync_at TEXT,
        entry_count INTEGER NOT NULL DEFAULT 0,
        content_hash BLOB NOT NULL DEFAULT (zeroblob(32)),
        problem TEXT,
        next_step TEXT
    ) STRICT
    """,
    """
    CREATE TABLE cursor (
        source_id TEXT NOT NULL REFERENCES source ON DELETE CASCADE,
        item TEXT NOT NULL,
        value TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        PRIMARY KEY (source_id, item)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE entry (
        entry_id INTEGER PRIMARY KEY AUTOINCREMENT,
        source_id TEXT NOT NULL REFERENCES source ON DELETE CASCADE,
        native_id TEXT NOT NULL,
        source_type TEXT NOT NULL,
        title TEXT NOT NULL,
        source_uri TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        event_time TEXT,
        ingested_at TEXT NOT NULL,
        valid_from TEXT,
        valid_to TEXT,
        status TEXT,
        language TEXT,
        scope TEXT NOT NULL,
        acl TEXT NOT NULL,
        sensitivity INTEGER NOT NULL,
        trust INTEGER NOT NULL,
        confidence REAL NOT NULL,
        rule_version TEXT NOT NULL REFERENCES rule_version,
        metadata TEXT NOT NULL DEFAULT '{}',
        version INTEGER NOT NULL DEFAULT 1,
        is_current INTEGER NOT NULL DEFAULT 1,
        stale_reason TEXT,
        superseded_by INTEGER REFERENCES entry ON DELETE SET NULL
    ) STRICT
    """,
    "CREATE UNIQUE INDEX entry_current ON entry (source_id, native_id) WHERE is_current = 1",
    "CREATE INDEX entry_native ON entry (source_id, native_id)",
    "CREATE INDEX entry_hash ON entry (source_id, content_hash)",
    "CREATE INDEX entry_superseded ON entry (superseded_by) WHERE superseded_by IS NOT NULL",
    # text: packed (`rows.packed`). embed_frame: what the model reads, with the character NUL in the place of `text`
    """
    CREATE TABLE chunk (
        chunk_id INTEGER PRIMARY KEY AUTOINCREMENT,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        text BLOB NOT NULL,
        embed_frame TEXT NOT NULL,
        heading_path TEXT,
        page INTEGER,
        first_line INTEGER,
        last_line INTEGER,
        message_id TEXT,
        token_count INTEGER NOT NULL,
        term_count INTEGER NOT NULL,
        language TEXT NOT NULL
    ) STRICT
    """,
    # covers what `visibility` loads at every start, so that it need not read the texts
    "CREATE INDEX chunk_entry ON chunk (entry_id, ordinal, term_count, language)",
    """
    CREATE TABLE model (
        model_ref INTEGER PRIMARY KEY,
        model_id TEXT NOT NULL,
        version TEXT NOT NULL,
        dimension INTEGER NOT NULL,
        first_used_at TEXT NOT NULL,
        UNIQUE (model_id, version)
    ) STRICT
    """,
    """
    CREATE TABLE vector (
        vector_id INTEGER PRIMARY KEY,
        doc_id INTEGER NOT NULL,
        chunk_id INTEGER NOT NULL REFERENCES chunk ON DELETE CASCADE,
        model_ref INTEGER NOT NULL REFERENCES model,
        token_count INTEGER NOT NULL,
        language TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        norm REAL NOT NULL,
        data BLOB NOT NULL
    ) STRICT
    """,
    "CREATE UNIQUE INDEX vector_chunk ON vector (chunk_id, model_ref)",
    """
    CREATE VIEW vector_record AS
        SELECT vector_id, doc_id, chunk_id, model_id AS embedding_model, version AS embedding_version, token_count,
               language, updated_at
        FROM vector JOIN model USING (model_ref)
    """,
    """
    CREATE TABLE vector_index (
        model_ref INTEGER PRIMARY KEY REFERENCES model ON DELETE CASCADE,
        made_at TEXT NOT NULL,
        header TEXT NOT NULL,
        data BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE entity (
        entity_id INTEGER PRIMARY KEY AUTOINCREMENT,
        entity_type TEXT NOT NULL,
        name TEXT NOT NULL,
        canonical_id INTEGER REFERENCES entity ON DELETE SET NULL,
        attributes TEXT NOT NULL DEFAULT '{}',
        confidence REAL NOT NULL,
        sensitivity INTEGER NOT NULL,
        rule_version TEXT NOT NULL REFERENCES rule_version
    ) STRICT
    """,
    "CREATE INDEX entity_canonical ON entity (canonical_id) WHERE canonical_id IS NOT NULL",
    """
    CREATE TABLE alias (
        kind TEXT NOT NULL,
        value TEXT NOT NULL,
        entity_id INTEGER NOT NULL REFERENCES entity ON DELETE CASCADE,
        PRIMARY KEY (kind, value, entity_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX alias_entity ON alias (entity_id)",
    # object_id is NULL where the relation is one of the subject to the entry itself
    """
    CREATE TABLE relation (
        relation_id INTEGER PRIMARY KEY,
        subject_id INTEGER NOT NULL REFERENCES entity ON DELETE CASCADE,
        predicate TEXT NOT NULL,
        object_id INTEGER REFERENCES entity ON DELETE CASCADE,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        valid_from TEXT,
        valid_to TEXT,
        confidence REAL NOT NULL,
        rule_version TEXT NOT NULL REFERENCES rule_version
    ) STRICT
    """,
    "CREATE INDEX relation_subject ON relation (subject_id)",
    "CREATE INDEX relation_object ON relation (object_id) WHERE object_id IS NOT NULL",
    "CREATE INDEX relation_entry ON relation (entry_id)",
    """
    CREATE TABLE task (
        task_id INTEGER PRIMARY KEY,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        title TEXT NOT NULL,
        owner TEXT,
        project_id INTEGER REFERENCES entity ON DELETE SET NULL,
        status TEXT NOT NULL,
        due_at TEXT,
        completed_at TEXT,
        parent_task_id INTEGER REFERENCES task ON DELETE SET NULL,
        parent_native_id TEXT
    ) STRICT
    """,
    "CREATE UNIQUE INDEX task_entry ON task (entry_id)",
    "CREATE INDEX task_due ON task (due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX task_parent ON task (parent_task_id) WHERE parent_task_id IS NOT NULL",
    "CREATE INDEX task_project ON task (project_id) WHERE project_id IS NOT NULL",
    """
    CREATE TABLE event (
        entry_id INTEGER PRIMARY KEY REFERENCES entry ON DELETE CASCADE,
        location TEXT NOT NULL,
        is_recurring INTEGER NOT NULL,
        expanded_until TEXT
    ) STRICT
    """,
    # first_day and end_day (the day after its last): of all-day occurrences, which float with the viewer's zone
    """
    CREATE TABLE occurrence (
        occurrence_id INTEGER PRIMARY KEY,
        entry_id INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE,
        start_at TEXT NOT NULL,
        end_at TEXT NOT NULL,
        is_all_day INTEGER NOT NULL,
        first_day TEXT,
        end_day TEXT,
        is_canceled INTEGER NOT NULL,
        title TEXT,
        location TEXT
    ) STRICT
    """,
    "CREATE INDEX occurrence_entry ON occurrence (entry_id)",
    "CREATE INDEX occurrence_time ON occurrence (start_at, end_at)",
    "CREATE INDEX occurrence_day ON occurrence (first_day, end_day) WHERE first_day IS NOT NULL",
    """
    CREATE TABLE job (
        job_id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        payload TEXT NOT NULL DEFAULT '{}',
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    ) STRICT
    """,
    # counts alone, never content
    """
    CREATE TABLE audit (
        audit_id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        subject TEXT NOT NULL,
        counts TEXT NOT NULL DEFAULT '{}'
    ) STRICT
    """,
    """
    CREATE TABLE egress (
        egress_id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        recipient TEXT NOT NULL,
        purpose TEXT NOT NULL,
        data_level INTEGER NOT NULL,
        size_bytes INTEGER NOT NULL,
        replaced TEXT NOT NULL DEFAULT '{}'
    ) STRICT
    """,
    # The text given to it is already analysed (`analyser`); `ascii` only splits it at spaces. detail=none: no
    # positions, since bigrams carry adjacency; 0.4 of the size.
    """
    CREATE VIRTUAL TABLE words USING fts5(
        terms, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '._@:/-+#&%,~$='"
    )
    """,
    # two blocks to a page of 8192 bytes; by default they are a few bytes too long for that
    "INSERT INTO words (words, rank) VALUES ('pgsz', 3990)",
    "CREATE VIRTUAL TABLE word_stats USING fts5vocab(words, row)",
)


def upgrade(raw: dbapi2.Connection, now: datetime) -> None:
    """Make the tables."""
    for statement in _TABLES:
        raw.execute(statement)
    raw.execute("INSERT INTO meta VALUES ('created_at', ?)", (to_ixdtf(now),))
