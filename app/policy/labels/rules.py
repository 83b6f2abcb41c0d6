"""The rules of labels as data: conditions on where an entry comes from, and what they set (G8.2, G2.8).

Rules of the person come first. The first rule that sets a scope or an acl wins; of sensitivities, the highest. Nothing
here lowers a sensitivity: what a source or an earlier version had stays.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass, field
from fnmatch import translate
from typing import TYPE_CHECKING, Any, NoReturn

from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.domain.text import msg
from app.domain.toml_text import read_toml
from app.policy.labels.content import LOOKED_AT, ContentRule, personal_kinds
from app.policy.redaction.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from app.domain.text import Text

_CONDITIONS = ("source", "folder", "sender", "calendar", "tag", "kind")
_EFFECTS = ("scope", "acl", "sensitivity")
_MOST_RULES = 1_000
_MOST_VALUES = 10_000
_MOST_BYTES = 1 << 20
_MOST_CHARS = 500
_MOST_ID = 100
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Traits:
    """What the conditions look at; every value in lower case.

    Attributes:
        places: by condition: source (kind, name, id), folder (path, mail folder), sender, calendar, tag, kind.
    """

    places: Mapping[str, frozenset[str]]
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class OwnRule:
    """One rule of the person, or of an organisation that set Famulus up."""

    rule_id: str
    patterns: Mapping[str, tuple[re.Pattern[str], ...]]
    words: tuple[str, ...] = ()
    scope: str | None = None
    acl: str | None = None
    sensitivity: Sensitivity = Sensitivity.PUBLIC

    def matches(self, traits: Traits) -> bool:
        """Whether all of its conditions hold."""
        for name, patterns in self.patterns.items():
            values = traits.places.get(name, frozenset())
            if not any(pattern.match(value) for pattern in patterns for value in values):
                return False
        return not self.words or any(word in traits.title or word in traits.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Labels:
    """What the rules make of an entry.

    Attributes:
        scope, acl: None: its source's.
        sensitivity: at least this.
        reasons: the ids of the rules that had a say.
    """

    scope: str | None = None
    acl: str | None = None
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelRules:
    """All rules of one version."""

    version: str
    own: tuple[OwnRule, ...] = ()
    content: tuple[ContentRule, ...] = field(default=())

    def label(self, traits: Traits) -> Labels:
        """Apply them."""
        matching = [rule for rule in self.own if rule.matches(traits)]
        whole = f"{traits.title}\n{traits.text}"[:LOOKED_AT]
        found = personal_kinds(whole) if self.content else set()
        content = [rule for rule in self.content if rule.matches(found, whole)]
        levels = [rule.sensitivity for rule in matching] + [rule.sensitivity for rule in content]
        reasons = [rule.rule_id for rule in matching] + [rule.rule_id for rule in content]
        return Labels(
            scope=next((rule.scope for rule in matching if rule.scope is not None), None),
            acl=next((rule.acl for rule in matching if rule.acl is not None), None),
            sensitivity=max(levels, default=Sensitivity.PUBLIC),
            reasons=tuple(reasons),
        )


NO_LABELS = LabelRules("")
"""No rules at all: an entry has its source's labels."""


def read_label_rules(shipped: bytes, own: bytes | None = None) -> LabelRules:
    """Read the shipped rules and the person's own in front of them.

    Raises:
        BadInput: the person's file is wrong; says where.
    """
    tables = tomllib.loads(shipped.decode("utf-8"))
    version = str(tables["version"])
    rules = _own_rules(tables.get("rule", []))
    if own is not None:
        if len(own) > _MOST_BYTES:
            _bad(msg("The file labels.toml is too big."))
        try:
            # an editor of Windows begins a file with a mark
            changes = read_toml(own.removeprefix(_BOM).decode("utf-8"))
        except ValueError:
            _bad(msg("The file labels.toml cannot be read."))
        if set(changes) - {"rule", "version"}:
            _bad(msg("The file labels.toml has an unknown part: {name}.", name=min(set(changes) - {"rule", "version"})))
        rules = (*_own_rules(changes.get("rule", [])), *rules)
        version = f"{version}+{hashlib.sha256(own).hexdigest()[:8]}"
    return LabelRules(version, rules, tuple(_content_rule(table) for table in tables.get("content", [])))


