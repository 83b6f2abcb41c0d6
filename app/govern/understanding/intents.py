"""What somebody says that they, or a named person, will do on a day: "I'll fly to Rome", 安娜周五去罗马 (G2.7).

A plan of one person is theirs and nobody else's: who speaks of themselves is told by `voices`, who is named by the
sentence. Only what people do counts here, so that "Launch is moving to" names nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.govern.rule_tables import made_of_rules
from app.govern.understanding.debts import ME
from app.govern.understanding.rules import understanding_rules

_GAP = r"\s{1,4}"
_NAME = r"(?-i:[A-Z][a-z'’-]{1,20}(?: [A-Z][a-z'’-]{1,20}){0,2})"
_WHO = rf"(?P<who>I|we|my \w{{3,12}}|{_NAME})"
_SOFT = r"(?:\s{1,4}(?:probably|definitely|also|now|only|just|already|maybe|hopefully|likely|then|not yet sure but))?"
_DO = (
    r"fly|go|travel|drive|leave|depart|move|visit|arrive|return|come|be|stay|meet|start|see|take|have|get married|run|attend|"
    r"host|present|give|celebrate|join|spend|pick up|land|head|hike|camp|work from home|sleep|sign|marry|retire|begin|play|cook|study"
)
_DOING = (
    r"flying|going|travell?ing|driving|leaving|departing|moving|visiting|arriving|returning|coming|staying|meeting|starting|"
    r"seeing|taking|having|getting married|running|attending|hosting|presenting|giving|celebrating|joining|spending|landing|heading|hiking|"
    r"working from home|off to|away|abroad|off|on (?:vacation|holidays?|leave|a trip|parental leave)|out of (?:the )?office|"
    r"out of town|in [A-Z]\w+|retiring|marrying|cooking|playing|busy"
)
_NAMED_DO = (
    r"fly|travel|visit|go|move|come|be|stay|leave|return|arrive|take|have|start|spend|get married|join|retire|marry"
)
_NAMED_DOES = r"flies|travels|visits|leaves|returns|arrives|gets married|comes back|starts|moves|retires|joins"
_NAMED_DOING = (
    r"flying|travell?ing|visiting|going(?= (?:to|on|home|back|away|abroad|for))|coming(?= (?:to|back|home|over))|staying|"
    r"moving(?= (?:to|out|in|into|away) \w)|leaving|returning|getting married|taking|having|starting|joining|spending|retiring|off to|away|"
    r"abroad|on (?:vacation|holidays?|leave|a trip|parental leave)|out of (?:the )?office|out of town|in [A-Z]\w+"
)
_MORE = r"(?:\s[^,;:.!?\n]{1,60}?)?"
_TAIL = r"(?:\s{1,4}(?:on|at|in|from|for|around|by|this|the|early|late|(?:the )?(?:whole|all|most|rest|end|beginning) of(?: the)?))?\s{0,4}$"
_WILL = r"(?:(?:'ll|’ll|\s{1,4}(?:will|(?:am|is|are) going to|plans? to|wants? to|intends? to|hopes? to|shall|might|may))|(?:'m|’m|'s|’s|'re|’re) going to)"
_IS = r"(?:'m|’m|'s|’s|'re|’re|\s{1,4}(?:am|is|are|will be))"
_I = re.IGNORECASE
_FORMS_EN = (
    re.compile(rf"(?:^|.*[\s(])(?P<who>I|we){_WILL}{_SOFT}{_GAP}(?P<it>(?:{_DO})\b{_MORE}){_TAIL}", _I),
    re.compile(rf"(?:^|.*[\s(])(?P<who>I|we){_IS}{_SOFT}{_GAP}(?P<it>(?:{_DOING})\b{_MORE}){_TAIL}", _I),
    re.compile(
        rf"(?:^|.*[\s(])(?P<who>I|we){_SOFT}{_GAP}(?P<it>(?:fly|leave|travel|depart|move|start|arrive|return|go)\b{_MORE}){_TAIL}",
        _I,
    ),
    re.compile(rf"(?:^|.*[\s(])(?P<who>{_NAME}){_WILL}{_SOFT}{_GAP}(?P<it>(?:{_NAMED_DO})\b{_MORE}){_TAIL}", _I),
    re.compile(rf"(?:^|.*[\s(])(?P<who>{_NAME}){_IS}{_SOFT}{_GAP}(?P<it>(?:{_NAMED_DOING})\b{_MORE}){_TAIL}", _I),
    re.compile(rf"(?:^|.*[\s(])(?P<who>{_NAME}){_SOFT}{_GAP}(?P<it>(?:{_NAMED_DOES})\b{_MORE}){_TAIL}", _I),
)
_BEHIND_EN = (
    re.compile(rf"^\s{{0,4}}(?P<who>I|we){_WILL}{_SOFT}{_GAP}(?P<it>(?:{_DO})\b{_MORE})\s{{0,4}}$", _I),
    re.compile(rf"^\s{{0,4}}(?P<who>I|we){_IS}{_SOFT}{_GAP}(?P<it>(?:{_DOING})\b{_MORE})\s{{0,4}}$", _I),
    re.compile(rf"^\s{{0,4}}(?P<who>{_NAME}){_WILL}{_SOFT}{_GAP}(?P<it>(?:{_NAMED_DO})\b{_MORE})\s{{0,4}}$", _I),
    re.compile(rf"^\s{{0,4}}(?P<who>{_NAME}){_IS}{_SOFT}{_GAP}(?P<it>(?:{_NAMED_DOING})\b{_MORE})\s{{0,4}}$", _I),
)
_GOES_ON = re.compile(r"^\s{1,4}(?P<it>(?:to|with|for|and|back)\s[^,;:.!?\n]{2,60})$", _I)
_LABELLED = re.compile(r"^[^:：\n]{1,40}[:：]\s*")
_NEGATED = re.compile(r"\b(?:not|n't|n’t|never|cannot|can't|was|were|had)\b|n['’]t\b", _I)
_NO_ACT = re.compile(
    r"^(?:be (?:able|happy|glad|sure|ready|done|careful|there for)|have to|have (?:a look|time)|take (?:a look|care)|see (?:if|whether|you)|"
    r"go (?:ahead|over|through|with)|come up|start (?:by|with)|give (?:you|it|them|him|her)|get back)\b",
    _I,
)
_HAN = re.compile("[\u3400-\u9fff]")
_ACT_ZH = (
    r"(?:坐(?:飞机|火车|高铁)|开车|一个人|全家|和[^，。]{1,6}|跟[^，。]{1,6}|陪[^，。]{1,6})?"
    r"(?:去|飞往|飞|回(?!复|答|信|顾)|来(?!不及)|搬|出差|出国|出发|休假|请假|休息|旅行|旅游|度假|结婚|考试|做?手术|住院|见(?!面会|过|到)|参加|离开|动身|入职|离职|面试|体检|看牙|"
    r"爬山|露营|滑雪|过生日|生日|请客|请[^，。]{1,6}吃饭|不在|在家|在[^，。]{1,8}(?:出差|度假|开会|休假))[^，。；！？,;!?\n]{0,24}"
)
_SOFT_ZH = r"(?:大概|可能|应该|也|就|还|已经|都)?(?:会|要|将|打算|准备|计划|想|得|预计|决定|打算要)?(?:在|于)?"


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody will do. `who`: `ME`, a name, or "" for several. `used_behind`: characters behind the day."""

    who: str
    title: str
    used_behind: int = 0


