"""How a database is opened or made: by the keychain, a passphrase, or a clear refusal (DESIGN 4)."""

import os

import pytest

from app.cli import passphrase
from app.domain.errors import KeychainLocked, KeychainMissing, KeyMissing, Refused, WrongKey
from app.domain.text import Text
from app.famulus.api import LockState
from tests.unit.cli.conftest import status


def _error(kind, text="x"):
    return kind(Text(text), next_step=Text("."))


@pytest.fixture
def terminal(monkeypatch):
    """A person who answers what is asked, in order."""
    answers, questions = [], []
    monkeypatch.setattr(passphrase, "can_ask", lambda: True)

    def ask(question, *, is_new=False):
        questions.append((str(question), is_new))
        return answers.pop(0)

    monkeypatch.setattr(passphrase, "ask", ask)
    return type("Terminal", (), {"answers": answers, "questions": questions})


@pytest.fixture
def pipe():
    """A file descriptor that gives a line."""
    made = []

    def open_pipe(data):
        reading, writing = os.pipe()
        os.write(writing, data)
        os.close(writing)
        made.append(reading)
        return str(reading)

    yield open_pipe
    for descriptor in made:
        os.close(descriptor)


def test_an_open_database_is_used(shell, api):
    shell("search", "x")
    assert not api.asked("unlock")
    assert not api.asked("create")


def test_a_new_one_is_made_in_the_keychain(shell, api):
    api.answers["status"] = status(LockState.NEW)
    shell("search", "x")
    assert api.asked("create") == [((), {"passphrase": None})]
    assert "famulus key recovery" in shell.err
    assert "R-E-C" not in shell.out + shell.err, "the key itself is not for logs"


def test_a_given_passphrase_is_taken_even_where_there_is_a_keychain(shell, api, monkeypatch):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "open sesame")
    api.answers["status"] = status(LockState.NEW)
    shell("search", "x")
    assert api.asked("create") == [((), {"passphrase": "open sesame"})]


def test_without_keychain_and_person_there_is_no_database(shell, api):
    api.answers["status"] = status(LockState.NEW)
    api.answers["create"] = _error(KeychainMissing)
    shell("search", "x", expect=3)


def test_without_keychain_a_person_chooses_a_passphrase(shell, api, terminal):
    terminal.answers.append("chosen")
    api.answers["status"] = status(LockState.NEW)
    api.answers["create"] = lambda passphrase: _error(KeychainMissing) if passphrase is None else "R-E-C"
    shell("search", "x")
    assert "R-E-C" in shell.err, "a person sees the recovery key this once"
    assert api.asked("create")[-1] == ((), {"passphrase": "chosen"})
    assert terminal.questions[0][1], "a new passphrase is asked for twice"


def test_who_comes_second_uses_the_database_of_the_first(shell, api):
    api.answers["status"] = [status(LockState.NEW), status(LockState.OPEN)]
    api.answers["create"] = _error(Refused)
    shell("search", "x")
    assert api.asked("search")


def test_a_real_refusal_to_create_is_told(shell, api):
    api.answers["status"] = status(LockState.NEW)
    api.answers["create"] = _error(Refused, "really not")
    shell("search", "x", expect=3)
    assert "really not" in shell.err


def test_a_locked_one_is_opened_by_the_environment(shell, api, monkeypatch):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "open sesame")
    api.answers["status"] = status(LockState.PASSPHRASE_NEEDED)
    shell("search", "x")
    assert api.asked("unlock") == [((), {"passphrase": "open sesame"})]


@pytest.mark.parametrize("data", [b"open sesame\n", b"open sesame", b"open sesame\r\nmore\n"])
def test_a_locked_one_is_opened_by_a_descriptor(shell, api, pipe, monkeypatch, data):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "not this")
    api.answers["status"] = status(LockState.PASSPHRASE_NEEDED)
    shell("search", "x", "--passphrase-fd", pipe(data))
    assert api.asked("unlock") == [((), {"passphrase": "open sesame"})]


