"""The settings of one installation: read once, typed, and written back without losing a person's comments.

A bad value never stops Famulus: its default is used, and `problems` says so. A key that this version does not know is
kept. The file is not for secrets, and nothing here reads one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from app.domain.errors import BadInput, Expected, FromTheFuture
from app.domain.text import msg
from app.domain.toml_text import NotToml, read_toml
from app.settings.declarations import BY_NAME, DECLARATIONS, Setting
from app.settings.file import explain, write_whole
from app.settings.migrations import STEPS, VERSION_KEY, current_version, migrate, version_of

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from pathlib import Path

    from app.settings.migrations import Step

T = TypeVar("T")


def declaration(name: str) -> Setting[Any]:
    """Find a declaration by its name; raises `BadInput` for an unknown one."""
    try:
        return BY_NAME[name]
    except KeyError:
        raise BadInput(
            msg("There is no setting named {name}.", name=name),
            next_step=msg("`famulus settings list` shows them all."),
        ) from None


class Settings:
    """See the module docstring. Reading is safe from every thread; `change` is for one thread at a time."""

    def __init__(self, path: Path, *, steps: tuple[Step, ...] = STEPS) -> None:
        """Read the settings at `path`, which need not exist."""
        self._path = path
        self._steps = steps
        self._values: dict[str, object] = {}
        self._problems: tuple[Expected, ...] = ()
        self.reload()

    @property
    def path(self) -> Path:
        """The settings file."""
        return self._path

    @property
    def problems(self) -> tuple[Expected, ...]:
        """What was wrong with the file when it was last read."""
        return self._problems

    def get(self, setting: Setting[T]) -> T:
        """The value of a setting."""
        return cast("T", self._values.get(setting.name, setting.default))

    def text(self, name: str) -> str:
        """The value of a setting as a person would type it; raises `BadInput` for an unknown name."""
        setting = declaration(name)
        return setting.kind.show(self.get(setting))

    def is_default(self, setting: Setting[Any]) -> bool:
        """Whether the file says nothing (valid) about a setting."""
        return setting.name not in self._values

    def reload(self) -> None:
        """Read the file again."""
        problems: list[Expected] = []
        values: dict[str, object] = {}
        try:
            parsed = self._parse()
        except Expected as error:
            problems.append(error)
        else:
            if version_of(parsed) > current_version(self._steps):
                problems.append(self._too_new())
            migrate(parsed, self._steps)
            values = _understand(parsed, problems)
        self._values, self._problems = values, tuple(problems)

    def change(self, name: str, text: str) -> None:
        """Set a setting from text and write the file, with its comments and unknown keys kept.

        Raises:
            BadInput: an unknown name, a value that is not allowed, or a file that is no TOML; nothing was changed.
            FromTheFuture: the file belongs to a newer Famulus.
            DiskFull, ReadOnly, Unavailable: the file could not be written.
        """
        setting = declaration(name)
        try:
            value = setting.kind.parse(text)
        except ValueError:
            raise _bad_value(setting, text, kept=self.get(setting)) from None
        self._write(setting, value)
        self.reload()

    def _write(self, setting: Setting[Any], value: object) -> None:
        import tomlkit  # noqa: PLC0415 - costs 40 ms, and only a change needs it

        parsed = self._parse()  # raises for a file that must not be overwritten
        if version_of(parsed) > current_version(self._steps):
            raise self._too_new()
        document = tomlkit.parse(self._read())
        migrate(document, self._steps)
        if not isinstance(document.get(setting.section), dict):
            document[setting.section] = tomlkit.table()
        cast("MutableMapping[str, object]", document[setting.section])[setting.key] = value
        write_whole(self._path, tomlkit.dumps(document).encode())

    def _read(self) -> str:
        try:
            return self._path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise explain(error, self._path) from error
        except UnicodeDecodeError:
            raise self._not_toml("-") from None

    def _parse(self) -> dict[str, Any]:
        try:
            return read_toml(self._read())
        except NotToml as error:
            raise self._not_toml(str(error)) from None

    def _not_toml(self, reason: str) -> BadInput:
        return BadInput(
            msg("The settings file {path} is not valid TOML ({reason}).", path=str(self._path), reason=reason),
            lost=msg("Nothing was lost; the defaults are used until it is mended."),
            next_step=msg("Mend the file, or move it away to start from the defaults."),
        )

    def _too_new(self) -> FromTheFuture:
        return FromTheFuture(
            msg("The settings file {path} was written by a newer Famulus.", path=str(self._path)),
            next_step=msg("Update Famulus; until then it reads what it knows and does not change the file."),
        )


def _understand(parsed: dict[str, Any], problems: list[Expected]) -> dict[str, object]:
    """Take the known and valid values out of a parsed file; tell of the rest in `problems`."""
    values: dict[str, object] = {}
    for setting in DECLARATIONS:
        table = parsed.get(setting.section)
        if not isinstance(table, dict) or setting.key not in table:
            continue
        try:
            values[setting.name] = setting.kind.check(table[setting.key])
        except ValueError:
            problems.append(_bad_value(setting, str(table[setting.key]), kept=setting.default))
    problems.extend(_unknown_key(name) for name in _names_in(parsed) if name not in BY_NAME)
    return values


def _names_in(parsed: dict[str, Any]) -> list[str]:
    names: list[str] = []
    for section, table in parsed.items():
        if isinstance(table, dict):
            names.extend(f"{section}.{key}" for key in table)
        elif section != VERSION_KEY:
            names.append(section)
    return names


def _bad_value(setting: Setting[Any], text: str, *, kept: object) -> BadInput:
    return BadInput(
        msg("The setting {name} cannot be {value}.", name=setting.name, value=text),
        lost=msg("Nothing was lost; {value} is used.", value=setting.kind.show(kept)),
        next_step=msg("Allowed is {allowed}.", allowed=setting.kind.allowed),
    )


def _unknown_key(name: str) -> BadInput:
    return BadInput(
        msg("The settings file has a key that this version does not know: {name}.", name=name),
        lost=msg("Nothing was lost; the key is kept."),
        next_step=msg("`famulus settings list` shows the names that exist."),
    )
