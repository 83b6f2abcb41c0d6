"""The routing table: what people say for each intent, and what an intent needs (L3.3).

The table that comes with Famulus is `resources/rules/routes.toml`; a person's own, `routes.toml` in the folder of the
settings, adds examples to its intents and intents of its own. The person's file is checked as strictly as one's own
words deserve: what is wrong is said with the intent, or the line, where it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.domain.errors import BadInput
from app.domain.intents import Intent, ModelTier, SlotKind
from app.domain.text import msg
from app.domain.toml_text import NotToml, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from app.domain.text import Text

FORMAT = 1
FILE = "routes.toml"
LANGUAGES = ("en", "zh", "other")
LONGEST_EXAMPLE = 300
MOST_EXAMPLES = 10_000
"""In all; each takes about 4 KB of memory, and the fit grows with the cube of their number."""
MOST_INTENTS = 1_000
_LARGEST_FILE = 4_000_000
_NEWLINE = "\n"
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TOOL = re.compile(r"[a-z][a-z0-9_]{0,39}(?:\.[a-z][a-z0-9_]{0,39}){0,3}")
_FIELDS = frozenset({"id", "about", "acts", "tier", "tools", "slots", *LANGUAGES})
_TOP = frozenset({"format", "intent", "out_of_scope"})
_OUTSIDE = frozenset({"intent", *LANGUAGES})


@dataclass(frozen=True, slots=True)
class RouteTable:
    """All intents, and what belongs to none.

    Attributes:
        outside: the intent that all else falls to (free conversation); None: every text is given its best intent.
        outside_examples: what people say that no intent is for, by language.
    """

    intents: Mapping[str, Intent]
    outside: str | None
    outside_examples: Mapping[str, tuple[str, ...]]

    def examples(self) -> list[tuple[str, str]]:
        """Every example once, as text and intent; those that belong to no intent with `outside`."""
        found: dict[str, str] = {}
        for intent in self.intents.values():
            for texts in intent.examples.values():
                found.update(dict.fromkeys(texts, intent.id))
        if self.outside is not None:
            for texts in self.outside_examples.values():
                for text in texts:
                    found.setdefault(text, self.outside)
        return list(found.items())


def load_table(shipped: Path, own: Path | None = None) -> RouteTable:
    """Read a table and, where there is one, the person's additions to it.

    Raises:
        BadInput: a file cannot be read, or something in it is wrong; says what, and where.
    """
    table = _table(_parsed(_text_of(shipped), shipped.name), {})
    if own is None or not own.exists():
        return table
    return extended(table, _text_of(own))


def extended(table: RouteTable, own: str) -> RouteTable:
    """A table with what stands in the person's file `own`; raises `BadInput`."""
    return _merged(table, _table(_parsed(own, FILE), table.intents))


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise bad(msg("The file {name} is larger than {size} MB.", name=path.name, size=_LARGEST_FILE // 1_000_000))
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise bad(msg("The file {name} is not in UTF-8.", name=path.name)) from error
    except OSError as error:
        raise bad(msg("The file {name} cannot be read.", name=path.name)) from error


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except NotToml as error:
        # the parser says the line and the column, but for the last line
        problem = str(error).replace("at end of document", f"at line {text.count(_NEWLINE) + 1}, the end")
        raise bad(msg("The file {name} is no valid TOML: {problem}.", name=name, problem=problem)) from error


def _table(fields: Mapping[str, Any], known: Mapping[str, Intent]) -> RouteTable:
    """A table out of what stands in a file; `known` are the intents that it may add examples to."""
    _only(fields, _TOP, msg("the table"))
    version = fields.get("format", FORMAT)
    if isinstance(version, bool) or not isinstance(version, int) or version > FORMAT:
        raise bad(msg("The table has format {format}, and this Famulus reads {known}.", format=version, known=FORMAT))
    rows = fields.get("intent", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise bad(msg("“intent” is no list of tables: begin each with [[intent]]."))
    if len(rows) > MOST_INTENTS:
        raise bad(msg("There are more than {count} intents.", count=MOST_INTENTS))
    intents: dict[str, Intent] = {}
    for number, row in enumerate(rows, start=1):
        intent = _intent(row, number, known)
        if intent.id in intents:
            raise bad(msg("The intent “{intent}” stands twice in the table.", intent=intent.id))
        intents[intent.id] = intent
    table = RouteTable(intents, *_outside(fields.get("out_of_scope"), {**known, **intents}))
    if len(table.examples()) > MOST_EXAMPLES:
        raise bad(msg("There are more than {count} examples.", count=MOST_EXAMPLES))
    _check_contradictions(table)
    return table


def _intent(row: Mapping[str, Any], number: int, known: Mapping[str, Intent]) -> Intent:
    name = row.get("id")
    if name is None:
        raise bad(msg("Intent {number} has no “id”.", number=number))
    if not isinstance(name, str) or not _ID.fullmatch(name):
        what = msg(
            "Intent {number} has the id {id}: use small letters, digits and underscores.", number=number, id=name
        )
        raise bad(what)
    where = msg("the intent “{intent}”", intent=name)
    _only(row, _FIELDS, where)
    examples = _examples(row, where)
    if not any(examples.values()):
        raise bad(msg("In {where} there are no examples: give some as en, zh or other.", where=where))
    if name in known:
        changed = sorted(set(row) - {"id", *LANGUAGES})
        if changed:
            what = msg("The intent “{intent}” comes with Famulus; only examples can be added, not {field}.",
                       intent=name, field=changed[0])  # fmt: skip
            raise bad(what)
        return replace(known[name], examples=examples)
    return Intent(
        id=name,
        about=_text(row, "about", where),
        acts=_flag(row, "acts", where),
        tier=_tier(row.get("tier", ModelTier.NONE), where),
        tools=_tools(row.get("tools", []), where),
        slots=_slots(row.get("slots", {}), where),
        examples=examples,
    )


def _examples(row: Mapping[str, Any], where: Text) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        texts = row.get(language, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise bad(msg("In {where}, “{field}” is no list of texts.", where=where, field=language))
        cleaned = [" ".join(text.split()) for text in texts]
        for text in cleaned:
            if not any(character.isalnum() for character in text):
                raise bad(msg("In {where}, an example of “{field}” is empty.", where=where, field=language))
            if len(text) > LONGEST_EXAMPLE:
                what = msg("In {where}, an example is longer than {count} characters: {text}…",
                           where=where, count=LONGEST_EXAMPLE, text=text[:40])  # fmt: skip
                raise bad(what)
        found[language] = tuple(dict.fromkeys(cleaned))
    return found


def _outside(fields: object, intents: Mapping[str, Intent]) -> tuple[str | None, dict[str, tuple[str, ...]]]:
    where = msg("[out_of_scope]")
    if fields is None:
        return None, {}
    if not isinstance(fields, dict):
        raise bad(msg("“out_of_scope” is no table: write [out_of_scope]."))
    _only(fields, _OUTSIDE, where)
    name = fields.get("intent")
    if name not in intents:
        raise bad(msg("In {where}, “intent” names no intent of the table: {name}.", where=where, name=str(name)))
    return str(name), _examples(fields, where)


def _check_contradictions(table: RouteTable) -> None:
    """One sentence cannot be an example of two intents."""
    owner: dict[str, str] = {}
    for intent in table.intents.values():
        for text in (text for texts in intent.examples.values() for text in texts):
            other = owner.setdefault(text.casefold(), intent.id)
            if other != intent.id:
                what = msg("The example “{text}” stands under “{first}” and under “{second}”.",
                           text=text[:60], first=other, second=intent.id)  # fmt: skip
                raise bad(what)


def _merged(table: RouteTable, own: RouteTable) -> RouteTable:
    """The person's examples beside ours; where both have the same sentence, the person is right."""
    theirs = {text.casefold() for text, _ in own.examples()}

    def kept(examples: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {
            name: tuple(text for text in texts if text.casefold() not in theirs) for name, texts in examples.items()
        }

    intents = {name: replace(intent, examples=kept(intent.examples)) for name, intent in table.intents.items()}
    for name, intent in own.intents.items():
        before: Mapping[str, tuple[str, ...]] = intents[name].examples if name in intents else {}
        examples = {language: before.get(language, ()) + intent.examples[language] for language in LANGUAGES}
        count = sum(len(texts) for texts in intent.examples.values())
        intents[name] = replace(intent, examples=examples, own_examples=count)
    outside = kept(table.outside_examples)
    for language, texts in own.outside_examples.items():
        outside[language] = outside.get(language, ()) + texts
    return RouteTable(intents, own.outside or table.outside, outside)


def _only(fields: Mapping[str, Any], known: frozenset[str], where: Text) -> None:
    unknown = sorted(set(fields) - known)
    if unknown:
        what = msg("In {where} there is an unknown field: {field}. Known are {known}.",
                   where=where, field=unknown[0], known=", ".join(sorted(known)))  # fmt: skip
        raise bad(what)


def _text(row: Mapping[str, Any], field: str, where: Text) -> str:
    value = row.get(field, "")
    if not isinstance(value, str):
        raise bad(msg("In {where}, “{field}” is no text.", where=where, field=field))
    return value


def _flag(row: Mapping[str, Any], field: str, where: Text) -> bool:
    value = row.get(field, True)  # who does not say is asked before anything happens
    if not isinstance(value, bool):
        raise bad(msg("In {where}, “{field}” is neither true nor false.", where=where, field=field))
    return value


def _tier(value: object, where: Text) -> ModelTier:
    try:
        return ModelTier(str(value))
    except ValueError:
        known = ", ".join(ModelTier)
        what = msg(
            "In {where}, “tier” is {value}; it must be one of {known}.", where=where, value=str(value), known=known
        )
        raise bad(what) from None


def _tools(value: object, where: Text) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(tool, str) and _TOOL.fullmatch(tool) for tool in value):
        raise bad(msg("In {where}, “tools” is no list of names like calendar.add.", where=where))
    return tuple(value)


def _slots(value: object, where: Text) -> dict[str, SlotKind]:
    if not isinstance(value, dict):
        raise bad(msg("In {where}, “slots” is no table of names and kinds.", where=where))
    for name, kind in value.items():
        if not _ID.fullmatch(name):
            what = msg("In {where}, the slot {name} has no good name: use small letters, digits and underscores.",
                       where=where, name=name)  # fmt: skip
            raise bad(what)
        if kind not in set(SlotKind):
            what = msg("In {where}, the slot “{name}” is of the kind {kind}; it must be one of {known}.",
                       where=where, name=name, kind=str(kind), known=", ".join(SlotKind))  # fmt: skip
            raise bad(what)
    return {name: SlotKind(kind) for name, kind in value.items()}


def bad(what: Text) -> BadInput:
    """The error for a table that cannot be used."""
    return BadInput(what, next_step=msg("Mend the file routes.toml in the folder of the settings, or remove it."))
