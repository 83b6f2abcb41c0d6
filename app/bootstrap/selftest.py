"""`famulus selftest`: tries every part of this installation on this machine, with nothing of the person's data.

A part that this machine does not have (a keychain, a tray) is *absent* and says what that means; only what should work
and does not is *failed*.
"""

from __future__ import annotations

import logging
import secrets
import shutil
from typing import TYPE_CHECKING

import numpy as np

from app.cli.wiring import Outcome, SelfCheck
from app.domain.collecting import SourceInfo, SyncState
from app.domain.context_item import OWNER, Viewer
from app.domain.entries import Block, Entry
from app.domain.errors import Expected, KeychainLocked, KeychainMissing
from app.domain.labels import BlockKind, EntryKind, Sensitivity, Trust
from app.domain.text import Text, msg
from app.govern.chunking import chunk
from app.inference.embedder import Embedder
from app.inference.packs import ModelPack, find_pack
from app.inference.tokens import TokenCounter
from app.policy.admission import admit
from app.policy.disclosure import visible_to
from app.runtime import clock
from app.runtime.parse_process import ParseProcess
from app.runtime.paths import create_private, resource
from app.runtime.secrets import Keychain
from app.sources.parsing.answer import Answer, Job
from app.sources.parsing.limits import ParseLimits
from app.store.connection import DatabaseKey
from app.store.database import FILE_NAME
from app.store.source_rows import add_source
from app.store.store import Store
from app.store.vector_rows import EmbeddingModel, chunks_without_vectors, put_vectors
from app.store.writes import upsert_entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from app.runtime.paths import Paths

_log = logging.getLogger(__name__)
_Found = tuple[Outcome, Text | None]
_LEAST_MARGIN = 0.01
_SAMPLE_MODEL = EmbeddingModel("selftest", "1", 4)
_SAMPLE_VECTOR = np.array([1, 0, 0, 0], np.float16)


def run(paths: Paths) -> Iterator[SelfCheck]:
    """Try one part after the other."""
    parts: tuple[tuple[Text, Callable[[Paths], _Found]], ...] = (
        (msg("Folders"), _folders),
        (msg("Keychain"), _keychain),
        (msg("Encrypted database"), _database),
        (msg("Reading files in a process of its own"), _parsing),
        (msg("Embedding model"), _model),
        (msg("Window, tray and hotkey"), _desktop),
    )
    for subject, attempt in parts:
        try:
            outcome, detail = attempt(paths)
        except Expected as problem:
            outcome, detail = Outcome.FAILED, problem.what
        except Exception as error:  # noqa: BLE001 - a border: one broken part must not hide the others
            _log.exception("a self-test failed")
            outcome, detail = Outcome.FAILED, msg("It broke with {kind}.", kind=type(error).__name__)
        yield SelfCheck(subject, outcome, detail)


def _folders(paths: Paths) -> _Found:
    paths.create()
    return Outcome.OK, None


def _keychain(_: Paths) -> _Found:
    keychain, name, secret = Keychain("famulus-selftest", timeout_s=20.0), secrets.token_hex(8), secrets.token_hex(32)
    try:
        keychain.set(name, secret)
        same = keychain.get(name) == secret
        keychain.delete(name)
    except KeychainMissing:
        return Outcome.ABSENT, msg("There is no keychain; the database needs a passphrase instead.")
    except KeychainLocked as problem:
        return Outcome.ABSENT, problem.what
    return (Outcome.OK, None) if same else (Outcome.FAILED, msg("It gave back another secret."))


