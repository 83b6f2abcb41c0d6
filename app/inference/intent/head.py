"""The trained head: tells classes apart by a text's likeness to labelled examples. Numpy alone; fits in a moment.

Two opinions are added for each class:

    the head      sum over examples of a[example, class] * exp(WIDTH * (cosine - 1)), a kernel ridge regression onto the
                  classes (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2.3); its coefficients
                  are the solution of one linear system, so the same examples give the same head, and no training runs
    the nearest   the mean cosine with the three examples of the class that are nearest, times NEAREST

A text that resembles no example gets little of both from every class, so its best probability is low by itself: that
is what tells a text apart that belongs to none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

WIDTH = 2.0
RIDGE = 0.1
NEAREST = 0.5
NEIGHBOURS = 3
SHARPNESS = 10.0
"""Turns scores into probabilities: about right on sentences that the head has not seen."""


class KernelHead:
    """Fitted on its examples; cheap to ask (about 1 ms for 2,000 examples).

    Args:
        vectors: float32[examples, dimension], each of length 1.
        labels: the class of each example.
        coefficients: of a head that was fitted on the same examples in the same order; else it is fitted now, which
            takes 0.3 s for 2,300 examples.
    """

    def __init__(self, vectors: Floats, labels: Sequence[str], coefficients: Floats | None = None) -> None:
        self.classes = tuple(sorted(set(labels)))
        order = np.argsort(np.array([self.classes.index(label) for label in labels]), kind="stable")
        places = np.array([self.classes.index(label) for label in labels], dtype=np.int64)[order]
        self._vectors = np.ascontiguousarray(vectors[order])
        self._starts = np.searchsorted(places, np.arange(len(self.classes)))
        self._sizes = np.bincount(places, minlength=len(self.classes))
        fits = coefficients is not None and coefficients.shape == (len(labels), len(self.classes))
        self.coefficients = coefficients if coefficients is not None and fits else self._fitted(places)

    def _fitted(self, places: NDArray[np.int64]) -> Floats:
        """Solve for the coefficients: float32[examples, classes], the examples by class."""
        targets = np.zeros((len(places), len(self.classes)), np.float32)
        targets[np.arange(len(places)), places] = 1.0
        likeness = self._vectors @ self._vectors.T  # 20 MB for 2,300 examples: nothing of this size is made twice
        likeness -= 1.0
        likeness *= WIDTH
        np.exp(likeness, out=likeness)
        likeness.flat[:: len(places) + 1] += np.float32(RIDGE)
        solved: Floats = np.linalg.solve(likeness, targets).astype(np.float32)
        return solved

    def scores(self, vectors: Floats) -> Floats:
        """float32[texts, classes]: near 1 for a class whose examples a text resembles, near 0 for the others."""
        cosines = vectors @ self._vectors.T
        regressed = np.exp(WIDTH * (cosines - 1.0)).astype(np.float32) @ self.coefficients
        nearest = np.empty_like(regressed)
        for place, (start, size) in enumerate(zip(self._starts, self._sizes, strict=True)):
            own = cosines[:, start : start + size]
            if size > NEIGHBOURS:
                own = np.partition(own, size - NEIGHBOURS, axis=1)[:, size - NEIGHBOURS :]
            nearest[:, place] = own.mean(axis=1)
        total: Floats = (regressed + NEAREST * nearest).astype(np.float32)
        return total


def probabilities(scores: Floats) -> Floats:
    """Scores as probabilities of the classes, each row adding up to 1."""
    shifted = np.exp(SHARPNESS * (scores - scores.max(axis=1, keepdims=True)))
    result: Floats = (shifted / shifted.sum(axis=1, keepdims=True)).astype(np.float32)
    return result
