from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.domain.readings import SpanLabel, TextSpan
from app.policy.redaction.finder import LONGEST_TEXT
from app.policy.redaction.redactor import Redactor
from tests.unit.policy.redaction.marked import Marked, personal_texts

_PIECES = st.sampled_from(
    [
        "Anna Petrova",
        "张伟",
        "13800138000",
        "138 0013 8000",
        "１３８００１３８０００",
        "a@b.example.org",
        "[PERSON_1]",
        "PERSON_1",
        "[phone 1]",
        "[",
        "]",
        "1",
        "_",
        "PERSON",
        "【EMAIL_2】",
        "[TEXT_1]",
        '"',
        "\\",
        "password: x9!kkkk",
        "[PHONE_1b]",
        " and ",
        "，电话",
        "\n",
    ]
)
_TEXTS = st.lists(_PIECES | st.text(max_size=5), max_size=12).map("".join)


@given(_TEXTS)
@example("[PERSON_1] met Anna Petrova, PERSON_1 and [person 1]")
@example("\\13800138000 \\")
@example("PERSONPERSON_1'sİ13800138000PERSONAnna Petrova")
@example("[[PERSON_1]] [PHONE_1]13800138000")
@settings(deadline=None, max_examples=60)
def test_what_goes_out_comes_back(text: str) -> None:
    redactor = Redactor()
    assert redactor.restore(redactor.redact(text).text) == text


@given(_TEXTS, _TEXTS)
@settings(deadline=None, max_examples=60)
def test_what_goes_out_comes_back_later_in_the_conversation(first: str, second: str) -> None:
    redactor = Redactor()
    redacted = redactor.redact(first).text
    redactor.redact(second)
    assert redactor.restore(redacted) == first
    assert (
        redactor.redact(first).text == Redactor().redact(first).text
        or redactor.restore(redactor.redact(first).text) == first
    )


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXTS | st.sampled_from([13800138000, "anna@example.org"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["phone", "name", "note", "n", 'a"b']), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["password", "call", "电话"]), _JSON, max_size=3), st.booleans())
@settings(deadline=None, max_examples=60)
def test_json_stays_json_and_comes_back(value: dict[str, object], is_ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii)
    redactor = Redactor()
    redacted = redactor.redact(text).text
    assert json.loads(redactor.restore(redacted)) == value
    assert redactor.restore(redacted) == text
    json.loads(redacted)


@pytest.mark.parametrize("case", personal_texts(), ids=lambda case: case.text[:40])
def test_nothing_personal_is_left(case: Marked) -> None:
    redacted = Redactor().redact(case.text).text
    assert [part for part in case.parts if part in redacted] == []


def test_a_value_has_one_placeholder_in_all_texts() -> None:
    redactor = Redactor()
    first = redactor.redact("Call Anna Petrova on +44 20 7946 0958.").text
    second = redactor.redact("Did Anna Petrova answer on +44 20 7946 0958?").text
    assert first == "Call [PERSON_1] on [PHONE_1]."
    assert second == "Did [PERSON_1] answer on [PHONE_1]?"


def test_spellings_of_one_value_share_its_number() -> None:
    redactor = Redactor()
    assert redactor.redact("手机13800138000，就是138 0013 8000").text == "手机[PHONE_1]，就是[PHONE_1b]"
    assert redactor.restore("[PHONE_1] [PHONE_1b]") == "13800138000 138 0013 8000"


def test_a_name_once_known_is_kept_back_wherever_it_stands() -> None:
    redactor = Redactor()
    redactor.redact("姓名：尉迟恭")
    assert redactor.redact("恭喜尉迟恭高升").text == "恭喜[PERSON_1]高升"


def test_what_looks_like_a_placeholder_never_collides() -> None:
    redactor = Redactor()
    redacted = redactor.redact("The template says [PERSON_1]; ask Anna Petrova.").text
    assert redacted == "The template says [TEXT_1]; ask [PERSON_1]."
    assert redactor.restore("[PERSON_1] and [TEXT_1]") == "Anna Petrova and [PERSON_1]"


@pytest.mark.parametrize(
    "said",
    [
        "[PERSON_1]'s",
        "[person_1]'s",
        "[Person 1]'s",
        "[ PERSON_1 ]'s",
        "\\[PERSON\\_1\\]'s",
        "【PERSON_1】's",
        "PERSON_1's",
        "[PERSON-1]'s",
        "<PERSON_1>'s",
    ],
)
def test_a_model_may_write_a_placeholder_otherwise(said: str) -> None:
    redactor = Redactor()
    redactor.redact("Ask Anna Petrova.")
    assert redactor.restore(f"It is {said} book.") == "It is Anna Petrova's book."


def test_unknown_placeholders_stay() -> None:
    redactor = Redactor()
    redactor.redact("Ask Anna Petrova.")
    assert redactor.restore("[PERSON_2], [PHONE_1] and [NOTE_1]") == "[PERSON_2], [PHONE_1] and [NOTE_1]"


def test_keys_of_json_stay_and_numbers_come_back_as_numbers() -> None:
    text = '{"phone": 13800138000, "count": 3, "password": "hunter2!", "人": "联系人：张伟"}'
    redactor = Redactor()
    redacted = json.loads(redactor.redact(text).text)
    assert redacted == {"phone": "[PHONE_1]", "count": 3, "password": "[SECRET_1]", "人": "联系人：[PERSON_1]"}
    assert redactor.restore(redactor.redact(text).text) == text


def test_what_names_somebody_in_a_key_of_json_is_kept_back() -> None:
    text = '{"anna@example.org": {"phone": 1}, "13800138000": true, "Anna Petrova": "x"}'
    redactor = Redactor()
    redacted = redactor.redact(text).text
    assert json.loads(redacted) == {"[EMAIL_1]": {"phone": 1}, "[PHONE_1]": True, "[PERSON_1]": "x"}
    assert redactor.restore(redacted) == text


def test_a_value_with_quotation_marks_is_escaped_on_the_way_into_json() -> None:
    redactor = Redactor()
    redactor.redact('Cookie: a="b\\c1"; d=2')
    assert json.loads(redactor.restore('{"header": "[SECRET_1]"}')) == {"header": 'a="b\\c1"; d=2'}


def test_the_names_of_a_model_are_found_inside_json() -> None:
    text = '{"note": "ask zorblax"}'
    redacted = Redactor().redact(text, [TextSpan(14, 21, SpanLabel.PERSON, 0.9)])
    assert redacted.text == '{"note": "ask [PERSON_1]"}'


def test_what_may_be_sent_says_how_it_was_made() -> None:
    outgoing = Redactor().outgoing("Ask Anna Petrova.", is_by_model=False)
    assert (outgoing.text, outgoing.kept_back, outgoing.is_by_model) == ("Ask [PERSON_1].", 1, False)
    assert outgoing.rule_version


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(BadInput):
        Redactor().redact("a" * (LONGEST_TEXT + 1))


def test_deep_brackets_are_text() -> None:
    text = "[" * 5000
    assert Redactor().redact(text).text == text
