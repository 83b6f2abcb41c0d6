"""What a clause is about, as a set of words, so that two clauses about the same thing find each other.

"the test report is not finished" and "finish the test report" share test and report; 测试报告未完成 and 完成测试报告
share 测试, 试报 and 报告. No meaning, no model: within one entry or thread people name a thing by the same noun.
"""

from __future__ import annotations

import re

from app.govern.understanding.rules import understanding_rules

_WORD = re.compile(r"[a-z0-9][a-z0-9'-]{0,40}")
_HAN = re.compile("[\u3400-\u9fff]+")
_SHORT = 2
_PLURAL = 3


def topic_words(text: str) -> frozenset[str]:
    """The words of a clause that say what it is about: English ones without their endings, Chinese ones as pairs."""
    rules = understanding_rules()
    lowered = text.lower()
    found = {_stem(word) for word in _WORD.findall(lowered) if word not in rules.stop_en and len(word) >= _SHORT}
    for word in rules.stop_zh:
        lowered = lowered.replace(word, " ")
    for sign in rules.signs_zh:
        lowered = lowered.replace(sign, " ")
    for run in _HAN.findall(lowered):
        if len(run) == 1:
            continue
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(found)


def shared(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the smaller set both have, 0..1."""
    if not one or not other:
        return 0.0
    return len(one & other) / min(len(one), len(other))


def _stem(word: str) -> str:
    word = word.removesuffix("'s").strip("'-")
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > _PLURAL and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word
