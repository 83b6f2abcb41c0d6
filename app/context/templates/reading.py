"""A TOML file as a template. What is wrong with it is said, with its place; nothing of it is then used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from app.context.templates.declaration import LANGUAGES, Field, Origin, Part, TaskChoice, Template
from app.domain.errors import BadInput
from app.domain.labels import EntryKind
from app.domain.text import msg
from app.domain.toml_text import read_toml
from app.policy.clients import is_in_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

    from app.domain.text import Text

LONGEST_FILE = 1 << 16
FEWEST, MOST = 8, 12
"""Candidates (G4.5)."""
_MOST_FIELDS, _MOST_PARTS, _LONGEST_WORDS = 12, 20, 4_000
_FEWEST_TOKENS, _MOST_TOKENS = 200, 20_000
_LONGEST_NAME = 60
_NOT_IN_NAMES = frozenset(".()")
_LONGEST_BLANK = 31
_PLACE = re.compile(r"\{([^{}]{0,40})\}")
COMPUTED = frozenset({"agenda", "people"})
"""Names in a query that are no fields: the titles of the agendas above, and who takes part in them."""
_PART = {"from", "window", "after", "kinds", "share", "tasks", "cite", "needs", "needs_word", "heading", "query"}
E = TypeVar("E", bound="StrEnum")


def read_template(name: str, data: bytes, *, is_own: bool) -> Template:
    """Read a file.

    Args:
        name: of the file without its ending; the template's name.

    Raises:
        BadInput: it is no template; says what is wrong and where.
    """
    return _Reading(name).template(data, is_own=is_own)


def is_name(name: str) -> bool:
    """Whether a template can be called so, in any script: it begins with a letter or a figure."""
    fits = all(is_in_names(char) and char not in _NOT_IN_NAMES for char in name)
    return 0 < len(name) <= _LONGEST_NAME and fits and name[0].isalnum() and name == " ".join(name.split())


def _is_blank(name: str) -> bool:
    """Whether a blank can be called so: one word of any script."""
    return len(name) <= _LONGEST_BLANK and name.isidentifier() and all(is_in_names(char) for char in name)


class _Reading:
    """One file that is read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def template(self, data: bytes, *, is_own: bool) -> Template:
        if not is_name(self._name):
            self._bad(
                msg(
                    "A template's file is named with letters of any script, figures, spaces, - and _, {count} at most.",
                    count=_LONGEST_NAME,
                )
            )
        table = self._table(data)
        self._known(table, {"version", "scope", "candidates", "budget_tokens", *LANGUAGES, "field", "part"}, "")
        words = {language: self._section(table, language) for language in LANGUAGES if language in table}
        if not words:
            self._bad(msg("A template needs its words in one language at least: a part [en] or [zh]."))
        fields = tuple(self._field(one) for one in self._rows(table, "field", _MOST_FIELDS))
        names = {field.name for field in fields}
        parts = tuple(self._part(one, names) for one in self._rows(table, "part", _MOST_PARTS))
        if not parts:
            self._bad(msg("A template needs at least one [[part]]."))
        scope = table.get("scope")
        return Template(
            name=self._name,
            version=str(table.get("version", "own")),
            title={language: self._words(one, "title") for language, one in words.items()},
            meaning={language: self._words(one, "meaning") for language, one in words.items()},
            instructions={language: self._words(one, "instructions") for language, one in words.items()},
            fields=fields,
            parts=parts,
            scope=None if scope is None else self._words(table, "scope"),
            candidates=self._number(table, "candidates", MOST, (FEWEST, MOST)),
            budget_tokens=self._number(table, "budget_tokens", 3_000, (_FEWEST_TOKENS, _MOST_TOKENS)),
            is_own=is_own,
        )

    def _table(self, data: bytes) -> dict[str, Any]:
        if len(data) > LONGEST_FILE:
            self._bad(msg("The file is too big for a template."))
        try:
            return read_toml(data.decode("utf-8-sig"))
        except ValueError:
            self._bad(msg("The file is no TOML."))

    def _field(self, row: Mapping[str, Any]) -> Field:
        self._known(row, {"name", "required", "default", *LANGUAGES}, "field")
        name = self._words(row, "name")
        if not _is_blank(name) or name in COMPUTED:
            self._bad(msg("A field cannot be named {name}.", name=name))
        meaning = {language: self._words(row, language) for language in LANGUAGES if language in row}
        return Field(name, meaning or {"en": name}, bool(row.get("required", False)), str(row.get("default", "")))

    def _part(self, row: Mapping[str, Any], names: set[str]) -> Part:
        self._known(row, _PART, "part")
        kinds = row.get("kinds", [])
        if not isinstance(kinds, list):
            self._bad(msg("{name} is not a list.", name="part.kinds"))
        window, needs = str(row.get("window", "")), str(row.get("needs", ""))
        query = self._by_language(row, "query")
        for text in (*query.values(), window):
            unknown = [name for name in _PLACE.findall(text) if name not in names | COMPUTED]
            if unknown:
                self._bad(msg("There is no field {name}.", name=unknown[0]))
        if needs and needs not in names:
            self._bad(msg("There is no field {name}.", name=needs))
        origin = self._choice(Origin, row.get("from"), "part.from")
        if origin in {Origin.SEARCH, Origin.WHOLE, Origin.FACTS, Origin.ANSWER} and not query:
            self._bad(msg("A part from {origin} needs a query.", origin=origin.value))
        return Part(
            heading=self._by_language(row, "heading"),
            origin=origin,
            query=query,
            window=window,
            kinds=tuple(self._choice(EntryKind, kind, "part.kinds") for kind in kinds),
            share=self._number(row, "share", 0, (0, MOST)),
            tasks=self._choice(TaskChoice, row.get("tasks", "open"), "part.tasks"),
            must_cite=bool(row.get("cite", True)),
            needs=needs,
            needs_word=bool(row.get("needs_word", False)),
            is_after=bool(row.get("after", False)),
        )

    def _by_language(self, row: Mapping[str, Any], key: str) -> dict[str, str]:
        """A text, or one for each language."""
        value = row.get(key, {})
        if isinstance(value, str):
            return {LANGUAGES[0]: self._words(row, key)} if value else {}
        if not isinstance(value, dict) or value.keys() - set(LANGUAGES):
            self._bad(msg("{name} is no text.", name=f"part.{key}"))
        return {language: self._words(value, language) for language in LANGUAGES if language in value}

    def _section(self, table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        section = table[key]
        if not isinstance(section, dict):
            self._bad(msg("{name} is no part of a template.", name=key))
        self._known(section, {"title", "meaning", "instructions"}, key)
        return section

    def _rows(self, table: Mapping[str, Any], key: str, most: int) -> list[Mapping[str, Any]]:
        rows = table.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self._bad(msg("{name} is not a list.", name=key))
        if len(rows) > most:
            self._bad(msg("There are too many of {name}; {most} at most.", name=key, most=most))
        return rows

    def _words(self, row: Mapping[str, Any], key: str) -> str:
        value = row.get(key)
        if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST_WORDS:
            self._bad(msg("{name} is missing, or is no text.", name=key))
        return value.strip()

    def _number(self, row: Mapping[str, Any], key: str, default: int, allowed: tuple[int, int]) -> int:
        value = row.get(key, default)
        low, high = allowed
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self._bad(msg("{name} has to be a number from {low} to {high}.", name=key, low=low, high=high))
        return value

    def _choice(self, kind: type[E], value: object, place: str) -> E:
        try:
            return kind(str(value))
        except ValueError:
            known = ", ".join(one.value for one in kind)
            self._bad(msg("{name} has to be one of: {known}.", name=place, known=known))

    def _known(self, row: Mapping[str, Any], names: set[str], place: str) -> None:
        unknown = sorted(str(key) for key in row.keys() - names)
        if unknown:
            self._bad(msg("A template has no {name}.", name=f"{place}.{unknown[0]}".strip(".")))

    def _bad(self, what: Text) -> NoReturn:
        raise BadInput(
            msg("The template {name} cannot be used: {reason}", name=self._name, reason=what),
            next_step=msg("Mend its file in the folder templates of the configuration, or remove it."),
        )
