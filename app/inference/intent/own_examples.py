"""Adds an example to the person's routing table, keeping what they wrote around it (L3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import filelock
import tomlkit
from tomlkit.exceptions import TOMLKitError

from app.domain.errors import BadInput
from app.domain.text import msg
from app.inference.intent.features import language_of
from app.inference.intent.table import FILE, bad, extended, load_table
from app.runtime.paths import create_private, resource
from app.settings.file import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from tomlkit import TOMLDocument

_LINE = "\n"
_LOCK = ".routes.lock"


def add_example(config: Path, intent: str, example: str, *, is_new: bool = False) -> None:
    """Write one example into `routes.toml` in the folder of the settings.

    Args:
        config: that folder; made where it is missing.
        intent: an id of the table.
        example: what the person says for it.
        is_new: whether an intent that is not in the table is begun; else it is refused.

    Raises:
        BadInput: there is no such intent, the example is empty or stands elsewhere, or the file is wrong already.
        ReadOnly, DiskFull: the file cannot be written.
    """
    create_private(config)
    # Two at once would each write what they read before the other, and lose its example.
    with filelock.FileLock(config / _LOCK):
        _add(config / FILE, intent, example, is_new=is_new)


def _add(own: Path, intent: str, example: str, *, is_new: bool) -> None:
    table = load_table(resource("rules", FILE), own)
    if intent not in table.intents and not is_new:
        raise BadInput(
            msg("There is no intent “{intent}”.", intent=intent),
            next_step=msg("See the intents with `famulus routes list`, or begin one of your own with --new."),
        )
    text = own.read_text("utf-8-sig") if own.exists() else "format = 1" + _LINE
    changed = _with_example(text, intent, example)
    extended(load_table(resource("rules", FILE)), changed)  # whatever would be wrong is refused before it is written
    write_whole(own, changed.encode("utf-8"))


def _with_example(text: str, intent: str, example: str) -> str:
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise bad(msg("The file {name} is no valid TOML: {problem}.", name=FILE, problem=str(error))) from error
    row = _row(document, intent)
    language = language_of(example)
    if language not in row:
        row[language] = tomlkit.array().multiline(multiline=True)
    row[language].append(" ".join(example.split()))
    return tomlkit.dumps(document)


def _row(document: TOMLDocument, intent: str) -> Any:  # noqa: ANN401 - tomlkit's tables have no common type
    rows = document.get("intent")
    for row in rows or ():
        if row.get("id") == intent:
            return row
    row = tomlkit.table()
    row["id"] = intent
    if rows is None:
        rows = tomlkit.aot()
        document["intent"] = rows
    rows.append(row)
    return rows[-1]
