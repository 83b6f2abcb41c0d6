from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.domain.errors import Bug
from app.store import vector_blocks, vector_codes, vectors
from app.store.languages import LANGUAGES
from app.store.store import Store
from app.store.vector_codes import Centres
from app.store.vector_rows import EmbeddingModel, put_vectors
from app.store.writes import remove_source, upsert_entry
from tests.unit.store.makers import KEY, OWNER, OWNER_WITH_STALE, admit, limited_to, make_chunk, make_entry, store_text
from tests.unit.store.worlds import DIMENSION, MODEL, clustered, filled, nearest

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from numpy.typing import NDArray

    from app.store.vectors import VectorIndex


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes from 100 vectors on, which choose 200."""
    monkeypatch.setattr(vectors, "_EXACT_UP_TO", 100)
    monkeypatch.setattr(vectors, "_CANDIDATES_AT_LEAST", 200)


def mask_of(store: Store, now: datetime) -> NDArray[np.bool_]:
    return store.visibility.view(OWNER, now).mask


def recall(index: VectorIndex, matrix: NDArray[np.float16], mask: NDArray[np.bool_]) -> float:
    queries = clustered(40, seed=7).astype(np.float32)
    found = [set(index.search(query, 10, mask)[0].tolist()) for query in queries]
    true = [nearest(matrix, query, mask, 10) for query in queries]
    return float(np.mean([len(got & want) / len(want) for got, want in zip(found, true, strict=True)]))


def test_products_are_exact_and_sorted(path: Path, now: datetime) -> None:
    store, matrix = filled(path, 50, now=now)
    query = clustered(1, seed=3)[0].astype(np.float32)
    ids, products = store.vectors(MODEL).search(query, 5, mask_of(store, now))
    assert set(ids.tolist()) == nearest(matrix, query, mask_of(store, now), 5)
    assert np.allclose(products, matrix[ids - 1].astype(np.float32) @ query)
    assert (np.diff(products) <= 0).all()
    store.close()


@pytest.mark.parametrize("spoilt", ["007c", "00fc", "007e", "ffff", "too short"])
def test_what_is_no_vector_is_passed_over_at_the_start(path: Path, now: datetime, spoilt: str) -> None:
    store, matrix = filled(path, 50, now=now)
    data = b"\0\0\0" if spoilt == "too short" else matrix[6].tobytes()[:-2] + bytes.fromhex(spoilt)
    with store.database.write() as tx:
        tx.run("UPDATE vector SET data = ? WHERE chunk_id = 7", data)
    store.close()
    again = Store.open(path, KEY, now=now)
    index = again.vectors(MODEL)
    assert index.size == 49
    assert not index.vectors(np.array([7])).any()
    query = clustered(1, seed=3)[0].astype(np.float32)
    others = mask_of(again, now).copy()
    others[7] = False
    for got, want in zip(index.search(query, 50, mask_of(again, now)), index.search(query, 50, others), strict=True):
        assert got.tolist() == want.tolist()
    again.close()


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("share", [1.0, 0.3, 0.05])
def test_codes_find_what_an_exact_comparison_finds(path: Path, now: datetime, share: float) -> None:
    store, matrix = filled(path, 1_500, now=now)
    index = store.vectors(MODEL)
    assert [codes.size for codes in index._codes.values()] == [1_500]
    mask = mask_of(store, now) & (np.random.default_rng(5).random(1_501) < share)
    assert recall(index, matrix, mask) >= 0.98
    store.close()


@pytest.mark.usefixtures("small_steps")
def test_nothing_outside_the_mask_is_found(path: Path, now: datetime) -> None:
    store, _ = filled(path, 900, now=now)
    index = store.vectors(MODEL)
    mask = mask_of(store, now) & (np.random.default_rng(2).random(901) < 0.5)
    for query in clustered(20, seed=9).astype(np.float32):
        assert mask[index.search(query, 300, mask)[0]].all()
    assert len(index.search(query, 10, np.zeros(901, np.bool_))[0]) == 0
    store.close()


@pytest.mark.usefixtures("small_steps")
def test_it_follows_what_is_written_and_removed(path: Path, now: datetime) -> None:
    store, matrix = filled(path, 300, now=now)
    index = store.vectors(MODEL)
    new = clustered(1_500, seed=11)
    for start in range(0, 1_500, 150):
        vectors = new[start : start + 150]
        with store.database.write() as tx:
            chunks = [make_chunk(f"{start} {number}", number) for number in range(150)]
            upsert_entry(tx, admit(make_entry(f"new{start}")), chunks, now=now)
            put_vectors(tx, MODEL, [(301 + start + n, vector) for n, vector in enumerate(vectors)], now=now)
    assert index.size == 1_800
    every = np.concatenate([matrix, new])
    assert recall(index, every, mask_of(store, now)) >= 0.98
    with store.database.write() as tx:
        remove_source(tx, "notes", now=now)
    assert index.size == 0
    assert len(index.search(new[0].astype(np.float32), 5, np.ones(1_801, np.bool_))[0]) == 0
    assert not index.vectors(np.array([1, 301])).any()
    assert not index._rows.take(np.arange(1_800, dtype=np.int32)).any()
    store.close()


def test_a_replaced_vector_is_found_where_it_is_now(path: Path, now: datetime) -> None:
    store, _ = filled(path, 20, now=now)
    index = store.vectors(MODEL)
    place = np.zeros(DIMENSION, np.float16)
    place[0] = 1
    with store.database.write() as tx:
        put_vectors(tx, MODEL, [(7, place)], now=now)
    ids, products = index.search(place.astype(np.float32), 1, mask_of(store, now))
    assert (ids.tolist(), products.tolist()) == ([7], [1.0])
    assert index.size == 20
    store.close()


@pytest.mark.usefixtures("small_steps")
def test_saved_codes_are_used_and_completed(path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    store, matrix = filled(path, 900, now=now)
    store.vectors(MODEL)
    store.save_vectors(now=now)
    store_text(store.database, "later", "x")
    later = clustered(1, seed=13)
    with store.database.write() as tx:
        put_vectors(tx, MODEL, [(901, later[0])], now=now)
    store.close()
    monkeypatch.setattr(vector_codes.Codes, "around", None)
    store = Store.open(path, KEY, now=now)
    index = store.vectors(MODEL)
    assert [codes.size for codes in index._codes.values()] == [901]
    assert recall(index, np.concatenate([matrix, later]), mask_of(store, now)) >= 0.98
    store.close()


@pytest.mark.usefixtures("small_steps")
def test_vectors_are_tended_when_there_is_something_to_do(path: Path, now: datetime) -> None:
    store, _ = filled(path, 900, now=now)
    store.vectors(MODEL)
    assert store.tend_vectors(now=now)
    assert not store.tend_vectors(now=now)
    store.close()
    store = Store.open(path, KEY, now=now)
    store.vectors(MODEL)
    assert not store.tend_vectors(now=now)
    store.close()


@pytest.mark.usefixtures("small_steps")
def test_a_small_collection_needs_no_tending(path: Path, now: datetime) -> None:
    store, _ = filled(path, 50, now=now)
    store.vectors(MODEL)
    assert not store.tend_vectors(now=now)
    store.close()


@pytest.mark.usefixtures("small_steps")
def test_saved_codes_of_mostly_removed_vectors_are_made_anew(path: Path, now: datetime) -> None:
    store, _ = filled(path, 1_000, now=now)
    store.vectors(MODEL)
    store.save_vectors(now=now)
    with store.database.write() as tx:
        tx.run("DELETE FROM vector WHERE chunk_id > 500")
    store.close()
    store = Store.open(path, KEY, now=now)
    assert sum(codes.size for codes in store.vectors(MODEL)._codes.values()) == 500
    store.close()


def test_models_are_never_mixed(path: Path, now: datetime) -> None:
    store, _ = filled(path, 20, now=now)
    newer = EmbeddingModel(MODEL.model_id, "2", DIMENSION)
    index, other = store.vectors(MODEL), store.vectors(newer)
    assert (index.size, other.size) == (20, 0)
    vector = clustered(1, seed=1)[0]
    with store.database.write() as tx:
        put_vectors(tx, newer, [(1, vector)], now=now)
    assert (index.size, other.size) == (20, 1)
    assert other.vectors(np.array([1]))[0].tolist() == vector.tolist()
    assert index.vectors(np.array([1]))[0].tolist() != vector.tolist()
    store.close()


@pytest.mark.parametrize(
    "vector", [np.ones(DIMENSION, np.float32), np.ones(3, np.float16), np.full(DIMENSION, np.nan, np.float16)]
)
def test_a_vector_that_does_not_fit_is_a_bug(path: Path, now: datetime, vector: NDArray[np.floating]) -> None:
    store, _ = filled(path, 1, now=now)
    with pytest.raises(Bug), store.database.write() as tx:
        put_vectors(tx, MODEL, [(1, vector)], now=now)
    store.close()


def test_vectors_of_absent_chunks_are_zeros(path: Path, now: datetime) -> None:
    store, matrix = filled(path, 3, now=now)
    found = store.vectors(MODEL).vectors(np.array([2, 99_999, 0]))
    assert found[0].tolist() == matrix[1].tolist()
    assert not found[1:].any()
    store.close()


def test_hidden_vectors_change_no_product(path: Path, basedir: Path, now: datetime) -> None:
    alone, _ = filled(path, 40, now=now, scope="work")
    mixed, _ = filled(basedir / "mixed.db", 40, now=now, scope="work", hidden=60)
    query = clustered(1, seed=21)[0].astype(np.float32)
    results = []
    for store in (alone, mixed):
        mask = store.visibility.view(limited_to("work"), now).mask
        ids, products = store.vectors(MODEL).search(query, 10, mask)
        names = [_name(store, int(chunk_id)) for chunk_id in ids]
        results.append((names, products.tolist()))
        store.close()
    assert results[0] == results[1]


def _name(store: Store, chunk_id: int) -> str:
    with store.database.reader() as reader:
        return str(reader.value("SELECT native_id FROM chunk JOIN entry USING (entry_id) WHERE chunk_id = ?", chunk_id))


def test_stale_vectors_are_kept_for_who_asks_for_them(path: Path, now: datetime) -> None:
    store, _ = filled(path, 5, now=now)
    index = store.vectors(MODEL)
    store_text(store.database, "entry0", "a newer text")
    query = clustered(1, seed=2)[0].astype(np.float32)
    assert 1 not in index.search(query, 10, mask_of(store, now))[0]
    assert 1 in index.search(query, 10, store.visibility.view(OWNER_WITH_STALE, now).mask)[0]
    store.close()


def test_rows_grow_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_blocks, "BLOCK_ROWS", 8)
    rows = vector_blocks.Rows(DIMENSION)
    matrix = clustered(29, seed=4)
    places = np.concatenate([rows.append(matrix[:5]), rows.append(matrix[5:25]), rows.append(matrix[25:])])
    assert places.tolist() == list(range(29))
    order = np.array([28, 0, 7, 8, 3], np.int32)
    assert (rows.take(order) == matrix[order]).all()


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("centre", [None, 0.02])
def test_codes_find_the_same_whatever_is_hidden(path: Path, basedir: Path, now: datetime, centre: float | None) -> None:
    alone, _ = filled(path, 1_500, now=now, scope="work")
    mixed, _ = filled(basedir / "mixed.db", 1_500, now=now, scope="work", hidden=700)
    centres = None if centre is None else Centres(np.full((1, DIMENSION), centre, np.float32), (0,) * len(LANGUAGES))
    for query in clustered(30, seed=22).astype(np.float32):
        results = []
        for store in (alone, mixed):
            mask = store.visibility.view(limited_to("work"), now).mask
            ids, products = store.vectors(MODEL, centres).search(query, 30, mask)
            results.append(([_name(store, int(chunk_id)) for chunk_id in ids], products.tolist()))
        assert results[0] == results[1]
    alone.close()
    mixed.close()


def test_a_selection_is_compared_exactly_or_by_codes_by_its_own_size(path: Path, basedir: Path, now: datetime) -> None:
    """Else two that see the same would find the same by different ways."""
    chosen = []
    for number, hidden in enumerate((0, 700)):
        store, _ = filled(basedir / f"{number}.db", 1_500, now=now, scope="work", hidden=hidden)
        asked: list[int] = []
        for codes in store.vectors(MODEL)._codes.values():
            codes.candidates = lambda _, limit, __, asked=asked: asked.append(limit)  # type: ignore[method-assign]
        mask = store.visibility.view(limited_to("work"), now).mask.copy()
        store.vectors(MODEL).search(clustered(1, seed=1)[0].astype(np.float32), 10, mask)
        mask[np.flatnonzero(mask)[1_000:]] = False
        store.vectors(MODEL).search(clustered(1, seed=1)[0].astype(np.float32), 10, mask)
        chosen.append(asked)
        store.close()
    assert chosen == [[400], [400]]


@pytest.mark.usefixtures("small_steps")
def test_the_nearest_of_a_thousand_copies_is_found(path: Path, now: datetime) -> None:
    """All copies promise the same, so that codes cannot choose."""
    store, _ = filled(path, 600, now=now)
    copy = clustered(1, seed=40)[0]
    nearer = copy.astype(np.float32) + 0.0001
    with store.database.write() as tx:
        put_vectors(tx, MODEL, [(number, copy) for number in range(1, 600)], now=now)
        put_vectors(tx, MODEL, [(600, nearer.astype(np.float16))], now=now)
    index = store.vectors(MODEL)
    assert index.search(np.ones(DIMENSION, np.float32), 1, mask_of(store, now))[0].tolist() == [600]
    store.close()


def test_each_group_of_languages_has_its_own_nearest(path: Path, now: datetime) -> None:
    store, matrix = filled(path, 100, now=now)
    points = np.eye(2, DIMENSION, dtype=np.float32)
    index = store.vectors(MODEL, Centres(points, tuple(int(language == "zh") for language in LANGUAGES)))
    query = clustered(1, seed=3)[0].astype(np.float32)
    mask = mask_of(store, now)
    is_chinese = np.arange(101) % 10 == 1
    found = index.search(query, 3, mask)[0].tolist()
    assert [set(found[:3]), set(found[3:])] == [
        nearest(matrix, query, mask & part, 3) for part in (~is_chinese, is_chinese)
    ]
    store.close()


@pytest.mark.usefixtures("small_steps")
def test_codes_around_other_centres_are_made_anew(path: Path, now: datetime) -> None:
    store, _ = filled(path, 600, now=now)
    store.vectors(MODEL)
    store.save_vectors(now=now)
    store.close()
    store = Store.open(path, KEY, now=now)
    point = np.full((1, DIMENSION), 0.1, np.float32)
    index = store.vectors(MODEL, Centres(point, (0,) * len(LANGUAGES)))
    assert [codes.centre.tolist() for codes in index._codes.values()] == [point[0].tolist()]
    assert [codes.size for codes in index._codes.values()] == [600]
    assert store.tend_vectors(now=now)
    store.close()
