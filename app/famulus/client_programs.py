"""The programs that can be connected: where each keeps which servers it uses, and how Famulus is put there.

The table is resources/clients/programs.toml. Everything here blocks on the disk: off the loop, please.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.domain.clients import ClientProgram
from app.domain.errors import BadInput, Unreadable
from app.domain.text import msg
from app.famulus.json_pieces import NotJson, with_value
from app.famulus.toml_pieces import NotToml, shown, with_table
from app.runtime import environment
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.text import Text

SERVER = "famulus"
"""By which name a program knows us."""
_BACKUP = ".before-famulus"
_MOST_BYTES = 64 << 20
_MOST_TRIES = 5
_SYSTEMS = {"win32": "windows", "darwin": "macos"}


Mark = tuple[int, int, int]


class TouchedMeanwhileError(Exception):
    """Somebody else wrote the file since it was read."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program of the table, on this system."""

    program_id: str
    name: str
    path: Path
    present: Path
    is_toml: bool
    keys: tuple[str, ...]
    is_list: bool
    extra: Mapping[str, Any]

    @property
    def info(self) -> ClientProgram:
        """As a shell shows it."""
        return ClientProgram(self.program_id, self.name, str(self.path), self.present.exists())

    def server(self, command: Sequence[str], token: str | None = None) -> dict[str, Any]:
        """What the program has to know of us."""
        env = {} if token is None else {environment.CLIENT_TOKEN: token}
        if self.is_list:
            return {**self.extra, "command": list(command), **({"environment": env} if env else {})}
        return {**self.extra, "command": command[0], "args": list(command[1:]), **({"env": env} if env else {})}

    def piece(self, server: Mapping[str, Any]) -> str:
        """A configuration that holds nothing else, for a person to put in place."""
        if self.is_toml:
            return shown((*self.keys, SERVER), server).rstrip()
        found: dict[str, Any] = {SERVER: dict(server)}
        for key in reversed(self.keys):
            found = {key: found}
        return json.dumps(found, indent=2, ensure_ascii=False)

    def changed(self, server: Mapping[str, Any]) -> str:
        """The configuration as it would be; raises `Unreadable` for one that cannot be changed."""
        try:
            text = self._text()
            path = (*self.keys, SERVER)
            return with_table(text, path, server) if self.is_toml else with_value(text, path, server)
        except (NotJson, NotToml, UnicodeDecodeError):
            raise self._unreadable(
                msg(
                    "The configuration of {program} cannot be understood: {path}",
                    program=self.name,
                    path=str(self.path),
                )
            ) from None
        except OSError:
            raise self._unreadable(
                msg("The configuration of {program} cannot be read: {path}", program=self.name, path=str(self.path))
            ) from None

    def put(self, server: Mapping[str, Any]) -> Path | None:
        """Put Famulus into the configuration, also of a program that writes it meanwhile; returns as `write` does.

        Raises:
            Unreadable: it cannot be changed or written, and is as it was.
        """
        for _ in range(_MOST_TRIES):
            seen = _mark(self.path)
            try:
                return self.write(self.changed(server), seen)
            except TouchedMeanwhileError:
                continue
        raise self._unreadable(
            msg("{program} writes its configuration all the time: {path}", program=self.name, path=str(self.path))
        )

    def write(self, text: str, seen: Mark | None = None) -> Path | None:
        """Put a configuration in place; returns the copy of what was there first, if this call made one.

        Args:
            seen: how the file was when it was read; None: as it is now.

        Raises:
            Unreadable: it cannot be written, and is as it was. TouchedMeanwhileError: it is no longer as it was seen.
        """
        seen = _mark(self.path) if seen is None else seen
        try:
            place = Path(os.path.realpath(self.path))  # a link stays one
            _refuse_kept_still(place)
            place.parent.mkdir(parents=True, exist_ok=True)
            backup = _keep_first(place)
            _replace(place, text.encode("utf-8"), seen)
        except OSError:
            raise self._unreadable(
                msg("The configuration of {program} cannot be written: {path}", program=self.name, path=str(self.path))
            ) from None
        return backup

    def _text(self) -> str:
        if not self.path.exists():
            return ""
        if not self.path.is_file() or self.path.stat().st_size > _MOST_BYTES:
            raise OSError
        return self.path.read_bytes().decode("utf-8")

    def _unreadable(self, what: Text) -> Unreadable:
        return Unreadable(
            what,
            lost=msg("It was left as it is."),
            next_step=msg(
                "Put the piece in yourself: famulus clients connect NAME --program {id} --print", id=self.program_id
            ),
        )


def programs() -> list[Program]:
    """All that are known, on this system."""
    return [_program(row) for row in resource_table("clients", "programs.toml")["program"]]


def program_called(program_id: str) -> Program:
    """One of them; raises `BadInput`."""
    known = programs()
    for program in known:
        if program.program_id == program_id.strip().casefold():
            return program
    raise BadInput(
        msg("No program {name} is known.", name=program_id[:60]),
        next_step=msg(
            "Choose one of {names}; for another one, add a client and put its token where that program wants it.",
            names=", ".join(program.program_id for program in known),
        ),
    )


def _program(row: Mapping[str, Any]) -> Program:
    path = _place(row.get("path") or row[_SYSTEMS.get(sys.platform, "linux")])
    return Program(
        program_id=row["id"],
        name=row["name"],
        path=path,
        present=_place(row["present"]) if "present" in row else path.parent,
        is_toml=row["format"] == "toml",
        keys=tuple(row["keys"]),
        is_list=row.get("shape") == "list",
        extra=row.get("extra", {}),
    )


def _place(template: str) -> Path:
    try:
        folders = {"home": Path.home(), "config": environment.config_home(), "appdata": environment.roaming_home()}
    except RuntimeError:
        raise BadInput(
            msg("Nobody knows where your home folder is."), next_step=msg("Set HOME, then start Famulus anew.")
        ) from None
    return Path(template.format_map(folders))


def _refuse_kept_still(place: Path) -> None:
    """Raise OSError for a file that nobody is to write to: replacing it whole would get around that."""
    if place.exists() and not place.stat().st_mode & stat.S_IWUSR:
        raise PermissionError


def _keep_first(place: Path) -> Path | None:
    """Keep a copy of a file as it was before Famulus first changed it."""
    backup = place.with_name(place.name + _BACKUP)
    if not place.exists() or backup.is_file():
        return None
    handle = os.open(backup, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(place.read_bytes())
    return backup


def _mark(place: Path) -> Mark:
    """By what a file is known to be as it was; of one that cannot be looked at, that of none."""
    try:
        found = place.stat()
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns


def _refuse_touched(place: Path, seen: Mark) -> None:
    if _mark(place) != seen:
        raise TouchedMeanwhileError


def _replace(place: Path, data: bytes, seen: Mark) -> None:
    """Replace a file whole or not at all; who may read it stays as it is."""
    mode = place.stat().st_mode & 0o777 if place.exists() else 0o600
    draft = place.with_name(f".{place.name}.famulus-new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(mode)
        _refuse_touched(place, seen)
        draft.replace(place)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
