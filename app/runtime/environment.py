"""The environment variables that Famulus reads, and what it hands on to the processes that it starts."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PASSPHRASE = "FAMULUS_PASSPHRASE"  # noqa: S105 - the name of a variable
CLIENT_TOKEN = "FAMULUS_CLIENT_TOKEN"  # noqa: S105 - the name of a variable
MODELS = "FAMULUS_MODELS"
_LANGUAGES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
_FOR_PARSING = ("PATH", "SYSTEMROOT", "PYTHONPATH", "TZ", "LANG", "LC_ALL")


def passphrase() -> str | None:
    """The passphrase of the database, where there is no keychain and no terminal."""
    return os.environ.get(PASSPHRASE) or None


def client_token() -> str | None:
    """The token of the client that a program asks as (G4.6)."""
    return os.environ.get(CLIENT_TOKEN) or None


def models_folder() -> str | None:
    """A folder of model packs to use instead of the one in the cache."""
    return os.environ.get(MODELS) or None


def wanted_languages() -> tuple[str, ...]:
    """The person's languages, best first, as the system writes them (`zh_CN.UTF-8`)."""
    for name in _LANGUAGES:
        if value := os.environ.get(name):
            return tuple(value.split(":"))
    return ()


def forbid_telemetry() -> None:
    """Keep onnxruntime from recording what it does, under an id of this device, and sending it to its maker.

    It does so by default (seen in 1.32: a database in the home folder's cache, and the address that it is sent to),
    and reads this variable when it is imported. Its function for the same purpose comes too late.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def has_screen() -> bool:
    """Whether there may be a screen: without one Qt ends the process when it starts, and says so to developers."""
    return sys.platform in {"win32", "darwin"} or any(map(os.environ.get, _SCREENS))


def config_home() -> Path:
    """Where programs of this system keep what a person set: Linux's folder, also where others have one like it."""
    named = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".config"


def roaming_home() -> Path:
    """Where programs of Windows keep what a person set."""
    return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")


def expanded(path: str | Path) -> Path:
    """A path whose `~` is the home folder; as it is where nobody knows that folder, as shells leave it."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def for_own_process() -> dict[str, str]:
    """The environment of another process of Famulus.

    All but the passphrase, which goes through `unlock` alone, and a client's token, which is nobody else's.

    The model folder is made absolute, since that process stands in another folder.
    """
    variables = {name: value for name, value in os.environ.items() if name not in {PASSPHRASE, CLIENT_TOKEN}}
    if MODELS in variables:
        variables[MODELS] = str(expanded(variables[MODELS]).absolute())
    return variables


def for_parsing() -> dict[str, str]:
    """The environment of a process that reads untrusted files: nothing that it could give away."""
    environment: Mapping[str, str] = os.environ
    return {name: environment[name] for name in _FOR_PARSING if name in environment}
