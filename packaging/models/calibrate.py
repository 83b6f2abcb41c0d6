"""Measures what the model's cosines mean, and writes the calibration that ships with Famulus.

    python packaging/models/calibrate.py MODELS_FOLDER [--write]

Without --write it only prints. The method, for every pair of languages (question's, passage's): questions are centred
(app/inference/calibration.py), and of a product the question's product with the mean passage of that language is
subtracted. Then

    low      is the median over a question and a fact of another topic,
    high     is the 90th percentile over a question and a passage that holds its fact,
    related  lies between, where the share of facts found above it and the share of questions for which the best of all
             unrelated passages (330) lies below it are together the greatest.

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
_AS_GOOD = 0.01
# Tried: 0, 1/4, 1/2, 3/4, 1 (measure.py mixed). One half finds most across languages and loses nothing within one.
CENTRING = 0.5
_DECIMALS = 3


def calibrate(embedded: Embedded, facts: np.ndarray | None = None, *, centring: float = CENTRING) -> Calibration:
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
        (query, passage): _points(
            embedded, mask, passage, passage_means[passage], _centred(embedded, mask, query, mean)
        )
        for query, mean in ((query, centring * mean) for query, mean in query_means.items())
        for passage in LANGUAGES
    }
    near = {language: _near_duplicate(embedded, mask, language) for language in LANGUAGES}
    return Calibration(pairs, query_means, passage_means, near, centring)


def _centred(embedded: Embedded, mask: np.ndarray, language: str, shift: Vectors) -> list[Vectors]:
    return [embedded.questions[form, language][mask] - shift for form in QUESTIONS]


def _points(
    embedded: Embedded, mask: np.ndarray, language: str, mean: Vectors, questions_of_forms: list[Vectors]
) -> Points:
    is_other = (embedded.topics[:, None] != embedded.topics[None, :])[np.ix_(mask, mask)]
    related, unrelated, best = [], [], []
    for questions in questions_of_forms:
        offsets = (questions @ mean)[:, None]
        of_question = []
        for kind in (*SIZES, "paraphrase", "contrary"):
            excess = questions @ embedded.passages[kind, language][mask].T - offsets
            unrelated.append(excess[is_other])
            of_question.append(np.where(is_other, excess, -1.0).max(axis=1))
            if kind in SIZES:
                related.append(np.diag(excess))
        best.append(np.max(of_question, axis=0))
    found, noise = np.concatenate(related), np.concatenate(best)
    low, high = float(np.median(np.concatenate(unrelated))), float(np.quantile(found, _CERTAIN))
    return Points(*(round(point, _DECIMALS) for point in (low, _between(found, noise, low, high), high)))


def _between(found: np.ndarray, noise: np.ndarray, low: float, high: float) -> float:
    """Where found passages and noise are told apart best; the middle of all places that are as good within 1 %."""
    steps = np.linspace(low, high, _STEPS)[1:-1]
    balance = np.array([(found >= step).mean() + (noise < step).mean() for step in steps])
    return float(np.median(steps[balance >= balance.max() - _AS_GOOD]))


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
