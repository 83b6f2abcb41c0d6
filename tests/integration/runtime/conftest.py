"""A Secret Service of our own: a private message bus, and a keyring daemon with an empty home."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

_PROGRAMS = ("dbus-daemon", "gnome-keyring-daemon")


@pytest.fixture
def secret_service(tmp_path_factory):
    """The environment of a desktop with an unlocked keychain; one for each test, since a test may lock it."""
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    home = tmp_path_factory.mktemp("home")
    environment = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ} | {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_RUNTIME_DIR": str(home),
    }
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], env=environment, stdout=subprocess.PIPE, text=True
    )
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
    keyring = subprocess.Popen(
        ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    keyring.stdin.write(b"test")
    keyring.stdin.close()
    yield environment
    for process in (keyring, bus):
        process.kill()
        process.wait()
        process.stdout.close()
