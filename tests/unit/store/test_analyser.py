from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store.analyser import DOUBLED, analyse, index_text, query_terms


def indexed(text: str) -> set[str]:
    return set(analyse(text))


def is_found(question: str, text: str) -> bool:
    """Whether any term of the question finds the text."""
    terms = indexed(text)
    return any(
        any(term.startswith(wanted.term) for term in terms) if wanted.is_prefix else wanted.term in terms
        for wanted in query_terms(question)
    )


def holds_all(question: str, text: str) -> bool:
    terms = indexed(text)
    return all(
        any(term.startswith(wanted.term) for term in terms) if wanted.is_prefix else wanted.term in terms
        for wanted in query_terms(question)
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        # English: inflection, case, possessives, contractions, accents
        ("meeting", "We met; the MEETINGS were long"),
        ("running", "He runs"),
        ("alice", "Alice's notebook"),
        ("Alice’s", "alice"),
        ("café", "the cafe"),
        ("naive", "naïve"),
        # one- and two-character Chinese words, first, middle and last
        ("款", "昨天的发票已经付款了"),
        ("昨", "昨天的发票"),
        ("预算", "讨论项目预算"),
        ("上海", "在上海和王伟讨论"),
        ("王伟", "在上海和王伟讨论"),
        # traditional and simplified, in both directions; characters that fold by context elsewhere
        ("会议记录", "會議記錄"),
        ("會議記錄", "会议记录"),
        ("頭髮", "头发"),
        ("乾燥", "干燥"),
        # full width, half width, compatibility
        ("ＭＵ５１３７", "航班MU5137"),
        ("ﾃｽﾄ", "テスト"),
        ("①", "1"),
        # mixed
        ("Python", "用Python写"),
        ("写", "用Python写"),
        ("用Python写", "我用 python 写了"),
        # kana and hangul
        ("東京", "私は明日東京で会議があります"),
        ("カタカナ", "カタカナ語"),
        ("문서", "한국어 문서를 찾다"),
        # numbers, identifiers, addresses: whole and in parts
        ("MU5137", "flight mu5137"),
        ("5137", "flight MU5137"),
        ("alice@example.com", "write to Alice@Example.com."),
        ("example.com", "write to alice@example.com"),
        ("2025-05-14", "due 2025-05-14"),
        ("5/14", "due 5/14"),
        ("x.org", "see https://x.org/a-b?q=1"),
        ("a-b", "see https://x.org/a-b?q=1"),
        ("1,234.50", "1234.50"),
        ("getUserName", "the getUserName function"),
        ("user name", "the getUserName function"),
        ("foo_bar", "foo_bar()"),
        ("C++", "written in C++"),
        ("C#", "written in C#"),
        ("v1.2.3", "release v1.2.3"),
        ("138-0013-8000", "电话138-0013-8000"),
    ],
)
def test_what_people_ask_for_is_found(question: str, text: str) -> None:
    assert holds_all(question, text)


def test_a_date_written_another_way_is_found_by_its_numbers() -> None:
    assert {term.term for term in query_terms("14/05/2025")} & indexed("due 2025-5-14") == {"14", "5", "2025"}


@pytest.mark.parametrize(
    ("question", "text"),
    [("预算", "算预"), ("C++", "vitamin c"), ("海和", "上海平和"), ("budget", "budding"), ("5137", "51370")],
)
def test_what_is_something_else_is_not_found(question: str, text: str) -> None:
    assert not holds_all(question, text)


def test_stop_words_are_left_out_of_questions_and_kept_in_the_index() -> None:
    assert [term.term for term in query_terms("What is the budget of it?")] == ["budget"]
    assert {"what", "is", "the", "budget"} <= indexed("What is the budget")
    assert {term.term for term in query_terms("to be or not to be")} == {"to", "be", "or", "not"}


def test_chinese_function_words_are_left_out_or_count_less() -> None:
    weights = {term.term: term.weight for term in query_terms("我的护照号码是什么")}
    assert weights["护照"] == weights["号码"] == 1.0
    assert weights["码是"] < 0.5
    assert not {"我的", "是什", "什么"} & set(weights)
    assert [term.term for term in query_terms("什么")] == ["什么"]


def test_a_word_in_parts_counts_by_its_whole() -> None:
    weights = {term.term: term.weight for term in query_terms("alice@example.com")}
    assert weights["alice@example.com"] == 1.0
    assert max(weight for term, weight in weights.items() if "@" not in term) < 0.5


def test_a_term_said_twice_is_marked_as_doubled() -> None:
    assert set(index_text(analyse("tea tea milk")).split()) == {"tea", "milk", "tea" + DOUBLED}


def test_a_doubling_mark_in_the_text_cannot_be_mistaken() -> None:
    assert indexed("tea²") == {"tea2"} | indexed("tea2")
    assert not any(DOUBLED in term for term in analyse("x² m² 10² ²"))


@pytest.mark.parametrize("text", ["", " ", "…", "!?", "，。", "\n\t", "😀"])
def test_what_has_no_words_has_no_terms(text: str) -> None:
    assert indexed(text) == set()
    assert query_terms(text) == ()


SIGNS = st.characters(codec="utf-8")
WORDS = st.text(st.sampled_from("abcXYZ0129-_.@'/用写会議發にア한글ＡＢé ,\n"), max_size=60)


@given(st.one_of(st.text(SIGNS, max_size=80), WORDS))
def test_terms_survive_the_index_as_they_are(text: str) -> None:
    """A term is never split, joined or changed by the tokenizer of the full-text table."""
    tokens = index_text(analyse(text)).split(" ")
    for token in filter(None, tokens):
        for sign in token:
            assert not sign.isascii() or sign.isalnum() or sign in "._@:/-+#&%,~$="
            assert sign == sign.lower() or not sign.isascii()


@given(st.one_of(st.text(SIGNS, max_size=60), WORDS))
def test_every_text_is_found_by_itself(text: str) -> None:
    assert holds_all(text, text)
    assert not query_terms(text) or is_found(text, text)


@given(WORDS, WORDS)
def test_terms_of_a_text_do_not_depend_on_what_stands_on_other_lines(first: str, second: str) -> None:
    together = analyse(f"{first}\n\n{second}")
    assert together == analyse(first) + analyse(second)


@given(st.text(st.sampled_from("会议预算上海北京合同律师發票頭髮"), min_size=1, max_size=12), st.data())
def test_every_part_of_a_chinese_text_finds_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert holds_all(text[start:end], text)
