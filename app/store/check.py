"""The proof that the database is whole, and the repair of what can be made again (`famulus check`).

    every page carries its seal (HMAC-SHA512), and SQLite finds its structure in order
    entries are what every source counted, and give its content hash: none is lost, none double
    words = chunks, row by row, and a sample of chunks is found by every one of its terms
    vectors + waiting = chunks, for every model, each of the right size and length, and all in the index in memory
    originals (pictures, recordings) = files, of the right length each, and no file without its row
    cursors, versions and every reference point to something that is there
    changes are of records that are there, and a rule that has fired has changed its record

A repair makes words anew and drops vectors, people, occurrences and cursors that point nowhere (vectors and cursors are
then made again by the next sync). It never deletes an entry or a chunk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.checking import CheckReport, Finding
from app.domain.errors import Damaged
from app.domain.progress import Progress, ignore_progress
from app.domain.text import counted, msg
from app.store.analyser import ANALYSER_VERSION, analyse
from app.store.rows import unpacked
from app.store.source_rows import combined, entry_digest
from app.store.vector_rows import embed_text, stored_vectors
from app.store.words import analyser_version, rebuild_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.domain.progress import ProgressSink
    from app.domain.text import Text
    from app.store.connection import Reader, Writer
    from app.store.store import Store

_SAMPLE = 100
_LONGEST_OFF = 0.02
_DERIVED = frozenset({
    "vector", "vector_index", "relation", "entity_merge", "likeness", "occurrence", "event", "task",
    "record", "freshness_rule", "change", "statement", "understanding",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Step:
    """What is looked at, and how it is mended where it can be."""

    subject: str
    look: Callable[[Reader], Iterator[Finding]]
    mend: Callable[[Writer], None] | None = None


def check(store: Store, *, is_repairing: bool = False, progress: ProgressSink = ignore_progress) -> CheckReport:
    """Look at everything; seconds for 100,000 chunks. Other work goes on meanwhile, except during a repair."""
    steps = (
        _Step("pages", _pages),
        _Step("tables", _structure),
        _Step("entries", _entries),
        _Step("versions", _versions),
        _Step("chunks", _chunks),
        _Step("words", _words, _mend_words),
        _Step("vectors", _vectors, _mend_vectors),
        _Step("memory", lambda _: iter(_memory(store)), _mend_nothing),
        _Step("references", _references, _mend_references),
        _Step("records", _records, _mend_records),
        _Step("originals", lambda reader: _originals(store, reader), store.blobs.drop_strays),
    )
    findings: list[Finding] = []
    for number, step in enumerate(steps):
        progress(Progress("check", msg("Checking the database"), number, len(steps)))
        found = _looked(store, step)
        if is_repairing and step.mend is not None and any(finding.problem for finding in found):
            found = _mended(store, step, step.mend, found)
        findings += found
    progress(Progress("check", msg("Checking the database"), len(steps), len(steps)))
    return CheckReport(tuple(findings))


def _looked(store: Store, step: _Step) -> list[Finding]:
    try:
        if step.look is _pages:
            # The seals are those of the file itself. A page that a full disk let be written back in part only is whole
            # in the log; so the log is written back first, and nobody writes while the file is read.
            store.database.checkpoint()
            with store.database.write() as tx:
                return list(_pages(tx))
        with store.database.reader() as reader:
            return list(step.look(reader))
    except Damaged as error:
        return [Finding(step.subject, 0, error.what)]


def _mended(store: Store, step: _Step, mend: Callable[[Writer], None], before: list[Finding]) -> list[Finding]:
    """Repair, and look again: a finding counts as repaired only where its problem is gone."""
    try:
        with store.database.write() as tx:
            mend(tx)
        store.reload()
    except Damaged:
        return before
    problems = {finding.subject: finding.problem for finding in before if finding.problem is not None}
    return [
        replace(finding, problem=problems[finding.subject], was_repaired=True)
        if finding.problem is None and finding.subject in problems
        else finding
        for finding in _looked(store, step)
    ]


def _pages(reader: Reader) -> Iterator[Finding]:
    broken = reader.rows("PRAGMA cipher_integrity_check")
    count = int(reader.value("PRAGMA page_count"))
    yield Finding(
        "pages",
        count,
        _any(len(broken), counted("{count} page is damaged", "{count} pages are damaged", count=len(broken))),
    )


def _structure(reader: Reader) -> Iterator[Finding]:
    # WORKAROUND: SQLite 3.5x lets FTS5 check the index against a structure that this connection read before another one
    # wrote, and calls a sound index corrupt; a query makes it read the structure anew.
    reader.rows("SELECT rowid FROM words WHERE words MATCH 'x' LIMIT 1")
    faults = [row[0] for row in reader.rows("PRAGMA quick_check") if row[0] != "ok"]
    tables = int(reader.value("SELECT count(*) FROM sqlite_master WHERE type = 'table'"))
    yield Finding(
        "tables",
        tables,
        _any(
            len(faults), counted("{count} fault in the structure", "{count} faults in the structure", count=len(faults))
        ),
    )


def _entries(reader: Reader) -> Iterator[Finding]:
    so_many: dict[str, tuple[int, bytes]] = {}
    for rows in reader.batches("SELECT source_id, native_id, content_hash FROM entry WHERE is_current = 1"):
        for source_id, native_id, content_hash in rows:
            count, digest = so_many.get(source_id, (0, bytes(32)))
            so_many[source_id] = count + 1, combined(digest, entry_digest(native_id, content_hash))
    sources = reader.rows("SELECT source_id, entry_count, content_hash FROM source")
    wrong = sum(so_many.get(source_id, (0, bytes(32))) != (count, digest) for source_id, count, digest in sources)
    yield Finding(
        "sources",
        len(sources),
        _any(
            wrong,
            counted(
                "{count} does not have the entries it counted",
                "{count} do not have the entries they counted",
                count=wrong,
            ),
        ),
    )
    yield Finding("entries", sum(count for count, _ in so_many.values()))


def _versions(reader: Reader) -> Iterator[Finding]:
    wrong = reader.value(
        """
        SELECT count(*) FROM entry WHERE (is_current = 1 AND superseded_by IS NOT NULL)
            OR (is_current = 1 AND stale_reason IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM change
                WHERE subject_kind = 'entry' AND subject_id = entry.entry_id AND undone_at IS NULL))
            OR (is_current = 0 AND stale_reason IS NULL) OR superseded_by = entry_id
        """
    )
    count = int(reader.value("SELECT count(*) FROM entry"))
    yield Finding(
        "versions",
        count,
        _any(
            wrong,
            counted(
                "{count} does not say whether it is valid", "{count} do not say whether they are valid", count=wrong
            ),
        ),
    )


def _chunks(reader: Reader) -> Iterator[Finding]:
    count, places = reader.rows("SELECT count(*), count(DISTINCT entry_id << 32 | ordinal) FROM chunk")[0]
    yield Finding(
        "chunks", count, _any(count - places, counted("{count} is double", "{count} are double", count=count - places))
    )


def _words(reader: Reader) -> Iterator[Finding]:
    count = int(reader.value("SELECT count(*) FROM words_docsize"))
    lacking = int(reader.value("SELECT count(*) FROM chunk WHERE chunk_id NOT IN (SELECT id FROM words_docsize)"))
    left_over = int(reader.value("SELECT count(*) FROM words_docsize WHERE id NOT IN (SELECT chunk_id FROM chunk)"))
    off = lacking + left_over + _not_found(reader)
    if analyser_version(reader) != ANALYSER_VERSION:
        off = max(off, count)
    yield Finding(
        "words",
        count,
        _any(
            off,
            counted(
                "{count} chunk is not found by its words", "{count} chunks are not found by their words", count=off
            ),
        ),
    )


def _not_found(reader: Reader) -> int:
    """How many of a sample of chunks lack a term in the index."""
    last = int(reader.value("SELECT coalesce(max(chunk_id), 0) FROM chunk"))
    wrong = 0
    for step in range(min(_SAMPLE, last)):
        row = reader.row(
            "SELECT chunk_id, embed_frame, text FROM chunk WHERE chunk_id >= ? LIMIT 1", 1 + step * last // _SAMPLE
        )
        if row is not None:
            terms = analyse(embed_text(row[1], unpacked(row[2])))
            wrong += not all(_is_found(reader, term, row[0]) for term in terms)
    return wrong


def _is_found(reader: Reader, term: str, chunk_id: int) -> bool:
    quoted = '"' + term.replace('"', '""') + '"'
    return reader.value("SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?", quoted, chunk_id) is not None


def _vectors(reader: Reader) -> Iterator[Finding]:
    chunks = int(reader.value("SELECT count(*) FROM chunk"))
    for ref, model_id, version, dimension in reader.rows("SELECT model_ref, model_id, version, dimension FROM model"):
        count = int(reader.value("SELECT count(*) FROM vector WHERE model_ref = ?", ref))
        wrong = len(_unusable(reader, ref, dimension))
        name = f"vectors {model_id} {version}"
        yield Finding(name, count, _any(wrong, counted("{count} is not usable", "{count} are not usable", count=wrong)))
        lacking = reader.value(
            "SELECT count(*) FROM chunk WHERE chunk_id NOT IN (SELECT chunk_id FROM vector WHERE model_ref = ?)", ref
        )
        left_over = count + int(lacking) - chunks
        problem = _any(
            left_over,
            counted("{count} vector belongs to no chunk", "{count} vectors belong to no chunk", count=left_over),
        )
        yield Finding(f"waiting {model_id} {version}", int(lacking), problem)


def _unusable(reader: Reader, ref: int, dimension: int) -> set[int]:
    """The chunks whose vector of a model is of no use."""
    rows = reader.rows(f"SELECT chunk_id FROM vector WHERE model_ref = ? AND ({_WRONG})", ref, dimension)  # noqa: S608
    found = {row[0] for row in rows}
    for ids, _, is_usable in stored_vectors(reader, ref, dimension):
        found.update(ids[~is_usable].tolist())
    return found


# a vector's size, its length of 1, its document, its chunk
_WRONG = f"""
    length(data) <> 2 * ? OR abs(norm - 1) > {_LONGEST_OFF}
    OR doc_id IS NOT (SELECT entry_id FROM chunk WHERE chunk.chunk_id = vector.chunk_id)
