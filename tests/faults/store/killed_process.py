"""Write the canaries, and be killed before anything is closed."""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from app.store.store import Store
from tests.faults.store.test_canary import write_canaries
from tests.unit.store.makers import KEY


def main() -> None:
    """Dies in the middle of a transaction."""
    now = datetime(2025, 5, 12, 1, 30, tzinfo=UTC)
    store = Store.create(Path(sys.argv[1]), KEY, now=now)
    write_canaries(store, now)
    with store.database.write() as tx:
        tx.run("UPDATE entry SET title = 'canarytitle canaryname'")
        os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


if __name__ == "__main__":
    main()