@pytest.mark.parametrize("data", [b"", b"\n", b"\xff\xfe\n", b"x" * 60_000 + b"y" * 20_000])
def test_a_descriptor_that_gives_no_passphrase(shell, api, tmp_path, data):
    api.answers["status"] = status(LockState.PASSPHRASE_NEEDED)
    path = tmp_path / "passphrase"
    path.write_bytes(data)
    with path.open("rb") as stream:
        shell("search", "x", "--passphrase-fd", str(stream.fileno()), expect=3)
    assert "no passphrase" in shell.err
    assert not api.asked("unlock")


@pytest.mark.parametrize("number", ["-1", "99999"])
def test_a_descriptor_that_does_not_exist(shell, api, number):
    api.answers["status"] = status(LockState.PASSPHRASE_NEEDED)
    shell("search", "x", f"--passphrase-fd={number}", expect=3)


def test_a_wrong_passphrase_is_told_and_not_asked_again(shell, api, monkeypatch, terminal):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "wrong")
    api.answers["status"] = status(LockState.PASSPHRASE_NEEDED)
    api.answers["unlock"] = _error(WrongKey, "does not fit")
    shell("search", "x", expect=3)
    assert "does not fit" in shell.err
    assert not terminal.questions
    assert not api.asked("search")


def test_nobody_to_ask_says_what_to_do(shell, api):
    api.answers["status"] = status(LockState.PASSPHRASE_NEEDED)
    shell("search", "x", expect=3)
    assert "FAMULUS_PASSPHRASE" in shell.err
    assert "--passphrase-fd" in shell.err


def test_a_person_has_three_attempts(shell, api, terminal):
    terminal.answers.extend(["a", "b", "c"])
    api.answers["status"] = status(LockState.PASSPHRASE_NEEDED)
    api.answers["unlock"] = lambda passphrase: None if passphrase == "c" else _error(WrongKey)
    shell("search", "x")
    terminal.answers.extend(["a", "b", "d"])
    shell("search", "x", expect=3)


@pytest.mark.parametrize("state", ["KEYCHAIN_LOCKED", "KEYCHAIN_MISSING", "KEY_MISSING", "FAILED"])
def test_what_the_keychain_says_is_passed_on(shell, api, state):
    api.answers["status"] = status(LockState[state])
    api.answers["unlock"] = _error(KeyMissing, "the keychain has no key")
    shell("search", "x", expect=3)
    assert "the keychain has no key" in shell.err
    api.answers["unlock"] = None
    shell("search", "x")


def test_status_opens_what_it_can_and_fails_at_nothing(shell, api, monkeypatch):
    api.answers["status"] = status(
        LockState.PASSPHRASE_NEEDED, lock_problem=Text("locked"), lock_next_step=Text("open")
    )
    shell("status")
    assert "locked" in shell.out
    assert not api.asked("unlock")
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "wrong")
    api.answers["unlock"] = _error(WrongKey, "does not fit")
    shell("status")
    assert "does not fit" in shell.err
    api.answers["status"] = status(LockState.NEW)
    shell("status")
    assert not api.asked("create")


def test_a_keychain_that_is_locked_makes_no_new_key(shell, api, monkeypatch):
    api.answers["status"] = status(LockState.NEW)
    api.answers["create"] = _error(KeychainLocked, "locked keychain")
    shell("search", "x", expect=3)
    assert "locked keychain" in shell.err


def test_a_question_on_a_terminal(monkeypatch):
    asked = []
    monkeypatch.setattr(passphrase, "can_ask", lambda: True)
    monkeypatch.setattr("click.prompt", lambda *args, **kwargs: asked.append((args, kwargs)) or "x")
    assert passphrase.ask(Text("Passphrase"), is_new=True) == "x"
    ((text,), options) = asked[0]
    assert text == "Passphrase"
    assert options["hide_input"]
    assert options["err"]
    assert options["confirmation_prompt"]


def test_pytest_is_no_terminal():
    assert not passphrase.can_ask()
