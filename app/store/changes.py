"""What a write transaction did, for the structures in memory that follow the database (see `store`).

Filled by `writes`, applied by the listeners of `database` after the commit and before the caller goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.records import Subject
    from app.store.histories import Step
    from app.store.vector_rows import EmbeddingModel


@dataclass(frozen=True, slots=True)
class EntryRights:
    """What decides whether the chunks of an entry may be seen. Times are IXDTF texts (`domain.instants`).

    Attributes:
        kind: what the entry is. moment: when what it tells of happens, or else its last change.
    """

    entry_id: int
    scope: str
    acl: str
    sensitivity: int
    valid_to: str | None
    is_stale: bool
    kind: str
    moment: str
    trust: int


@dataclass(frozen=True, slots=True)
class AddedChunk:
    """A chunk that was written. `terms` counts the analysed terms; `length` is their number."""

    chunk_id: int
    rights: EntryRights
    language: str
    length: int
    terms: Counter[str]


@dataclass(frozen=True, slots=True)
class AddedVectors:
    """Vectors that were written: float16[n, dimension], one row for each chunk id."""

    model: EmbeddingModel
    model_ref: int
    chunk_ids: tuple[int, ...]
    matrix: NDArray[np.float16]


@dataclass(slots=True)
class ChangeSet:
    """All that one transaction changed; grows while it runs.

    Attributes:
        touched: entries and chunks to which something was done, or is not done any more (`histories`).
        histories: all that is done to each of them, as it is when the transaction ends.
    """

    chunks: list[AddedChunk] = field(default_factory=list)
    rights: list[EntryRights] = field(default_factory=list)
    stale_chunks: list[tuple[int, bool]] = field(default_factory=list)
    touched: set[tuple[Subject, int]] = field(default_factory=set)
    histories: dict[tuple[Subject, int], Sequence[Step]] = field(default_factory=dict)
    removed_chunks: list[int] = field(default_factory=list)
    vectors: list[AddedVectors] = field(default_factory=list)
    blobs: list[str] = field(default_factory=list)
    is_reindexed: bool = False

    def __bool__(self) -> bool:
        return bool(
            self.chunks
            or self.rights
            or self.stale_chunks
            or self.touched
            or self.removed_chunks
            or self.vectors
            or self.blobs
            or self.is_reindexed
        )


class ChangeListener(Protocol):
    """Follows the database in memory."""

    def apply(self, changes: ChangeSet) -> None:
        """Take over a committed transaction; called on the writer's thread."""
