"""The main job on real input: collect, ask, agenda, in both languages."""

from __future__ import annotations

import pytest

# real processes on a machine that may be busy
pytestmark = pytest.mark.timeout(400)

NOW = "2025-05-12T09:00:00+08:00"


def test_a_folder_is_collected_and_answers_in_both_languages(cli, notes):
    source = cli.json("add", "files", str(notes))
    report = cli.json("sync")
    assert source["kind"] == "files"
    assert report[0]["added"] == 6
    assert report[0]["deleted"] == 0

    answer = cli.json("--now", NOW, "ask", "Who must finish the test report?")
    assert "Zhang San" in str(answer["answer"])
    assert answer["items"][0]["source_uri"].endswith("launch.md")
    assert answer["left_device"] is False

    answer = cli.json("--now", NOW, "ask", "什么时候交房租？")
    assert "一号" in str(answer["answer"])

    again = cli.json("sync")
    assert (again[0]["added"], again[0]["changed"], again[0]["deleted"], again[0]["unchanged"]) == (0, 0, 0, 6)


def test_nothing_found_is_an_answer(collected):
    answer = collected.json("--now", NOW, "ask", "How many moons does Jupiter have?")
    assert answer["items"] == []
    assert answer["route"] == "nothing"


def test_the_agenda_comes_from_structure(collected):
    wednesday = collected.json("--now", NOW, "agenda", "Wednesday")
    assert [item["title"] for item in wednesday] == ["项目晨会", "Dentist"]
    assert wednesday[1]["location"] == "Main Street 5"
    assert [item["title"] for item in collected.json("--now", NOW, "agenda", "周五")] == ["项目晨会"]
    assert collected.json("--now", NOW, "agenda", "2025-05-18") == []


def test_changes_and_deletions_are_told_apart(collected, collected_notes):
    (collected_notes / "garden.txt").write_text("The tulips in the garden bloom in April.\n", "utf-8")
    (collected_notes / "旅行.txt").unlink()
    report = collected.json("sync", "--confirm-deletions")[0]
    assert (report["added"], report["changed"], report["deleted"]) == (0, 1, 1)

    found = collected.json("search", "roses", "--include-stale")
    assert "roses" in found[0]["content"]
    assert found[0]["stale_reason"]
    assert not any("roses" in item["content"] for item in collected.json("search", "roses"))
    assert any("tulips" in item["content"] for item in collected.json("search", "tulips"))
    assert not any("西湖" in item["content"] for item in collected.json("search", "西湖"))


def test_import_prints_what_was_understood(cli, notes):
    lines = cli.run("import", "--json", str(notes / "旅行.txt")).stdout.splitlines()
    assert len(lines) == 1
    understood = __import__("json").loads(lines[0])
    assert "西湖" in understood["text"]
    assert understood["encoding"].lower() in {"gb18030", "gbk", "gb2312"}


def test_an_unreadable_file_is_refused_politely(cli, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnot really")
    done = cli.run("import", str(broken), expect=3)
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


def test_usage_errors_are_two(cli):
    cli.run("no-such-command", expect=2)
    cli.run("search", "--no-such-option", "x", expect=2)


def test_check_is_clean_and_quit_ends_the_owner(collected):
    assert collected.json("check")["is_clean"] is True
    pid = collected.owner_pid()
    collected.run("quit")
    assert collected.owner_pid() != pid


def test_two_at_once_have_one_owner(cli, notes):
    processes = [cli.start("--json", "import", str(notes)) for _ in range(4)]
    for process in processes:
        out, err = process.communicate(timeout=100)
        assert process.returncode == 0, (out[-500:], err[-500:])
    entries = cli.json("status")["counts"]["entries"]
    assert entries == 6
