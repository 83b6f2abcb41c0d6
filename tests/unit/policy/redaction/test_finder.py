from __future__ import annotations

from itertools import pairwise

import pytest

from app.domain.errors import BadInput
from app.domain.readings import SpanLabel, TextSpan
from app.policy.redaction.finder import LONGEST_TEXT, NUMBERS_AND_SECRETS, RedactionPolicy, find_personal
from app.policy.redaction.findings import Kind
from tests.unit.policy.redaction.marked import Marked, clean_texts, personal_texts


def _parts(text: str, **options) -> list[str]:
    return [text[one.start : one.end] for one in find_personal(text, **options)]


def _kinds(text: str) -> set[Kind]:
    return {one.kind for one in find_personal(text)}


@pytest.mark.parametrize("case", personal_texts(), ids=lambda case: case.text[:40])
def test_what_is_personal_is_covered_entirely(case: Marked) -> None:
    covered = {index for one in find_personal(case.text) for index in range(one.start, one.end)}
    assert [
        part
        for part, (start, end) in zip(case.parts, case.places, strict=True)
        if not covered >= set(range(start, end))
    ] == []


@pytest.mark.parametrize("text", clean_texts())
def test_what_is_not_personal_stays(text: str) -> None:
    assert _parts(text) == []


def test_findings_are_in_order_and_apart() -> None:
    text = "张伟（13800138000，身份证11010519491231002X）住在上海市浦东新区世纪大道100号, anna@example.org"
    found = find_personal(text)
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert [one.kind for one in found] == [Kind.PERSON, Kind.PHONE, Kind.ID_NUMBER, Kind.ADDRESS, Kind.EMAIL]


@pytest.mark.parametrize(
    "text",
    [
        "1000-1=999 is arithmetic",
        "part T005-2333-100731-SW-2",
        "on 2024-05-06 at 10:15",
        "pi is 3.14159265358979",
        "666666666S是序列号",
        "91a-677-0060 is a code",
        "1,234,567 items",
        "11.22.33 of the manual",
        "build 20240506",
    ],
)
def test_numbers_that_are_no_telephone_numbers(text: str) -> None:
    assert Kind.PHONE not in _kinds(text)


def test_the_word_before_a_number_says_what_it_is() -> None:
    assert _kinds("order number 5551234567") == set()
    assert _kinds("phone number 5551234567") == {Kind.PHONE}
    assert _kinds("account number 5551234567") == {Kind.BANK_ACCOUNT}


def test_a_wrong_check_digit_is_forgiven_after_the_word() -> None:
    assert _kinds("身份证110105194912310021") == {Kind.ID_NUMBER}
    assert Kind.ID_NUMBER not in _kinds("流水110105194912310021")


def test_a_card_with_a_wrong_check_digit_and_no_word_stays() -> None:
    assert _parts("4111-1111-1111-1112") == []
    assert _parts("4111-1111-1111-1111") == ["4111-1111-1111-1111"]


def test_a_version_is_no_address_of_a_network() -> None:
    assert _parts("version 10.2.33.4 is out") == []
    assert _parts("ping 10.2.33.4") == ["10.2.33.4"]


def test_invisible_characters_are_taken_along() -> None:
    text = "手机1\u200b38\u202e0013\ufeff8000。"
    assert _parts(text) == ["1\u200b38\u202e0013\ufeff8000"]


def test_the_names_of_a_model_are_added() -> None:
    text = "ask about the thing with zorblax"
    span = TextSpan(25, 32, SpanLabel.PERSON, 0.9)
    assert _parts(text) == []
    assert _parts(text, names=[span]) == ["zorblax"]


def test_an_unsure_name_of_a_model_and_other_labels_are_not() -> None:
    text = "ask about the thing with zorblax"
    assert _parts(text, names=[TextSpan(25, 32, SpanLabel.PERSON, 0.2)]) == []
    assert _parts(text, names=[TextSpan(25, 32, SpanLabel.TASK, 0.9)]) == []
    assert _parts(text, names=[TextSpan(25, 99, SpanLabel.PERSON, 0.9)]) == []


def test_a_milder_policy_leaves_names_and_takes_numbers() -> None:
    text = "Anna Petrova, anna@example.org, card 4111 1111 1111 1111"
    assert _parts(text, policy=NUMBERS_AND_SECRETS) == ["anna@example.org", "4111 1111 1111 1111"]
    assert _parts(text, policy=RedactionPolicy(frozenset({Kind.PERSON}))) == ["Anna Petrova"]


def test_a_city_stays_alone_and_goes_beside_a_name() -> None:
    assert _parts("我在杭州") == []
    assert _parts("张伟在杭州") == ["张伟", "杭州"]


def test_a_known_company_stays_alone_and_goes_with_somebodys_work() -> None:
    assert _parts("华为的股票涨了") == []
    assert _parts("他在华为上班") == ["华为"]


def test_the_parts_of_one_address_are_one() -> None:
    assert _parts("Ship to 12 Baker Street, Suite 5, London") == ["12 Baker Street, Suite 5, London"]


def test_a_letter_head_is_read_by_its_lines() -> None:
    text = "Ngozi Adeyemi\n\n42 Rua das Flores 7\nSuite 12\nPorto\nPortugal 40500"
    found = find_personal(text)
    assert found[0].kind is Kind.PERSON
    assert found[-1].end == len(text)


def test_a_text_that_is_too_long_is_refused_at_once() -> None:
    with pytest.raises(BadInput):
        find_personal("7" * 10_000_000)
    assert find_personal(" " * LONGEST_TEXT) == ()


@pytest.mark.parametrize(
    "unit",
    [
        "7",
        "a",
        "@",
        "[",
        " ",
        "\n",
        "1-",
        "Ab ",
        "张",
        "张三和",
        "phone ",
        "lives at 1 ",
        "路1号",
        "a@b.co ",
        "\ud800",
        "\0",
        "-----BEGIN RSA PRIVATE KEY-----",
        "http://",
        "password=",
        "\u202e",
        "１",
        '{"a":',
        "A, b and ",
        "eyJhbGciOiJ.",
        "fe80::",
    ],
)
def test_hostile_texts_end(unit: str) -> None:
    text = unit * (3000 // len(unit))
    found = find_personal(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
