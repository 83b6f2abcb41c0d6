"""Lists of records: what is read again, and when."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.domain.errors import Unreadable
from app.domain.labels import EntryKind
from app.domain.text import msg
from app.sources.contract import Added, Changed, CursorRows, Skipped, Unchanged
from app.sources.records import RecordKind, RecordSource
from tests.unit.sources.makers import RESTED, HonestParse, context, drain, source_info, write

if TYPE_CHECKING:
    from pathlib import Path


def source(*paths: Path, parse=None, **options: str) -> RecordSource:
    made = context(
        paths[0], "todo", source=source_info(paths[0], "todo", options=options), parse=parse or HonestParse()
    )
    return RecordSource(made, RecordKind(EntryKind.TASK, files=lambda: [path for path in paths if path.exists()]))


def told(changes) -> list[tuple[str, str]]:
    return [(type(one).__name__, one.entry.title) for one in changes if isinstance(one, Added | Changed)]


def test_a_file_that_was_only_touched_is_not_parsed(tmp_path):
    path = write(tmp_path / "todo.txt", "buy milk\n")
    rows = CursorRows()
    drain(source(path), rows)
    os.utime(path, (RESTED + 9, RESTED + 9))
    parse = HonestParse()
    changes = drain(source(path, parse=parse), rows)
    assert told(changes) == []
    assert (parse.names, parse.parsed) == (["todo.txt"], [])
    assert [one.count for one in changes if isinstance(one, Unchanged)] == [1]
    assert drain(source(path, parse=(again := HonestParse())), rows)
    assert again.names == []


def test_other_options_mean_another_reading(tmp_path):
    path = write(tmp_path / "todo.txt", "buy milk\n")
    rows = CursorRows()
    drain(source(path), rows)
    parse = HonestParse()
    assert told(drain(source(path, parse=parse, days="7"), rows)) == []
    assert parse.parsed == ["todo.txt"]


def test_what_breaks_the_parse_process_is_not_tried_with_every_sync(tmp_path):
    path = write(tmp_path / "todo.txt", "buy milk\n")
    calls = []

    def breaks(job):
        calls.append(job["path"])
        raise Unreadable(msg("It takes too long."), next_step=msg("Leave it out."))

    rows = CursorRows()
    for _ in range(3):
        changes = drain(source(path, parse=breaks), rows)
        assert [str(one.reason) for one in changes if isinstance(one, Skipped)] == ["It takes too long."]
    assert len(calls) == 1
    write(path, "buy milk\nbuy bread\n", at=RESTED + 5)
    assert told(drain(source(path), rows)) == [("Added", "buy milk"), ("Added", "buy bread")]


def test_a_record_keeps_its_parent(tmp_path):
    path = write(tmp_path / "list.md", "- [ ] trip\n  - [ ] pack\n")
    changes = drain(source(path), CursorRows())
    trip, pack = (one.entry for one in changes if isinstance(one, Added))
    assert pack.task.parent_native_id == trip.native_id
    assert "#" not in trip.native_id


def test_a_cursor_of_nonsense_is_no_cursor(tmp_path):
    path = write(tmp_path / "todo.txt", "buy milk\n")
    rows = CursorRows({"file:todo.txt": "{", "record:x": "", "options": "?", "file:": "1", "more": "x"})
    changes = drain(source(path), rows)
    assert told(changes) == [("Added", "buy milk")]


def test_an_empty_list_is_a_list(tmp_path):
    path = write(tmp_path / "todo.txt", "buy milk\n")
    rows = CursorRows()
    drain(source(path), rows)
    write(path, "", at=RESTED + 5)
    changes = drain(source(path), rows)
    assert [type(one).__name__ for one in changes] == ["Unchanged", "Deleted", "CursorMoved", "CursorMoved"]
