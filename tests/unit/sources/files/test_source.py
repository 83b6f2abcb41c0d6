from __future__ import annotations

import os
from datetime import datetime, timedelta

import pytest

from app.domain.errors import Refused, Unavailable, Unreadable
from app.domain.text import msg
from app.runtime import clock
from app.sources.contract import Added, Changed, CursorMoved, CursorRows, Deleted, Skipped, Unchanged, Warned
from app.sources.files import walk
from app.sources.files.source import FilesSource
from tests.unit.sources.makers import RESTED, HonestParse, Never, calendar, context, drain, event, write

TODAY = datetime.fromisoformat("2025-05-12T09:00:00+08:00")


@pytest.fixture(autouse=True)
def today():
    with clock.use(TODAY):
        yield


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "notes"
    for number in range(12):
        write(root / f"note {number}.md", f"# Note {number}\n\ntext {number}\n")
    return root


@pytest.fixture
def rows():
    return CursorRows()


def sync(folder, rows, **changes):
    parse = changes.setdefault("parse", HonestParse())
    return drain(FilesSource(context(folder, **changes)), rows), parse


def ids(changes, kind):
    return [change.entry.native_id for change in changes if isinstance(change, kind)]


def deleted(changes):
    return [(change.native_id, change.moved_to) for change in changes if isinstance(change, Deleted)]


def test_times_addresses_and_identity(folder, rows):
    changes, _ = sync(folder, rows)
    entry = next(change.entry for change in changes if isinstance(change, Added))
    assert entry.native_id == "note 0.md"
    assert entry.source_uri == (folder / "note 0.md").as_uri()
    assert entry.updated_at.timestamp() == RESTED
    assert entry.updated_at.tzinfo is not None


def test_a_moved_file_is_deleted_there_and_added_here_and_says_so(folder, rows):
    sync(folder, rows)
    (folder / "sub").mkdir()
    for number in range(6):
        (folder / f"note {number}.md").rename(folder / "sub" / f"note {number}.md")
    changes, _ = sync(folder, rows)
    assert sorted(ids(changes, Added)) == [f"sub/note {number}.md" for number in range(6)]
    assert sorted(deleted(changes)) == [(f"note {number}.md", f"sub/note {number}.md") for number in range(6)]


def test_a_touched_file_is_read_but_not_parsed(folder, rows):
    sync(folder, rows)
    os.utime(folder / "note 3.md", (RESTED + 60, RESTED + 60))
    changes, parse = sync(folder, rows)
    assert (parse.names, parse.parsed) == (["note 3.md"], [])
    assert sum(change.count for change in changes if isinstance(change, Unchanged)) == 12
    _, parse = sync(folder, rows)
    assert parse.names == []


def test_a_change_that_the_times_do_not_show_is_found_when_it_was_too_soon(folder, rows, monkeypatch):
    """As git does: what was written in the same instant as it was read is compared by its content next time."""
    monkeypatch.setattr(clock, "system_ns", lambda: int((RESTED + 0.01) * 1e9))
    sync(folder, rows)
    write(folder / "note 3.md", "# Note 3\n\nword 3\n")
    monkeypatch.undo()
    changes, _ = sync(folder, rows)
    assert ids(changes, Changed) == ["note 3.md"]
    _, parse = sync(folder, rows)
    assert parse.names == []


def test_a_file_replaced_with_the_same_size_and_time_is_found(folder, rows):
    sync(folder, rows)
    path = folder / "note 3.md"
    write(folder / "new", path.read_text("utf-8").replace("text 3", "word 3"))
    (folder / "new").replace(path)
    os.utime(path, (RESTED, RESTED))
    changes, _ = sync(folder, rows)
    assert ids(changes, Changed) == ["note 3.md"]


def test_a_subfolder_that_cannot_be_listed_deletes_nothing_below_it(folder, rows, monkeypatch):
    write(folder / "sub" / "a.md", "a")
    write(folder / "sub" / "deep" / "b.md", "b")
    write(folder / "sub2" / "c.md", "c")
    sync(folder, rows)
    real = walk._listed

    def listed(path):
        if path.name == "sub":
            raise PermissionError
        return real(path)

    monkeypatch.setattr(walk, "_listed", listed)
    (folder / "sub2" / "c.md").unlink()
    changes, _ = sync(folder, rows)
    assert deleted(changes) == [("sub2/c.md", None)]
    assert [change.native_id for change in changes if isinstance(change, Skipped)] == ["sub"]
    monkeypatch.undo()
    changes, parse = sync(folder, rows)
    assert parse.names == []
    assert deleted(changes) == []


def test_an_empty_folder_is_taken_for_unmounted(folder, rows):
    sync(folder, rows)
    for path in folder.iterdir():
        path.unlink()
    with pytest.raises(Unavailable, match="empty"):
        sync(folder, rows)
    changes, _ = sync(folder, rows, is_deletion_confirmed=True)
    assert len(deleted(changes)) == 12
    assert list(rows.items()) == []


