"""Debts of money that a sentence tells: who owes whom how much, and what was paid back, in English and Chinese (G2.4).

    "I owe you 40 euros for the tickets"    me, you, 40 euros
    你还欠我两百块                              you, me, 两百块
    "Ben paid me back"                      Ben, me, and it is settled

Who "I" and "you" are is not told by a sentence; `voices` knows. The forms are data
(resources/rules/debts.toml). What is asked, supposed, or was never owed, is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from app.govern.understanding.rules import understanding_rules
from app.inference.dates.chinese_numbers import number
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ME, YOU = "me", "you"
_LONGEST = 400
_PART = re.compile(r"\{([a-z_]+)\}")
_GROUP = re.compile(r"\(\?P<(\w+?)>")
_HAN = re.compile("[\u3400-\u9fff]")
_GATE = re.compile(
    r"\b(?:ow(?:e|es|ed)|lent|loan|borrow|front|advanc|spott|pa(?:y|id)|repa|transfer|sen[dt]|wir|g[ai]ve|got|receiv|return"
    r"|reimburs|hand|from you|each\b|per (?:person|head)|for you|rest|remaining|share|part|half|portion"
    r"|even|square|quits|settled)|[欠借还垫付转清平剩]|收到",
    re.IGNORECASE,
)
"""What stands in every form: most sentences have none of it, and cost nothing."""
_DIGITS = re.compile(r"\d[\d,，]*(?:\.\d{1,2})?")
_HAN_NUMBER = re.compile("[零一二两三四五六七八九十百千万亿]+")
_SCALES = {"百": 100, "千": 1000, "万": 10_000}
_NO_NAMES = frozenset({"the", "this", "that", "please", "thanks", "money", "back"})


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount. `value` in units of the currency, "" where only the number is said."""

    text: str
    value: float
    currency: str


@dataclass(frozen=True, slots=True)
class Debt:
    """A debt, or a payment that ends one; places in the sentence.

    Attributes:
        debtor, creditor: a name, `ME`, `YOU`, or "" for somebody whom the sentence does not name.
        amount: how much; None for all of it.
        is_mutual: both are quits, whoever owed.
    """

    start: int
    end: int
    debtor: str
    creditor: str
    amount: Sum | None
    is_settled: bool = False
    is_mutual: bool = False


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    who_a: str
    who_b: str
    is_settled: bool
    is_mutual: bool


@dataclass(frozen=True, slots=True)
class _Rules:
    forms: Mapping[str, Sequence[_Form]]
    not_any: Mapping[str, re.Pattern[str]]
    not_settled: Mapping[str, re.Pattern[str]]
    people: Mapping[str, str]
    currencies: Mapping[str, str]
    numbers: Mapping[str, int]


def find_debts(sentence: str) -> list[Debt]:
    """The debts and payments of a sentence, the first form that fits in each place."""
    if len(sentence) > _LONGEST or _GATE.search(sentence) is None:
        return []
    rules = _rules()
    language = "zh" if _HAN.search(sentence) is not None else "en"
    found: list[Debt] = []
    for form in rules.forms[language]:
        for match in form.pattern.finditer(sentence):
            debt = _debt(form, match, language)
            if debt is None or rules.not_any[language].search(sentence, _clause_start(sentence, debt.start), debt.end):
                continue
            if not any(debt.start < one.end and one.start < debt.end for one in found):
                found.append(debt)
    return sorted(found, key=lambda one: one.start)


def may_owe(text: str) -> bool:
    """Whether a text holds a word of debts at all."""
    return _GATE.search(text) is not None


def _debt(form: _Form, match: re.Match[str], language: str) -> Debt | None:
    groups = {name.rstrip("0123456789"): text for name, text in match.groupdict().items() if text}
    debtor = _party(groups["a"]) if "a" in groups else form.who_a
    creditor = _party(groups["b"]) if "b" in groups else form.who_b
    if debtor is None or creditor is None or (debtor and debtor == creditor):
        return None
    if form.is_settled and _rules().not_settled[language].search(_clause(match)) is not None:
        return None
    if not form.is_settled and match.string[match.end() :].strip()[:1] in {"?", "？"} and form.who_a != YOU:
        return None  # asked, and not told
    amount = sum_of(groups["sum"]) if "sum" in groups else None
    return Debt(match.start(), match.end(), debtor, creditor, amount, form.is_settled, form.is_mutual)


