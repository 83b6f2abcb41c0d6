"""Near-duplicates by the real model and the comparison together, on pairs that are in no table of ours (G2.1, L2.3)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.govern.near_duplicates import says_the_same
from app.inference.calibration import NEAR_DUPLICATE

if TYPE_CHECKING:
    from app.inference.embedder import Embedder

PAIRS = tomllib.loads((Path(__file__).parents[2] / "data" / "near_duplicates.toml").read_text("utf-8"))
_LANGUAGES = {"en": ("en", "en"), "zh": ("zh", "zh"), "across": ("en", "zh")}


def _verdicts(embedder: Embedder) -> list[tuple[str, bool, bool, float]]:
    """(group, whether a pair is the same, whether it is found to be, its likeness)."""
    found = []
    for name, pairs in PAIRS.items():
        group, _, kind = name.rpartition("_")
        one_language, other_language = _LANGUAGES[group]
        for one, other in pairs:
            vectors = embedder.embed_passages([one, other]).astype(np.float32)
            alike = embedder.calibration.alike(vectors[0], one_language, vectors[1:], other_language)
            likeness = float(alike[0])
            found.append((group, kind == "same", says_the_same(one, other, likeness, enough=NEAR_DUPLICATE), likeness))
    return found


def test_nothing_different_is_taken_for_the_same_and_most_of_the_same_is_found(embedder: Embedder) -> None:
    verdicts = _verdicts(embedder)
    assert not [verdict for verdict in verdicts if verdict[2] and not verdict[1]]
    for language in ("en", "zh"):
        same = [is_found for group, is_same, is_found, _ in verdicts if group == language and is_same]
        assert sum(same) >= 0.7 * len(same)


def test_likeness_alone_would_not_tell(embedder: Embedder) -> None:
    """Why the comparison is there."""
    verdicts = _verdicts(embedder)
    candidates = [verdict for verdict in verdicts if verdict[3] >= NEAR_DUPLICATE]
    assert sum(not is_same for _, is_same, _, _ in candidates) > 0.3 * len(candidates)