def test_an_empty_folder_at_the_first_sync_is_empty(tmp_path, rows):
    (tmp_path / "new").mkdir()
    changes, _ = sync(tmp_path / "new", rows)
    assert ids(changes, Added) == []


def test_a_folder_that_is_forbidden_or_gone(folder, rows, monkeypatch):
    def forbidden(_):
        raise PermissionError

    monkeypatch.setattr(walk, "_listed", forbidden)
    with pytest.raises(Unavailable, match="may not be opened"):
        sync(folder, rows)
    monkeypatch.undo()
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(Unavailable, match="not there"):
        sync(folder, rows)


def test_a_folder_that_vanishes_in_the_middle_deletes_nothing(folder, rows):
    sync(folder, rows)
    (folder / "note 0.md").unlink()

    class Vanishing(Never):
        def checkpoint(self):
            if folder.exists():
                folder.rename(folder.with_name("gone"))

    told = []
    with pytest.raises(Unavailable):
        drain(FilesSource(context(folder)), rows, Vanishing(), told)
    assert deleted(told) == []


def test_two_deletions_are_never_too_many(tmp_path, rows):
    for name in "abc":
        write(tmp_path / "n" / f"{name}.md", name)
    sync(tmp_path / "n", rows)
    (tmp_path / "n" / "a.md").unlink()
    (tmp_path / "n" / "b.md").unlink()
    changes, _ = sync(tmp_path / "n", rows)
    assert deleted(changes) == [("a.md", None), ("b.md", None)]


def test_a_file_that_becomes_unreadable_keeps_its_entry(folder, rows):
    sync(folder, rows)
    path = folder / "note 3.md"
    write(path, b"\x7fELF" + bytes(100), at=RESTED + 1)
    changes, _ = sync(folder, rows)
    assert [change.native_id for change in changes if isinstance(change, Skipped)] == ["note 3.md"]
    assert deleted(changes) == []
    write(path, "# Note 3\n\ntext again\n", at=RESTED + 2)
    changes, _ = sync(folder, rows)
    assert ids(changes, Changed) == ["note 3.md"]


def test_what_took_too_long_is_not_tried_with_every_sync(folder, rows):
    class Slow(HonestParse):
        def __call__(self, job):
            if job["path"].endswith("note 3.md"):
                self.names.append("note 3.md")
                raise Unreadable(msg("Reading it takes too long."), next_step=msg("Leave it out."))
            return super().__call__(job)

    changes, _ = sync(folder, rows, parse=Slow())
    assert len(ids(changes, Added)) == 11
    changes, parse = sync(folder, rows, parse=Slow())
    assert parse.names == []
    assert [str(change.reason) for change in changes if isinstance(change, Skipped)] == ["Reading it takes too long."]


def test_a_broken_answer_is_a_skipped_file(folder, rows):
    changes, _ = sync(folder, rows, parse=lambda job: {"hello": 1})
    assert sum(isinstance(change, Skipped) for change in changes) == 12


def test_a_file_that_may_not_be_opened_is_tried_again(folder, rows, monkeypatch):
    sync(folder, rows)
    write(folder / "note 3.md", "other", at=RESTED + 5)

    class Forbidden(HonestParse):
        def __call__(self, job):
            answer = dict(super().__call__(job))
            refusal = [{"template": "Famulus may not open it.", "values": {}}] * 2
            return answer | {"state": None, "sha256": None, "parsed": None, "refusal": refusal, "is_known": False}

    changes, _ = sync(folder, rows, parse=Forbidden())
    assert sum(isinstance(change, Skipped) for change in changes) == 1
    changes, _ = sync(folder, rows)
    assert ids(changes, Changed) == ["note 3.md"]


def test_clutter_links_and_our_own_folder_are_left_out(folder, rows, tmp_path):
    write(folder / ".git" / "HEAD", "x")
    write(folder / "node_modules" / "a.md", "x")
    write(folder / "photo.jpg", b"x")
    write(folder / "base" / "secret.md", "x")
    write(tmp_path / "outside" / "o.md", "x")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "loop").symlink_to(folder)
    (folder / "link.md").symlink_to(tmp_path / "outside" / "o.md")
    changes, _ = sync(folder, rows, excluded=(folder / "base",))
    assert len(ids(changes, Added)) == 12
    warnings = [str(change.text) for change in changes if isinstance(change, Warned)]
    assert any(warning.startswith("1 picture,") for warning in warnings)
    assert any(warning.startswith("3 symbolic links") for warning in warnings)


def test_our_own_folder_is_no_source(folder, rows):
    with pytest.raises(Refused):
        sync(folder, rows, excluded=(folder.parent,))


