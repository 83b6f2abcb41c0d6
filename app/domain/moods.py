"""How somebody sounds: values only; `app.inference.intent.mood` reads them (A5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Polarity(StrEnum):
    """Whether a feeling is pleasant."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"


class Emotion(StrEnum):
    """What somebody feels, as far as a sentence shows it."""

    JOY = "joy"
    GRATITUDE = "gratitude"
    SADNESS = "sadness"
    ANGER = "anger"
    WORRY = "worry"
    FATIGUE = "fatigue"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Mood:
    """A reading of one text.

    Attributes:
        polarity: neutral where no feeling is plain.
        score: how sure the polarity is, 0..1.
        emotion: the likeliest one of that polarity.
    """

    polarity: Polarity
    score: float
    emotion: Emotion
