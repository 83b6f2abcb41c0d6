"""Sentences that change what was said before: cancelled, moved, done, on again, decided otherwise (G2.6)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.readings import DateKind
from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import Phrase, group_of, marks_before, read_phrase, stem
from app.govern.supersession.said import Days, Kind, Said
from app.govern.supersession.sentences import is_whole_day, split_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.govern.supersession.sentences import Sentence

DECISION = "decision"
GOING = "go"
_SUBJECT = re.compile(
    r"(?:^|[\s,])(?P<who>i|we|they|he|she|it|you|[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?|(?:the|our|my) \w+)"
    r"(?:['’](?:ve|s|re|m|d|ll))?(?:\s+(?:have|has|had|are|am|is|will|just|already|all|also|now|finally|both|unfortunately"
    r"|been|be|even|went and|ahead and))*\s*$",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:will|shall|['’]ll)\s*(?:\w+\s*)?$", re.IGNORECASE)
_TO = re.compile(
    r"^[\s,]*(?:from[\s,]*)?(?:(?:forward|back)\s+)?(?:to|until|till|for|on|by)?[\s,:]*(?:the\s+)?$", re.IGNORECASE
)
_SHIFT_NEAR = 14
_LABEL_END = re.compile(
    r"^(?P<it>.{3,120}?)\s*[-–—:：(\[（【]\s*(?:now\s+|is\s+)?(?:cancell?ed|called off|已?取消)[!.]?\s*[)\]）】]?$",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"forward|提前|earlier|up\b", re.IGNORECASE)
_BE = re.compile(
    r"(?:\b(?:is|are|was|were|been|being|be|gets?|got|isn|aren|won|will)\b|['’](?:s|re)\b|through)", re.IGNORECASE
)
_POINTS = re.compile(
    r"^[\s,]*(?:(?:it|this|that|everything|all of it|all)\b[\s]*)?(?:all|just|now|has|have)?[\s,]*$", re.IGNORECASE
)
_AND = re.compile(r"\band\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|do|does|did|can)\b", re.IGNORECASE)
_HAN_DONE = re.compile(r"^(?:了|完毕|掉了|好了|完了|过了|出去了|上去了|啦)")
_HAN_SINGLE = frozenset("交发寄付缴买订签")
_HAN_ALREADY = re.compile(r"(?:已经?|刚刚?|终于|都)\s*$")
_HAN_GOING = re.compile(r"^(?:去|走|飞)|[去走飞](?:不成|不了|了)")
_HAN_WHY = re.compile("(?:因为|由于)[，,]?$")
_WAITS = re.compile(r"不(?:再)?(?P<verb>去)")
_BECAUSE = re.compile(
    r"^\s*(?:$|[.!。！,，;；:)）]|because|due|owing|for (?:now|good|today)|until|as |since|today|now|altogether|completely"
    r"|at short)",
    re.IGNORECASE,
)
_FOR_DAY = re.compile(r"^[\s,]*(?:for|on|this|that|the)?[\s,]*$", re.IGNORECASE)


def read_changes(sentence: Sentence) -> Iterator[Said]:
    """What a sentence changes; mostly nothing. A phrase that only says "it" gives an empty head."""
    if len(sentence.text) > _LONGEST:
        return
    reader = _chinese if sentence.is_chinese else _english
    seen: set[tuple[Kind, str, tuple[str, ...]]] = set()
    found = list(reader(sentence))
    named = {said.kind for said in found if said.head}
    for said in found:
        if not said.head and said.kind in named:
            continue
        if (key := (said.kind, said.head, said.marks)) not in seen:
            seen.add(key)
            yield said


_LONGEST = 600


def _english(sentence: Sentence) -> Iterator[Said]:
    cancelled = list(_english_cancelled(sentence))
    moved = list(_english_moved(sentence))
    resumed = list(_english_passive(sentence, "resume", Kind.RESUME, is_denial=True))
    # "is not cancelled" is no cancellation, and a move is none either
    yield from resumed
    yield from moved
    if not resumed:
        yield from cancelled
    yield from _english_done(sentence)
    yield from _english_reversed(sentence)


def _english_cancelled(sentence: Sentence) -> Iterator[Said]:
    yield from _labelled(sentence, "cancel_label", Kind.CANCEL)
    yield from _english_passive(sentence, "cancel", Kind.CANCEL)
    yield from _english_active(sentence, "cancel_active", Kind.CANCEL)
    for cue in sentence.cues["cancel_going"].finditer(sentence.plain):
        sure = sentence.stands(cue.start(), cue.end())
        place = read_phrase(sentence.clause_behind(cue.end()))
        if sure is not None and place.head:
            days = sentence.days_in(0, len(sentence.text))
            yield _said(sentence, Kind.CANCEL, Phrase(GOING, (place.head, *place.marks)), days, is_sure=sure)
    yield from _no_such_thing(sentence)


def _no_such_thing(sentence: Sentence) -> Iterator[Said]:
    """ "No standup tomorrow.", "There will be no class on Friday." """
    opening = re.match(
        rf"(?:{sentence.cues['opening'].pattern}[\s,:!-]*)?(?P<cue>{sentence.cues['cancel_none'].pattern})\s",
        sentence.plain,
        re.IGNORECASE,
    )
    if opening is None:
        return
    phrase = read_phrase(sentence.clause_behind(opening.end()))
    days = sentence.days_in(opening.end(), len(sentence.text))
    is_plain = opening["cue"].casefold() == "no"
    sure = sentence.stands(opening.start("cue"), opening.end())
    if sure is None or group_of(phrase.head) is None or (is_plain and not days):
        return
    yield _said(sentence, Kind.CANCEL, phrase, days, is_sure=sure)


def _labelled(sentence: Sentence, label: str, kind: Kind) -> Iterator[Said]:
    """ "Cancelled: Berlin trip", "Berlin trip - CANCELLED", 【取消】柏林之行."""
    head = re.match(
        rf"\s*(?:\[|【)?(?:{sentence.cues[label].pattern})(?:\]|】)?\s*(?P<sep>[:：–—-]|\bof\b|】|\])?\s*",
        sentence.plain,
        re.IGNORECASE,
    )
    phrase, days = Phrase(""), sentence.days_in(0, len(sentence.text))
    if head is not None and (head["sep"] or sentence.is_title):
        phrase = read_phrase(sentence.clause_behind(head.end()))
    elif kind is Kind.CANCEL and (tail := _LABEL_END.match(sentence.plain.strip())) is not None:
        phrase = read_phrase(tail["it"])
    if phrase.head and not sentence.is_asked():
        yield _said(sentence, kind, phrase, days, is_sure=True)


def _english_passive(sentence: Sentence, name: str, kind: Kind, *, is_denial: bool = False) -> Iterator[Said]:
    for cue in sentence.cues[name].finditer(sentence.plain):
        start = cue.start() + len(cue[0]) - len(cue[0].lstrip(" ,"))
        begin, clause = sentence.clause_before(start)
        is_bare = _BE.search(cue[0]) is None and not is_denial
        if is_bare and not _is_bare_end(sentence, cue.end(), kind):
            continue
        sure = sentence.stands(start, cue.end())
        if sure is None:
            continue
        days = (*sentence.days_in(begin, start), *_days_behind(sentence, cue.end()))
        for phrase in _subjects(sentence, begin, clause):
            if phrase.head or _POINTS.match(clause) is not None:
                yield _said(sentence, kind, phrase, days, is_sure=sure)


def _is_bare_end(sentence: Sentence, at: int, kind: Kind) -> bool:
    """ "Berlin trip cancelled." names what is cancelled in front; "She cancelled the trip" does not."""
    behind = sentence.plain[at:]
    if kind is Kind.MOVE:
        return re.match(r"\s+(?:to|until|till|for|by|from)\b", behind) is not None or not behind.strip(" .!")
    return _BECAUSE.match(behind) is not None


def _days_behind(sentence: Sentence, at: int) -> tuple[Days, ...]:
    """Of "is cancelled for Friday" the Friday."""
    behind = [one for one in sentence.moments if one.start >= at]
    if not behind or _FOR_DAY.match(sentence.text[at : behind[0].start]) is None:
        return ()
    days = sentence.days_in(behind[0].start, behind[0].end)
    return tuple(one for one in days if one.end.date() > sentence.written_at.date())


def _subjects(sentence: Sentence, begin: int, clause: str) -> Iterator[Phrase]:
    """The thing in front of a cue, and another one that "and" joins to it."""
    yield read_phrase(clause)
    before = sentence.plain[:begin]
    joint = _AND.search(before, max(0, len(before) - 4))
    if joint is not None:
        earlier = re.split(r"[,;:.!?()\n]", before[: joint.start()])[-1]
        phrase = read_phrase(earlier)
        if group_of(phrase.head) is not None and _VERB.search(earlier) is None:
            yield phrase


def _english_active(sentence: Sentence, name: str, kind: Kind) -> Iterator[Said]:
    for cue in sentence.cues[name].finditer(sentence.plain):
        _, clause = sentence.clause_before(cue.start())
        # diaries and mails leave out the "I"
        is_open = not clause.strip() and (kind is Kind.COMPLETE or cue[0].casefold().endswith("ing"))
        who = _SUBJECT.search(clause)
        if (who is None and not is_open) or _MODAL.search(clause) is not None:
            continue
        sure = sentence.stands(cue.start(), cue.end())
        behind = sentence.clause_behind(cue.end())
        phrase = read_phrase(behind)
        if sure is None or (phrase.points and not behind.strip()):
            continue
        said = _said(sentence, kind, phrase, sentence.days_in(cue.end(), cue.end() + len(behind) + 1), is_sure=sure)
        yield replace(said, who="" if who is None else _author(who["who"]))


def _author(word: str) -> str:
    """Empty for the one who writes."""
    return "" if word.casefold() in {"i", "we", "it", "you"} else word


def _english_moved(sentence: Sentence) -> Iterator[Said]:
    for said in _labelled(sentence, "move_label", Kind.MOVE):
        yield _moved_to(sentence, said, 0)
    for name in ("move", "move_now"):
        for cue in sentence.cues[name].finditer(sentence.plain):
            for said in _move_cue(sentence, cue):
                yield said
    for cue in sentence.cues["move_active"].finditer(sentence.plain):
        yield from _move_active(sentence, cue)


def _move_cue(sentence: Sentence, cue: re.Match[str]) -> Iterator[Said]:
    start = cue.start() + len(cue[0]) - len(cue[0].lstrip(" ,"))
    begin, clause = sentence.clause_before(start)
    sure = sentence.stands(start, cue.end())
    is_bare = _BE.search(cue[0]) is None
    if sure is None or (is_bare and not _is_bare_end(sentence, cue.end(), Kind.MOVE)):
        return
    for phrase in _subjects(sentence, begin, clause):
        said = _said(sentence, Kind.MOVE, phrase, sentence.days_in(begin, start), is_sure=sure)
        found = _moved_to(sentence, said, cue.end())
        if found.new is not None or found.shift_s is not None or _is_open_move(sentence, cue[0]):
            yield found


def _move_active(sentence: Sentence, cue: re.Match[str]) -> Iterator[Said]:
    _, clause = sentence.clause_before(cue.start())
    is_open = not clause.strip() and cue[0].casefold().endswith("ing")
    if (_SUBJECT.search(clause) is None and not is_open) or _MODAL.search(clause) is not None:
        return
    sure, behind = sentence.stands(cue.start(), cue.end()), sentence.clause_behind(cue.end())
    phrase = read_phrase(behind)
    if sure is None or phrase.points:
        return
    end = cue.end() + len(behind)
    said = _said(sentence, Kind.MOVE, phrase, sentence.days_in(cue.end(), end), is_sure=sure)
    found = _moved_to(sentence, said, end)
    if found.new is not None or found.shift_s is not None or _is_open_move(sentence, cue[0]):
        yield found


def _is_open_move(sentence: Sentence, cue: str) -> bool:
    return sentence.cues["move_openly"].search(cue) is not None


def _moved_to(sentence: Sentence, said: Said, at: int) -> Said:
    """With the new time, or by how much it moves, as far as either is said behind a place."""
    for moment in sentence.moments:
        if moment.start < at:
            continue
        if moment.reading.kind is DateKind.DURATION and moment.reading.duration is not None:
            if moment.start - at > _SHIFT_NEAR:
                continue
            sign = -1 if _EARLIER.search(sentence.text[max(0, at - _SHIFT_NEAR) : moment.end + _SHIFT_NEAR]) else 1
            return replace(said, shift_s=sign * int(moment.reading.duration.total_seconds()))
        old, new = split_move(sentence, moment)
        days = None if new is None else sentence.days_of(new, is_ahead=True)
        if new is None or days is None:
            continue
        before = said.days or old
        return replace(said, days=before, new=days, is_whole_day=is_whole_day(new))
    return said


def _english_done(sentence: Sentence) -> Iterator[Said]:
    if sentence.cues["future"].search(sentence.text):
        return
    found = [*_english_passive(sentence, "complete", Kind.COMPLETE)]
    found += [*_english_active(sentence, "complete_active", Kind.COMPLETE)]
    cue = sentence.cues["complete_active"].search(sentence.text)
    for said in found:
        if said.head and cue is not None:
            yield replace(said, verb=sorts_of(cue[0]))
        elif said.head:
            yield replace(said, verb=("done",))


def _english_reversed(sentence: Sentence) -> Iterator[Said]:
    for cue in sentence.cues["reverse"].finditer(sentence.plain):
        _, clause = sentence.clause_before(cue.start())
        sure, behind = sentence.stands(cue.start(), cue.end()), sentence.clause_behind(cue.end())
        if sure is None or _SUBJECT.search(clause) is None:
            continue
        phrase = read_phrase(behind)
        marks = tuple(dict.fromkeys((*phrase.marks, phrase.head))) if phrase.head else ()
        if marks:
            yield _said(sentence, Kind.REVERSE, Phrase(DECISION, marks), (), is_sure=sure)


def sorts_of(verb: str) -> tuple[str, ...]:
    """What sort of work a verb does; empty for an unknown one."""
    known = rules().verbs
    folded = verb.casefold().split()[0] if verb.strip() else ""
    forms = {"sent": "send", "paid": "pay", "wrote": "write", "written": "write", "bought": "buy", "did": "do"}
    for form in (
        folded,
        forms.get(folded, folded),
        folded.removesuffix("ed"),
        folded.removesuffix("d"),
        folded.removesuffix("ped"),
    ):
        if form in known:
            return tuple(sorted(known[form]))
    if (
        folded.startswith("handed")
        or folded.startswith("turned")
        or folded.startswith("submit")
        or folded.startswith("ship")
    ):
        return ("give",)
    return ()


def _chinese(sentence: Sentence) -> Iterator[Said]:
    resumed = list(_han_passive(sentence, "resume", Kind.RESUME))
    moved = list(_han_moved(sentence))
    yield from resumed
    yield from moved
    if not resumed:
        yield from _labelled(sentence, "cancel_label", Kind.CANCEL)
        yield from _han_around(sentence)
        yield from _han_passive(sentence, "cancel", Kind.CANCEL)
    yield from _han_done(sentence)
    yield from _han_reversed(sentence)


def _han_passive(sentence: Sentence, name: str, kind: Kind) -> Iterator[Said]:
    for cue in sentence.cues[name].finditer(sentence.plain):
        sure = sentence.stands(cue.start(), cue.end())
        if sure is None:
            continue
        for phrase, days in _han_named(sentence, cue):
            named = _going(phrase, cue[0]) if kind is Kind.CANCEL else phrase
            yield _said(sentence, kind, named, days, is_sure=sure)


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
    for cue in sentence.cues["cancel_around"].finditer(sentence.plain):
        phrase = read_phrase(cue["it"])
        is_known = phrase.head in rules().groups.values()
        going = _WAITS.match(cue[0]) is not None
        sure = sentence.stands(cue.start(), cue.end())
        if sure is None or not (is_known or going):
            continue
        named = phrase if is_known else Phrase(GOING, (cue["it"].strip(),))
        yield _said(sentence, Kind.CANCEL, named, sentence.days_in(0, len(sentence.text)), is_sure=sure)


def _han_moved(sentence: Sentence) -> Iterator[Said]:
    for said in _labelled(sentence, "move_label", Kind.MOVE):
        yield _moved_to(sentence, said, 0)
    for cue in sentence.cues["move"].finditer(sentence.plain):
        sure = sentence.stands(cue.start(), cue.end())
        if sure is None:
            continue
        for phrase, days in _han_named(sentence, cue):
            found = _moved_to(sentence, _said(sentence, Kind.MOVE, phrase, days, is_sure=sure), cue.end())
            if found.new is not None or found.shift_s is not None or _is_open_move(sentence, cue[0]):
                yield found


def _han_done(sentence: Sentence) -> Iterator[Said]:
    for cue in sentence.cues["complete"].finditer(sentence.plain):
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
                said = _said(sentence, Kind.COMPLETE, phrase, days, is_sure=sure)
                yield replace(said, verb=tuple(sorted(rules().verbs.get(cue[0], frozenset()))))
        del begin


def _han_reversed(sentence: Sentence) -> Iterator[Said]:
    for cue in sentence.cues["reverse"].finditer(sentence.plain):
        sure = sentence.stands(cue.start(), cue.end())
        _, clause = sentence.clause_before(cue.start())
        behind = sentence.clause_behind(cue.end()).strip().removesuffix("了")
        words = (*object_words(behind), *(object_words(clause) if len(behind) < 2 else ()))  # noqa: PLR2004
        if sure is not None and words:
            yield _said(sentence, Kind.REVERSE, Phrase(DECISION, words), (), is_sure=sure)


_HAN_VERB = re.compile(
    "^(?:再|采用|使用|选用|改用|用|购买|采购|买|做|选择|选|搞|办|上|推进|考虑|要|和|与|跟|让|把|将)+"
)


def object_words(text: str) -> tuple[str, ...]:
    """What a Chinese decision is about, its verb taken off."""
    bare = _HAN_VERB.sub("", text.strip())
    latin = [stem(word) for word in re.findall(r"[A-Za-z][A-Za-z0-9.-]*", bare)]
    return tuple(dict.fromkeys((*latin, *(mark for mark in marks_before(bare) if not mark.isascii()))))


def _said(sentence: Sentence, kind: Kind, phrase: Phrase, days: tuple[Days, ...], *, is_sure: bool) -> Said:
    return Said(
        kind=kind,
        head=phrase.head,
        marks=phrase.marks,
        days=days,
        text=sentence.text.strip(),
        start=0 if sentence.is_title else sentence.start,
        end=0 if sentence.is_title else sentence.start + len(sentence.text),
        is_sure=is_sure,
    )
