"""Chinese sentences that change something."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.govern.supersession.changing_parts import DECISION, GOING, is_open_move, labelled, moved_to, said_of
from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import Phrase, marks_before, read_phrase, stem
from app.govern.supersession.said import Days, Kind, Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.govern.supersession.sentences import Sentence

_HAN_DONE = re.compile(r"^(?:了|完毕|掉了|好了|完了|过了|出去了|上去了|啦)")
_HAN_ALREADY = re.compile(r"(?:已经?|刚刚?|终于|都)\s*$")
_HAN_GOING = re.compile(r"^(?:去|走|飞)|[去走飞](?:不成|不了|了)")
_HAN_WHY = re.compile("(?:因为|由于)[，,]?$")
_WAITS = re.compile(r"不(?:再)?(?P<verb>去)")
_HAN_VERB = re.compile(
    "^(?:再|采用|使用|选用|改用|用|购买|采购|买|做|选择|选|搞|办|上|推进|考虑|要|和|与|跟|让|把|将)+"
)


def read_chinese(sentence: Sentence) -> Iterator[Said]:
    """What a sentence changes; what only points has an empty head."""
    resumed = list(_han_passive(sentence, "resume", Kind.RESUME))
    moved = list(_han_moved(sentence))
    yield from resumed
    yield from moved
    if not resumed:
        yield from labelled(sentence, "cancel_label", Kind.CANCEL)
        yield from _han_around(sentence)
        yield from _han_passive(sentence, "cancel", Kind.CANCEL)
    yield from _han_done(sentence)
    yield from _han_reversed(sentence)


def _han_passive(sentence: Sentence, name: str, kind: Kind) -> Iterator[Said]:
    for cue in sentence.found(name):
        sure = sentence.stands(cue.start(), cue.end())
        if sure is None:
            continue
        for phrase, days in _han_named(sentence, cue):
            named = _going(phrase, cue[0]) if kind is Kind.CANCEL else phrase
            yield said_of(sentence, kind, named, days, is_sure=sure)


def _han_named(sentence: Sentence, cue: re.Match[str]) -> Iterator[tuple[Phrase, tuple[Days, ...]]]:
    """What stands behind an active cue, or in front of any other one; else what a short clause before that names."""
    begin, clause = sentence.clause_before(cue.start())
    behind = re.sub(r"^(?:了|掉了?|啦)", "", sentence.clause_behind(cue.end()).strip())
    active = read_phrase(behind) if len(behind) > 1 else Phrase("")
    if active.head in rules().groups.values():
        yield active, sentence.days_in(begin, len(sentence.text))
        return
    phrase = read_phrase(clause)
    if phrase.points and not clause.strip(" 已被经都也就了全") and begin > 0:
        start, earlier = sentence.clause_before(begin - 1)
        phrase, begin = read_phrase(earlier), start
        if phrase.head not in rules().groups.values():
            phrase = Phrase("")
    if phrase.head not in rules().groups.values() and (why := _HAN_WHY.search(sentence.plain[:begin])) is not None:
        # 足球赛因为下雨取消了: the thing stands before the reason
        start, earlier = sentence.clause_before(why.start())
        if (named := read_phrase(earlier)).head in rules().groups.values():
            phrase, begin = named, start
    yield phrase, sentence.days_in(begin, cue.start())


def _going(phrase: Phrase, cue: str) -> Phrase:
    """Of 柏林去不成了 and 停课: what the cue itself names."""
    if "课" in cue and phrase.head not in rules().groups.values():
        return Phrase(rules().groups["课"], phrase.marks)
    if _HAN_GOING.search(cue) is None or phrase.head in rules().groups.values() or phrase.points:
        return phrase
    marks = (*phrase.marks, phrase.head)
    return Phrase(GOING, ("".join(marks),) if all(len(mark) <= 2 for mark in marks) else marks)  # noqa: PLR2004


def _han_around(sentence: Sentence) -> Iterator[Said]:
    for cue in sentence.found("cancel_around"):
        phrase = read_phrase(cue["it"])
        is_known = phrase.head in rules().groups.values()
        going = _WAITS.match(cue[0]) is not None
        sure = sentence.stands(cue.start(), cue.end())
        if sure is None or not (is_known or going):
            continue
        named = phrase if is_known else Phrase(GOING, (cue["it"].strip(),))
        yield said_of(sentence, Kind.CANCEL, named, sentence.days_in(0, len(sentence.text)), is_sure=sure)


def _han_moved(sentence: Sentence) -> Iterator[Said]:
    for said in labelled(sentence, "move_label", Kind.MOVE):
        yield moved_to(sentence, said, 0)
    for cue in sentence.found("move"):
        sure = sentence.stands(cue.start(), cue.end())
        if sure is None:
            continue
        for phrase, days in _han_named(sentence, cue):
            found = moved_to(sentence, said_of(sentence, Kind.MOVE, phrase, days, is_sure=sure), cue.end())
            if found.new is not None or found.shift_s is not None or is_open_move(sentence, cue[0]):
                yield found


def _han_done(sentence: Sentence) -> Iterator[Said]:
    for cue in sentence.found("complete"):
        begin, clause = sentence.clause_before(cue.start())
        behind = sentence.plain[cue.end() :]
        is_said = _HAN_DONE.match(behind) is not None or _HAN_ALREADY.search(clause) is not None
        if not is_said or sentence.cues["future"].search(clause.replace("都", "")):
            continue
        sure = sentence.stands(cue.start(), cue.end())
        if sure is None:
            continue
        for phrase, days in _han_named(sentence, cue):
            if phrase.head:
                said = said_of(sentence, Kind.COMPLETE, phrase, days, is_sure=sure)
                yield replace(said, verb=tuple(sorted(rules().verbs.get(cue[0], frozenset()))))
        del begin


def _han_reversed(sentence: Sentence) -> Iterator[Said]:
    for cue in sentence.found("reverse"):
        sure = sentence.stands(cue.start(), cue.end())
        _, clause = sentence.clause_before(cue.start())
        behind = sentence.clause_behind(cue.end()).strip().removesuffix("了")
        words = (*object_words(behind), *(object_words(clause) if len(behind) < 2 else ()))  # noqa: PLR2004
        if sure is not None and words:
            yield said_of(sentence, Kind.REVERSE, Phrase(DECISION, words), (), is_sure=sure)


def object_words(text: str) -> tuple[str, ...]:
    """What a Chinese decision is about, its verb taken off."""
    bare = _HAN_VERB.sub("", text.strip())
    latin = [stem(word) for word in re.findall(r"[A-Za-z][A-Za-z0-9.-]*", bare)]
    return tuple(dict.fromkeys((*latin, *(mark for mark in marks_before(bare) if not mark.isascii()))))
