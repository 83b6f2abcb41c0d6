"""A rule: a pattern, the kind of what it finds, and what must hold besides; the tables stand in the modules beside.

Every repetition in a pattern is bounded and no quantifier stands inside another over the same characters, so a scan is
linear in the text whatever the text is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding
from app.policy.redaction.needed import may_match, searchable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from app.policy.redaction.findings import Kind

_SEPARATORS = re.compile(r"[\s.\-·/()]+")


@dataclass(frozen=True, slots=True)
class Rule:
    """One way in which a kind of personal data is written.

    Attributes:
        kind: what is found.
        pattern: where; a named group narrows the finding to itself.
        check: what the matched characters must fulfil, without their separators.
        weight: see `Finding`.
    """

    kind: Kind
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None
    weight: float = 0.6


def rule(
    kind: Kind, pattern: str, check: Callable[[str], bool] | None = None, *, weight: float = 0.6, is_exact: bool = False
) -> Rule:
    """A rule from its pattern; upper and lower case are one unless `is_exact`."""
    return Rule(kind, re.compile(pattern, 0 if is_exact else re.IGNORECASE), check, weight)


def apply(rules: Iterable[Rule], text: str) -> Iterator[Finding]:
    """What the rules find in a folded text."""
    lowered = searchable(text)
    for one in rules:
        if not may_match(one.pattern, lowered):
            continue
        for found in one.pattern.finditer(text):
            group = found.lastgroup or 0
            start, end = found.span(group)
            if one.check is None or one.check(bare(found[group])):
                yield Finding(start, end, one.kind, one.weight)


def bare(value: str) -> str:
    """A number without what was put between its digits."""
    return _SEPARATORS.sub("", value)
