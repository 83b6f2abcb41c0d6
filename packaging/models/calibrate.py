"""Measures what the model's cosines mean, and writes the calibration that ships with Famulus.

    python packaging/models/calibrate.py MODELS_FOLDER [--write]

Without --write it only prints. All cosines are centred ones (app/inference/calibration.py). For every pair of languages
(question's, passage's):

    low      the 1st percentile over a question and a fact of another topic,
    high     the 99th percentile over a question and a passage that holds its fact,
    related  lies between, where the share of facts found above it and the share of questions for which the best of all
             unrelated passages (330) lies below it are together the greatest.

Passages are counted in all three lengths, questions as sentences and as search words. For two passages:

    low, related  the 1st and the 95th percentile over facts of different topics,
    near          what 95 of 100 paraphrases reach; across languages, 95 of 100 translations.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from facts import LANGUAGES, QUESTIONS, SIZES, Embedded, Vectors, read_facts

from app.inference.building import CALIBRATION_RESOURCE
from app.inference.calibration import PASSAGE_SHARE, Calibration, PassagePoints, Points
from app.inference.embedder import Embedder
from app.inference.packs import find_pack
from app.runtime.paths import resource

_HARDLY, _CANDIDATE, _OFTEN = 0.01, 0.05, 0.95
_STEPS = 400
_AS_GOOD = 0.01
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
    centred = {
        (kind, language): _units(embedded.passages[kind, language][mask] - PASSAGE_SHARE * passage_means[language])
        for kind in (*SIZES, "paraphrase", "contrary")
        for language in LANGUAGES
    }
    topics = embedded.topics[mask]
    is_other = topics[:, None] != topics[None, :]
    questions = {
        language: [_units(embedded.questions[form, language][mask] - query_means[language]) for form in QUESTIONS]
        for language in LANGUAGES
    }
    every = [(one, other) for one in LANGUAGES for other in LANGUAGES]
    return Calibration(
        {(one, other): _points(questions[one], centred, other, is_other) for one, other in every},
        {(one, other): _passage_points(centred, one, other, is_other) for one, other in every},
        query_means,
        passage_means,
    )


def _points(
    questions_of_forms: list[Vectors], centred: dict[tuple[str, str], Vectors], language: str, is_other: np.ndarray
) -> Points:
    related, unrelated, best = [], [], []
    for questions in questions_of_forms:
        of_question = []
        for kind in (*SIZES, "paraphrase", "contrary"):
            cosines = questions @ centred[kind, language].T
            unrelated.append(cosines[is_other])
            of_question.append(np.where(is_other, cosines, -1.0).max(axis=1))
            if kind in SIZES:
                related.append(np.diag(cosines))
        best.append(np.max(of_question, axis=0))
    found, noise = np.concatenate(related), np.concatenate(best)
    low, high = float(np.quantile(np.concatenate(unrelated), _HARDLY)), float(np.quantile(found, 1 - _HARDLY))
    return Points(*(round(point, _DECIMALS) for point in (low, _between(found, noise, low, high), high)))


def _passage_points(
    centred: dict[tuple[str, str], Vectors], one: str, other: str, is_other: np.ndarray
) -> PassagePoints:
    facts, others = centred["short", one], centred["short", other]
    unrelated = np.concatenate([(facts @ others.T)[is_other], (others @ facts.T)[is_other]])
    twins = (facts * (centred["paraphrase", other] if one == other else others)).sum(axis=1)
    low, related = np.quantile(unrelated, [_HARDLY, _OFTEN])
    return PassagePoints(*(round(float(point), _DECIMALS) for point in (low, related, np.quantile(twins, _CANDIDATE))))


def _units(vectors: Vectors) -> Vectors:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _between(found: np.ndarray, noise: np.ndarray, low: float, high: float) -> float:
    """Where found passages and noise are told apart best; the middle of all places that are as good within 1 %."""
    steps = np.linspace(low, high, _STEPS)[1:-1]
    balance = np.array([(found >= step).mean() + (noise < step).mean() for step in steps])
    return float(np.median(steps[balance >= balance.max() - _AS_GOOD]))


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
    for (one, other), two in calibration.passage_pairs.items():
        print(f"passages {one}, {other}: low {two.low} related {two.related} near {two.near}")
    if options.write:
        resource("models", CALIBRATION_RESOURCE).write_text(calibration.to_json(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