def _clause_start(sentence: str, place: int) -> int:
    """Where the part of a sentence begins that a condition before a place would stand in."""
    return max((sentence.rfind(sign, 0, place) for sign in ".;!?。；！？"), default=-1) + 1


def _clause(match: re.Match[str]) -> str:
    """What was matched, without the numbers and the names in it, which may look like something else."""
    text = match[0]
    for name, value in match.groupdict().items():
        if value and not name.startswith("a"):
            text = text.replace(value, " ")
    return text


def _party(word: str) -> str | None:
    """Who is meant; "" for he and she; None for what is nobody."""
    plain = word.strip(" '’")
    folded = plain.casefold()
    known = _rules().people.get(folded)
    if known is not None:
        return known
    first = folded.split()[0] if folded else ""
    not_owners = understanding_rules().not_owners
    if first in not_owners or first in _NO_NAMES:
        rest = plain.partition(" ")[2]
        return _party(rest) if rest else None
    if _HAN.search(plain) is not None and (re.search("[的了着过还欠借钱把是有没在]", plain) or len(plain) < 2):  # noqa: PLR2004
        return None
    return plain


def sum_of(text: str) -> Sum:
    """What an amount is worth; its value is 0 where the number is not understood."""
    rules = _rules()
    plain = text.strip().casefold()
    unit = next((one for one in sorted(rules.currencies, key=len, reverse=True) if one in plain), "")
    return Sum(text.strip(), _value(plain), rules.currencies.get(unit, ""))


def _value(plain: str) -> float:
    if "几" in plain:
        return 0.0  # some hundreds are no sum
    digits = _DIGITS.search(plain)
    if digits is not None:
        value = float(digits[0].replace(",", "").replace("，", ""))
        rest = plain[digits.end() :]
        scale = next((size for sign, size in _SCALES.items() if rest.lstrip().startswith(sign)), 1)
        return value * (1000 if rest.startswith("k") and not rest.startswith("kuai") else scale)
    written = _HAN_NUMBER.search(plain)
    if written is not None:
        try:
            return number(written[0])
        except ValueError:
            return 0.0
    return _in_words(plain)


def _in_words(plain: str) -> float:
    total = section = 0
    for word in re.split(r"[\s-]+", plain):
        if word in {"hundred", "thousand"}:
            section = (section or 1) * (100 if word == "hundred" else 1000)
            total, section = total + section, 0
        elif word in _rules().numbers:
            section += _rules().numbers[word]
    return float(total + section)


@cache
def _rules() -> _Rules:
    table = resource_table("rules", "debts.toml")
    words = table["words"]
    people = dict.fromkeys(words["me"], ME) | dict.fromkeys(words["you"], YOU) | dict.fromkeys(words["they"], "")
    return _Rules(
        forms={language: tuple(_forms(table, language)) for language in ("en", "zh")},
        not_any={language: re.compile(words[f"not_{language}"], re.IGNORECASE) for language in ("en", "zh")},
        not_settled={
            language: re.compile(words[f"settled_not_{language}"], re.IGNORECASE) for language in ("en", "zh")
        },
        people=people,
        currencies={sign: name for name, signs in table["currencies"].items() for sign in signs},
        numbers=table["numbers"],
    )


def _forms(table: Mapping[str, Any], language: str) -> Iterator[_Form]:
    parts = {**table["parts"][language], "surnames": understanding_rules().surnames}
    for form in table["form"]:
        for text in form[language]:
            yield _Form(
                _compiled(text, parts),
                form.get("who_a", ""),
                form.get("who_b", ""),
                is_settled=form.get("is_settled", False),
                is_mutual=form.get("is_mutual", False),
            )


def _compiled(text: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    for _ in range(4):
        text = _PART.sub(lambda match: parts[match[1]], text)
    seen: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        seen[match[1]] = seen.get(match[1], 0) + 1
        return f"(?P<{match[1]}{seen[match[1]] if seen[match[1]] > 1 else ''}>"

    return re.compile(_GROUP.sub(numbered, text), re.IGNORECASE)
