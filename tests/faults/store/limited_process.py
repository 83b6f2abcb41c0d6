"""Write until the disk is full, say which error came, and write on when there is room again.

    python limited_process.py DATABASE [LIMIT_BYTES]

With a limit, this process may make no larger file; without, the disk itself is small. A line on stdin says that there
is room again.
"""

from __future__ import annotations

import resource
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from app.domain.errors import Expected
from app.store.check import check
from app.store.source_rows import add_source
from app.store.store import Store
from tests.unit.store.makers import KEY, source_info, store_text

NOW = datetime(2025, 5, 12, 1, 30, tzinfo=UTC)


def main() -> None:
    """Prints the error's kind, whether the store is whole and has all entries, and the same after writing on."""
    path = Path(sys.argv[1])
    store = Store.create(path, KEY, now=NOW)
    with store.database.write() as tx:
        add_source(tx, source_info())
    if len(sys.argv) > 2:
        limit = int(sys.argv[2])
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    written = 0
    try:
        while True:
            store_text(store.database, f"n{written}", f"text {written} " * 200)
            written += 1
    except Expected as error:
        print(type(error).__name__, state(store, written), flush=True)
    sys.stdin.readline()
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store_text(store.database, "afterwards", "there is room again")
    print(state(store, written + 1), flush=True)
    store.close()


def state(store: Store, written: int) -> str:
    """Whether the check is clean and every written entry is there."""
    with store.database.reader() as reader:
        found = reader.value("SELECT count(*) FROM entry")
    return f"{check(store).is_clean} {found == written > 3}"


if __name__ == "__main__":
    main()
