"""Make the stored database of the present schema version, once, when it is released.

    python tests/data/databases/make.py

Every later version of Famulus is tested from the files in this folder, so they are never made again. The key is public:
the test's own, and the texts are invented.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from app.domain.entries import EventFacts, Occurrence, PersonRef, TaskFacts
from app.domain.labels import EntryKind, Sensitivity, Status
from app.store import migrations
from app.store.source_rows import add_source, mark_synced, move_cursor
from app.store.store import Store
from app.store.vector_rows import put_vectors
from app.store.writes import invalidate_missing, upsert_entry
from tests.unit.store.makers import KEY, admit, make_chunk, make_entry, source_info
from tests.unit.store.worlds import MODEL, clustered

NOW = datetime(2025, 5, 12, 1, 30, tzinfo=UTC)


def fill(store: Store) -> None:
    """A little of everything."""
    start = datetime(2025, 5, 14, 9, tzinfo=UTC)
    people = (PersonRef("Zhang San", "zhang@example.com", "organizer"), PersonRef("李四", "li@example.com", "attendee"))
    occurrence = Occurrence(start, start.replace(hour=10), is_all_day=False)
    event = EventFacts("Room 5", (occurrence,), is_recurring=False)
    task = TaskFacts(Status.ACTIVE, due_at=start, owner="Zhang San")
    entries = [
        (make_entry("plan.md", "first"), "The plan for Project A is tentative"),
        (make_entry("plan.md", "second"), "The plan for Project A is settled: launch on Friday"),
        (make_entry("会议.md"), "會議記錄：下週一發布新版本，預算三萬"),
        (make_entry("gone.md"), "This file was deleted later"),
        (make_entry("meeting.ics", kind=EntryKind.EVENT, event=event, people=people), "Weekly meeting"),
        (make_entry("report", kind=EntryKind.TASK, task=task), "Finish the test report"),
    ]
    with store.database.write() as tx:
        add_source(tx, source_info())
        for entry, text in entries:
            chunk = make_chunk(text, title=entry.title, language="zh" if "會" in text else "en")
            upsert_entry(tx, admit(entry, sensitivity=Sensitivity.CONFIDENTIAL), [chunk], now=NOW)
        invalidate_missing(tx, "notes", ["gone.md"], now=NOW)
        put_vectors(tx, MODEL, [(number + 1, vector) for number, vector in enumerate(clustered(4, seed=1))], now=NOW)
        move_cursor(tx, "notes", {"plan.md": "2"}, now=NOW)
        mark_synced(tx, "notes", now=NOW)


def main() -> None:
    """Write v<N>.db beside this file."""
    path = Path(__file__).with_name(f"v{len(migrations.MIGRATIONS)}.db")
    store = Store.create(path, KEY, now=NOW)
    fill(store)
    store.close()


if __name__ == "__main__":
    main()
