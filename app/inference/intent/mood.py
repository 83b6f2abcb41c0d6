"""How somebody sounds: pleasant, unpleasant or neither, and which feeling it is (A5.3).

The same head as for intents, over the examples of resources/rules/mood.toml. It judges the wording of one short text,
no person, and nothing is kept of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.moods import Emotion, Mood, Polarity
from app.inference.intent.features import Centring, raw_vectors
from app.inference.intent.head import KernelHead, probabilities
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from app.inference.intent.features import TextEncoder
    from app.inference.intent.vectors import KnownVectors

PLAIN = 0.6
"""A feeling below this probability is called neutral."""
_LONGEST_READ = 400


class MoodReader:
    """Made for one embedding model; call it from the model's lane.

    Raises:
        Damaged, Unavailable: the embedding model cannot be used.
    """

    def __init__(self, encoder: TextEncoder, known: KnownVectors) -> None:
        self._encoder = encoder
        examples, self._polarities = _examples()
        texts = [text for text, _ in examples]
        raw = known.raw(texts, encoder)
        self._centring = Centring.of(texts, raw, encoder.calibration)
        self._head = KernelHead(self._centring.apply(texts, raw), [emotion for _, emotion in examples])

    def read(self, text: str) -> Mood:
        """The mood of a text; neutral for one without a word."""
        text = text[:_LONGEST_READ]
        if not any(character.isalnum() for character in text):
            return Mood(Polarity.NEUTRAL, 1.0, Emotion.NEUTRAL)
        vector = self._centring.apply([text], raw_vectors(self._encoder, [text]))
        chances = probabilities(self._head.scores(vector))[0]
        by_emotion = {Emotion(name): float(chances[place]) for place, name in enumerate(self._head.classes)}
        by_polarity = dict.fromkeys(Polarity, 0.0)
        for emotion, chance in by_emotion.items():
            by_polarity[self._polarities[emotion]] += chance
        polarity = max(by_polarity, key=lambda kind: by_polarity[kind])
        if by_polarity[polarity] < PLAIN:
            return Mood(Polarity.NEUTRAL, 1.0 - by_polarity[polarity], Emotion.NEUTRAL)
        emotion = max((kind for kind in by_emotion if self._polarities[kind] is polarity), key=lambda k: by_emotion[k])
        return Mood(polarity, by_polarity[polarity], emotion)


def mood_texts() -> list[str]:
    """All examples, for computing their vectors beforehand."""
    return [text for text, _ in _examples()[0]]


def _examples() -> tuple[list[tuple[str, str]], dict[Emotion, Polarity]]:
    rows = resource_table("rules", "mood.toml")
    examples = [(text, name) for name, row in rows.items() for text in (*row["en"], *row["zh"])]
    return examples, {Emotion(name): Polarity(row["polarity"]) for name, row in rows.items()}