"""  # noqa: S608 - our own number


def _memory(store: Store) -> list[Finding]:
    sizes = [(name, in_memory, abs(in_rows - in_memory)) for name, in_rows, in_memory in store.sizes()]
    return [
        Finding(
            name,
            count,
            _any(off, counted("{count} differs from the database", "{count} differ from the database", count=off)),
        )
        for name, count, off in sizes
    ]


def _references(reader: Reader) -> Iterator[Finding]:
    dangling = reader.rows("PRAGMA foreign_key_check")
    cursors = int(reader.value("SELECT count(*) FROM cursor"))
    yield Finding("cursors", cursors)
    yield Finding(
        "references",
        0,
        _any(len(dangling), counted("{count} points nowhere", "{count} point nowhere", count=len(dangling))),
    )


def _originals(store: Store, reader: Reader) -> Iterator[Finding]:
    count = int(reader.value("SELECT count(*) FROM blob"))
    lost, strays = store.blobs.strays(reader)
    yield Finding(
        "originals",
        count,
        _any(lost, counted("{count} is missing or damaged", "{count} are missing or damaged", count=lost)),
    )
    yield Finding(
        "files of originals",
        count,
        _any(strays, counted("{count} belongs to no entry", "{count} belong to no entry", count=strays)),
    )


def _records(reader: Reader) -> Iterator[Finding]:
    """What texts state: nothing changed that is not there, and no rule has fired without its change."""
    count = int(reader.value("SELECT count(*) FROM record"))
    lost = int(reader.value(f"SELECT count(*) FROM change WHERE {_LOST_CHANGE}"))  # noqa: S608 - our own condition
    yield Finding(
        "records",
        count,
        _any(
            lost,
            counted(
                "{count} change is of a record that is gone", "{count} changes are of records that are gone", count=lost
            ),
        ),
    )
    rules = int(reader.value("SELECT count(*) FROM freshness_rule"))
    mute = int(reader.value(f"SELECT count(*) FROM freshness_rule WHERE {_MUTE_RULE}"))  # noqa: S608 - see above
    yield Finding(
        "rules",
        rules,
        _any(
            mute, counted("{count} has fired and changed nothing", "{count} have fired and changed nothing", count=mute)
        ),
    )


_LOST_CHANGE = "subject_kind = 'record' AND subject_id NOT IN (SELECT record_id FROM record)"
_MUTE_RULE = """
    state = 'fired' AND NOT EXISTS (
        SELECT 1 FROM change
        WHERE subject_kind = 'record' AND subject_id = freshness_rule.record_id AND undone_at IS NULL
    )
