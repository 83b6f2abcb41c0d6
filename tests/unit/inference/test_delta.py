from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.domain.errors import Damaged
from app.inference.delta import Delta, Head, LowRank
from app.inference.weights import Weights

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.weights import Shape
    from tests.unit.inference.tiny import TinyNetwork


@pytest.fixture(scope="module")
def shape(network: TinyNetwork) -> Shape:
    return Weights(network.data()).shape


def _delta() -> Delta:
    random = np.random.default_rng(3)

    def half(*size: int) -> np.ndarray:
        return random.normal(0, 0.1, size).astype(np.float16).astype(np.float32)

    return Delta(
        {"l0.q": LowRank(half(4, 64), half(64, 4)), "l1.fo": LowRank(half(2, 128), half(64, 2))},
        {"l0.fi.b": half(128), "emb.ln.w": half(64)},
        {"entity": Head(("O", "B-人"), half(2, 64), half(2))},
    )


def test_it_is_read_as_it_was_written(shape: Shape, tmp_path: Path) -> None:
    delta = _delta()
    (tmp_path / "x.npz").write_bytes(delta.to_bytes())
    found = Delta.read(tmp_path / "x.npz", shape)
    assert found.to_bytes() == delta.to_bytes()
    assert found.heads["entity"].labels == ("O", "B-人")
    np.testing.assert_array_equal(found.matrices["l1.fo"].product(), delta.matrices["l1.fo"].product())
    np.testing.assert_array_equal(found.vectors["l0.fi.b"], delta.vectors["l0.fi.b"])


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("l2.q.down", np.zeros((4, 64), np.float16)),  # no such layer
        ("l0.q.down", np.zeros((4, 64), np.float16)),  # without its other half
        ("l0.q.b", np.zeros(65, np.float16)),  # too long
        ("l0.q.b", np.full(64, np.nan, np.float16)),
        ("l0.q.b", np.zeros(64, np.int8)),
        ("emb.word", np.zeros(64, np.float16)),  # embeddings stay
        ("head.entity.weight", np.zeros((2, 64), np.float16)),  # without labels
        ("head.../x.bias", np.zeros(2, np.float16)),
    ],
)
def test_what_does_not_fit_is_damage(shape: Shape, tmp_path: Path, name: str, array: np.ndarray) -> None:
    np.savez(tmp_path / "x.npz", **{name: array})
    with pytest.raises(Damaged):
        Delta.read(tmp_path / "x.npz", shape)


def test_nothing_pickled_is_read(shape: Shape, tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", **{"l0.q.b": np.array([print], object)})
    with pytest.raises(Damaged):
        Delta.read(tmp_path / "x.npz", shape)


def test_what_is_no_archive_or_a_bomb_is_damage(shape: Shape, tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(b"no archive")
    with pytest.raises(Damaged):
        Delta.read(tmp_path / "x.npz", shape)
    with zipfile.ZipFile(tmp_path / "y.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("l0.q.b.npy", bytes(80 << 20))
    with pytest.raises(Damaged):
        Delta.read(tmp_path / "y.npz", shape)
    with pytest.raises(Damaged):
        Delta.read(tmp_path / "missing.npz", shape)
