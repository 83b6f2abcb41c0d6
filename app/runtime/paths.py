"""Where everything is on disk (DESIGN 4), and where the program's own resources are."""

from __future__ import annotations

import functools
import hashlib
import os
import stat
import sys
from pathlib import Path
from typing import Any

from app.domain.errors import Refused
from app.domain.text import msg
from app.runtime import environment
from app.settings.file import explain

_APP = Path(__file__).resolve().parent.parent
# sun_path has 104 bytes on macOS and 108 on Linux, with a closing zero
_SOCKET_PATH_BYTES = 103


class Paths:
    """The folders of one installation. With `basedir` all of them are under it; else where the system wants them.

    Args:
        basedir: the folder of `--basedir`; made absolute.
    """

    def __init__(self, basedir: Path | None = None) -> None:
        self.basedir = environment.expanded(basedir).absolute() if basedir is not None else None

    @property
    def data(self) -> Path:
        """The encrypted database and what belongs to it."""
        return self.basedir / "data" if self.basedir else _system("user_data_path")

    @property
    def config(self) -> Path:
        """The settings and rules that a person may edit."""
        return self.basedir / "config" if self.basedir else _system("user_config_path")

    @property
    def cache(self) -> Path:
        """What can be made again; nothing personal."""
        return self.basedir / "cache" if self.basedir else _system("user_cache_path")

    @property
    def models(self) -> Path:
        """The model packs: `FAMULUS_MODELS`, or a folder of the cache."""
        named = environment.models_folder()
        return environment.expanded(named).absolute() if named else self.cache / "models"

    @property
    def model_folders(self) -> tuple[Path, ...]:
        """Where model packs are looked for: `models`, and beside the installed program; only there if named."""
        named = environment.models_folder()
        return (self.models,) if named else (self.models, _program() / "share" / "famulus" / "models")

    @property
    def runtime_dir(self) -> Path:
        """The socket of the running process."""
        return self.basedir / "run" if self.basedir else _system("user_runtime_path")

    @property
    def log(self) -> Path:
        """The log file."""
        return self.data / "log" / "famulus.log"

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "famulus.toml"

    @property
    def identity(self) -> str:
        """A short name of this installation, the same as long as its data folder stays where it is."""
        return hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]

    def create(self) -> None:
        """Make the folders, for their owner alone; raises `ReadOnly` or `DiskFull`."""
        for folder in (self.data, self.config, self.cache, self.log.parent):
            create_private(folder)

    def socket(self) -> Path:
        """A path short enough for a Unix socket, in a folder that only its owner can enter.

        Raises:
            Refused: somebody else holds the folder of the last resort.
        """
        name = f"{self.identity}.sock"
        for folder in (self.runtime_dir, _last_resort()):
            if len(os.fsencode(folder / name)) <= _SOCKET_PATH_BYTES:
                create_private(folder)
                _check_private(folder)
                return folder / name
        raise Refused(
            msg("There is no folder with a path short enough for the socket of Famulus."),
            next_step=msg("Choose a shorter --basedir."),
        )


def create_private(folder: Path) -> None:
    """Make a folder, and those above it, for their owner alone; raises `ReadOnly`, `DiskFull` or `Unavailable`."""
    try:
        if folder.is_dir():
            return
        create_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise explain(error, folder) from error


@functools.cache
def resource(*parts: str) -> Path:
    """A file that comes with the program: beside the package in a source tree, inside it when installed."""
    inside = _APP / "_resources"
    root = inside if inside.is_dir() else _APP.parent / "resources"
    return root.joinpath(*parts)


def resource_table(*parts: str) -> dict[str, Any]:
    """A TOML file that comes with the program, read anew at every call: who asks keeps what was made of it."""
    import tomllib  # noqa: PLC0415 - `famulus --version` reads none

    return tomllib.loads(resource(*parts).read_text("utf-8"))


@functools.cache
def _system(kind: str) -> Path:
    import platformdirs  # noqa: PLC0415 - not needed with --basedir

    folder: Path = getattr(platformdirs.PlatformDirs("famulus", appauthor=False), kind)
    return folder


def _program() -> Path:
    """What the program was installed into: its virtual environment, or the folder of a stand-alone build."""
    return Path(getattr(sys, "_MEIPASS", sys.prefix))


def _last_resort() -> Path:
    """A short path for sockets when the runtime folder's is too long."""
    return Path("/tmp") / f"famulus-{os.getuid()}" if hasattr(os, "getuid") else Path.home()  # noqa: S108 - checked


def _check_private(folder: Path) -> None:
    """Refuse a folder that somebody else made: who owns it could stand in for us."""
    if sys.platform == "win32":
        return
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o022:
        raise Refused(
            msg("The folder {path} can be changed by somebody else.", path=str(folder)),
            next_step=msg("Remove it, or make it yours alone, then try again."),
        )
