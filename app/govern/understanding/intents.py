"""What somebody says that they, or a named person, will do on a day: "I'll fly to Rome", 安娜周五去罗马 (G2.7).

A plan of one person is theirs and nobody else's: who speaks of themselves is told by `voices`, who is named by the
sentence. Only what people do counts here (resources/rules/intents.toml), so that "Launch is moving to" names nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.govern.rule_tables import made_of_rules
from app.govern.understanding.debts import ME
from app.govern.understanding.rules import understanding_rules
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP = r"\s{1,4}"
_NAME = r"(?-i:[A-Z][a-z'’-]{1,20}(?: [A-Z][a-z'’-]{1,20}){0,2})"
_SOFT = r"(?:\s{1,4}(?:probably|definitely|also|now|only|just|already|maybe|hopefully|likely|then))?"
_MORE = r"(?:\s[^,;:.!?\n]{1,60}?)?"
_TAIL = (
    r"(?:\s{1,4}(?:on|at|in|from|for|around|by|this|the|early|late|"
    r"(?:the )?(?:whole|all|most|rest|end|beginning) of(?: the)?))?\s{0,4}$"
)
_IS = r"(?:'m|’m|'s|’s|'re|’re|\s{1,4}(?:am|is|are|will be))"
_I = re.IGNORECASE
_GOES_ON = re.compile(r"^\s{1,4}(?P<it>(?:to|with|for|and|back)\s[^,;:.!?\n]{2,60})$", _I)
_LABELLED = re.compile(r"^[^:：\n]{1,40}[:：]\s*")
_NEGATED = re.compile(r"\b(?:not|never|cannot|was|were|had)\b|n['’]t\b", _I)
_HAN = re.compile("[\u3400-\u9fff]")
_SOFT_ZH = r"(?:大概|可能|应该|也|就|还|已经|都)?(?:会|要|将|打算|准备|计划|想|得|预计|决定|打算要)?(?:在|于)?"
_SHORT = 2
"""Words before a day that say nothing: "On", "This coming"."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody will do. `who`: `ME`, a name, or "" for several. `used_behind`: characters behind the day."""

    who: str
    title: str
    used_behind: int = 0


@dataclass(frozen=True, slots=True)
class _Forms:
    before: Sequence[re.Pattern[str]]
    behind: Sequence[re.Pattern[str]]
    no_act: re.Pattern[str]
    who_zh: re.Pattern[str]
    act_zh: re.Pattern[str]


def find_intent(before: str, behind: str) -> Intent | None:
    """What a clause says of somebody, given what stands before and behind its day; None for anything else."""
    before = _LABELLED.sub("", before)
    if _HAN.search(before + behind) is not None:
        return _chinese(before, behind)
    if _NEGATED.search(before) is not None:
        return None
    return _english(before, behind)


def _english(before: str, behind: str) -> Intent | None:
    forms = _forms()
    for form in forms.before:
        match = form.match(before)
        if match is not None and forms.no_act.match(match["it"]) is None:
            more = _GOES_ON.match(behind)
            title = match["it"].strip() if more is None else f"{match['it'].strip()} {more['it'].strip()}"
            return _intent(match["who"], title, 0 if more is None else more.end())
    if len(before.split()) > _SHORT or _NEGATED.search(behind) is not None:
        return None
    for form in forms.behind:
        match = form.match(behind)
        if match is not None and forms.no_act.match(match["it"]) is None:
            return _intent(match["who"], match["it"].strip(), match.end())
    return None


def _intent(who: str, title: str, used: int) -> Intent | None:
    folded = who.casefold()
    if folded in {"i", "we"}:
        return Intent(ME if folded == "i" else "", title, used)
    name = who
    while name and name.split()[0].casefold() in understanding_rules().not_owners:
        name = name.partition(" ")[2]
    return Intent(name, title, used) if name else None


def _chinese(before: str, behind: str) -> Intent | None:
    """我下周五要飞罗马: who stands before the day; 下周五我要飞罗马: behind it."""
    before, behind = before.strip(), behind.strip()
    who = _forms().who_zh.fullmatch(before) if before else None
    if (before and who is None) or re.search("[不没]", before) is not None:
        return None
    match = _forms().act_zh.match(behind)
    if match is None or (who is not None and match["who"]):
        return None
    named = who["who"] if who is not None else (match["who"] or "")
    title = match["it"].strip()
    if named in {"", "我", "俺", "本人"}:
        # without anybody who is named, whoever speaks
        return Intent(ME, title, match.end())
    return Intent("" if named in {"我们", "咱们"} else named, title, match.end())


@made_of_rules
def _forms() -> _Forms:
    table = resource_table("rules", "intents.toml")
    words = {name: "|".join(some) for name, some in table["en"].items()}
    mine = rf"(?P<who>I|we)(?:{words['will']}){_SOFT}{_GAP}(?P<it>(?:{words['do']})\b{_MORE})"
    being = rf"(?P<who>I|we){_IS}{_SOFT}{_GAP}(?P<it>(?:{words['doing']})\b{_MORE})"
    present = rf"(?P<who>I|we){_SOFT}{_GAP}(?P<it>(?:fly|leave|travel|depart|move|start|arrive|return|go)\b{_MORE})"
    theirs = rf"(?P<who>{_NAME})(?:{words['will']}){_SOFT}{_GAP}(?P<it>(?:{words['named_do']})\b{_MORE})"
    doing = rf"(?P<who>{_NAME}){_IS}{_SOFT}{_GAP}(?P<it>(?:{words['named_doing']})\b{_MORE})"
    does = rf"(?P<who>{_NAME}){_SOFT}{_GAP}(?P<it>(?:{words['named_does']})\b{_MORE})"
    name = (
        rf"[{understanding_rules().surnames}][\u4e00-\u9fff]{{1,2}}?|[小老阿][\u4e00-\u9fff]{{1,2}}?|"
        rf"(?![{table['zh']['nobody']}])[\u4e00-\u9fff]{{2,3}}?|{_NAME}"
    )
    who = rf"(?P<who>我们|咱们|我|俺|本人|{name})"
    act = rf"(?:{'|'.join(table['zh']['how'])})?(?:{'|'.join(table['zh']['acts'])})[^，。；！？,;!?\n]{{0,24}}"
    return _Forms(
        before=tuple(
            re.compile(rf"(?:^|.*[\s(]){one}{_TAIL}", _I) for one in (mine, being, present, theirs, doing, does)
        ),
        behind=tuple(re.compile(rf"^\s{{0,4}}{one}\s{{0,4}}$", _I) for one in (mine, being, theirs, doing)),
        no_act=re.compile(rf"^(?:{words['no_act']})\b", _I),
        who_zh=re.compile(rf"(?:另外|对了|还有|那|顺便说|其实)?[,， ]?{who} ?{_SOFT_ZH}"),
        act_zh=re.compile(rf"(?:{who} ?)?{_SOFT_ZH}(?P<it>{act})"),
    )
