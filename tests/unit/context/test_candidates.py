"""Words and meaning, united (G4.3, G4.5)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.candidates import MeaningHits, unite, united_ids
from app.context.ranking import CandidateWeights
from app.context.semantics import Meaning

ALONE = CandidateWeights(same_entry=0.0, full_match=1.0)


@dataclass
class Words:
    """The lexical scores of chunk ids."""

    scores_by_id: dict[int, float]
    chunk_ids: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.chunk_ids = np.array(list(self.scores_by_id), np.int64)

    def at(self, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores = np.array([self.scores_by_id.get(int(chunk_id), 0.0) for chunk_id in ids], np.float32)
        return scores, scores


def near(*chunk_ids: int) -> MeaningHits:
    return MeaningHits(Meaning(np.zeros(2, np.float32), "en"), np.array(chunk_ids, np.int64))


def entries(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def scores(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def test_what_either_found_is_scored_by_both() -> None:
    words, meaning = Words({5: 0.5, 7: 0.25}), near(9, 7)
    assert united_ids(words, meaning).tolist() == [5, 7, 9]
    found = unite(words, meaning, scores(0.2, 0.8, 0.9), entries(1, 2, 3), ALONE)
    by_id = {int(chunk_id): place for place, chunk_id in enumerate(found.chunk_ids)}
    assert found.lexical[by_id[9]] == 0.0
    assert found.semantic[by_id[5]] == pytest.approx(0.2)
    assert found.relevance[by_id[7]] == pytest.approx(0.6 * 0.8 + 0.4 * 0.25)
    assert found.chunk_ids.tolist() == [7, 9, 5]


def test_without_a_vector_words_stand_in() -> None:
    found = unite(Words({1: 0.5}), near(2), scores(np.nan, 0.4), entries(1, 2), ALONE)
    place = found.chunk_ids.tolist().index(1)
    assert not found.has_vector[place]
    assert found.semantic[place] == found.lexical[place] == 0.5
    assert found.meaning[place] == 0.0


def test_words_alone_and_meaning_alone() -> None:
    words = unite(Words({1: 0.5}), None, None, entries(1), ALONE)
    assert (words.semantic[0], words.lexical[0], bool(words.has_vector[0])) == (0.5, 0.5, False)
    meaning = unite(None, near(1), scores(0.7), entries(1), ALONE)
    assert (float(meaning.semantic[0]), float(meaning.lexical[0])) == (pytest.approx(0.7), 0.0)
    assert not len(unite(None, None, None, entries(), ALONE).chunk_ids)


def test_a_good_entry_lifts_its_passages() -> None:
    weights = replace(ALONE, same_entry=0.5)
    found = unite(None, near(1, 2, 3, 4), scores(0.8, 0.8, 0.4, 0.4), entries(7, 7, 7, 8), weights)
    semantic = dict(zip(found.chunk_ids.tolist(), found.semantic.tolist(), strict=True))
    assert semantic[3] > semantic[4]
    assert semantic[3] == pytest.approx(0.5 * 0.4 + 0.5 * (0.8 + 0.8 + 0.4) / 3)


def test_an_entry_is_not_measured_by_what_it_lacks() -> None:
    weights = replace(ALONE, same_entry=0.5)
    found = unite(None, near(1, 2, 3, 4), scores(0.8, 0.8, 0.1, 0.1), entries(7, 8, 8, 8), weights)
    semantic = dict(zip(found.chunk_ids.tolist(), found.semantic.tolist(), strict=True))
    assert semantic[1] > semantic[2]


def test_a_full_match_is_what_says_enough() -> None:
    found = unite(Words({1: 0.3, 2: 0.9}), None, None, entries(1, 2), replace(ALONE, full_match=0.5))
    assert found.lexical.tolist() == pytest.approx([1.0, 0.6])


def test_equal_ones_come_newest_first() -> None:
    found = unite(None, near(1, 2, 3), scores(0.5, 0.5, 0.5), entries(1, 2, 3), ALONE)
    assert found.chunk_ids.tolist() == [3, 2, 1]


UNIT = st.floats(0, 1, width=32)


def test_of_a_long_entry_the_best_three_lend() -> None:
    weights = replace(ALONE, same_entry=1.0)
    found = unite(None, near(1, 2, 3, 4, 5), scores(0.2, 0.9, 0.6, 0.3, 0.5), entries(7, 7, 7, 7, 8), weights)
    by_id = dict(zip(found.chunk_ids.tolist(), found.semantic.tolist(), strict=True))
    assert [by_id[chunk_id] for chunk_id in (1, 2, 3, 4)] == pytest.approx([0.6] * 4)
    assert by_id[5] == pytest.approx((0.5 + 2 * 0.6 * 0.5) / 3)


@given(
    rows=st.lists(st.tuples(UNIT, UNIT, st.integers(1, 4)), min_size=1, max_size=12),
    share=st.floats(0, 1),
    full=st.floats(0.1, 1),
)
def test_every_score_stays_within_bounds(rows: list[tuple[float, float, int]], share: float, full: float) -> None:
    rows = sorted(rows, key=lambda row: row[2])
    lexical = {place + 1: row[1] for place, row in enumerate(rows)}
    weights = replace(ALONE, same_entry=share, full_match=full)
    found = unite(
        Words(lexical), near(), scores(*(row[0] for row in rows)), entries(*(row[2] for row in rows)), weights
    )
    for part in (found.semantic, found.lexical, found.relevance, found.meaning):
        assert float(part.min()) >= 0.0
        assert float(part.max()) <= 1.0 + 1e-6
    assert found.relevance.tolist() == sorted(found.relevance.tolist(), reverse=True)
