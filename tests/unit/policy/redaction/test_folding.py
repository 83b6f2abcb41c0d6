from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.policy.redaction.finder import find_personal
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


def test_traditional_characters_are_read_as_simplified_ones_in_their_places() -> None:
    text = "護照號碼：３００123"
    folded = fold(text)
    assert folded.text == "护照号码:300123"
    assert folded.original(5, 11) == (5, 11)


@pytest.mark.parametrize(
    ("text", "kept_back"),
    [
        ("聯繫人：劉德海，電話 0912-345-678", ["劉德海", "0912-345-678"]),
        ("護照號碼：300123456", ["300123456"]),
        ("我叫王大明", ["王大明"]),
        ("各位同志們好", []),
    ],
)
def test_traditional_chinese_is_redacted_like_simplified(text: str, kept_back: list[str]) -> None:
    assert [text[one.start : one.end] for one in find_personal(text)] == kept_back
