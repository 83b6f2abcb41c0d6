"""How Famulus starts other processes of itself, from a source tree, an installation or a frozen program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.runtime import environment

if TYPE_CHECKING:
    from collections.abc import Mapping

_SOURCE_ROOT = Path(__file__).resolve().parents[2]
_DETACHED: list[subprocess.Popen[bytes]] = []


def own_command(*arguments: str) -> list[str]:
    """The command line that runs Famulus with `arguments`."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    # -P: a folder named "app" where the person stands must not be taken for ours.
    return [sys.executable, "-P", "-m", "app", *arguments]


def command_for_others() -> list[str]:
    """The command line by which another program, in whatever folder it stands, runs this Famulus."""
    if not getattr(sys, "frozen", False):
        script = Path(sys.executable).with_name("famulus.exe" if sys.platform == "win32" else "famulus")
        if script.is_file():
            return [str(script)]
    return own_command()


def with_own_package(variables: Mapping[str, str]) -> dict[str, str]:
    """An environment in which `own_command` finds this very package."""
    known = variables.get("PYTHONPATH")
    return {**variables, "PYTHONPATH": os.pathsep.join([str(_SOURCE_ROOT), *([known] if known else [])])}


def start_detached(arguments: list[str], *, folder: Path) -> subprocess.Popen[bytes]:
    """Start Famulus in the background: it outlives this process and its terminal, and reads from neither.

    What it prints before it calls `fall_silent` can be read from the returned process.

    Args:
        folder: its working folder; one that is never unmounted under it.
    """
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    process = subprocess.Popen(  # noqa: S603 - our own program, arguments as a list
        own_command(*arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=with_own_package(environment.for_own_process()),
        start_new_session=True,
        creationflags=flags,
    )
    _DETACHED.append(process)  # kept, so that its end is noticed and nobody warns of a forgotten child
    return process


def is_alive(process_id: int) -> bool:
    """Whether a process still holds anything; a dead one that nobody has asked about holds nothing.

    On Windows always False: who needs to know there waits for what the process holds.
    """
    if sys.platform == "win32":
        return False
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(process_id)


def fall_silent() -> None:
    """Point the standard streams of this process at nothing: who started it may be gone."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


def _is_zombie(process_id: int) -> bool:
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text("ascii", "replace")
    except OSError:
        return False
    return fields.rpartition(")")[2].split()[:1] == ["Z"]
