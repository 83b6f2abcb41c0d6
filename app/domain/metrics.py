"""The five metrics, their reviews, and what ranking is tuned by (G7, G7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime

    from app.domain.context_item import ContextItem
    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class Rate:
    """One of the five rates. `value` is `part / whole`, 0..1, and None where there is nothing to divide by.

    Attributes:
        name: task_success, user_adoption, context_hit, expired_context, manual_correction.
        definition: what is divided by what, and where it comes from.
    """

    name: str
    title: Text
    definition: Text
    part: int
    whole: int
    value: float | None


@dataclass(frozen=True, slots=True)
class LayerFigure:
    """A figure of one layer (G7.2). `unit`: share, seconds, count."""

    layer: str
    name: str
    title: Text
    definition: Text
    value: float | None
    unit: str


@dataclass(frozen=True, slots=True)
class RatesOfWeek:
    """The rates of one week, by name; None where nothing was counted."""

    first_day: date
    values: tuple[tuple[str, float | None], ...]
    requests: int


@dataclass(frozen=True, slots=True)
class MetricsReport:
    """The figures of a span of days, both included."""

    first_day: date
    last_day: date
    rates: tuple[Rate, ...]
    layers: tuple[LayerFigure, ...]
    weeks: tuple[RatesOfWeek, ...]
    requests: int


class ReviewKind(StrEnum):
    """The article's review cycles."""

    WEEKLY = "weekly"
    """A light review of the rates."""
    MONTHLY = "monthly"
    """Which governance rules were right."""
    QUARTERLY = "quarterly"
    """Index versions and the weights of ranking."""


@dataclass(frozen=True, slots=True)
class Review:
    """A review that was written. `text` is Markdown; empty in a list."""

    review_id: int
    kind: ReviewKind
    first_day: date
    last_day: date
    made_at: datetime
    text: str = ""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that was asked lately, to be marked. `marked`: how many entries are marked for it."""

    query: str
    asked_at: datetime
    client: str
    marked: int


@dataclass(frozen=True, slots=True)
class MarkedItem:
    """An entry that a question found or should have found. `is_wanted`: None while nobody said."""

    entry_id: int
    item: ContextItem
    is_wanted: bool | None


@dataclass(frozen=True, slots=True)
class WeightChange:
    """A weight of `ranking.toml` that a proposal changes."""

    name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class TuningProposal:
    """New weights of ranking, and what they would do to marked questions that they were not made from.

    Attributes:
        proposal_id: of exactly these weights; applying takes it.
        learned_from, held_out: how many marked questions each.
        hit_before, hit_after: the share of wanted entries among the first ten, on the held-out questions.
        order_before, order_after: nDCG@10 on them.
        is_better: whether they are worth applying; where False, `changes` may be empty.
        reason: why there is no proposal, or why it is not recommended.
    """

    proposal_id: str
    changes: tuple[WeightChange, ...]
    learned_from: int
    held_out: int
    hit_before: float | None
    hit_after: float | None
    order_before: float | None
    order_after: float | None
    is_better: bool
    reason: Text | None = None
