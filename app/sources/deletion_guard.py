"""A sync that went wrong must not delete much (DESIGN 5.7): it stops and asks.

The guard counts entries that are gone for good; what was moved within its source is not lost and does not count. One or
two deletions are no accident even in a source of five entries, so the share is asked of three and more.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.errors import Refused
from app.domain.text import msg

NEVER_MANY = 2


@dataclass(frozen=True, slots=True)
class DeletionLimits:
    """More than `share` (0..1) of a source, or more than `items` of its entries, is too much at once."""

    share: float = 0.20
    items: int = 50


def allow_deletions(deleted: int, known: int, limits: DeletionLimits, *, is_confirmed: bool, source_id: str) -> None:
    """Let a sync delete `deleted` of its `known` entries.

    Raises:
        Refused: it is too much, and the person has not confirmed it.
    """
    is_many = deleted > limits.items or (deleted > NEVER_MANY and deleted > limits.share * known)
    if is_many and not is_confirmed:
        raise Refused(
            msg(
                "{deleted} of the {known} entries of this source are gone, which is unusually many at once.",
                deleted=deleted,
                known=known,
            ),
            lost=msg("Nothing was deleted; what is new or changed was taken in."),
            next_step=msg(
                "Look whether the source is complete. If the deletions are meant, run `famulus sync {source} "
                "--confirm-deletions`.",
                source=source_id,
            ),
        )
