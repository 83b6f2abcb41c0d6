"""Write batches into a database until killed, and say on stdout which are committed.

    python writer_process.py DATABASE FIRST_BATCH
    python writer_process.py DATABASE               for each first batch on stdin, a fork that writes

Each batch is one transaction: ten entries, of which some change earlier ones, with vectors and the cursor.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from app.store.source_rows import move_cursor
from app.store.store import Store
from app.store.vector_rows import chunks_without_vectors, put_vectors
from app.store.writes import upsert_entry
from tests.unit.store.makers import KEY, admit, make_chunk, make_entry
from tests.unit.store.worlds import MODEL, clustered

NOW = datetime(2025, 5, 12, 1, 30, tzinfo=UTC)
ENTRIES = 10


def texts_of(batch: int) -> dict[str, str]:
    """What a batch writes: eight new entries, and new versions of two of the batch before."""
    texts = {f"n{batch}-{number}": f"text {number} of batch {batch} 预算" for number in range(ENTRIES - 2)}
    if batch > 0:
        texts |= {f"n{batch - 1}-{number}": f"text {number} changed by batch {batch}" for number in range(2)}
    return texts


def main() -> None:
    """Write for ever, or let others do it, one after another."""
    path = Path(sys.argv[1])
    if len(sys.argv) > 2:
        write(path, int(sys.argv[2]))
    for line in sys.stdin:
        writer = os.fork()
        if writer == 0:
            try:
                print(os.getpid(), flush=True)
                write(path, int(line))
            finally:
                os._exit(1)
        _, status = os.waitpid(writer, 0)
        print("ended by", os.WTERMSIG(status), flush=True)


def write(path: Path, batch: int) -> None:
    """Write for ever."""
    store = Store.open(path, KEY, now=NOW)
    vectors = clustered(64, seed=1)
    while True:
        with store.database.write() as tx:
            for native_id, text in texts_of(batch).items():
                upsert_entry(tx, admit(make_entry(native_id, text)), [make_chunk(text)], now=NOW)
            move_cursor(tx, "notes", {"batch": str(batch)}, now=NOW)
        print(batch, flush=True)
        with store.database.write() as tx:
            waiting = chunks_without_vectors(tx, MODEL, 64)
            put_vectors(tx, MODEL, [(chunk.chunk_id, vectors[chunk.chunk_id % 64]) for chunk in waiting], now=NOW)
        batch += 1


if __name__ == "__main__":
    main()
