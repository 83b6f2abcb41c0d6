"""The person's ranking.toml, as tuning writes it: its own numbers alone, everything else as the person left it (G2.8).

Beside it lies the file as it was before the first tuning (`ranking.before.toml`), from which a reset takes back exactly
the numbers that tuning wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.context.ranking import load_weights
from app.domain.errors import BadInput
from app.domain.text import msg
from app.domain.toml_text import read_toml
from app.settings.file import explain, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from app.context.ranking import Weights

FILE_NAME = "ranking.toml"
_BEFORE = "ranking.before.toml"
_TUNED = (
    ("final", "semantic"),
    ("final", "lexical"),
    ("final", "freshness"),
    ("final", "confidence"),
    ("time", "window_days"),
)


def tuned_numbers(weights: Weights) -> dict[str, float]:
    """The numbers that tuning may move, by their names in the file."""
    return {f"{table}.{name}": float(getattr(getattr(weights, table), name)) for table, name in _TUNED}


def write_tuned(shipped: Path, folder: Path, numbers: Mapping[str, float]) -> Weights:
    """Put numbers into the person's file; returns the weights that hold from now on.

    Args:
        folder: of the configuration. numbers: as `tuned_numbers` gives them.

    Raises:
        BadInput: the person's file cannot be read, or would not be valid with these numbers; it is as it was.
        DiskFull, ReadOnly, Unavailable: the same.
    """
    own = folder / FILE_NAME
    old = _bytes(own)
    document = _parsed(old)
    for place, value in numbers.items():
        table, _, name = place.partition(".")
        _set(document, table, name, value)
    # what lies there of an earlier tuning is of a file that the person removed since
    if not (folder / _BEFORE).exists() or not old.strip():
        write_whole(folder / _BEFORE, old)
    return _replaced(shipped, own, old, _dumped(document))


def reset_tuned(shipped: Path, folder: Path) -> Weights:
    """Take back what tuning wrote; returns the weights that hold from now on. Raises as `write_tuned`."""
    own, before = folder / FILE_NAME, folder / _BEFORE
    if not before.exists():
        return load_weights(shipped, own)
    old, document, earlier = _bytes(own), _parsed(_bytes(own)), _parsed(_bytes(before))
    for table, name in _TUNED:
        value = _table(earlier, table).get(name)
        if value is not None:
            _set(document, table, name, value)
        elif name in _table(document, table):
            del document[table][name]
            if not document[table]:
                del document[table]
    weights = _replaced(shipped, own, old, _dumped(document))
    try:
        before.unlink(missing_ok=True)
    except OSError as error:
        raise explain(error, before) from error
    return weights


def _replaced(shipped: Path, own: Path, old: bytes, new: bytes) -> Weights:
    """Write the file and read it; without any content there is none. What is not valid does not stay."""
    _put(own, new)
    try:
        return load_weights(shipped, own)
    except BadInput:
        _put(own, old)
        raise


def _put(own: Path, data: bytes) -> None:
    if data.strip():
        write_whole(own, data)
        return
    try:
        own.unlink(missing_ok=True)
    except OSError as error:
        raise explain(error, own) from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise explain(error, path) from error


def _parsed(data: bytes) -> Any:  # noqa: ANN401 - tomlkit's tables have no common type
    import tomlkit  # noqa: PLC0415 - costs 40 ms, and only a change needs it
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        text = data.decode("utf-8-sig")
        read_toml(text)  # what it refuses is slow, or breaks the other reader in ways of its own
        return tomlkit.parse(text)
    except (ValueError, TOMLKitError) as error:
        raise BadInput(
            msg("The file ranking.toml cannot be read."),
            next_step=msg("Mend the file ranking.toml in the configuration folder, or remove it."),
        ) from error


def _table(document: Any, name: str) -> Any:  # noqa: ANN401 - tomlkit's own types
    """A part of a file; empty where something else stands there."""
    found = document.get(name, {})
    return found if isinstance(found, dict) else {}


def _set(document: Any, table: str, name: str, value: object) -> None:  # noqa: ANN401 - tomlkit's own types
    if not isinstance(document.get(table, {}), dict):
        raise BadInput(
            msg("The file ranking.toml has an unknown part: {name}.", name=table),
            next_step=msg("Mend the file ranking.toml in the configuration folder, or remove it."),
        )
    if table not in document:
        import tomlkit  # noqa: PLC0415 - loaded by now

        document[table] = tomlkit.table()
    document[table][name] = value


def _dumped(document: Any) -> bytes:  # noqa: ANN401 - tomlkit's own types
    import tomlkit  # noqa: PLC0415 - loaded by now

    return tomlkit.dumps(document).encode("utf-8")
