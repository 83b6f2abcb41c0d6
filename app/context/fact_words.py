"""By which words facts are asked for: "what is my default address?", "李四的邮箱" (L6.3).

    read_fact_question("Zhang San's phone?")      -> FactQuestion("Zhang San", "phone")
    read_fact_question("我的默认地址是什么")          -> FactQuestion("me", "lives_in")

Only a question that asks for a fact and nothing else is one; "Zhang San's phone was stolen" is not. The words stand in
resources/rules/facts.toml.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 200
_WHO_EN = r"[^\W\d_][\w.&'’@+-]{0,40}(?: [^\W\d_][\w.&'’@+-]{0,40}){0,3}?"
_WHO_ZH = r"[\u4e00-\u9fffA-Za-z·][\u4e00-\u9fffA-Za-z·. ]{0,20}?"
_ASKS_EN = (
    r"(?:(?:please |can you |could you )?(?:tell me |give me |find |show me |look up |do you know |do you have )?"
    r"(?:what(?:['’]s| is| are| was)?|which is|whats)?) ?"
)
_ASKS_ZH = r"(?:请问|请)?(?:帮我|麻烦)?(?:告诉我|查一下|查查|查|给我|找一下|找|看看|看一下)?(?:一下)?"
_TAIL_ZH = r"(?:是什么|是多少|是啥|是哪里|是哪儿|是哪个|在哪里|在哪儿|在哪|多少|是几号|几号|是|呢|吗)?"
_EDGES = " \t\r\n?？!！.。,，"


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """Whose fact, by name or `me`, and which: a predicate of `fact_lookup.FACT_PREDICATES`."""

    subject: str
    predicate: str


@dataclass(frozen=True, slots=True)
class FactWords:
    """The words, ready for use. `forms`: patterns of whole questions with their predicates."""

    version: str
    words: dict[str, frozenset[str]]
    me: frozenset[str]
    forms: tuple[tuple[str, re.Pattern[str]], ...]

    def predicates_of(self, word: str) -> list[str]:
        """The facts that a word stands for, or a predicate itself; none for an unknown one."""
        folded = " ".join(word.casefold().replace("_", " ").split())
        return [name for name, words in self.words.items() if folded in words or folded == name.replace("_", " ")]

    def is_me(self, text: str) -> bool:
        """Whether the person means themselves."""
        return text.strip(_EDGES).casefold() in self.me


def read_fact_question(text: str) -> FactQuestion | None:
    """Which fact a question asks for; None for one that asks for anything else."""
    plain = " ".join(text[: _LONGEST + 1].split()).strip(_EDGES)
    if not plain or len(plain) > _LONGEST:
        return None
    words = fact_words()
    for predicate, form in words.forms:
        match = form.fullmatch(plain)
        if match is None:
            continue
        who = match["who"].strip(_EDGES)
        return FactQuestion("me" if words.is_me(who) else who, predicate)
    return None


@cache
def fact_words() -> FactWords:
    """The words of the rule file."""
    table = tomllib.loads(resource("rules", "facts.toml").read_text("utf-8"))
    version, common = str(table.pop("version")), table.pop("words")
    me = frozenset(one.casefold() for one in (*common["me_english"], *common["me_chinese"]))
    words = {
        name: frozenset(one.casefold() for one in (*part["english"], *part["chinese"])) for name, part in table.items()
    }
    forms: list[tuple[str, re.Pattern[str]]] = []
    for name, part in table.items():
        english, chinese = _either(part["english"]), _either(part["chinese"])
        plain_en, plain_zh = _either(common["plain_english"]), _either(common["plain_chinese"])
        forms += [
            (name, _compiled(form))
            for form in (
                rf"{_ASKS_EN}(?P<who>my|our) (?:(?:{plain_en}) ){{0,2}}(?:{english})",
                rf"{_ASKS_EN}(?P<who>{_WHO_EN})['’]s? (?:(?:{plain_en}) ){{0,2}}(?:{english})",
                rf"{_ASKS_EN}(?:the )?(?:(?:{plain_en}) ){{0,2}}(?:{english}) (?:of|for) (?P<who>{_WHO_EN})",
                rf"{_ASKS_ZH}(?P<who>{_WHO_ZH})的(?:{plain_zh}){{0,2}}(?:{chinese}){_TAIL_ZH}",
                rf"{_ASKS_ZH}(?P<who>我|本人)(?:{plain_zh}){{0,2}}(?:{chinese}){_TAIL_ZH}",
                *(form.replace("{WHO}", _WHO_EN) for form in part["english_ask"]),
                *(_ASKS_ZH + form.replace("{WHO}", _WHO_ZH) for form in part["chinese_ask"]),
            )
        ]
    return FactWords(version, words, me, tuple(forms))


def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


def _either(words: Sequence[str]) -> str:
    """The longest first, so that "home address" is not read as "home"."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
