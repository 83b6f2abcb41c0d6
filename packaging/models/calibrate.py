"""Measures what the model's cosines mean, and writes the calibration that ships with Famulus.

    python packaging/models/calibrate.py MODELS_FOLDER [--write]

Without --write it only prints. The method, for every pair of languages (question's, passage's): of a cosine, the
question's own mean cosine to passages of that language is subtracted. Then

    low      is the median over a question and a fact of another topic,
    high     is the 90th percentile over a question and a passage that holds its fact,
    related  lies between, where the share of facts found above it and the share of questions for which the best of all
             unrelated passages (360) lies below it are together the greatest.

Passages are counted in all three lengths, questions as sentences and as search words.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from facts import LANGUAGES, QUESTIONS, SIZES, Embedded, Vectors, read_facts

from app.inference.building import CALIBRATION_RESOURCE
from app.inference.calibration import Calibration, Points
from app.inference.embedder import Embedder
from app.inference.packs import find_pack
from app.runtime.paths import resource

_CERTAIN, _CANDIDATE = 0.90, 0.05
_STEPS = 400
_DECIMALS = 3


def calibrate(embedded: Embedded, facts: np.ndarray | None = None) -> Calibration:
    """The calibration over all facts, or over those that the mask `facts` names."""
    mask = np.ones(len(embedded.topics), bool) if facts is None else facts
    passage_means = {
        language: np.concatenate([embedded.passages[size, language][mask] for size in SIZES]).mean(axis=0)
        for language in LANGUAGES
    }
    query_means = {
        language: np.concatenate([embedded.questions[form, language][mask] for form in QUESTIONS]).mean(axis=0)
        for language in LANGUAGES
    }
    pairs = {
        (query, passage): _points(embedded, mask, query, passage, passage_means[passage])
        for query in LANGUAGES
        for passage in LANGUAGES
    }
    near = {language: _near_duplicate(embedded, mask, language) for language in LANGUAGES}
    return Calibration(pairs, query_means, passage_means, near)


def _points(embedded: Embedded, mask: np.ndarray, query: str, passage: str, mean: Vectors) -> Points:
    is_other = (embedded.topics[:, None] != embedded.topics[None, :])[np.ix_(mask, mask)]
    related, unrelated, best = [], [], []
    for form in QUESTIONS:
        questions = embedded.questions[form, query][mask]
        offsets = (questions @ mean)[:, None]
        of_question = []
        for kind in (*SIZES, "paraphrase", "contrary"):
            excess = questions @ embedded.passages[kind, passage][mask].T - offsets
            unrelated.append(excess[is_other])
            of_question.append(np.where(is_other, excess, -1.0).max(axis=1))
            if kind in SIZES:
                related.append(np.diag(excess))
        best.append(np.max(of_question, axis=0))
    found, noise = np.concatenate(related), np.concatenate(best)
    low, high = float(np.median(np.concatenate(unrelated))), float(np.quantile(found, _CERTAIN))
    steps = np.linspace(low, high, _STEPS)[1:-1]
    balance = [(found >= step).mean() + (noise < step).mean() for step in steps]
    points = (low, float(steps[int(np.argmax(balance))]), high)
    return Points(*(round(point, _DECIMALS) for point in points))


def _near_duplicate(embedded: Embedded, mask: np.ndarray, language: str) -> float:
    """The cosine that 95 of 100 paraphrases reach."""
    cosines = (embedded.passages["short", language] * embedded.passages["paraphrase", language])[mask].sum(axis=1)
    return round(float(np.quantile(cosines, _CANDIDATE)), _DECIMALS)


def main() -> None:
    """Measure, print, and write when asked."""
    parser = argparse.ArgumentParser(description="Measure what the model's cosines mean.")
    parser.add_argument("models", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    pack = find_pack(options.models)
    if pack is None:
        parser.exit(3, "no model pack there; run python -m app.inference.prepare first\n")
    calibration = calibrate(Embedded(read_facts(), Embedder(pack)))
    for (query, passage), points in calibration.pairs.items():
        print(f"question {query}, passage {passage}: low {points.low} related {points.related} high {points.high}")
    print("near-duplicate candidates:", dict(calibration.near_duplicate))
    if options.write:
        resource("models", CALIBRATION_RESOURCE).write_text(calibration.to_json(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
