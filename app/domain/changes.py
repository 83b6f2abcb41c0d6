"""What governance changed by itself, as a person sees it (G2.6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class ChangeInfo:
    """One change with its reason; what follows from it for one thing is one change, however many rows it alters.

    Attributes:
        change_id: by which it is shown and undone.
        at: when it was made. effective_at: from when it holds.
        kind: what happened: cancel, move, complete, reverse, replace, resume; not_done_by ...
        subject: what kind of thing was changed: entry, record, task, chunk, statement.
        title, source_uri: of the entry that was changed. cause_title, cause_uri: of the one that says so, if it exists.
        actor: which part of governance, or "owner". rule_version: of its rules.
        before, after: the columns that were altered, as stored.
        is_suggestion: nothing was altered: a person has to decide.
        undone_by: "owner"; or the rules, or the source, that took it back. None while it stands.
    """

    change_id: int
    at: datetime
    effective_at: datetime
    kind: str
    subject: str
    title: str
    source_uri: str
    reason: Text
    actor: str
    rule_version: str
    cause_title: str | None = None
    cause_uri: str | None = None
    before: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    after: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    is_suggestion: bool = False
    undone_at: datetime | None = None
    undone_by: str | None = None