"""


def _mend_records(tx: Writer) -> None:
    tx.run(f"DELETE FROM change WHERE {_LOST_CHANGE}")  # noqa: S608 - our own condition
    # it fires again when the rules are run
    tx.run(f"UPDATE freshness_rule SET state = 'armed', fired_at = NULL WHERE {_MUTE_RULE}")  # noqa: S608


def _mend_nothing(_: Writer) -> None:
    """What is in memory is read again after every repair."""


def _mend_words(tx: Writer) -> None:
    rebuild_words(tx)


def _mend_vectors(tx: Writer) -> None:
    for ref, dimension in tx.rows("SELECT model_ref, dimension FROM model"):
        for chunk_id in _unusable(tx, ref, dimension):
            tx.run("DELETE FROM vector WHERE model_ref = ? AND chunk_id = ?", ref, chunk_id)


def _mend_references(tx: Writer) -> None:
    tx.run("DELETE FROM alias WHERE entity_id NOT IN (SELECT entity_id FROM entity)")
    tx.run("DELETE FROM cursor WHERE source_id NOT IN (SELECT source_id FROM source)")
    for table, rowid, _, _ in tx.rows("PRAGMA foreign_key_check"):
        if table in _DERIVED:
            tx.run(f"DELETE FROM {table} WHERE rowid = ?", rowid)  # noqa: S608 - one of our own names


def _any(count: int, problem: Text) -> Text | None:
    return problem if count else None
