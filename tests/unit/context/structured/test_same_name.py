"""Names that can be one person's (G2.4, X9.3)."""

from __future__ import annotations

import pytest

from app.context.structured.same_name import may_be_one, names_in_text


@pytest.mark.parametrize(
    ("one", "other"),
    [("陈博", "Chen Bo"), ("陈博", "chen.bo@example.com"), ("Chen Bo", "chen.bo@example.com"), ("小蕾", "Xiaolei"),
     ("Jonas", "jonas@example.com"), ("Ben", "Ben Smith"), ("Anna", "anna.berg@example.com"), ("张三", "张三")],
)  # fmt: skip
def test_they_can_be_one(one: str, other: str) -> None:
    assert may_be_one(one, other)
    assert may_be_one(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("陈博", "陈波涛"),
        ("Ben Smith", "Ben Jones"),
        ("Anna", "Hanna"),
        ("张三", "李四"),
        ("", "Anna"),
        ("Smith", "Ben Smith"),
    ],
)
def test_they_cannot(one: str, other: str) -> None:
    assert not may_be_one(one, other)


def test_a_text_names_somebody_in_either_script() -> None:
    assert names_in_text("周岚", "Send test report to Zhou Lan")
    assert names_in_text("Marta", "把乐谱还给Marta")
    assert not names_in_text("Marta", "Send the report to Martin")
    assert not names_in_text("周岚", "Send the report to Zhou Li")
