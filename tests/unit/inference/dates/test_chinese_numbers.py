"""Numbers as Chinese writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.inference.dates.chinese_numbers import fold, number, whole


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("3", 3),
        ("1.5", 1.5),
        ("零", 0),
        ("两", 2),
        ("十", 10),
        ("十五", 15),
        ("二十", 20),
        ("廿二", 22),
        ("卅一", 31),
        ("零五", 5),
        ("一百零二", 102),
        ("一百二", 120),
        ("一百二十三", 123),
        ("两千零八", 2008),
        ("两万四", 24_000),
        ("两万四千", 24_000),
        ("二〇二六", 2026),
        ("九零", 90),
    ],
)
def test_numbers(written: str, expected: float) -> None:
    assert number(written) == expected


@pytest.mark.parametrize("written", ["", "三月", "a", "十百", "1,5", "３"])
def test_what_is_no_number(written: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        number(written)


@given(st.integers(1, 99))
def test_small_numbers_are_read_as_they_are_written(value: int) -> None:
    signs = "零一二三四五六七八九"
    tens, ones = divmod(value, 10)
    written = ("" if tens == 1 else signs[tens]) + "十" if tens else ""
    assert whole(written + (signs[ones] if ones else "")) == value


@given(st.text(max_size=80))
def test_folding_keeps_every_offset(text: str) -> None:
    assert len(fold(text)) == len(text)


def test_folding() -> None:
    assert fold("２０２６年３月禮拜五下午３點，後天") == "2026年3月礼拜五下午3点,后天"
