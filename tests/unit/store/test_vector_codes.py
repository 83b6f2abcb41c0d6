"""Codes choose the same of what is selected, whatever lies between it (G4.3)."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.store.languages import LANGUAGES
from app.store.vector_codes import Centres, Codes, bitmap

_DIMENSION = 64


def _vectors(rng: np.random.Generator, count: int, copies: int) -> np.ndarray:
    """Vectors of length 1, the first of them several times: their codes are equal."""
    found = rng.standard_normal((count, _DIMENSION)).astype(np.float32)
    found[:copies] = found[0]
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)


def _candidates(ids: np.ndarray, vectors: np.ndarray, selected: np.ndarray, query: np.ndarray) -> np.ndarray | None:
    codes = Codes.around(np.full(_DIMENSION, 0.02, np.float32))
    codes.add(ids, vectors)
    mask = np.zeros(int(ids.max()) + 1, np.bool_)
    mask[selected] = True
    return codes.candidates(query, 60, bitmap(mask))


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(0, 300), st.integers(1, 400))
def test_what_lies_between_makes_no_difference(seed: int, copies: int, hidden: int) -> None:
    rng = np.random.default_rng(seed)
    seen = _vectors(rng, 500, copies)
    query = seen[0].astype(np.float32) if seed % 2 else rng.standard_normal(_DIMENSION).astype(np.float32)
    alone = _candidates(np.arange(500), seen, np.arange(500), query)
    places = np.sort(rng.choice(500 + hidden, 500, replace=False))
    mixed = rng.standard_normal((500 + hidden, _DIMENSION)).astype(np.float16)
    mixed[places] = seen
    among = _candidates(np.arange(500 + hidden), mixed, places, query)
    if alone is None or among is None:
        assert alone is among
    else:
        assert places[alone].tolist() == among.tolist()
        assert 30 < len(alone) <= 60


def test_of_few_all_come() -> None:
    seen = _vectors(np.random.default_rng(1), 50, 0)
    found = _candidates(np.arange(50), seen, np.arange(3, 40), seen[0].astype(np.float32))
    assert found is not None
    assert found.tolist() == list(range(3, 40))


def test_of_more_equal_ones_than_are_wanted_none_is_chosen() -> None:
    seen = _vectors(np.random.default_rng(2), 500, 200)
    assert _candidates(np.arange(500), seen, np.arange(500), seen[0].astype(np.float32)) is None


def test_codes_come_back_as_they_were_saved() -> None:
    seen = _vectors(np.random.default_rng(3), 500, 0)
    codes = Codes.around(np.full(_DIMENSION, 0.02, np.float32))
    codes.add(np.arange(500), seen)
    again = Codes.from_bytes(codes.to_bytes(), codes.chunk_ids)
    assert (again.size, again.centre.tolist()) == (500, codes.centre.tolist())
    bits = bitmap(np.ones(500, np.bool_))
    query = seen[7].astype(np.float32)
    assert (again.candidates(query, 20, bits) == codes.candidates(query, 20, bits)).all()


def test_an_unknown_model_has_one_centre_for_all_languages() -> None:
    unknown = Centres.unknown(_DIMENSION)
    assert unknown.points.tolist() == [[0.0] * _DIMENSION]
    assert unknown.of_language == (0,) * len(LANGUAGES)
