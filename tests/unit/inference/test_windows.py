from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.inference.windows import LONGEST_CHARACTERS, MOST_WINDOWS, abridged, windows


@given(st.integers(1, 4000), st.integers(1, 600))
def test_windows_cover_everything_up_to_their_greatest_number(length: int, room: int) -> None:
    ids = np.arange(length)
    parts = windows(ids, room)
    assert all(0 < len(part) <= room for part in parts)
    assert len(parts) <= MOST_WINDOWS
    if length <= MOST_WINDOWS * room:
        assert np.concatenate(parts).tolist() == ids.tolist()
        assert len(parts) == -(-length // room)
    else:
        assert parts[0][0] == 0
        assert parts[-1][-1] == length - 1


@given(st.text(max_size=200))
def test_a_text_of_ordinary_length_is_not_abridged(text: str) -> None:
    assert abridged(text) == text


def test_a_huge_text_is_sampled_from_its_beginning_to_its_end() -> None:
    text = "".join(f"{number:08d}" for number in range(1_250_000))
    sample = abridged(text)
    assert len(sample) <= LONGEST_CHARACTERS + 16
    stretches = sample.split("\n")
    assert stretches[0].startswith("00000000")
    assert stretches[-1].endswith("01249999")
    assert all(stretch in text for stretch in stretches)
