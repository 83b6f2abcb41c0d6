"""Makers of entries, chunks and sources for the tests of the store."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from app.domain.collecting import SourceInfo, SyncState
from app.domain.entries import AdmittedEntry, Chunk, Entry, Place
from app.domain.labels import EntryKind, Sensitivity, Trust
from app.domain.visibility import VisibilityFilter
from app.store.connection import DatabaseKey
from app.store.database import FILE_NAME, Database
from app.store.writes import upsert_entry

KEY = DatabaseKey(bytes(range(32)), bytes(range(100, 116)))
WRITTEN_AT = datetime(2025, 5, 10, 9, 0, tzinfo=UTC)
OWNER = VisibilityFilter(None, None, Sensitivity.HIGHLY_SENSITIVE, include_stale=False, is_unrestricted=True)
OWNER_WITH_STALE = VisibilityFilter(None, None, Sensitivity.HIGHLY_SENSITIVE, include_stale=True, is_unrestricted=True)


def new_database(path: Path, *, now: datetime, key: DatabaseKey = KEY) -> Database:
    """What `Database.create` makes, as a copy: the tables are made once for a key, and not for every test."""
    path.touch(mode=0o600, exist_ok=False)
    path.write_bytes(_empty_file(key, now))
    return Database.open(path, key, now=now)


@cache
def _empty_file(key: DatabaseKey, now: datetime) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILE_NAME
        Database.create(path, key, now=now).close()
        return path.read_bytes()


def limited_to(*scopes: str, ceiling: Sensitivity = Sensitivity.CONFIDENTIAL) -> VisibilityFilter:
    return VisibilityFilter(frozenset(scopes), None, ceiling, include_stale=False, is_unrestricted=False)


def source_info(source_id: str = "notes", **changes: object) -> SourceInfo:
    values: dict[str, object] = {
        "source_id": source_id,
        "kind": "files",
        "location": f"/home/me/{source_id}",
        "name": source_id,
        "scope": "personal",
        "acl": "owner",
        "sensitivity": Sensitivity.INTERNAL,
        "trust": Trust.OWN_FILES,
        "state": SyncState.IDLE,
        "created_at": WRITTEN_AT,
    }
    return SourceInfo(**(values | changes))


def make_entry(native_id: str, text: str = "", **changes: object) -> Entry:
    values: dict[str, object] = {
        "source_id": "notes",
        "native_id": native_id,
        "kind": EntryKind.NOTE,
        "title": native_id,
        "source_uri": f"file:///home/me/notes/{native_id}",
        "content_hash": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        "blocks": (),
        "created_at": WRITTEN_AT,
        "updated_at": WRITTEN_AT,
    }
    return Entry(**(values | changes))


def admit(entry: Entry, **changes: object) -> AdmittedEntry:
    values: dict[str, object] = {
        "scope": "personal",
        "acl": "owner",
        "sensitivity": Sensitivity.INTERNAL,
        "trust": Trust.OWN_FILES,
        "confidence": 0.9,
        "rule_version": "2025.1",
    }
    return AdmittedEntry(entry, **(values | changes))


def make_chunk(text: str, ordinal: int = 0, *, title: str = "", language: str = "en") -> Chunk:
    embed_text = f"{title}\n{text}" if title else text
    return Chunk(ordinal, text, embed_text, Place(), max(1, len(text) // 4), language)


def store_text(database: Database, native_id: str, *texts: str, now: datetime = WRITTEN_AT, **rights: object) -> int:
    """Write one entry, a chunk for each text; returns its id."""
    source_id = str(rights.pop("source_id", "notes"))
    language = str(rights.pop("language", "en"))
    facts = rights.pop("entry", {})
    assert isinstance(facts, dict)
    entry = make_entry(native_id, "\n".join(texts), source_id=source_id, **facts)
    chunks = [make_chunk(text, ordinal, language=language) for ordinal, text in enumerate(texts)]
    with database.write() as tx:
        return upsert_entry(tx, admit(entry, **rights), chunks, now=now).entry_id
