from __future__ import annotations

from app.domain.readings import SpanLabel, TextSpan
from app.policy.redaction.finder import find_personal


def _span(text: str, said: str, label: SpanLabel, confidence: float = 0.9) -> TextSpan:
    start = text.index(said)
    return TextSpan(start, start + len(said), label, confidence)


def _parts(text: str, *spans: TextSpan) -> list[str]:
    return [text[one.start : one.end] for one in find_personal(text, spans)]


def test_a_chinese_city_needs_a_person_beside_it() -> None:
    text = "从铜陵到上饶怎么走"
    places = [_span(text, "铜陵", SpanLabel.PLACE), _span(text, "上饶", SpanLabel.PLACE)]
    assert _parts(text, *places) == []
    text = "阿珍从铜陵出发"
    assert _parts(text, _span(text, "阿珍", SpanLabel.PERSON), _span(text, "铜陵", SpanLabel.PLACE)) == ["阿珍", "铜陵"]


def test_a_chinese_company_needs_a_person_or_work() -> None:
    text = "蓝鲸科技的股价"
    assert _parts(text, _span(text, "蓝鲸科技", SpanLabel.ORGANISATION)) == []
    text = "在蓝鲸科技入职了"
    assert _parts(text, _span(text, "蓝鲸科技", SpanLabel.ORGANISATION)) == ["蓝鲸科技"]


def test_words_and_known_things_stay_whoever_found_them() -> None:
    text = "高兴得跳起来"
    assert _parts(text, _span(text, "高兴得", SpanLabel.PERSON)) == []
    text = "the world peace talks on amazon by EOM"
    spans = [_span(text, said, SpanLabel.ORGANISATION, 0.8) for said in ("world peace", "amazon", "EOM")]
    assert _parts(text, *spans) == []


def test_a_cut_word_is_taken_whole() -> None:
    text = "a table at zorblaxian tomorrow"
    assert _parts(text, _span(text, "zorbl", SpanLabel.ORGANISATION)) == ["zorblaxian"]
