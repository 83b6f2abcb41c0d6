"""What a viewer may see, as plain values that the store can turn into a mask (G4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.labels import Trust

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.labels import EntryKind, Sensitivity


@dataclass(frozen=True, slots=True)
class VisibilityFilter:
    """Made by `policy.disclosure` alone. None means: no limit of this kind.

    Attributes:
        scopes, acls: the identifiers that may be seen.
        ceiling: the highest sensitivity that may be seen.
        include_stale: whether what is no longer valid may be found (it stays labelled).
        is_unrestricted: whether this is the owner, for whom hidden rows do not exist.
        least_trust: of entries: what is less trusted is not looked at (X9.1).
        kinds: of entries. since, until: of what happened, or was last changed, in [since, until).
    """

    scopes: frozenset[str] | None
    acls: frozenset[str] | None
    ceiling: Sensitivity
    include_stale: bool
    is_unrestricted: bool
    kinds: frozenset[EntryKind] | None = None
    since: datetime | None = None
    until: datetime | None = None
    least_trust: Trust = Trust.WEB

    def allows(self, scope: str, acl: str, sensitivity: int) -> bool:
        """Whether something with these rights may be seen; kinds, trust and times are not asked."""
        return (
            sensitivity <= self.ceiling
            and (self.scopes is None or scope in self.scopes)
            and (self.acls is None or acl in self.acls)
        )