def test_ignore_files(folder, rows):
    write(folder / ".famulusignore", "note 1*.md\ndrafts/\n")
    write(folder / "drafts" / "d.md", "x")
    write(folder / "sub" / ".famulusignore", "!note 1*.md\n")
    write(folder / "sub" / "note 1.md", "x")
    changes, _ = sync(folder, rows)
    assert "note 1.md" not in ids(changes, Added)
    assert "note 2.md" in ids(changes, Added)
    assert "drafts/d.md" not in ids(changes, Added)
    assert "sub/note 1.md" in ids(changes, Added)


def test_names_with_odd_characters(tmp_path, rows):
    root = tmp_path / "n"
    names = ["a#b.md", "100%.md", "空 格.md", "naïve.md", "-x.md", "a'b\".md"]
    for name in names:
        write(root / name, name)
    with open(os.fsencode(root) + b"/\xd6\xd0.md", "wb") as file:  # noqa: PTH123 - the name is the point
        file.write(b"x")
    os.utime(os.fsencode(root) + b"/\xd6\xd0.md", (RESTED, RESTED))
    changes, _ = sync(root, rows)
    found = ids(changes, Added)
    assert set(found) == {"a%23b.md", "100%25.md", "空 格.md", "naïve.md", "-x.md", "a'b\".md", "%D6%D0.md"}
    for native_id in found:
        native_id.encode()
    assert all(change.entry.source_uri.isascii() for change in changes if isinstance(change, Added))
    _, parse = sync(root, rows)
    assert parse.names == []


def test_an_event_that_vanishes_from_a_calendar_among_the_files(folder, rows):
    path = folder / "cal.ics"
    write(path, calendar(event("a"), event("b"), event("c")))
    sync(folder, rows)
    write(path, calendar(event("a"), event("c", "changed")), at=RESTED + 1)
    changes, _ = sync(folder, rows)
    assert deleted(changes) == [("cal.ics#b", None)]
    assert ids(changes, Changed) == ["cal.ics#c"]
    assert sum(change.count for change in changes if isinstance(change, Unchanged)) == 13


def test_deletions_that_were_refused_are_remembered(tmp_path, rows):
    root = tmp_path / "n"
    write(root / "cal.ics", calendar(*(event(f"u{number}") for number in range(10))))
    sync(root, rows)
    write(root / "cal.ics", calendar(*(event(f"u{number}") for number in range(5))), at=RESTED + 1)
    for _ in range(2):
        with pytest.raises(Refused, match="5 of the 10"):
            sync(root, rows)
    changes, _ = sync(root, rows, is_deletion_confirmed=True)
    assert sorted(deleted(changes)) == [(f"cal.ics#u{number}", None) for number in range(5, 10)]
    changes, parse = sync(root, rows)
    assert (deleted(changes), parse.names) == ([], [])


def test_a_calendar_is_read_again_when_its_window_moves_on(tmp_path, rows):
    root = tmp_path / "n"
    write(root / "cal.ics", calendar(event("u", "Daily", "20250101T090000Z", "RRULE:FREQ=DAILY")))
    write(root / "once.ics", calendar(event("v")))
    sync(root, rows)
    with clock.use(TODAY + timedelta(days=400)):
        changes, parse = sync(root, rows)
        assert parse.parsed == ["cal.ics"]
        assert ids(changes, Changed) == ["cal.ics#u"]
        _, parse = sync(root, rows)
        assert parse.names == []


def test_a_single_file(tmp_path, rows):
    path = write(tmp_path / "lone.txt", "text")
    changes, _ = sync(path, rows)
    assert ids(changes, Added) == ["lone.txt"]
    _, parse = sync(path, rows)
    assert parse.names == []
    path.unlink()
    with pytest.raises(Unavailable):
        sync(path, rows)


def test_cursor_rows_that_make_no_sense_are_read_anew(folder, rows):
    sync(folder, rows)
    damaged = dict(rows.items())
    damaged["note 1.md"] = "{not json"
    damaged["note 2.md"] = '{"v": 99}'
    damaged["note 3.md"] = "[]"
    changes, parse = sync(folder, CursorRows(damaged))
    assert parse.names == ["note 1.md", "note 2.md", "note 3.md"]
    assert len(ids(changes, Added)) == 3


def test_a_row_stays_small(folder, rows):
    sync(folder, rows)
    assert max(len(row) for _, row in rows.items()) < 200


def test_warnings_name_their_file(folder, rows):
    write(folder / "bad.md", "---\n[[[{{{\n---\nx\n")
    changes, _ = sync(folder, rows)
    assert any(str(change.text).startswith("bad.md: ") for change in changes if isinstance(change, Warned))


def test_a_moved_cursor_follows_what_it_covers(folder, rows):
    waiting = None
    for change in FilesSource(context(folder)).changes(rows, Never()):
        if isinstance(change, Added):
            waiting = change.entry.native_id
        elif isinstance(change, CursorMoved):
            assert list(change.rows) == [waiting]
