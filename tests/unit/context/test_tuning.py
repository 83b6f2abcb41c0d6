"""Weights from marks: found where there is something to find, and proposed only where it is no chance (G4.2, G7)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.ranking import Features, load_weights, score
from app.context.tuning import (
    LEAST_HELD_OUT,
    MarkedQuestion,
    _finals,
    _grid,
    _grid_of,
    chance_of,
    quality,
    split,
    tune,
)
from app.runtime.paths import resource

WEIGHTS = load_weights(resource("rules", "ranking.toml"))


def question(number, features, wanted, entries=None):
    count = len(features.semantic)
    ids = np.arange(count) if entries is None else np.array(entries)
    return MarkedQuestion(f"question {number}", features, ids, frozenset(wanted))


def some_features(random, count=12):
    return Features(
        semantic=random.uniform(0.3, 0.9, count),
        lexical=random.uniform(0.0, 1.0, count),
        confidence=random.uniform(0.5, 1.0, count),
        age_days=random.uniform(0.0, 900.0, count),
        is_active_task=np.zeros(count, bool),
    )


def newest_is_wanted(count, seed=5):
    """Questions of somebody who always means the newest of what is about the thing."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        features = some_features(random)
        found.append(question(number, features, {int(np.argmin(features.age_days))}))
    return found


def anything_is_wanted(count, seed):
    random = np.random.default_rng(seed)
    return [question(number, some_features(random), {int(random.integers(12))}) for number in range(count)]


def test_freshness_is_found_to_matter_where_it_does():
    tuned = tune(newest_is_wanted(40), WEIGHTS)
    assert tuned.is_better
    assert tuned.weights.final.freshness > WEIGHTS.final.freshness
    assert tuned.after.order > tuned.before.order + 0.1
    assert tuned.after.hit >= tuned.before.hit
    final = tuned.weights.final
    assert sum((final.semantic, final.lexical, final.freshness, final.confidence)) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(8))
def test_marks_at_random_propose_nothing(seed):
    assert not tune(anything_is_wanted(40, seed), WEIGHTS).is_better


def test_marks_that_follow_the_present_weights_change_nothing():
    random = np.random.default_rng(3)
    found = []
    for number in range(30):
        features = some_features(random)
        found.append(question(number, features, {int(np.argmax(score(features, WEIGHTS).final))}))
    tuned = tune(found, WEIGHTS)
    assert tuned.weights == WEIGHTS
    assert not tuned.is_better
    assert tuned.before.order == tuned.after.order == 1.0


def test_the_same_marks_give_the_same_weights_in_any_order():
    found = newest_is_wanted(24)
    assert tune(found, WEIGHTS).weights == tune(found[::-1], WEIGHTS).weights


@given(st.lists(st.text(), unique=True, min_size=20, max_size=40))
def test_no_question_is_on_both_sides(names):
    features = some_features(np.random.default_rng(0), 3)
    questions = [replace(question(0, features, {1}), query=name) for name in names]
    learning, held_out = split(questions)
    assert {one.query for one in learning} | {one.query for one in held_out} == set(names)
    assert not {one.query for one in learning} & {one.query for one in held_out}
    assert len(held_out) >= LEAST_HELD_OUT
    assert [one.query for one in split(questions[::-1])[1]] == [one.query for one in held_out]


@given(st.integers(0, 2**32 - 1), st.integers(1, 14))
def test_many_weights_at_once_score_as_the_formula_does(seed, count):
    random = np.random.default_rng(seed)
    features = replace(some_features(random, count), is_active_task=random.random(count) < 0.3)
    finals = _finals(features, _grid_of([WEIGHTS]), WEIGHTS)
    assert finals[0] == pytest.approx(score(features, WEIGHTS).final)


def test_every_weight_of_the_grid_is_one():
    grid = _grid(1095.0)
    assert (grid >= 0).all()
    assert grid[:, :4].sum(axis=1) == pytest.approx(1.0)


@given(st.integers(0, 2**32 - 1))
def test_quality_is_a_share(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(0, 15))
    wanted = {int(one) for one in random.integers(0, 30, int(random.integers(1, 14)))}
    found = quality([question(0, some_features(random, count), wanted, random.integers(0, 8, count))], WEIGHTS)
    assert 0 <= found.hit <= 1
    assert 0 <= found.order <= 1 + 1e-9


def test_an_entry_counts_once_and_where_its_best_passage_stands():
    features = Features(
        semantic=np.array([0.9, 0.8, 0.7]),
        lexical=np.zeros(3),
        confidence=np.ones(3),
        age_days=np.zeros(3),
        is_active_task=np.zeros(3, bool),
    )
    first = quality([question(0, features, {7}, [7, 7, 8])], WEIGHTS)
    assert (first.hit, first.order) == (1.0, 1.0)
    second = quality([question(0, features, {7, 9}, [8, 7, 7])], WEIGHTS)
    assert second.hit == 0.5
    assert second.order == pytest.approx((1 / np.log2(3)) / (1 + 1 / np.log2(3)))


def test_chance():
    assert chance_of(np.zeros(9)) == 1.0
    assert chance_of(np.ones(5)) == pytest.approx(1 / 32)
    assert chance_of(np.array([1.0, -1.0])) == pytest.approx(0.75)
    assert chance_of(np.ones(40)) < 1e-6
    assert chance_of(np.tile([1.0, -1.0], 20)) == pytest.approx(0.5)
