"""The second opinion on Chinese names (G2.4, X9.3)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.readings import TextSpan
from app.inference.chinese_names import ChineseNames, is_chinese, merged


def span(start: int, end: int, label: str, confidence: float = 0.7) -> TextSpan:
    return TextSpan(start, end, label, confidence)


def test_what_both_say_stands_however_unsure() -> None:
    assert merged([span(0, 2, "person", 0.4)], [span(0, 2, "person")]) == [span(0, 2, "person", 0.4)]


def test_a_lone_name_stands_only_where_it_is_sure() -> None:
    assert merged([span(0, 2, "organisation", 0.5)], []) == []
    assert merged([span(0, 2, "organisation", 0.9)], []) == [span(0, 2, "organisation", 0.9)]


def test_where_they_disagree_the_surer_one_stands() -> None:
    theirs = [span(0, 3, "place")]
    assert merged([span(0, 5, "organisation", 0.95)], theirs) == [span(0, 5, "organisation", 0.95)]
    assert merged([span(0, 5, "organisation", 0.6)], theirs) == theirs


def test_of_two_people_in_one_place_the_analyser_s_stands() -> None:
    assert merged([span(0, 4, "person", 0.95)], [span(0, 3, "person")]) == [span(0, 3, "person")]


def test_labels_that_the_analyser_lacks_are_left_alone() -> None:
    ours = [span(0, 2, "role", 0.3), span(4, 6, "project", 0.3)]
    assert merged(ours, []) == ours


@given(
    st.lists(
        st.builds(span, st.integers(0, 9), st.integers(10, 20), st.sampled_from(["person", "place", "work"])),
        max_size=1,
    ),
    st.lists(st.builds(span, st.integers(0, 9), st.integers(10, 20), st.sampled_from(["person", "place"])), max_size=1),
)
def test_names_never_overlap(ours: list[TextSpan], theirs: list[TextSpan]) -> None:
    found = merged(ours, theirs)
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))


def test_without_the_package_there_is_no_second_opinion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.inference.chinese_names.importlib.util.find_spec", lambda _: None)
    assert ChineseNames.installed() is None


def test_people_and_places_of_plain_news_are_found() -> None:
    names = ChineseNames.installed()
    assert names is not None
    text = "Minutes.\n昨天，张建国和李晓燕从上海出发，去北京大学讲课。"
    words = {(text[one.start : one.end], one.label) for one in names.read(text)}
    assert {("张建国", "person"), ("李晓燕", "person"), ("上海", "place")} <= words
    names.unload()
    assert names.read("") == []


def test_only_chinese_is_read() -> None:
    assert is_chinese("Meet 张三")
    assert not is_chinese("Meet Ann")
    assert ChineseNames(Path("nowhere")).read("Meet Ann in London") == []


@pytest.mark.parametrize("text", ["张" * 3000, "。" * 5000, "张\0\ud800三", "🙂张三🙂", "\u202e张三\u202c"])
def test_odd_texts_are_read(text: str) -> None:
    names = ChineseNames.installed()
    assert names is not None
    assert all(0 <= one.start < one.end <= len(text) for one in names.read(text))
