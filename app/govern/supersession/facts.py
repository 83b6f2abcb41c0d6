"""Facts of which a person has one at a time: where they live and work, their number and address (A2.4).

"I live in Paris" says one; "I moved to Berlin" replaces it. Nothing else is read, so that one fact about a person never
takes another one away: who administers a server may go on working at the company.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.govern.supersession.cues import rules
from app.govern.supersession.said import Kind, Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.govern.supersession.sentences import Sentence

FACT = "fact:"
_AUTHOR = frozenset({"i", "we", "my", "our", "我", "我们"})
_NOBODY = frozenset(
    {"it", "this", "that", "he", "she", "they", "who", "there", "and", "but", "the", "meeting", "trip", "party", "date"}
)
_NO_VALUE_ZH = re.compile("一个|感到|觉得|新|这|那|哪|什么|的")
_NOBODY_ZH = re.compile(
    "因为|所以|但是|如果|已经|最近|后来|然后|据说|一起|他|她|它|会|时间|日期|地点|办公室|公司|服务器|会议|活动|大家|谁"
)
_CUT = re.compile(
    r"\s+(?:and|but|with|in order|since|because|last|this|next|on|from|where|so|now|today|yesterday|to)\b.*$",
    re.IGNORECASE,
)
_LONGEST = 300


def read_facts(sentence: Sentence) -> Iterator[Said]:
    """The facts of a sentence; a `REPLACE` is a fact too, and says that it was otherwise before."""
    if len(sentence.text) > _LONGEST or sentence.is_title:
        return
    found: set[str] = set()
    for form in rules().facts:
        if form.predicate in found or (form.is_chinese and not sentence.is_chinese):
            continue
        match = next(sentence.found(form.pattern), None)
        if match is None or sentence.stands(match.start(), match.end(), is_of_now=True) is not True:
            continue
        who, value = _who(match["who"]), _value(match["it"], form.predicate)
        if who is None or not value:
            continue
        found.add(form.predicate)
        yield Said(
            kind=Kind.REPLACE if form.is_new else Kind.FACT,
            head=f"{FACT}{form.predicate}",
            text=sentence.text.strip(),
            start=sentence.start,
            end=sentence.start + len(sentence.text),
            who=who,
            value=value,
        )


def _who(word: str) -> str | None:
    """The person, empty for the one who writes; None for what is no person."""
    folded = word.strip().casefold()
    if folded in _AUTHOR:
        return ""
    if folded in _NOBODY or _NOBODY_ZH.search(folded) is not None or folded.split()[0] in _NOBODY:
        return None
    return folded


def _value(text: str, predicate: str) -> str:
    bare = text.strip(" .,;:!?。，；：！？")
    if predicate in {"lives_in", "works_at"}:
        bare = _CUT.sub("", bare)
    if predicate in {"lives_in", "works_at"} and _NO_VALUE_ZH.search(bare) is not None:
        return ""
    if predicate == "phone":
        return re.sub(r"[^\d+]", "", bare)
    return " ".join(bare.split())
