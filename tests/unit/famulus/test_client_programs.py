"""Where programs keep which servers they use, and how Famulus is put there."""

from __future__ import annotations

import json
import sys
import tomllib

import pytest

from app.domain.errors import BadInput, Unreadable
from app.famulus.client_programs import program_called, programs
from app.famulus.json_pieces import with_value

COMMAND = ["/usr/bin/famulus", "mcp", "--client", "Desk"]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "roaming"))
    return tmp_path


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_every_program_has_a_place_on_every_system(home, monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    found = programs()
    assert {"claude-desktop", "claude-code", "cursor", "vscode", "windsurf", "zed", "codex"} <= {
        program.program_id for program in found
    }
    for program in found:
        assert program.path.is_relative_to(home)
        assert "{" not in str(program.path)
        assert not program.info.is_present


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.program_id)
def test_a_server_is_written_as_the_program_wants_it(program):
    program = program_called(program.program_id.upper())
    assert program.write(program.changed(program.server(COMMAND))) is None
    text = program.path.read_text("utf-8")
    found = tomllib.loads(text) if program.is_toml else json.loads(text)
    for key in program.keys:
        found = found[key]
    (server,) = found.values()
    words = server["command"] if program.is_list else [server["command"], *server["args"]]
    assert words == COMMAND
    assert text.rstrip() == program.piece(program.server(COMMAND))
    assert "FAMULUS_CLIENT_TOKEN" in program.piece(program.server(COMMAND, "fam_x"))


def test_what_was_there_is_kept_once(home):
    program = program_called("cursor")
    program.path.parent.mkdir()
    program.path.write_text('{"mine": 1}', "utf-8")
    program.path.chmod(0o640)
    backup = program.write(program.changed(program.server(COMMAND)))
    assert backup is not None
    assert program.write(program.changed(program.server(["/other"]))) is None
    assert backup.read_text("utf-8") == '{"mine": 1}'
    assert json.loads(program.path.read_text("utf-8"))["mine"] == 1
    assert sorted(path.name for path in program.path.parent.iterdir()) == ["mcp.json", "mcp.json.before-famulus"]
    if sys.platform != "win32":
        assert program.path.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_stays_a_link(home):
    program = program_called("cursor")
    program.path.parent.mkdir()
    real = home / "dotfiles.json"
    real.write_text("{}", "utf-8")
    program.path.symlink_to(real)
    program.write(program.changed(program.server(COMMAND)))
    assert program.path.is_symlink()
    assert "mcpServers" in real.read_text("utf-8")


@pytest.mark.parametrize("data", [b"nonsense", b"\xff\xfe", b"[]", b'{"mcpServers": 1}'])
def test_what_cannot_be_understood_is_left_as_it_is(data):
    program = program_called("cursor")
    program.path.parent.mkdir()
    program.path.write_bytes(data)
    with pytest.raises(Unreadable):
        program.changed(program.server(COMMAND))
    assert program.path.read_bytes() == data


def test_a_folder_in_its_place_is_refused():
    program = program_called("cursor")
    program.path.mkdir(parents=True)
    with pytest.raises(Unreadable):
        program.changed(program.server(COMMAND))


def test_what_nobody_is_to_write_to_is_left_as_it_is():
    program = program_called("cursor")
    program.path.parent.mkdir()
    program.path.write_text('{"mine": 1}', "utf-8")
    program.path.chmod(0o444)
    with pytest.raises(Unreadable):
        program.write(program.changed(program.server(COMMAND)))
    assert program.path.read_text("utf-8") == '{"mine": 1}'
    assert [one.name for one in program.path.parent.iterdir()] == [program.path.name]


def test_without_room_for_a_copy_nothing_is_changed():
    program = program_called("cursor")
    program.path.parent.mkdir()
    program.path.write_text('{"mine": 1}', "utf-8")
    program.path.with_name(program.path.name + ".before-famulus").mkdir()
    with pytest.raises(Unreadable):
        program.write(program.changed(program.server(COMMAND)))
    assert program.path.read_text("utf-8") == '{"mine": 1}'


@pytest.mark.parametrize("times", [1, 99])
def test_what_the_program_itself_writes_meanwhile_is_not_lost(monkeypatch, times):
    program = program_called("cursor")
    program.path.parent.mkdir()
    program.path.write_text('{"mine": 0}', "utf-8")
    writes = iter(range(1, times + 1))

    def changed(text, *rest):
        found = with_value(text, *rest)
        if (number := next(writes, None)) is not None:
            program.path.write_text(f'{{"mine": {number}, "more": "{"x" * number}"}}', "utf-8")
        return found

    monkeypatch.setattr("app.famulus.client_programs.with_value", changed)
    if times == 1:
        program.put(program.server(COMMAND))
        found = json.loads(program.path.read_text("utf-8"))
        assert (found["mine"], "famulus" in found["mcpServers"]) == (1, True)
    else:
        with pytest.raises(Unreadable, match="all the time"):
            program.put(program.server(COMMAND))
        assert "famulus" not in program.path.read_text("utf-8")
    assert not [one for one in program.path.parent.iterdir() if one.name.endswith("famulus-new")]


def test_an_unknown_program_is_refused():
    with pytest.raises(BadInput, match="No program"):
        program_called("../etc")
