"""Organisations in Chinese by what they are called (G2.4)."""

from __future__ import annotations

import pytest

from app.domain.readings import TextSpan
from app.inference.chinese_organisations import LIKELY, SURE, Word, completed, is_team, known_organisations


def words(*parts: str) -> tuple[str, list[Word]]:
    found, at = [], 0
    for part in parts:
        found.append(Word(at, at + len(part), "n"))
        at += len(part)
    return "".join(parts), found


def names(*parts: str) -> list[tuple[str, float]]:
    text, found = words(*parts)
    return [(text[one.start : one.end], one.confidence) for one in known_organisations(text, found)]


def test_a_known_name_is_found_over_several_words() -> None:
    assert names("记者", "从", "外交部", "和", "国家", "统计局", "获悉") == [("外交部", SURE), ("国家统计局", SURE)]


def test_a_club_counts_where_the_text_is_about_sport() -> None:
    assert names("火箭", "升空", "了") == []
    assert names("火箭", "主场", "赢", "了", "湖人") == [("火箭", SURE), ("湖人", SURE)]


def test_a_word_of_two_meanings_is_unsure() -> None:
    assert names("大众", "都", "知道") == [("大众", LIKELY)]


def test_a_part_of_a_word_is_no_name() -> None:
    assert names("招行长", "说") == []


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("美国军方表示", (0, 2, "place"), ("美国军方", "organisation")),
        ("彩票监管部门称", (0, 5, "organisation"), ("彩票监管部门", "organisation")),
        ("北京大学很大", (0, 2, "place"), ("北京大学", "organisation")),
        ("美国很远", (0, 2, "place"), ("美国", "place")),
        ("张三公司", (0, 2, "person"), ("张三", "person")),
    ],
)
def test_an_ending_belongs_to_its_name(text: str, found: tuple[int, int, str], whole: tuple[str, str]) -> None:
    one = completed(text, TextSpan(*found, 0.7))
    assert (text[one.start : one.end], one.label) == whole


@pytest.mark.parametrize(
    ("text", "place", "answer"),
    [
        ("荷兰vs冰岛", (0, 2), True),
        ("荷兰vs冰岛", (4, 6), True),
        ("他们战胜意大利", (4, 7), True),
        ("我在荷兰旅行", (2, 4), False),
    ],
)
def test_a_side_of_a_match_is_a_team(text: str, place: tuple[int, int], answer: bool) -> None:
    assert is_team(text, TextSpan(*place, "place")) is answer
