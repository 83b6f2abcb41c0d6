from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.policy.redaction.folding import fold


def test_full_width_and_foreign_digits_become_plain() -> None:
    assert fold("１３８－００").text == "138-00"
    assert fold("٠١٢٣").text == "0123"


def test_letters_that_only_case_makes_ascii_become_plain() -> None:
    assert fold("İ\u0131\u017f\u212a").text == "IisK"


def test_chinese_commas_stay() -> None:
    assert fold("你好，世界；").text == "你好，世界；"


def test_invisible_characters_go_and_positions_know_them() -> None:
    folded = fold("a\u200bb\u202ec")
    assert folded.text == "abc"
    assert folded.original(0, 2) == (0, 3)
    assert folded.original(2, 3) == (4, 5)


@given(st.text())
def test_every_stretch_comes_from_a_stretch_of_the_text(text: str) -> None:
    folded = fold(text)
    for index in range(len(folded.text)):
        start, end = folded.original(index, index + 1)
        assert 0 <= start < end <= len(text)
