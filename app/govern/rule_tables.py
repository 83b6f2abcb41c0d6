"""Rule files that a person may add to: the shipped table, with what is theirs laid over it (G2.8).

What is made of a table (compiled patterns, sets of words) is kept until the table changes. Numbers of a person replace
the shipped ones; words are added to the shipped lists. Nothing else of a file can be changed, so that no file of theirs
can break a rule, only make it say more.
"""

from __future__ import annotations

import copy
import functools
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from app.domain.errors import BadInput, Expected
from app.domain.rules import RuleFile
from app.domain.text import msg
from app.domain.toml_text import NotToml, read_toml
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from app.domain.text import Text

T = TypeVar("T")
OPEN_TO_CHANGE = ("chunking", "understanding", "freshness")
"""The files that a person may add to, beside the labels (`rule_book`)."""
LONGEST_FILE = 1 << 16
_MOST_WORDS = 2_000
_LONGEST_WORD = 100
_MOST = 1_000_000
_laid_over: dict[str, dict[str, Any]] = {}
_turn = 0
"""Counts the changes of tables."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A shipped table with a person's own over it.

    Attributes:
        words: those that were added, case-folded. numbers: (name, before, after) of those that were changed.
    """

    table: Mapping[str, Any]
    words: frozenset[str] = frozenset()
    numbers: tuple[tuple[str, float, float], ...] = ()

    @property
    def version(self) -> str:
        """Of both together."""
        return str(self.table["version"])


def rule_table(name: str) -> Mapping[str, Any]:
    """The table in force."""
    return _laid_over.get(name) or resource_table("rules", f"{name}.toml")


def made_of_rules(make: Callable[[], T]) -> Callable[[], T]:
    """Keep what a function makes of the tables, until they change; what was begun before is not kept after."""
    kept: tuple[int, T] | None = None

    @functools.wraps(make)
    def made() -> T:
        nonlocal kept
        turn, known = _turn, kept
        if known is None or known[0] != turn:
            kept = known = (turn, make())
        return known[1]

    return made


def lay_over(name: str, overlay: Overlay | None) -> None:
    """Put a table in force, or (None) the shipped one."""
    global _turn  # noqa: PLW0603 - the rules in force are the process's, like its clock
    if overlay is None:
        _laid_over.pop(name, None)
    else:
        _laid_over[name] = dict(overlay.table)
    _turn += 1


def read_overlay(name: str, own: bytes) -> Overlay:
    """Read a person's file over the shipped table; an empty one changes nothing.

    Raises:
        BadInput: it is wrong; says where.
    """
    shipped = resource_table("rules", f"{name}.toml")
    text = text_of(name, own)
    if not text.strip():
        return Overlay(shipped)
    table = copy.deepcopy(shipped)
    words: set[str] = set()
    numbers: list[tuple[str, float, float]] = []
    for section, key, value in _changes(name, text, table):
        _lay(name, (section, key), table[section], value)
        before, after = shipped[section][key], table[section][key]
        if isinstance(after, list):
            words |= {word.casefold() for word in after[len(before) :]}
        elif after != before:
            numbers.append((f"{section}.{key}", before, after))
    if len(words) > _MOST_WORDS:
        _bad(name, msg("In {name}.toml, there are too many words; {most} at most.", name=name, most=_MOST_WORDS))
    table["version"] = f"{table['version']}+{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    if name == "chunking":
        _check_lengths(table["limits"])
    return Overlay(table, frozenset(words), tuple(numbers))


def state_of(name: str, own: Path, applied: str, wanted: Callable[[], str]) -> RuleFile:
    """Which rules are in force, and whether others wait.

    Args:
        own: the person's file. applied: the version in force. wanted: reads the file, and gives its version.
    """
    problem, version = None, applied
    try:
        version = wanted()
    except Expected as error:
        problem = error.what
    return RuleFile(name, version, applied, str(own), version != applied, problem)


def text_of(name: str, own: bytes) -> str:
    """The text of a person's file. Raises `BadInput`: it is too big, or no text."""
    if len(own) > LONGEST_FILE:
        _bad(name, msg("The file {name}.toml is too big.", name=name))
    try:
        return own.decode("utf-8-sig")
    except UnicodeDecodeError:
        _bad(name, msg("The file {name}.toml cannot be read.", name=name))


def _changes(name: str, text: str, table: Mapping[str, Any]) -> list[tuple[str, str, object]]:
    """What a file says: section, key, value; raises `BadInput` for what is no such file."""
    try:
        changes = read_toml(text)
    except NotToml:
        _bad(name, msg("The file {name}.toml cannot be read.", name=name))
    changes.pop("version", None)
    for section, values in changes.items():
        if not isinstance(table.get(section), dict) or not isinstance(values, dict):
            _unknown(name, section)
    return [(section, key, value) for section, values in changes.items() for key, value in values.items()]


def _lay(name: str, place: tuple[str, str], shipped: dict[str, Any], value: object) -> None:
    key = place[1]
    known = shipped.get(key)
    if isinstance(known, list) and all(isinstance(one, str) for one in known) and place[0] != "reading":
        if not isinstance(value, list) or not all(_is_word(one) for one in value):
            _bad(name, msg("In {name}.toml, {key} is not a list of words.", name=name, key=".".join(place)))
        words = dict.fromkeys(" ".join(word.lower().split()) for word in value)
        shipped[key] = [*known, *(word for word in words if word not in known)]
    elif isinstance(known, int | float) and not isinstance(known, bool):
        wanted, most = (int | float, 1.0) if isinstance(known, float) else (int, _MOST)  # a confidence, or a count
        if isinstance(value, bool) or not isinstance(value, wanted) or not 0 < value <= most:
            _bad(name, msg("In {name}.toml, {key} is not a number that makes sense.", name=name, key=".".join(place)))
        shipped[key] = value
    else:
        _unknown(name, ".".join(place))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= _LONGEST_WORD


def _check_lengths(limits: Mapping[str, Any]) -> None:
    if not 20 <= limits["floor"] < limits["soft"] <= limits["ceiling"] <= 500:  # noqa: PLR2004 - G2.3, and the model
        _bad("chunking", msg("In chunking.toml, the lengths have to be 20 <= floor < soft <= ceiling <= 500."))


def _unknown(name: str, part: str) -> NoReturn:
    shown = part[:_LONGEST_WORD]
    _bad(name, msg("The file {name}.toml has a part that cannot be changed: {part}.", name=name, part=shown))


def _bad(name: str, what: Text) -> NoReturn:
    raise BadInput(
        what, next_step=msg("Mend the file {name}.toml in the configuration folder, or remove it.", name=name)
    )
