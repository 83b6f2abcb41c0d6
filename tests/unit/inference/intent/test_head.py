"""The head: its linear system, its classes of few examples, and its probabilities."""

from __future__ import annotations

import numpy as np

from app.inference.intent.features import Centring, language_of, raw_vectors
from app.inference.intent.head import NEAREST, RIDGE, WIDTH, KernelHead, probabilities
from tests.unit.inference.intent.letters import Letters


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_the_formula() -> None:
    vectors = unit(np.array([[1, 0, 0], [0.9, 0.1, 0], [0, 1, 0], [0, 0.8, 0.3]]))
    labels = ["b", "b", "a", "a"]
    asked = unit(np.array([[0.7, 0.3, 0.1]]))
    kernel = np.exp(WIDTH * (vectors @ vectors.T - 1)) + RIDGE * np.eye(4)
    targets = np.array([[0, 1], [0, 1], [1, 0], [1, 0]])
    regressed = np.exp(WIDTH * (asked @ vectors.T - 1)) @ np.linalg.solve(kernel, targets)
    nearest = np.array([[(asked @ vectors[2:].T).mean(), (asked @ vectors[:2].T).mean()]])
    head = KernelHead(vectors, labels)
    assert head.classes == ("a", "b")
    np.testing.assert_allclose(head.scores(asked), regressed + NEAREST * nearest, rtol=1e-4)


def test_the_three_nearest_of_a_class_count() -> None:
    generator = np.random.default_rng(3)
    vectors = unit(generator.normal(size=(40, 8)))
    asked = unit(generator.normal(size=(5, 8)))
    labels = ["one"] * 39 + ["two"]
    with_all = KernelHead(vectors, labels).scores(asked)
    cosines = asked @ vectors.T
    expected = np.sort(cosines[:, :39], axis=1)[:, -3:].mean(axis=1) * NEAREST
    regressed = np.exp(WIDTH * (cosines - 1)) @ np.linalg.solve(
        np.exp(WIDTH * (vectors @ vectors.T - 1)) + RIDGE * np.eye(40), np.eye(2)[[0] * 39 + [1]]
    )
    np.testing.assert_allclose(with_all[:, 0], regressed[:, 0] + expected, rtol=2e-3)


def test_the_order_of_examples_does_not_matter() -> None:
    generator = np.random.default_rng(5)
    vectors = unit(generator.normal(size=(30, 8)))
    labels = [f"c{number % 4}" for number in range(30)]
    order = generator.permutation(30)
    asked = unit(generator.normal(size=(3, 8)))
    shuffled = KernelHead(vectors[order], [labels[place] for place in order])
    np.testing.assert_allclose(KernelHead(vectors, labels).scores(asked), shuffled.scores(asked), atol=1e-4)


def test_probabilities_add_up() -> None:
    chances = probabilities(np.array([[0.9, 0.1, 0.0], [0.0, 0.0, 0.0]], np.float32))
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, rtol=1e-5)
    assert chances[0, 0] > 0.99
    np.testing.assert_allclose(chances[1], 1 / 3, rtol=1e-5)


def test_centring_takes_each_languages_mean_off() -> None:
    letters = Letters()
    texts = ["add milk", "add eggs", "加牛奶", "加鸡蛋", ""]
    raw = raw_vectors(letters, texts)
    raw[4] = 0
    moved = Centring.of(texts, raw, letters.calibration).apply(texts, raw)
    np.testing.assert_allclose(np.linalg.norm(moved[:4], axis=1), 1.0, rtol=1e-5)
    assert not moved[4].any()
    assert [language_of(text) for text in texts] == ["en", "en", "zh", "zh", "en"]
