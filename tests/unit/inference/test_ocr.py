"""Where boxes of text become lines, and long strips are cut (L6.5); reading itself is an integration test."""

from __future__ import annotations

import numpy as np

from app.inference.ocr import _bands, _in_rows


def test_boxes_of_one_row_are_one_line() -> None:
    boxes = [(300, 12, 30, "right"), (10, 10, 30, "left"), (10, 50, 70, "below")]
    assert _in_rows(boxes) == ["left  right", "below"]
    assert _in_rows([]) == []


def test_a_strip_is_cut_between_lines() -> None:
    picture = np.full((9_000, 1_000, 3), 255, np.uint8)
    for top in range(10, 9_000, 40):
        picture[top : top + 25, ::2] = 0
    bands = _bands(picture)
    assert len(bands) > 3
    assert sum(len(band) for band in bands) == 9_000
    assert all(len(band) <= 2_000 for band in bands)
    assert all((band[-1] == 255).all() for band in bands[:-1])


def test_other_pictures_stay_whole() -> None:
    assert len(_bands(np.zeros((2_560, 1_440, 3), np.uint8))) == 1
    assert len(_bands(np.zeros((10, 4_000, 3), np.uint8))) == 1
