"""The border: global options, exit codes, and what people are told (DESIGN 6)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import __version__
from app.cli import program
from app.domain.errors import Bug, Refused, expected_types
from app.domain.text import Text, msg
from app.runtime import clock, translation

ROOT = Path(__file__).resolve().parents[3]


def test_without_a_command_the_desktop_app_starts(shell, wiring, basedir):
    shell()
    shell("--toggle")
    assert wiring.calls == [("desktop", basedir, False), ("desktop", basedir, True)]


@pytest.mark.parametrize(
    "arguments",
    [("--json", "status"), ("status", "--json"), ("--json", "status", "--json"), ("sources", "--json", "list")],
)
def test_global_options_stand_anywhere(shell, arguments):
    assert shell(*arguments)[0] in "{["


def test_the_later_global_option_wins(shell, wiring, tmp_path):
    shell("serve", "--basedir", str(tmp_path), "--idle-exit", "3")
    assert wiring.calls == [("serve", tmp_path, 3.0)]


def test_the_given_time_reaches_the_request(shell, api):
    times = []
    api.answers["agenda"] = lambda when: times.append(clock.now()) or []
    shell("agenda", "--now", "2025-05-12T09:30:00+08:00", "today")
    assert times[0].isoformat() == "2025-05-12T09:30:00+08:00"


@pytest.mark.parametrize(
    "arguments",
    [
        ("nope",),
        ("search",),
        ("search", "--nope", "x"),
        ("--now", "soon", "status"),
        ("--now", "0001-01-01T00:00:00+14:00", "status"),
        ("--now", "9999-12-31", "status"),
        ("search", "-k", "0", "x"),
        ("search", "-k", "201", "x"),
    ],
)
def test_wrong_use_is_two(shell, arguments):
    shell(*arguments, expect=2)
    assert "--help" in shell.err
    assert shell.out == ""


def test_a_group_without_a_command_says_which_there_are(shell):
    shell("settings", expect=2)
    assert "Change a setting" in shell.err
    assert shell.err.count("Usage: famulus settings") == 1, "nothing was misunderstood, and the help stands there once"


def test_wrong_use_in_json(shell):
    assert shell.json("nope", expect=2)["error"]["code"] == "usage"


@pytest.mark.parametrize("kind", expected_types().values(), ids=lambda kind: kind.code)
def test_every_expected_error_is_three_and_says_three_things(shell, api, kind):
    error = kind.__new__(kind)
    error.__init__(msg("What {x}.", x="happened"), lost=msg("Lost nothing."), next_step=msg("Do this."))
    api.answers["search"] = error
    shell("search", "x", expect=3)
    assert shell.err.splitlines() == ["What happened.", "Lost nothing.", "Do this."]
    assert shell.out == ""
    told = shell.json("search", "x", expect=3)
    assert told == {
        "error": {"code": kind.code, "what": "What happened.", "lost": "Lost nothing.", "next_step": "Do this."}
    }


def test_a_bug_is_one_and_tells_no_data(shell, api):
    api.answers["search"] = ValueError("zebrafish")
    shell("search", "x", expect=1)
    assert "ValueError" in shell.err
    assert "zebrafish" not in shell.err + shell.out
    told = shell.json("search", "x", expect=1)
    assert told["error"]["code"] == "bug"
    assert "zebrafish" not in str(told)


def test_a_bug_of_the_owner_points_to_its_log(shell, api, basedir):
    api.answers["search"] = Bug("zebrafish")
    shell("search", "x", expect=1)
    assert str(basedir / "data" / "log" / "famulus.log") in shell.err
    assert "zebrafish" not in shell.err


def test_ctrl_c_is_three(shell, api):
    api.answers["search"] = KeyboardInterrupt()
    shell("search", "x", expect=3)
    assert "Stopped" in shell.err


def test_who_stops_reading_is_no_error(shell, monkeypatch):
    def broken(*_):
        raise BrokenPipeError

    monkeypatch.setattr("app.cli.screen.Screen.say", broken)
    shell("search", "x")


def test_errors_are_translated(shell, api, monkeypatch):
    class Catalogue:
        def gettext(self, template):
            return {"No {x}.": "没有{x}。"}.get(template, template)

    api.answers["search"] = Refused(msg("No {x}.", x="y"), next_step=Text("."))
    monkeypatch.setattr(translation.gettext, "translation", lambda *_, **__: Catalogue())
    shell("search", "x", "--lang", "zh_CN", expect=3)
    assert "没有y。" in shell.err
    shell("--lang", "en", "search", "x", expect=3)
    assert "No y." in shell.err


def test_help_is_translated(shell, monkeypatch, capsys):
    class Catalogue:
        def gettext(self, template):
            return {"Find passages, best first.": "查找段落。", "Options": "选项", "Usage:": "用法："}.get(
                template, template
            )

    monkeypatch.setattr(translation.gettext, "translation", lambda *_, **__: Catalogue())
    shell("--lang", "zh_CN", "search", "--help")
    shown = capsys.readouterr().out
    assert shown.startswith("用法： famulus search")
    assert "查找段落" in shown
    assert "选项:" in shown


def test_the_language_of_the_settings_is_spoken(shell, basedir):
    shell("settings", "set", "interface.language", "zh_CN")
    shell("settings", "list")
    assert translation.language() == "zh_CN"


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "latin-1"])
def test_a_terminal_that_cannot_show_everything(shell, api, encoding):
    shell.encoding = encoding
    api.answers["search"] = Refused(Text("中文 café 🙂"), next_step=Text("."))
    shell("search", "x", expect=3)
    assert shell.json("search", "x", expect=3)["error"]["what"] == "中文 café 🙂"


def test_every_command_has_its_meaning_and_the_global_options():
    def walk(command, name):
        yield name, command
        for inner in getattr(command, "commands", {}).values():
            yield from walk(inner, f"{name} {inner.name}")

    commands = dict(walk(program.build(), "famulus"))
    assert len(commands) > 20
    for name, command in commands.items():
        assert command.help, name
        options = {option for parameter in command.params for option in parameter.opts}
        assert {"--basedir", "--now", "--json", "--lang", "--passphrase-fd"} <= options, name
        for parameter in command.params:
            assert parameter.help, (name, parameter.name)


def test_the_version_comes_without_the_house():
    script = (
        "import sys; sys.argv = ['famulus', '--version']; from app.__main__ import main; main();"
        "print(sorted(m for m in sys.modules if m.startswith('app') or m in "
        "('click', 'asyncio', 'numpy', 'logging', 'rich')))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"famulus {__version__}", "['app', 'app.__main__']"]


def test_the_command_line_loads_no_heavy_library():
    script = (
        "import sys; import app.cli.program; from app.cli.program import build; build();"
        "heavy = {'numpy', 'rich', 'faiss', 'onnxruntime', 'sqlcipher3', 'PySide6', 'keyring', 'tomlkit', 'psutil'};"
        "found = heavy & set(sys.modules); sys.exit(str(found) if found else 0)"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion(shell, name):
    assert "_FAMULUS_COMPLETE" in shell("completion", name)
    shell("completion", "tcsh", expect=2)


def test_completion_knows_settings_and_their_values(shell, monkeypatch, capsys):
    def complete(words):
        monkeypatch.setenv("_FAMULUS_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
        with pytest.raises(SystemExit):
            program.build().main([], prog_name="famulus")
        return capsys.readouterr().out

    assert "plain,interface.theme" in complete("famulus settings set interface.th")
    assert complete("famulus settings set interface.theme d").strip() == "plain,dark"
    assert "plain,true" in complete("famulus settings set sync.watch ")
    assert "plain,agenda" in complete("famulus ag")
    assert os.environ["_FAMULUS_COMPLETE"]


def test_no_argument_at_all_starts_the_desktop_app(wiring, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert program.run(wiring, []) == 0
    assert wiring.calls == [("desktop", None, False)]


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        ([], "auto"),
        (["--lang", "zh_CN", "status"], "zh_CN"),
        (["status", "--lang=en"], "en"),
        (["--lang"], ""),
    ],
)
def test_the_language_of_help_is_read_ahead(arguments, language):
    assert program._named_language(arguments) == language
