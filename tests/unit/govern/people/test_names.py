from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.govern.people.addresses import Spelling, is_of_a_person, own_domain, spells
from app.govern.people.keys import organisation_key, project_key
from app.govern.people.names import Form, forget_names, names_in, parse, same_given
from app.govern.people.readings import of_one_word, syllables


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("张三", "zhang san"),
        ("San Zhang", "zhang san"),
        ("ZHANG, San", "zhang san"),
        ("Ouyang Feng", "ouyang feng"),
        ("Ou Yang Feng", "ouyang feng"),
        ("欧阳锋", "ouyang feng"),
        ("单文斌", "shan wenbin"),
        ("曾丽", "zeng li"),
        ("仇远", "qiu yuan"),
        ("解缙", "xie jin"),
        ("查良镛", "zha liangyong"),
        ("吕娜", "lv na"),
        ("Xiao-Ming LI", "li xiaoming"),
        ("Robert J. Miller", "miller robert"),
        ("Dr. José García", "garcia jose"),
    ],
)
def test_how_a_name_is_read(text: str, reading: str) -> None:
    assert parse(text).readings[0] == reading


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("张总", Form.SURNAME),
        ("老王", Form.SURNAME),
        ("李经理", Form.SURNAME),
        ("建国", Form.GIVEN),
        ("Bob", Form.GIVEN),
        ("J. Smith", Form.GIVEN),
        ("zs@example.com", Form.NONE),
        ("+49 170 1234567", Form.NONE),
        ("please send it to me by Friday", Form.NONE),
        ("这是一个很长的句子", Form.NONE),
        ("", Form.NONE),
    ],
)
def test_what_there_is_of_a_name(text: str, form: Form) -> None:
    assert parse(text).form is form


def test_a_display_name_may_hold_two_names() -> None:
    assert [name.key for name in names_in("Chen Jie (陈洁)")] == ["陈洁", "chen jie"]
    assert [name.key for name in names_in("Anna Weber (Acme Inc)")] == ["anna weber"]
    assert [name.key for name in names_in("San Zhang via Lists")] == ["san zhang"]


def test_a_name_of_two_surnames_can_be_read_in_two_orders() -> None:
    assert (parse("Wang Li").readings, parse("Wang Li").turned) == (("wang li",), ("li wang",))
    assert parse("Li, Wang").turned == ()


def test_nicknames() -> None:
    assert same_given("robert", "bob")
    assert not same_given("robert", "bill")
    assert not same_given("", "")


@pytest.mark.parametrize(
    ("local", "reading", "spelling"),
    [
        ("zhangsan", "zhang san", Spelling.WHOLE),
        ("san.zhang", "zhang san", Spelling.WHOLE),
        ("zhang_san88", "zhang san", Spelling.WHOLE),
        ("zhangsf", "zhang sanfeng", Spelling.PARTLY),
        ("szhang", "zhang san", Spelling.PARTLY),
        ("zs", "zhang san", Spelling.INITIALS),
        ("a.weber", "weber anna", Spelling.PARTLY),
        ("lisi", "zhang san", Spelling.NOTHING),
        ("", "zhang san", Spelling.NOTHING),
    ],
)
def test_what_an_address_spells(local: str, reading: str, spelling: Spelling) -> None:
    assert spells(local, reading) is spelling


@pytest.mark.parametrize(
    "address", ["support@example.com", "no-reply@x.example", "notifications+5@x.example", "info2@a.example"]
)
def test_an_office_is_no_person(address: str) -> None:
    assert not is_of_a_person(address)
    assert is_of_a_person("anna.weber@example.com")


def test_a_domain_where_anybody_is_says_nothing() -> None:
    assert own_domain("a@gmail.com") == own_domain("b@163.com") == own_domain("telegram:c") == ""
    assert own_domain("a@acme.example") == "acme.example"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Acme Inc.", "acme"),
        ("ACME GmbH & Co. KG", "acme"),
        ("The Acme Company", "acme"),
        ("北京蓝天科技有限公司", "蓝天科技"),
        ("蓝天科技", "蓝天科技"),
        ("上海公司", "上海"),
        ("Inc.", "inc"),
    ],
)
def test_what_an_organisation_is_called(text: str, key: str) -> None:
    assert organisation_key(text) == key


@pytest.mark.parametrize("text", ["Project A", "项目A", "A项目", "the A project", "“A” 项目", "A 计划"])
def test_what_a_project_is_called(text: str) -> None:
    assert project_key(text) == "a"


def test_the_word_alone_is_a_name_too() -> None:
    assert project_key("项目") == "项目"
    assert project_key("Project") == "project"


def test_syllables() -> None:
    assert syllables("xiaoming") == ("xiao", "ming")
    assert syllables("anna") == ("an", "na")
    assert syllables("robert") == syllables("") == syllables("a" * 50) == ()
    assert of_one_word("zhangsan") == ("zhang san",)


@given(st.text(max_size=150))
def test_anything_can_be_taken_apart(text: str) -> None:
    parse(text)
    names_in(text)
    organisation_key(text)
    project_key(text)


def test_names_that_are_forgotten_are_taken_apart_anew() -> None:
    before = names_in("Zhang San (张三)")
    forget_names()
    assert parse.cache_info().currsize == names_in.cache_info().currsize == 0
    assert names_in("Zhang San (张三)") == before
