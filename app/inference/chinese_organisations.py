"""Organisations in Chinese text by what they are called: known names, endings that tell, teams in a match (G2.4).

Chinese writes no capitals, so a club or a ministry known by a short name looks like any word. What stands here is exact
where the two models guess: a list of known names, the words at which an organisation's name ends, the words of a match.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from app.domain.readings import SpanLabel, TextSpan
from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SURE, LIKELY = 0.9, 0.8
_FILE = "organisations.zh.txt"
_CLUBS, _UNSURE = "clubs", "unsure"
_LONGEST_WORDS = 4
_SPORT = re.compile(
    "联赛|主场|客场|进球|球队|球员|比赛|赛季|教练|主帅|夺冠|赔率|平局|转会|对阵|欧冠|欧战|锋线|后卫|门将|首发|积分榜|胜率|盘口|足球|篮球|常规赛|季后赛"
    r"|战队|[vV][sS]|\d\s?[-：:比]\s?\d|主胜|客胜|大胜|小胜|击败|战胜|负于|逼平|[英意西德法]甲|英超"
)
_MATCH = re.compile(r"\s*(?:[vV][sS]\.?|对阵|迎战|击败|战胜|负于|逼平|完胜|大胜|横扫|不敌|[0-9]\s?[-：:比]\s?[0-9])\s*")
_ENDINGS = re.compile(
    "(?:有限公司|集团公司|股份公司|分公司|公司|集团|银行|支行|分行|信用卡中心|证券|基金|保险|信托|大学|学院|中学|小学|附中|医院|"
    "法院|检察院|公安局|公安厅|派出所|警方|军方|军区|海军|空军|陆军|政府|市委|省委|监管部门|管理部门|主管部门|委员会|常委会|组委会|协会|学会|"
    "联合会|联盟|俱乐部|联队|代表队|国家队|女足|女排|男篮|女篮|男足|足协|出版社|杂志社|报社|通讯社|研究所|研究院|研究中心|基金会|办事处|"
    "街道办|居委会|管委会|大使馆|领事馆|外交部|国防部|财政部|教育部|移民局|海关|工商局|税务局|卫生局|教育局|规划局|国土局|房管局|"
    "交通局|旅游局|气象局|体育局|统计局|邮政局|地产|电视台|广播电台|日报|晚报|早报|晨报|周刊|新闻网|工作室|事务所|艺术团|乐队|乐团|剧团)"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the analyser: where it stands, and its part of speech."""

    start: int
    end: int
    tag: str


def known_organisations(text: str, words: Sequence[Word]) -> Iterator[TextSpan]:
    """The names of the list that begin and end where words do; the longest at each place.

    A club counts in a text about sport only, and a word of two meanings is `LIKELY` alone.
    """
    names, clubs, unsure = _names()
    is_sport = _SPORT.search(text) is not None
    place = 0
    while place < len(words):
        for count in range(min(_LONGEST_WORDS, len(words) - place), 0, -1):
            start, end = words[place].start, words[place + count - 1].end
            name = text[start:end]
            if name in names and (name not in clubs or is_sport):
                yield TextSpan(start, end, SpanLabel.ORGANISATION, LIKELY if name in unsure else SURE)
                place += count - 1
                break
        place += 1


def completed(text: str, span: TextSpan) -> TextSpan:
    """A name with the ending that belongs to it: 美国 before 军方, 组委 before 会."""
    if span.label not in {SpanLabel.ORGANISATION, SpanLabel.PLACE}:
        return span
    for back in range(min(3, span.end - span.start - 1) + 1):
        match = _ENDINGS.match(text, span.end - back)
        if match is not None and match.end() > span.end:
            return TextSpan(span.start, match.end(), SpanLabel.ORGANISATION, max(span.confidence, LIKELY))
    return span


def is_team(text: str, span: TextSpan) -> bool:
    """Whether a place stands for its team, being a side of a match: 荷兰vs冰岛, 战胜意大利."""
    if span.label != SpanLabel.PLACE:
        return False
    before = text[max(0, span.start - 8) : span.start]
    return _MATCH.match(text, span.end) is not None or re.search(_MATCH.pattern + r"\Z", before) is not None


@cache
def _names() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """All names, those of clubs, and those of two meanings."""
    kinds: dict[str, set[str]] = {}
    for line in resource("names", _FILE).read_text("utf-8").splitlines():
        kind, colon, names = line.partition(":")
        if colon and not line.startswith("#"):
            kinds.setdefault(kind.strip(), set()).update(names.split())
    unsure = kinds.pop(_UNSURE, set())
    return frozenset().union(*kinds.values()), frozenset(kinds.get(_CLUBS, set())), frozenset(unsure)
