"""What a question wants beside its topic: a day, a value, how many, somebody, or what was said first (G4.1).

By its words alone, in English and Chinese; no meaning is understood.
"""

from __future__ import annotations

import re

_ASKS_WHEN = re.compile(r"\bwhen\b|\bwhat (?:day|date|time)\b|什么时候|哪天|哪一天|几号|何时|几点", re.IGNORECASE)
_ORIGINALLY = re.compile(
    r"\boriginal(?:ly)?\b|\bat first\b|\binitial(?:ly)?\b|原来|原定|原本|最初|一开始", re.IGNORECASE
)
_WANTS_VALUE = re.compile(
    r"\bhow (?:much|many|high|big|large|heavy|tall)\b|\bhow (?:did|has|have|does) .{2,60}\bchanged?\b"
    r"|\b(?:price|cost|value|amount|password|code|number)s?\b|多少|[几多](?:大|高|重|长)|密码|号码|价格|费用|变化",
    re.IGNORECASE,
)
_WANTS_QUANTITY = re.compile(
    r"^\s*(?:so |and )?how (?:much|many)\b|多少(?!次了)|[有共]几[个位次天年]|几次", re.IGNORECASE
)
_QUANTITY = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|half|double|twice|once|dozen|a couple|several|many|few|more|less|all|none|no|nothing|nobody|free|unlimited|every"
    r"|each|only|enough)\b|(?<!第)[一二两三四五六七八九十百千万半几]|免费|没有|无限|不限|全部|都",
    re.IGNORECASE,
)
_WANTS_TIMES = re.compile(r"几次|多少次|几趟|\bhow many times\b", re.IGNORECASE)
_TIMES = re.compile(
    r"(?<!第)[\d一二两三四五六七八九十几多每]+[次回趟节]|\b(?:once|twice|times|sessions?|lessons?|visits?|treatments?)\b",
    re.IGNORECASE,
)
_WANTS_CHANGE = re.compile(
    r"^\s*how (?:did|has|have|does) .{2,100}\bchanged?\b|有(?:什么|哪些|啥)?变化|(?:怎么|如何)变", re.IGNORECASE
)
_CHANGE = re.compile(
    r"\d|\b(?:chang|mov|new\b|now\b|instead|from\b.{1,60}\bto\b|rais|rise[sn]?\b|rose\b|increas|decreas|fell\b|drop|grew"
    r"|better|worse|more|less|postpon|replac|switch|cancel|longer|until)"
    r"|改|换|变|涨|降|升|减|增|由.{1,20}到|从.{1,20}到|推迟|提前|取消|新|不再",
    re.IGNORECASE,
)
_WANTS_SOMEBODY = re.compile(r"^\s*(?:so |and )?(?:who|whom|whose)\b|^谁|(?:是|由|给|跟|和|找|被)谁", re.IGNORECASE)
_SOMEBODY = re.compile(
    r"\b(?:I|[Ww]e|[Yy]ou|[Hh]e|[Ss]he|[Tt]hey|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|me|us|him|them|nobody|everybody|everyone"
    r"|mum|mom|dad|mother|father|brother|sister|wife|husband|son|daughter|uncle|aunt|team|board)\b"
    r"|(?<![A-Za-z])(?!(?:The|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June"
    r"|July|August|September|October|November|December)\b)[A-Z][\w'’-]+|@|[\u3400-\u9fff]{2}",
)

_UNIT = r"(?!\s(?:week|month|year|night|name|time i|mon|tues|wednes|thurs|fri|satur|sun|spring|summer|autumn|winter))"
_LAST = re.compile(rf"\b(?:last|previous|most recent){_UNIT}\b|上一?次|上回|最近一次", re.IGNORECASE)
_NEXT = re.compile(rf"\b(?:next|upcoming){_UNIT}\b|下一?次|下回", re.IGNORECASE)

_WANTS_PAID = re.compile(
    r"\bhow much (?:did|was|were|have|has)\b|\bwhat did .{1,60}\bcost\b|[花付交卖]了多少|[花付交卖]了几",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:would|might|maybe|perhaps|if|could|considering|thinking (?:of|about)|plan(?:s|ning)? to|wants? to)\b"
    r"|如果|要是|假如|也许|考虑|打算|想[买换要]|说不定|没买|不买",
    re.IGNORECASE,
)
_REAL = re.compile(r"\b(?:paid|costs?|bought|was|were|sold|spent|charged)\b|[花付交卖买]了|共计|实付", re.IGNORECASE)


def wants_day(question: str) -> bool:
    """Whether it asks when."""
    return _ASKS_WHEN.search(question) is not None


def wants_first(question: str) -> bool:
    """Whether it asks what was planned at first, before it was changed."""
    return _ORIGINALLY.search(question) is not None


def wants_value(question: str) -> bool:
    """Whether it asks for a number, a price, a code or the like, as tables hold them."""
    return _WANTS_VALUE.search(question) is not None


def holds_what_is_wanted(question: str, sentence: str) -> bool:
    """Whether a sentence says how many, how it changed, or names somebody, where that is asked.

    What was paid is said by nobody who would pay it.
    """
    if _WANTS_PAID.search(question) is not None and _UNREAL.search(sentence) is not None:
        return _REAL.search(sentence) is not None
    wanted = (
        (_WANTS_QUANTITY, _QUANTITY),
        (_WANTS_TIMES, _TIMES),
        (_WANTS_CHANGE, _CHANGE),
        (_WANTS_SOMEBODY, _SOMEBODY),
    )
    return all(wants.search(question) is None or holds.search(sentence) is not None for wants, holds in wanted)


def is_of_other_turn(question: str, sentence: str) -> bool:
    """Whether a sentence tells the next time of something, and the last one is asked for, or the other way round."""
    turns = ((_LAST, _NEXT), (_NEXT, _LAST))
    return any(
        asked.search(question) is not None and other.search(sentence) is not None and asked.search(sentence) is None
        for asked, other in turns
    )
