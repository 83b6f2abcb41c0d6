"""The second opinion on Chinese names (G2.4, X9.3)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.readings import TextSpan
from app.inference.chinese_names import ChineseNames, is_chinese, merged
from app.inference.chinese_organisations import Word


def span(start: int, end: int, label: str, confidence: float = 0.7) -> TextSpan:
    return TextSpan(start, end, label, confidence)


def word(start: int, end: int, tag: str = "n") -> Word:
    return Word(start, end, tag)


def test_what_both_say_stands_however_unsure() -> None:
    assert merged("张三在", [span(0, 2, "person", 0.4)], [word(0, 2, "PER"), word(2, 3)]) == [span(0, 2, "person", 0.4)]


def test_a_lone_name_stands_only_where_it_is_sure() -> None:
    words = [word(0, 2), word(2, 4)]
    assert merged("某某在此", [span(0, 2, "organisation", 0.5)], words) == []
    assert merged("某某在此", [span(0, 2, "organisation", 0.95)], words) == [span(0, 2, "organisation", 0.95)]


def test_where_they_disagree_the_surer_one_stands() -> None:
    text, words = "某某某某某", [word(0, 3, "LOC"), word(3, 5)]
    assert merged(text, [span(0, 5, "organisation", 0.95)], words) == [span(0, 5, "organisation", 0.95)]
    assert merged(text, [span(0, 5, "organisation", 0.6)], words) == [span(0, 3, "place")]


def test_a_name_ends_where_a_word_ends() -> None:
    """What is in the name for the most part belongs to it, and what is not does not."""
    text, words = "热刺莫不如此", [word(0, 2, "nz"), word(2, 4, "d"), word(4, 6, "r")]
    assert merged(text, [span(0, 3, "person", 0.95)], [word(0, 2), word(2, 5), word(5, 6)]) == [
        span(0, 2, "person", 0.95)
    ]
    assert merged(text, [span(1, 4, "person", 0.95)], words) == [span(0, 4, "person", 0.95)]


def test_of_two_people_in_one_place_the_analyser_s_stands() -> None:
    found = merged("某某某某", [span(0, 4, "person", 0.95)], [word(0, 3, "PER"), word(3, 4)])
    assert found == [span(0, 3, "person")]


def test_labels_that_the_analyser_lacks_are_left_alone() -> None:
    ours = [span(0, 2, "role", 0.3), span(4, 6, "project", 0.3)]
    assert merged("某某某某某某", ours, []) == ours


@given(st.data())
def test_names_never_overlap_and_stand_in_the_text(data: st.DataObject) -> None:
    text = data.draw(st.text("张三李四北京大学国安vs在去了。", min_size=1, max_size=30))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(text)), max_size=8)) | {len(text)})
    tags = st.sampled_from(["PER", "LOC", "ORG", "n", "v"])
    words = [word(start, end, data.draw(tags)) for start, end in itertools.pairwise([0, *cuts])]
    ours = []
    for start, end in itertools.pairwise(sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))):
        labels = st.sampled_from(["person", "place", "organisation", "work"])
        ours.append(span(start, end, data.draw(labels), data.draw(st.floats(0, 1))))
    found = merged(text, ours, words)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))


def test_without_the_package_there_is_no_second_opinion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.inference.chinese_names.importlib.util.find_spec", lambda _: None)
    assert ChineseNames.installed() is None


def test_people_and_places_of_plain_news_are_found() -> None:
    names = ChineseNames.installed()
    assert names is not None
    text = "Minutes.\n昨天，张建国和李晓燕从上海出发，去北京大学讲课。"
    words = {(text[one.start : one.end], one.label) for one in merged(text, [], names.words(text))}
    assert words == {("张建国", "person"), ("李晓燕", "person"), ("上海", "place"), ("北京大学", "organisation")}
    names.unload()
    assert names.words("") == []


def test_only_chinese_is_read() -> None:
    assert is_chinese("Meet 张三")
    assert not is_chinese("Meet Ann")
    assert ChineseNames(Path("nowhere")).words("Meet Ann in London") == []


@pytest.mark.parametrize("text", ["张" * 3000, "。" * 5000, "张\0\ud800三", "🙂张三🙂", "\u202e张三\u202c"])
def test_odd_texts_are_read(text: str) -> None:
    names = ChineseNames.installed()
    assert names is not None
    assert all(0 <= one.start < one.end <= len(text) for one in names.words(text))
