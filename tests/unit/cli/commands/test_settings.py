import pytest

from app.domain.errors import BadInput
from app.domain.text import Text
from app.famulus.client import RemoteFamulus
from app.settings.declarations import DECLARATIONS


def test_list(shell, basedir):
    listed = shell.json("settings", "list")
    assert [row["name"] for row in listed] == [setting.name for setting in DECLARATIONS]
    shell("settings", "set", "store.readers", "5")
    assert "store.readers = 5*" in shell("settings", "list")
    (basedir / "config" / "famulus.toml").write_text("[store]\nreaders = 99\n")
    shell("settings", "list")
    assert "store.readers cannot be 99" in shell.err


def test_get(shell):
    assert shell("settings", "get", "store.readers") == "3\n"
    assert shell.json("settings", "get", "store.readers")["value"] == 3
    shell("settings", "get", "store.nothing", expect=3)


def test_set(shell, api):
    assert shell.json("settings", "set", "interface.theme", "dark")["value"] == "dark"
    assert shell("settings", "get", "interface.theme") == "dark\n"
    shell("settings", "set", "interface.theme", "pink", expect=3)
    assert "light" in shell.err
    assert not api.calls, "without a running Famulus none is started"


@pytest.fixture
def running(api, monkeypatch):
    class Remote:
        is_same_version = True

        def __init__(self):
            self.api = api

        async def close(self):
            api.calls.append(("closed", (), {}))

    async def connect(paths):
        return Remote()

    monkeypatch.setattr(RemoteFamulus, "connect", connect)
    return Remote


def test_set_tells_the_running_famulus(shell, api, running):
    shell("settings", "set", "store.readers", "5")
    assert api.asked("change_setting") == [(("store.readers", "5"), {})]
    assert "famulus quit" in shell.err
    shell("settings", "set", "interface.theme", "dark")
    assert shell.err == ""
    api.answers["change_setting"] = BadInput(Text("No."), next_step=Text("."))
    shell("settings", "set", "interface.theme", "dark", expect=3)
    assert len(api.asked("closed")) == 3


def test_set_beside_another_version_writes_the_file(shell, api, running):
    running.is_same_version = False
    shell("settings", "set", "interface.theme", "dark")
    assert not api.asked("change_setting")
    assert shell("settings", "get", "interface.theme") == "dark\n"


def test_help_lists_every_setting(shell, capsys):
    shell("settings", "set", "--help")
    printed = capsys.readouterr().out
    assert all(setting.name in printed for setting in DECLARATIONS)
