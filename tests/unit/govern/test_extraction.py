"""What a text names and states (G2.4, G2.7), without and with a model."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from app.domain.errors import BadInput
from app.domain.readings import SpanLabel, TextSpan
from app.govern import extraction
from app.govern.extraction import Extraction, Extractor
from app.inference.span_limits import LONGEST_CHARACTERS

REFERENCE = datetime(2025, 6, 1, 9, tzinfo=ZoneInfo("Asia/Shanghai"))
ENGLISH = (
    "2025-05-10 weekly meeting: Project A launch is tentatively set for next Friday; Zhang San must finish the test "
    "report by Wednesday; if the test report is not finished, the launch is postponed by one week; "
    "Li Si is responsible for notifying operations."
)
CHINESE = (
    "2025-05-10 周会：项目A上线暂定下周五；张三必须在周三前完成测试报告；"
    "如果测试报告没有完成，上线推迟一周；李四负责通知运营。"
)


class Names:
    """Stands for the model: knows some names."""

    def __init__(self, **labels: tuple[str, ...]) -> None:
        self._labels = labels

    def read(self, text: str, *, stop: object = None, limit_s: float | None = None) -> list[TextSpan]:
        return [
            TextSpan(text.index(name), text.index(name) + len(name), label, 0.9)
            for label, names in self._labels.items()
            for name in names
            if name in text
        ]


def by_kind(text: str, found: Extraction, kind: SpanLabel) -> list[str]:
    return [text[record.span.start : record.span.end] for record in found.records if record.kind is kind]


@pytest.mark.parametrize(
    ("text", "people", "tasks", "condition", "consequence"),
    [
        (
            ENGLISH,
            ("Zhang San", "Li Si"),
            ["finish the test report", "notifying operations"],
            "if the test report is not finished",
            "the launch is postponed by one week",
        ),
        (CHINESE, ("张三", "李四"), ["完成测试报告", "通知运营"], "如果测试报告没有完成", "上线推迟一周"),
    ],
)
def test_the_meeting_of_the_article(
    text: str, people: tuple[str, ...], tasks: list[str], condition: str, consequence: str
) -> None:
    found = Extractor(Names(person=people)).read(text, REFERENCE)  # type: ignore[arg-type]
    assert by_kind(text, found, SpanLabel.TASK) == tasks
    report, notice = (record for record in found.records if record.kind is SpanLabel.TASK)
    assert report.owner is not None
    assert text[report.owner.start : report.owner.end] == people[0]
    assert report.due is not None
    # seen from the day that the minutes begin with, not from the day of reading
    assert report.due.deadline == datetime(2025, 5, 15, tzinfo=REFERENCE.tzinfo)
    assert notice.owner is not None
    assert text[notice.owner.start : notice.owner.end] == people[1]
    assert notice.due is None
    (stated,) = (record for record in found.records if record.kind is SpanLabel.CONDITION)
    assert text[stated.span.start : stated.span.end] == condition
    assert stated.consequence is not None
    assert text[stated.consequence.start : stated.consequence.end] == consequence


def test_exact_things_are_found_without_a_model() -> None:
    text = "Pay $1,200 to ann@example.org by 3 June, or call +1 212 555 0147."
    found = Extractor().read(text, REFERENCE)
    words = {span.label: text[span.start : span.end] for span in found.spans}
    assert words["amount"] == "$1,200"
    assert words["email"] == "ann@example.org"
    assert words["deadline"] == "by 3 June"
    assert words["phone"] == "+1 212 555 0147"


def test_a_model_s_clause_goes_before_the_wording() -> None:
    text = "Please send the signed lease and the keys to Ann tomorrow"
    model = Names(task=("send the signed lease and the keys",), person=("Ann",))
    found = Extractor(model).read(text, REFERENCE)  # type: ignore[arg-type]
    assert by_kind(text, found, SpanLabel.TASK) == ["send the signed lease and the keys"]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "。", "🙂", "\ud800", "\u202e abc", "a\0b"])
def test_texts_that_say_nothing(text: str) -> None:
    assert Extractor().read(text, REFERENCE).records == ()


class Everywhere:
    """Stands for a model that sees somebody and something to do at every thirtieth character."""

    def read(self, text: str, **_: object) -> list[TextSpan]:
        places = range(0, len(text), 30)
        return [
            TextSpan(at + shift, at + shift + 4, label)
            for at in places
            for shift, label in ((0, "person"), (10, "task"))
        ]


def test_a_long_text_takes_each_sentence_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0

    def between(found: list[TextSpan], start: int, end: int) -> list[TextSpan]:
        nonlocal looked_at
        inside = plain(found, start, end)
        looked_at += len(inside)
        return inside  # type: ignore[return-value]

    plain = extraction._between
    monkeypatch.setattr(extraction, "_between", between)
    found = Extractor(Everywhere()).read("Anna must call Bob by Friday. " * 300, REFERENCE)  # type: ignore[arg-type]
    assert len(found.records) == 300
    assert looked_at < 3_000


@pytest.mark.parametrize("reader", [None, Everywhere()])
def test_a_text_of_a_book_is_refused_with_and_without_a_model(reader: Everywhere | None) -> None:
    with pytest.raises(BadInput):
        Extractor(reader).read("a" * (LONGEST_CHARACTERS + 1), REFERENCE)  # type: ignore[arg-type]


def test_who_is_responsible_is_said_right_beside_the_name() -> None:
    text = "Owner: Anna. Bob must send it."
    found = Extractor(Names(person=("Anna", "Bob"))).read(text, REFERENCE)  # type: ignore[arg-type]
    (task,) = [record for record in found.records if record.kind is SpanLabel.TASK]
    assert task.owner is not None
    assert text[task.owner.start : task.owner.end] == "Bob"


@pytest.mark.parametrize(
    ("seen", "name", "text"),
    [
        ("张三须", "张三", "张三须在周三前完成"),
        ("周强得", "周强", "周强得告诉客户"),
        ("李必须", "李必须", "李必须负责通知"),
        ("王需", "王需", "王需在周三前完成"),
    ],
)
def test_a_verb_is_no_part_of_a_chinese_name(seen: str, name: str, text: str) -> None:
    (found,) = Extractor(Names(person=(seen,))).names(text)  # type: ignore[arg-type]
    assert text[found.start : found.end] == name