def _database(paths: Paths) -> _Found:
    """Make a database, write a passage, close and open it again, find the passage by words and by meaning."""
    folder = paths.cache / f"selftest-{secrets.token_hex(4)}"
    create_private(folder)
    key = DatabaseKey(secrets.token_bytes(32), secrets.token_bytes(16))
    now = clock.now()
    try:
        store = Store.create(folder / FILE_NAME, key, now=now)
        _write_sample(store, now)
        store.close()
        is_encrypted = not (folder / FILE_NAME).read_bytes().startswith(b"SQLite format 3")
        store = Store.open(folder / FILE_NAME, key, now=now)
        view = store.visibility.view(visible_to(Viewer()), now)
        by_words = store.lexical.search([("预算", 1.0)], view, 1, is_unrestricted=True).chunk_ids
        vectors = store.vectors(_SAMPLE_MODEL)
        by_meaning, _ = vectors.search(_SAMPLE_VECTOR.astype(np.float32), 1, view.mask)
        store.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not is_encrypted:
        return Outcome.FAILED, msg("The file is not encrypted.")
    if len(by_words) != 1 or by_meaning.tolist() != by_words.tolist():
        return Outcome.FAILED, msg("It does not find what was written.")
    return Outcome.OK, None


def _write_sample(store: Store, now: datetime) -> None:
    info = SourceInfo(
        source_id="selftest",
        kind="files",
        location="/",
        name="selftest",
        scope="personal",
        acl=OWNER,
        sensitivity=Sensitivity.INTERNAL,
        trust=Trust.OWN_FILES,
        state=SyncState.IDLE,
        created_at=now,
    )
    entry = Entry(
        source_id="selftest",
        native_id="sample",
        kind=EntryKind.NOTE,
        title="项目预算",
        source_uri="selftest:sample",
        content_hash="0" * 64,
        blocks=(Block(BlockKind.PARAGRAPH, "明天讨论项目预算。"),),
        created_at=now,
        updated_at=now,
    )
    with store.database.write() as tx:
        add_source(tx, info)
        upsert_entry(tx, admit(entry, info), chunk(entry, TokenCounter()), now=now)
    with store.database.reader() as reader:
        waiting = chunks_without_vectors(reader, _SAMPLE_MODEL, 1)
    with store.database.write() as tx:
        put_vectors(tx, _SAMPLE_MODEL, [(one.chunk_id, _SAMPLE_VECTOR) for one in waiting], now=now)


def _parsing(_: Paths) -> _Found:
    now = clock.now()
    process = ParseProcess("app.sources.parsing.worker:handle", timeout_s=30.0)
    sample = resource("rules", "ranking.toml")
    try:
        job = Job(sample, ParseLimits(), clock.zone(), (now, now), follows_links=True)
        answer = Answer.from_dict(process.run_here(job.to_dict()))
    finally:
        process.close()
    return (Outcome.OK, None) if answer.parsed is not None else (Outcome.FAILED, msg("It could not read a text file."))


def _model(paths: Paths) -> _Found:
    pack = _pack(paths)
    if pack is None:
        return Outcome.ABSENT, msg("There is no embedding model; Famulus searches by words only.")
    embedder = Embedder(pack)
    query = embedder.embed_queries(["什么时候交房租？"])[0]
    near, far = embedder.embed_passages(["The rent is due on the first of each month.", "Roses need water."])
    margin = float(query @ near.astype(np.float32) - query @ far.astype(np.float32))
    if margin < _LEAST_MARGIN:
        return Outcome.FAILED, msg("It does not tell related from unrelated.")
    return Outcome.OK, msg("{name}, {mib} MiB", name=pack.manifest.id, mib=pack.size_bytes >> 20)


def _pack(paths: Paths) -> ModelPack | None:
    for folder in paths.model_folders:
        pack = find_pack(folder)
        if pack is not None:
            return pack
    return None


def _desktop(_: Paths) -> _Found:
    try:
        from app.ui.selftest import try_desktop  # noqa: PLC0415 - Qt may be absent
    except ImportError:
        return Outcome.ABSENT, msg("The window's libraries are not installed; the command line works without them.")
    missing = try_desktop()
    return (Outcome.OK, None) if missing is None else (Outcome.ABSENT, missing)