def find_intent(before: str, behind: str) -> Intent | None:
    """What a clause says of somebody, given what stands before and behind its day; None for anything else."""
    before = _LABELLED.sub("", before)
    if _HAN.search(before + behind) is not None:
        return _chinese(before, behind)
    if _NEGATED.search(before) is not None:
        return None
    for form in _FORMS_EN:
        match = form.match(before)
        if match is not None and _NO_ACT.match(match["it"]) is None:
            more = _GOES_ON.match(behind)
            title = match["it"].strip() if more is None else f"{match['it'].strip()} {more['it'].strip()}"
            return _intent(match["who"], title, 0 if more is None else more.end())
    if len(before.split()) <= 2:  # noqa: PLR2004 - "On", "This coming"
        for form in _BEHIND_EN:
            match = form.match(behind)
            if match is not None and _NO_ACT.match(match["it"]) is None and _NEGATED.search(behind) is None:
                return _intent(match["who"], match["it"].strip(), match.end())
    return None


def _intent(who: str, title: str, used: int) -> Intent | None:
    folded = who.casefold()
    if folded == "i":
        return Intent(ME, title, used)
    if folded == "we":
        return Intent("", title, used)
    name = who
    while name and name.split()[0].casefold() in understanding_rules().not_owners:
        name = name.partition(" ")[2]
    return Intent(name, title, used) if name else None


def _chinese(before: str, behind: str) -> Intent | None:
    first, act = _zh_forms()
    # 我下周五要飞罗马: who stands before the day; 下周五我要飞罗马: behind it
    before, behind = before.strip(), behind.strip()
    if re.search("[不没]", before) is not None:
        return None
    who = first.fullmatch(before) if before else None
    if before and who is None:
        return None
    match = act.match(behind)
    if match is None or (who is not None and match["who"]):
        return None
    named = who["who"] if who is not None else (match["who"] or "")
    title = match["it"].strip()
    if named in {"我", "俺", "本人"}:
        return Intent(ME, title, match.end())
    if named in {"", "我们", "咱们"}:
        # without anybody who is named, whoever speaks
        return Intent("" if named else ME, title, match.end())
    return Intent(named, title, match.end())


@made_of_rules
def _zh_forms() -> tuple[re.Pattern[str], re.Pattern[str]]:
    surnames = understanding_rules().surnames
    name = rf"[{surnames}][\u4e00-\u9fff]{{1,2}}?|[小老阿][\u4e00-\u9fff]{{1,2}}?|(?!我|你|他|她|它|这|那|今|明|后|下|上|本|每|大|还|所|因|但|如|然)[\u4e00-\u9fff]{{2,3}}?|{_NAME}"
    who = rf"(?P<who>我们|咱们|我|俺|本人|{name})"
    return (
        re.compile(rf"(?:另外|对了|还有|那|顺便说|其实)?[,， ]?{who} ?{_SOFT_ZH}"),
        re.compile(rf"(?:{who} ?)?{_SOFT_ZH}(?P<it>{_ACT_ZH})"),
    )
