import os

import pytest

from app.cli import passphrase
from app.famulus.api import LockState
from tests.unit.cli.conftest import status


@pytest.fixture
def descriptor(tmp_path):
    path = tmp_path / "secret"
    path.write_text("open sesame\n")
    number = os.open(path, os.O_RDONLY)
    yield str(number)
    os.close(number)


def test_recovery(shell, api):
    shell("key", "recovery")
    assert shell.out == "ABCD-EFGH\n"
    assert "keep it" in shell.err
    assert shell.json("key", "recovery") == {"recovery_key": "ABCD-EFGH"}


def test_recovery_replaces_an_older_one_only_when_sure(shell, api, monkeypatch):
    api.answers["status"] = status(has_recovery_key=True)
    shell("key", "recovery", expect=3)
    assert not api.asked("new_recovery_key")
    shell("key", "recovery", "--yes")
    monkeypatch.setattr(passphrase, "can_ask", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: "n")
    shell("key", "recovery", expect=3)
    assert len(api.asked("new_recovery_key")) == 1


def test_passphrase(shell, api, descriptor, monkeypatch):
    shell("key", "passphrase", expect=3)
    shell("key", "passphrase", "--new-passphrase-fd", descriptor)
    shell("key", "passphrase", "--remove")
    assert [args for args, _ in api.asked("set_passphrase")] == [("open sesame",), (None,)]
    shell("key", "passphrase", "--remove", "--new-passphrase-fd", descriptor, expect=2)
    monkeypatch.setattr(passphrase, "ask", lambda _, is_new: "typed" if is_new else None)
    shell("key", "passphrase")
    assert api.asked("set_passphrase")[-1] == (("typed",), {})


def test_unlock_by_passphrase(shell, api, monkeypatch):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "open sesame")
    api.answers["status"] = status(LockState.PASSPHRASE_NEEDED)
    shell("key", "unlock")
    assert api.asked("unlock") == [((), {"passphrase": "open sesame"})]


def test_unlock_by_recovery_key(shell, api, descriptor, monkeypatch):
    api.answers["status"] = status(LockState.KEY_MISSING)
    shell("key", "unlock", "--recovery-fd", descriptor)
    assert api.asked("unlock") == [((), {"recovery_key": "open sesame"})]
    shell("key", "unlock", "--recovery", expect=3)
    monkeypatch.setattr(passphrase, "ask", lambda _: " ")
    shell("key", "unlock", "--recovery", expect=3)
    monkeypatch.setattr(passphrase, "ask", lambda _: "ABCD")
    shell("key", "unlock", "--recovery")
    assert api.asked("unlock")[-1] == ((), {"recovery_key": "ABCD"})


def test_what_was_done_is_told_as_json(shell, descriptor):
    assert shell.json("key", "lock") == {"is_open": False}
    assert shell.json("key", "unlock") == {"is_open": True}
    assert shell.json("key", "passphrase", "--new-passphrase-fd", descriptor) == {"key": "passphrase"}
    assert shell.json("key", "passphrase", "--remove") == {"key": "keychain"}


def test_lock(shell, api):
    shell("key", "lock")
    assert api.asked("lock") == [((), {})]
    assert not api.asked("status")
