"""What a request is for: the values that the reader of intents gives, and the table that it reads by (L3.3).

Values only; `app.inference.intent` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class ModelTier(StrEnum):
    """The smallest model that can carry out an intent; `NONE`: exact rules and the small models in the process."""

    NONE = "none"
    SMALL = "small"
    LARGE = "large"


class SlotKind(StrEnum):
    """What a slot holds, and so who reads it."""

    TEXT = "text"
    WHEN = "when"
    PERSON = "person"
    PLACE = "place"
    LIST = "list"
    LANGUAGE = "language"


@dataclass(frozen=True, slots=True)
class Intent:
    """A row of the routing table.

    Attributes:
        about: what it is for, in one sentence.
        acts: whether it changes something; then it is acted on only where the reading is certain.
        tools: what may be called for it.
        slots: name and kind of what is read out of the text.
        examples: by language ("en", "zh", "other"), what people say.
        own_examples: how many of them are the person's.
    """

    id: str
    about: str
    acts: bool
    tier: ModelTier
    tools: tuple[str, ...]
    slots: Mapping[str, SlotKind]
    examples: Mapping[str, tuple[str, ...]]
    own_examples: int = 0


@dataclass(frozen=True, slots=True)
class Guess:
    """An intent, and how sure it is (0..1)."""

    intent: str
    score: float


@dataclass(frozen=True, slots=True)
class Slot:
    """A value that stands in the text.

    Attributes:
        start, end: in characters of the whole text, `end` exclusive.
    """

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class IntentPart:
    """One wish of a text; most texts have one.

    Attributes:
        start, end: where it stands, in characters of the whole text, `end` exclusive.
        is_certain: whether it may be acted on without asking.
        slots: what is read out of it by simple rules; times of day are not (`app.inference.dates`).
    """

    intent: str
    score: float
    is_certain: bool
    start: int
    end: int
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True, slots=True)
class IntentReading:
    """What a text is for.

    Attributes:
        intent, score: of the first part.
        is_certain: whether all parts may be acted on without asking.
        alternatives: other intents of the first part, the likeliest first.
        parts: the wishes in the order of the text; at least one.
    """

    intent: str
    score: float
    is_certain: bool
    alternatives: tuple[Guess, ...]
    parts: tuple[IntentPart, ...]
