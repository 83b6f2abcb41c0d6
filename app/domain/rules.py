"""Rules that are data, as a person sees them: which are in force, and what a change of them would do (G2.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A file of rules.

    Attributes:
        version: of what the files say now; `applied`: of what is in force.
        own_path: where a person's own rules stand or would stand; empty where there can be none.
        is_waiting: whether a change waits to be looked at and applied.
        problem: why a person's own file is not used.
    """

    name: str
    version: str
    applied: str
    own_path: str
    is_waiting: bool
    problem: Text | None = None


@dataclass(frozen=True, slots=True)
class LabelChange:
    """What new rules would change of one entry; values as words, None where nothing changes."""

    title: str
    source_uri: str
    scope: str | None
    acl: str | None
    sensitivity: str | None
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A number of a rule file that a person changed."""

    name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class RulePreview:
    """What applying changed rules would do.

    Attributes:
        values: numbers that change; of labels there are none.
        entries: how many entries it would touch; looked_at: of how many.
        changes: the first of them.
    """

    name: str
    entries: int
    looked_at: int
    changes: tuple[LabelChange, ...]
    values: tuple[ValueChange, ...] = ()
