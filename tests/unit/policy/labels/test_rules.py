"""Rules of labels (G8.2, G2.8)."""

from __future__ import annotations

import pytest

from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.policy.labels.rules import LabelRules, Traits, lowered, read_label_rules
from app.runtime.paths import resource

SHIPPED = resource("rules", "labels.toml").read_bytes()


def traits(text: str = "", title: str = "", **places: str) -> Traits:
    return Traits({name: lowered((value,)) for name, value in places.items()}, title.casefold(), text.casefold())


def own(text: str) -> LabelRules:
    return read_label_rules(SHIPPED, text.encode())


FALCON = """
[[rule]]
id = "falcon"
folder = ["Work/*", "项目/*"]
words = "Project Falcon"
scope = "work"
sensitivity = "confidential"
[[rule]]
id = "acme"
sender = "*@ACME.example"
scope = "acme"
acl = "team"
"""


def test_all_conditions_of_a_rule_have_to_hold() -> None:
    rules = own(FALCON)
    here = rules.label(traits("The PROJECT FALCON budget", folder="Work/plan.md"))
    assert (here.scope, here.sensitivity, here.reasons) == ("work", Sensitivity.CONFIDENTIAL, ("falcon",))
    assert rules.label(traits("The Project Falcon budget", folder="Home/plan.md")).scope is None
    assert rules.label(traits("another", folder="项目/计划.md")).scope is None


def test_the_first_rule_that_sets_a_scope_wins() -> None:
    labels = own(FALCON).label(traits("project falcon", folder="work/x.md", sender="li@acme.example"))
    assert (labels.scope, labels.acl, labels.reasons) == ("work", "team", ("falcon", "acme"))


def test_what_somebody_looked_at_is_confidential() -> None:
    rules = read_label_rules(SHIPPED)
    assert rules.label(traits("news", kind="visit")).sensitivity is Sensitivity.CONFIDENTIAL
    assert rules.label(traits("news", kind="bookmark")).sensitivity is Sensitivity.PUBLIC


def test_the_version_names_the_file() -> None:
    assert own(FALCON).version.startswith("labels-3+")
    assert own(FALCON).version != own(FALCON + "\n").version
    assert read_label_rules(SHIPPED).version == "labels-3"


@pytest.mark.parametrize(
    "text",
    [
        "[[rule]]\nscope = 'x'",
        "[[rule]]\nwords = []\nscope = 'x'",
        "[[rule]]\nwords = 'a'\nsensitivity = 'secret'",
        "[[rule]]\nwords = 'a'\nscope = ''",
        "[[rule]]\nwords = 'a'\ncolour = 'red'",
        "rule = 1",
        "rule = [1]",
        "[content]\n",
        "not toml [",
        "[[rule]]\nwords = '" + "a" * 501 + "'\nscope = 'x'",
        "[[rule]]\nwords = 'a'\nscope = 'x\u202e'",
        "[[rule]]\nwords = 'a'\nscope = '" + "x" * 101 + "'",
        "[[rule]]\nscope = 'x'\nfolder = [" + "'a*', " * 10_001 + "]",
        "# " + "x" * (1 << 20),
        "\udcff",
    ],
)
def test_a_wrong_file_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_label_rules(SHIPPED, text.encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("text", "reason", "level"),
    [
        ("The router's password: Xk29-hunter2!q", "credentials", Sensitivity.HIGHLY_SENSITIVE),
        ("路由器密码：Xk29hunter2q", "credentials", Sensitivity.HIGHLY_SENSITIVE),
        ("Meeting notes. The vault's password: 4411xy", "credentials", Sensitivity.HIGHLY_SENSITIVE),
        ("会议纪要：机房密码：88231X", "credentials", Sensitivity.HIGHLY_SENSITIVE),
        ("Meine Steuer-ID ist 86095742719", "identity", Sensitivity.HIGHLY_SENSITIVE),
        ("他有犯罪记录，三年前被判有期徒刑", "record", Sensitivity.CONFIDENTIAL),
        ("我的身份证号是11010519491231002X", "identity", Sensitivity.HIGHLY_SENSITIVE),
        ("My card is 4111 1111 1111 1111", "finance", Sensitivity.CONFIDENTIAL),
        ("IBAN DE89 3704 0044 0532 0130 00", "finance", Sensitivity.CONFIDENTIAL),
        ("Your payslip: gross pay 5000, net pay 3200", "finance_words", Sensitivity.CONFIDENTIAL),
        ("本月工资条：实发工资8000，公积金900", "finance_words", Sensitivity.CONFIDENTIAL),
        ("诊断：高血压、糖尿病，服用二甲双胍", "health", Sensitivity.HIGHLY_SENSITIVE),
        ("Diagnosed with diabetes and hypertension", "health", Sensitivity.HIGHLY_SENSITIVE),
    ],
)
def test_content_makes_sensitive(text: str, reason: str, level: Sensitivity) -> None:
    labels = read_label_rules(SHIPPED).label(traits(text))
    assert reason in labels.reasons
    assert labels.sensitivity >= level


@pytest.mark.parametrize(
    "text",
    [
        "We meet on Monday at 10 in room 4111",
        "The pension is a lovely small hotel",
        "周五上线，预算三万，张三负责测试报告",
        "He is passionate about keys and locks",
        "Order 20250514-0012 was sent on 2025-05-14",
        "VAT DE136695976, invoice total 119.00 EUR, payable within 14 days",
        "发票抬头：某某科技有限公司，税号 91110108MA01ABCD2X，请开普票",
        "Meeting ID: 845 1234 5678, passcode 493021. Join five minutes early.",
        "腾讯会议：123-456-789，会议密码：123456",
        "交通管制通知：周日马拉松期间中山路封闭",
        "新的人脸识别门禁周一启用",
        "The new fingerprint readers at the doors arrive on Monday",
        "",
    ],
)
def test_plain_content_stays_plain(text: str) -> None:
    assert read_label_rules(SHIPPED).label(traits(text)).sensitivity is Sensitivity.PUBLIC


def test_what_stands_over_a_border_of_two_stretches_is_found() -> None:
    text = "a " * 9_995 + "我的身份证号是11010519491231002X"
    assert "identity" in read_label_rules(SHIPPED).label(traits(text)).reasons


def test_a_file_that_an_editor_of_windows_wrote() -> None:
    rules = own("\ufeff[[rule]]\r\nwords = '项目'\r\nscope = 'work'\r\n")
    assert rules.label(traits("项目计划")).scope == "work"


def test_ten_thousand_patterns_are_made_ready_once(monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = ", ".join(f"'work/*{number}z?/[ab]*'" for number in range(2_000))
    rules = own(f"[[rule]]\nfolder = [{patterns}, 'work/*']\nscope = 'work'\n")
    monkeypatch.setattr("re._compiler.compile", lambda *_: pytest.fail("compiled anew for an entry"))
    assert rules.label(traits("", folder="Work/x.md")).scope == "work"
