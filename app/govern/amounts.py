"""Amounts of money in a text, in English and Chinese: "$1,200.50", "20 EUR", 3万元, 人民币五百块 (G2.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.readings import SpanLabel, TextSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = r"\d{1,3}(?:[,，]\d{3}){1,6}(?:\.\d{1,4})?|\d{1,15}(?:\.\d{1,4})?"
_SCALE = r"(?:\s?(?:k|K|m|M|mn|bn|million|billion|thousand|万|亿|千|百)(?![A-Za-z]))"
_SIGN = r"(?:(?:US|HK|NT|CA|AU|C|A|R|S)?\$|[€£¥￥₹₩₽]|RMB|CNY|USD|EUR|GBP|JPY|CHF|HKD|人民币|美元)"
_WORD = (
    r"(?:dollars?|bucks|euros?|pounds?(?!\s+of)|yen|yuan|rupees?|francs?|cents?|USD|EUR|GBP|CNY|RMB|JPY|CHF|HKD|AUD|CAD|€|£"
    r")(?![A-Za-z])"
)
_MONEY_WORD = r"(?:块钱|块(?![儿状头])|元(?![素旦月宵帅首桥])|美元|欧元|英镑|日元|港元|港币|人民币|美金|角|分钱|毛钱)"
_HAN_NUMBER = r"[零〇一二两三四五六七八九十百千几数半][零〇一二两三四五六七八九十百千万亿几数半]{0,11}"
_FORMS = (
    re.compile(rf"(?<![A-Za-z0-9.]){_SIGN}\s?(?:{_NUMBER}){_SCALE}?", re.IGNORECASE),
    re.compile(rf"(?<![A-Za-z0-9_.,])(?:{_NUMBER}){_SCALE}?\s?{_WORD}", re.IGNORECASE),
    re.compile(rf"(?<![A-Za-z0-9_.,])(?:{_NUMBER})[多余来]?(?:百|千|万|亿|百万|千万){{0,2}}[多余来]?{_MONEY_WORD}"),
    re.compile(rf"{_HAN_NUMBER}[多余来]?{_MONEY_WORD}"),
)


def find_amounts(text: str) -> Iterator[TextSpan]:
    """The amounts, in order and apart from each other."""
    found = sorted(
        (match.span() for form in _FORMS for match in form.finditer(text)), key=lambda span: (span[0], -span[1])
    )
    end = 0
    for first, last in found:
        if first >= end:
            yield TextSpan(first, last, SpanLabel.AMOUNT)
            end = last
