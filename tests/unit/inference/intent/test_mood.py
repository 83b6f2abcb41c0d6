"""Moods: the head over its own examples, and what is no feeling (A5.3)."""

from __future__ import annotations

import numpy as np
import pytest

from app.domain.moods import Emotion, Polarity
from app.inference.intent.mood import MoodReader
from app.inference.intent.vectors import KnownVectors
from tests.unit.inference.intent.letters import Letters

NOTHING_KNOWN = KnownVectors(np.zeros(0, np.uint64), np.zeros((0, 0), np.int8), np.zeros((0, 1), np.float16))


@pytest.fixture(scope="module")
def reader() -> MoodReader:
    return MoodReader(Letters(), NOTHING_KNOWN)


@pytest.mark.parametrize(
    ("text", "polarity", "emotion"),
    [
        ("thank you so much, thanks", Polarity.POSITIVE, Emotion.GRATITUDE),
        ("非常感谢，太谢谢你了", Polarity.POSITIVE, Emotion.GRATITUDE),
        ("i'm so tired and exhausted", Polarity.NEGATIVE, Emotion.FATIGUE),
        ("我累坏了，困得能睡一个星期", Polarity.NEGATIVE, Emotion.FATIGUE),
        ("the meeting is at four", Polarity.NEUTRAL, Emotion.NEUTRAL),
    ],
)
def test_moods(reader: MoodReader, text: str, polarity: Polarity, emotion: Emotion) -> None:
    mood = reader.read(text)
    assert (mood.polarity, mood.emotion) == (polarity, emotion)
    assert 0 <= mood.score <= 1


@pytest.mark.parametrize("text", ["", "!!!", "\u200b"])
def test_no_word_no_feeling(reader: MoodReader, text: str) -> None:
    assert reader.read(text).polarity is Polarity.NEUTRAL


def test_what_resembles_nothing_is_neutral(reader: MoodReader) -> None:
    assert reader.read("qzx wvk " * 1_000_000).emotion is Emotion.NEUTRAL
