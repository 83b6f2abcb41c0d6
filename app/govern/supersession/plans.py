"""Sentences that say what will be: plans, tasks and decisions, which later ones may change (G2.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.readings import DateKind
from app.govern.supersession.changing_chinese import object_words
from app.govern.supersession.changing_parts import DECISION, GOING, sorts_of
from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import Phrase, group_of, is_chinese, marks_before, read_phrase
from app.govern.supersession.said import Days, Kind, Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.govern.supersession.sentences import Sentence

_LONGEST = 600
_MOST = 4
_LATIN_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_LAST_WORD = re.compile(r"(?P<front>.{0,60}?)(?P<it>[\w'’-]+)\s*$", re.DOTALL)
_ASIDE = re.compile(r"\b(?:before|after|during|until|since|following)\s+(?:\w+\s+){0,4}$", re.IGNORECASE)
_HAN_ASIDE = re.compile(
    "^(?:的(?!时间|日期|地点)|之前|之后|以前|以后|前|后|期间|时候|上(?!午)|中(?!午)|里|结束|纪要|室|桌|员|记录|通知|费|费用|预算|票|照片|攻略|名单|材料)"
)
_HAN_GOING = re.compile(
    r"(?:去|飞|前往|赴|到)(?P<it>[一-鿿]{2,6}?)(?=出差|旅游|旅行|游|玩|开会|参加|参观|看|度假|露营|的|，|,|。|！|!|\s|$)"
)
_HAN_CHINESE_ONE = re.compile(r"[一-鿿]{2,8}会(?=[，,。；;!！\s定改在于推将开]|$)|开会")
_TASK_FRONT = re.compile(
    r"^(?:please|to|must|should|remember to|needs? to|has to|have to|will"
    r"|请|要|需要|必须|记得|尽快|及时|负责|把|将|帮忙|麻烦)\s*",
    re.IGNORECASE,
)


def read_plans(sentence: Sentence) -> list[Said]:
    """What a sentence says will be: at most four things, each once. What is over when it is told is no plan."""
    if len(sentence.text) > _LONGEST or sentence.is_asked:
        return []
    phrases = list(_chinese(sentence) if sentence.is_chinese else _english(sentence))
    days = sentence.days_in(0, len(sentence.text))
    ahead = tuple(one for one in days if one.end.date() >= sentence.written_at.date()) or _period(sentence)
    if days and not ahead:
        return []
    unique = {(phrase.head, phrase.marks): phrase for phrase in phrases if phrase.head}
    return [_said(sentence, Kind.PLAN, phrase, ahead) for phrase in list(unique.values())[:_MOST]]


def read_decision(sentence: Sentence) -> Said | None:
    """What was decided, by the words that say it."""
    cue = next(sentence.found("decide"), None)
    if cue is None or len(sentence.text) > _LONGEST or sentence.stands(cue.start(), cue.end()) is not True:
        return None
    behind = sentence.plain[cue.end() : cue.end() + 160]
    if sentence.is_chinese:
        marks = object_words(re.split("[，,。；;]", behind)[0])
        if sentence.cues["decide_not"].match(behind) is not None:
            return None
    else:
        phrase = read_phrase(re.split(r"[,.;]", behind)[0])
        marks = (*phrase.marks, phrase.head) if phrase.head else ()
    return _said(sentence, Kind.DECISION, Phrase(DECISION, marks), ()) if marks else None


def read_task(title: str) -> tuple[tuple[str, ...], Phrase]:
    """Of "finish the test report" the sort of work and the thing; the sort is empty where it is not known."""
    text = title.strip()
    while (bare := _TASK_FRONT.sub("", text, count=1)) != text:
        text = bare
    return _han_task(text) if is_chinese(text) else _english_task(text)


def _english_task(text: str) -> tuple[tuple[str, ...], Phrase]:
    first = _LATIN_WORD.match(text)
    sorts = sorts_of(first[0]) if first is not None else ()
    rest = text[first.end() :] if first is not None and sorts else text
    return sorts, read_phrase(re.split(r"[,;:.!?(]", rest)[0])


def _han_task(text: str) -> tuple[tuple[str, ...], Phrase]:
    """The verb stands in front of the thing, or (把报告交给他) behind it."""
    verbs = sorted((verb for verb in rules().verbs if not verb.isascii()), key=len, reverse=True)
    front = next((verb for verb in verbs if text.startswith(verb)), "")
    found = re.compile("|".join(map(re.escape, verbs))).search(text)
    if front:
        verb, thing = front, text[len(front) :]
    elif found is not None and found.start() > 1:
        verb, thing = found[0], text[: found.start()]
    else:
        verb, thing = "", text
    thing = re.split("[，,。；;（(]", re.sub("^(?:了|好|给[^，,]{1,8}的?)", "", thing))[0]
    return tuple(sorted(rules().verbs.get(verb, frozenset()))), read_phrase(thing)


def _period(sentence: Sentence) -> tuple[Days, ...]:
    """Of "from Monday to Wednesday" the whole of it."""
    for moment in sentence.moments:
        if moment.reading.kind is DateKind.RANGE:
            days = sentence.days_of(moment, is_ahead=False)
            if days is not None and days.end.date() >= sentence.written_at.date():
                return (days,)
    return ()


def _english(sentence: Sentence) -> Iterator[Phrase]:
    found = False
    for name in ("on", "resume"):
        for cue in sentence.found(name):
            _, clause = sentence.clause_before(cue.start())
            phrase = read_phrase(clause)
            if group_of(phrase.head) is not None or (phrase.head and (sentence.moments or name == "resume")):
                found = True
                yield phrase
    for cue in sentence.found("on_active"):
        phrase = read_phrase(sentence.clause_behind(cue.end()))
        if group_of(phrase.head) is not None:
            found = True
            yield phrase
    for cue in sentence.found("going"):
        place = read_phrase(sentence.clause_behind(cue.end()))
        if place.head:
            yield Phrase(GOING, (place.head, *place.marks))
    if not found and (sentence.moments or sentence.is_title):
        yield from _english_named(sentence)


def _english_named(sentence: Sentence) -> Iterator[Phrase]:
    """Without a verb that tells: the first known thing that a sentence with a date names, or that a title names."""
    for match in _LATIN_WORD.finditer(sentence.plain):
        if group_of(match[0]) is None:
            continue
        begin, clause = sentence.clause_before(match.start())
        if _ASIDE.search(clause) is not None:
            continue
        behind = sentence.clause_behind(match.end())
        # "trip report": the last word is the thing
        nearest = _nearest_noun(behind)
        whole = sentence.plain[begin : match.end()] + nearest
        front = read_phrase(_core(whole))
        rest = read_phrase("x " + behind[len(nearest) :])
        del begin
        yield Phrase(front.head, tuple(dict.fromkeys((*front.marks, *(mark for mark in rest.marks if mark != "x")))))
        return


def _core(text: str) -> str:
    """Behind the last preposition: of "see you at the dinner" the dinner."""
    parts = rules().english["prepositions"].split(text)
    return parts[-1] if parts[-1].strip() else text


def _nearest_noun(behind: str) -> str:
    word = re.match(r"\s([A-Za-z][\w-]*)", behind)
    return word[0] if word is not None and group_of(word[1]) is not None else ""


def _chinese(sentence: Sentence) -> Iterator[Phrase]:
    text = sentence.plain
    cue = next(sentence.found("on"), None)
    has_cue = cue is not None or any(sentence.found("on_active"))
    if not (sentence.moments or has_cue or sentence.is_title):
        return
    for match in rules().chinese_heads.finditer(text):
        if _HAN_ASIDE.match(text[match.end() :]) is not None or (len(match[0]) == 1 and not _is_noun(text, match)):
            continue
        _, clause = sentence.clause_before(match.start())
        front = re.split("[有参开举安组召约]", clause)[-1]
        yield Phrase(rules().groups[match[0]], marks_before(front[-24:]))
    for match in _HAN_GOING.finditer(text):
        yield Phrase(GOING, (match["it"],))
    if cue is not None and not rules().chinese_heads.search(text):
        phrase = read_phrase(sentence.clause_before(cue.start())[1])
        if phrase.head and sentence.moments:
            yield phrase


def _is_noun(text: str, match: re.Match[str]) -> bool:
    """Whether a single sign is a noun here: 会 stands for "will" too."""
    return any(one.start() <= match.start() < one.end() for one in _HAN_CHINESE_ONE.finditer(text))


def _said(sentence: Sentence, kind: Kind, phrase: Phrase, days: tuple[Days, ...]) -> Said:
    return Said(
        kind=kind,
        head=phrase.head,
        marks=phrase.marks,
        days=days,
        text=sentence.text.strip(),
        start=0 if sentence.is_title else sentence.start,
        end=0 if sentence.is_title else sentence.start + len(sentence.text),
    )
