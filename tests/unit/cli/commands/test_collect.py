import json
import sys

import pytest

from app.domain.collecting import ImportReport, SkippedItem, SourceDraft, SyncReport
from app.domain.errors import DiskFull
from app.domain.labels import Sensitivity
from app.domain.text import Text
from tests.unit.cli.conftest import source, warn


def test_add(shell, api, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shell("add", "files", "notes", "--scope", "work", "--sensitivity", "confidential")
    draft = SourceDraft("files", str(tmp_path / "notes"), "work", Sensitivity.CONFIDENTIAL, options={})
    assert api.asked("add_source") == [((draft,), {})]
    assert "famulus sync s1" in shell.err
    added = shell.json("add", "ics", "https://example.org/a.ics", "--set", "user = mei", "--name", "Work")
    draft = SourceDraft("ics", "https://example.org/a.ics", name="Work", options={"user": "mei"})
    assert api.asked("add_source")[1] == ((draft,), {})
    assert (added["kind"], added["sensitivity"], added["created_at"]) == (
        "files",
        "confidential",
        "2025-05-12T09:30:00+08:00",
    )


def test_add_refuses_an_unknown_sensitivity(shell):
    shell("add", "files", ".", "--sensitivity", "top", expect=2)


def test_sync_all(shell, api):
    skipped = (SkippedItem("x.pdf", Text("It is broken.")),)
    api.answers["sync"] = [SyncReport("s1", 1, 2, 3, 4, skipped, (warn("empty"),))]
    shell("sync")
    assert shell.out == "s1: 1 added, 2 changed, 3 deleted, 4 unchanged, 1 skipped\n"
    assert "x.pdf: It is broken." in shell.err
    assert "Careful: empty" in shell.err
    (report,) = shell.json("sync", "--confirm-deletions")
    assert (report["added"], report["skipped"][0]["reason"], report["warnings"]) == (
        1,
        "It is broken.",
        ["Careful: empty"],
    )
    assert api.asked("sync")[1][1]["confirm_deletions"] is True
    assert not api.asked("wait_until_indexed")


def test_one_source_that_fails_does_not_hide_the_others(shell, api):
    failed = SyncReport("s2", problem=Text("It is gone."), next_step=Text("Connect it."))
    api.answers["sync"] = [SyncReport("s1", 1, 2, 3, 4), failed]
    shell("sync", expect=3)
    assert shell.out == "s1: 1 added, 2 changed, 3 deleted, 4 unchanged, 0 skipped\n"
    assert "s2: It is gone." in shell.err
    assert "Connect it." in shell.err


@pytest.mark.parametrize("word", ["s1", "Notes", "/notes"])
def test_sync_one_by_id_name_or_place(shell, api, word):
    api.answers["sources"] = [source(), source("s2", name="Other", location="/other")]
    shell("sync", word, "--wait")
    assert api.asked("sync")[0][0] == ("s1",)
    assert api.asked("wait_until_indexed")


def test_sync_one_that_is_not_there_or_not_one(shell, api):
    shell("sync", "nothing", expect=3)
    assert "nothing" in shell.err
    api.answers["sources"] = [source(), source("s2")]
    shell("sync", "Notes", expect=3)
    assert not api.asked("sync")


def test_sync_without_sources_says_what_to_do(shell, api):
    api.answers["sync"] = []
    shell("sync")
    assert "famulus add" in shell.err


def test_sync_where_all_is_paused_says_so(shell, api):
    api.answers["sync"] = []
    api.answers["sources"] = [source(is_paused=True)]
    shell("sync")
    assert "--resume" in shell.err
    assert "no source" not in shell.err


def test_import_prints_one_object_a_file(shell, api, tmp_path):
    paths = [tmp_path / name for name in ("a.md", "b.md")]
    for path in paths:
        path.write_text("x")
    api.answers["import_paths"] = lambda paths, **_: [
        ImportReport(paths[0], added=1, understood={"text": "中文\x1b[31m", "encoding": "gbk", "path": "wrong"}),
        ImportReport(paths[1], refusal=Text("It is broken."), warnings=(warn("x"),)),
    ]
    lines = shell("import", "--json", *map(str, paths)).splitlines()
    first, second = map(json.loads, lines)
    assert first["text"] == "中文\x1b[31m"
    assert "\x1b" not in lines[0]
    assert (first["encoding"], first["path"], first["added"], first["refusal"]) == ("gbk", str(paths[0]), 1, None)
    assert (second["refusal"], second["warnings"]) == ("It is broken.", ["Careful: x"])
    assert "understood" not in first
    assert f"{paths[1]}: It is broken." in shell.err


def test_import_that_is_refused_altogether_is_three(shell, api, tmp_path):
    path = tmp_path / "a.pdf"
    path.write_text("x")
    api.answers["import_paths"] = lambda paths, **_: [ImportReport(path, refusal=Text("No.")) for path in paths]
    shell("import", str(path), expect=3)
    assert "No." in shell.err
    missing = json.loads(shell("import", "--json", str(tmp_path / "gone.md"), expect=3))
    assert "no such file" in missing["refusal"]
    assert len(api.asked("import_paths")) == 1, "a path that is not there is not handed over"


@pytest.mark.skipif(sys.platform == "win32", reason="there a working folder cannot be removed")
def test_import_in_a_folder_that_is_gone(shell, api, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    shell("import", "x.md", expect=3)
    assert not api.asked("import_paths")
    monkeypatch.chdir(tmp_path)


def test_import_of_an_empty_folder_is_fine(shell, api, tmp_path):
    api.answers["import_paths"] = []
    shell("import", str(tmp_path))
    assert "0 files" in shell.out


def test_import_hands_over_many_paths_in_parts(shell, api, tmp_path, monkeypatch):
    monkeypatch.setattr("app.cli.commands.collect._PATHS_AT_ONCE", 2)
    paths = [tmp_path / str(n) for n in range(5)]
    for path in paths:
        path.write_text("x")
    shell("import", *map(str, paths), "--wait")
    assert [len(args[0]) for args, _ in api.asked("import_paths")] == [2, 2, 1]
    assert "5 files: 5 entries added" in shell.out
    assert len(api.asked("wait_until_indexed")) == 1


def test_import_that_fails_in_the_middle(shell, api, tmp_path):
    api.answers["import_paths"] = DiskFull(Text("No room."), next_step=Text("Free some."))
    shell("import", str(tmp_path), expect=3)


def test_sources_list(shell, api):
    api.answers["sources"] = [source(problem=Text("It is gone."), next_step=Text("Plug it in."))]
    shell("sources", "list")
    assert "s1  Notes  /notes" in shell.out
    assert "It is gone." in shell.out
    assert shell.json("sources", "list")[0]["next_step"] == "Plug it in."
    api.answers["sources"] = []
    shell("sources", "list")
    assert "famulus add" in shell.err


def test_sources_remove_wants_to_be_sure(shell, api, monkeypatch):
    shell("sources", "remove", "Notes", expect=3)
    assert "--yes" in shell.err
    assert not api.asked("remove_source")
    shell("sources", "remove", "Notes", "--yes")
    assert "7" in shell.out
    assert shell.json("sources", "remove", "s1", "--yes") == {"removed_entries": 7}
    monkeypatch.setattr("app.cli.passphrase.can_ask", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: "n")
    shell("sources", "remove", "s1", expect=3)
    assert len(api.asked("remove_source")) == 2
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: "y")
    shell("sources", "remove", "s1")
    assert len(api.asked("remove_source")) == 3