def _content_rule(table: Mapping[str, Any]) -> ContentRule:
    return ContentRule(
        rule_id=table["id"],
        sensitivity=Sensitivity.from_word(table["sensitivity"]),
        kinds=frozenset(Kind[name] for name in table.get("kinds", [])),
        words=tuple(word.casefold() for word in table.get("words", [])),
        at_least=table.get("at_least", 1),
    )


def _own_rules(tables: object) -> tuple[OwnRule, ...]:
    if not isinstance(tables, list) or len(tables) > _MOST_RULES:
        _bad(msg("In labels.toml, rules are written as [[rule]], {most} at most.", most=_MOST_RULES))
    rules = tuple(_own_rule(table, number) for number, table in enumerate(tables, start=1))
    if sum(len(rule.words) + sum(map(len, rule.patterns.values())) for rule in rules) > _MOST_VALUES:
        _bad(msg("In labels.toml, the rules have too many patterns and words; {most} at most.", most=_MOST_VALUES))
    return rules


def _own_rule(table: object, number: int) -> OwnRule:
    if not isinstance(table, dict):
        _bad(msg("In labels.toml, rules are written as [[rule]], {most} at most.", most=_MOST_RULES))
    rule_id = str(table.get("id", f"rule-{number}"))[:_MOST_ID]
    unknown = set(table) - {"id", "words", *_CONDITIONS, *_EFFECTS}
    if unknown:
        _bad(msg("In labels.toml, the rule {rule} has an unknown part: {name}.", rule=rule_id, name=min(unknown)))
    patterns = {
        name: tuple(re.compile(translate(one)) for one in _texts(table[name], rule_id, name))
        for name in _CONDITIONS
        if name in table
    }
    words = _texts(table["words"], rule_id, "words") if "words" in table else ()
    if not patterns and not words:
        _bad(msg("In labels.toml, the rule {rule} has no condition; it would hold for everything.", rule=rule_id))
    level = table.get("sensitivity", "public")
    try:
        sensitivity = Sensitivity.from_word(level)
    except (KeyError, AttributeError):
        _bad(msg("In labels.toml, the rule {rule} has an unknown sensitivity.", rule=rule_id))
    return OwnRule(
        rule_id,
        patterns,
        words,
        scope=_word(table, "scope", rule_id),
        acl=_word(table, "acl", rule_id),
        sensitivity=sensitivity,
    )


def _texts(value: object, rule_id: str, name: str) -> tuple[str, ...]:
    values: Sequence[object] = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(one, str) and one.strip() and len(one) <= _MOST_CHARS for one in values):
        _bad(_no_text(name, rule_id, _MOST_CHARS))
    return tuple(str(one).casefold() for one in values)


def _word(table: Mapping[str, object], name: str, rule_id: str) -> str | None:
    if name not in table:
        return None
    return _plain(table[name], rule_id, name)


def _plain(value: object, rule_id: str, name: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > _MOST_ID or not value.strip().isprintable():
        _bad(_no_text(name, rule_id, _MOST_ID))
    return value.strip()


def _no_text(name: str, rule_id: str, most: int) -> Text:
    return msg(
        "In labels.toml, {name} of the rule {rule} is not a text of 1 to {most} characters.",
        name=name,
        rule=rule_id,
        most=most,
    )


def lowered(values: Iterable[str | None]) -> frozenset[str]:
    """Values as the conditions compare them."""
    return frozenset(value.casefold() for value in values if value)


def _bad(what: Text) -> NoReturn:
    raise BadInput(what, next_step=msg("Mend the file labels.toml in the configuration folder, or remove it."))
