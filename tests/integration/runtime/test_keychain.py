"""The real keychain of a desktop, and the systems that have none (DESIGN 4)."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from app.domain.errors import KeychainLocked, KeychainMissing, KeyMissing
from app.runtime import secrets
from app.runtime.secrets import Keychain

ROOT = Path(__file__).resolve().parents[3]
BEGIN = """
import sys
from app.domain.errors import Expected
from app.runtime.secrets import Keychain
chain = Keychain("famulus-test", timeout_s=20)
def tell(work):
    try:
        print(work())
    except Expected as error:
        print(error.code)
"""
WAIT_FOR_SERVICE = """
import secretstorage, time
while True:
    try:
        if secretstorage.check_service_availability(secretstorage.dbus_init()):
            break
    except Exception:
        pass
"""
LOCK = """
import secretstorage
collection = secretstorage.get_default_collection(secretstorage.dbus_init())
collection.lock()
"""


def _run(script, environment):
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_secret_is_kept_given_and_forgotten(secret_service):
    script = (
        BEGIN
        + WAIT_FOR_SERVICE
        + """
tell(lambda: chain.get("key"))
tell(lambda: chain.set("key", "s3cret"))
tell(lambda: chain.get("key"))
tell(lambda: chain.set("key", "an0ther"))
tell(lambda: Keychain("famulus-test").get("key"))
tell(lambda: chain.delete("key"))
tell(lambda: chain.delete("key"))
tell(lambda: chain.get("key"))
"""
    )
    assert _run(script, secret_service) == [
        "key_missing", "None", "s3cret", "None", "an0ther", "None", "None", "key_missing",
    ]  # fmt: skip


def test_a_locked_keychain_says_so_and_keeps_nobody(secret_service):
    script = (
        BEGIN
        + WAIT_FOR_SERVICE
        + 'chain.set("key", "x")\n'
        + LOCK
        + """
chain = Keychain("famulus-test", timeout_s=5)
tell(lambda: chain.get("key"))
tell(lambda: chain.set("key", "y"))
"""
    )
    began_s = time.monotonic()
    assert _run(script, secret_service) == ["keychain_locked", "keychain_locked"]
    assert time.monotonic() - began_s < 40


def test_without_a_session_there_is_no_keychain(secret_service):
    environment = {name: value for name, value in secret_service.items() if name != "DBUS_SESSION_BUS_ADDRESS"}
    assert _run(BEGIN + 'tell(lambda: chain.get("key"))', environment) == ["keychain_missing"]


@pytest.mark.parametrize("backend", ["fail", "null"])
def test_a_keyring_that_keeps_nothing_safe_counts_as_none(secret_service, backend):
    environment = secret_service | {"PYTHON_KEYRING_BACKEND": f"keyring.backends.{backend}.Keyring"}
    assert _run(BEGIN + 'tell(lambda: chain.set("key", "x"))', environment) == ["keychain_missing"]


class Paper:
    """A backend that does what a test wants."""

    def __init__(self, get=lambda: None, put=lambda: None):
        self._get, self._put = get, put

    def get_password(self, service, name):
        return self._get()

    def set_password(self, service, name, secret):
        self._put()


def _raise(error):
    def work():
        raise error

    return work


@pytest.fixture
def backend(monkeypatch):
    def lay(**behaviour):
        monkeypatch.setattr(secrets, "_backend", lambda: Paper(**behaviour))

    return lay


def test_a_prompt_that_nobody_answers_has_a_limit(backend):
    import threading

    gate = threading.Event()
    backend(get=gate.wait)
    with pytest.raises(KeychainLocked, match="in time"):
        Keychain(timeout_s=0.05).get("key")
    gate.set()


def test_a_keychain_that_forgets_is_noticed(backend):
    backend(get=lambda: None)
    with pytest.raises(KeychainLocked, match="properly"):
        Keychain().set("key", "x")


def test_errors_of_backends_are_explained(backend):
    import keyring.errors

    for error, kind in (
        (keyring.errors.KeyringLocked(), KeychainLocked),
        (keyring.errors.NoKeyringError(), KeychainMissing),
        (keyring.errors.InitError("secret"), KeychainLocked),
        (RuntimeError("secret"), KeychainLocked),
    ):
        backend(get=_raise(error))
        with pytest.raises(kind) as caught:
            Keychain().get("key")
        assert "secret" not in str(caught.value)


def test_a_key_that_is_not_there(backend):
    backend()
    with pytest.raises(KeyMissing) as caught:
        Keychain().get("key")
    assert "--recovery" in str(caught.value.next_step)


def test_a_prompt_that_nobody_answers_is_waited_for_once(monkeypatch):
    answered = threading.Event()
    monkeypatch.setattr(secrets, "_backend", lambda: Paper(get=answered.wait))
    monkeypatch.setattr(secrets, "_BEHIND_A_PROMPT_S", 0.05)
    chain = Keychain(timeout_s=0.5)
    began_s = time.monotonic()
    for _ in range(8):
        with pytest.raises(KeychainLocked):
            chain.get("key")
    assert time.monotonic() - began_s < 3
    answered.set()
    while chain._under_way:
        time.sleep(0)
    monkeypatch.setattr(secrets, "_backend", lambda: Paper(get=lambda: time.sleep(0.2) or "x"))
    assert chain.get("key") == "x"
