"""What an entry states, before it is written (G2.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.labels import Status

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.records import RecordKind
    from app.govern.extraction import Record
    from app.govern.understanding.conditionals import Conditional
    from app.govern.understanding.linking import Arming, Link
    from app.govern.understanding.tasks import Due


@dataclass(frozen=True, slots=True)
class Statement:
    """A record before it is written.

    Attributes:
        record: as the extraction has it, with its places.
        sentence: where it is said.
        event: first and last moment of a plan. reads: whether only days were said.
        conditional: of a condition, and of what one waits for or takes back.
        link: to the record that it speaks of.
    """

    kind: RecordKind
    record: Record
    sentence: tuple[int, int]
    title: str
    confidence: float
    owner: str | None = None
    due: Due | None = None
    event: tuple[datetime, datetime | None] | None = None
    is_whole_day: bool = False
    is_tentative: bool = False
    status: Status = Status.ACTIVE
    conditional: Conditional | None = None
    condition: str | None = None
    consequence: str | None = None
    valid_to: datetime | None = None
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Stated:
    """What an entry states.

    Attributes:
        statements: in the order of the text.
        armings: the rules to be armed.
        valid_to: until when the whole entry holds, where it says so.
    """

    statements: tuple[Statement, ...] = ()
    armings: tuple[Arming, ...] = ()
    valid_to: datetime | None = None
