"""English sentences that change something."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from app.govern.supersession.changing_parts import DECISION, GOING, is_open_move, labelled, moved_to, said_of, sorts_of
from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import Phrase, group_of, read_phrase
from app.govern.supersession.said import Days, Kind, Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.govern.supersession.sentences import Sentence

_SUBJECT = re.compile(
    r"(?:^|[\s,])(?P<who>i|we|they|he|she|it|you|[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?|(?:the|our|my) \w+)"
    r"(?:['’](?:ve|s|re|m|d|ll))?(?:\s+(?:have|has|had|are|am|is|will|just|already|all|also|now|finally|both|unfortunately"
    r"|been|be|even|went and|ahead and))*\s*$",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:will|shall|['’]ll)\s*(?:\w+\s*)?$", re.IGNORECASE)
_BE = re.compile(
    r"(?:\b(?:is|are|was|were|been|being|be|gets?|got|isn|aren|won|will)\b|['’](?:s|re)\b|through)", re.IGNORECASE
)
_POINTS = re.compile(
    r"^[\s,]*(?:(?:it|this|that|everything|all of it|all)\b[\s]*)?(?:all|just|now|has|have)?[\s,]*$", re.IGNORECASE
)
_AND = re.compile(r"\band\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|do|does|did|can)\b", re.IGNORECASE)
_BECAUSE = re.compile(
    r"^\s*(?:$|[.!。！,，;；:)）]|because|due|owing|for (?:now|good|today)|until|as |since|today|now|altogether"
    r"|completely)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\s*(?:the |our |my |a )?[A-Z]|\s*(?:the|our|my) ")
_STOPS = re.compile(r"^\s*(?:$|[.!。！,，;；:)）])")
_FOR_DAY = re.compile(r"^[\s,]*(?:for|on|this|that|the)?[\s,]*$", re.IGNORECASE)


def read_english(sentence: Sentence) -> Iterator[Said]:
    """What a sentence changes; what only points has an empty head."""
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
    yield from labelled(sentence, "cancel_label", Kind.CANCEL)
    yield from _english_passive(sentence, "cancel", Kind.CANCEL)
    yield from _english_active(sentence, "cancel_active", Kind.CANCEL)
    for cue in sentence.found("cancel_going"):
        sure = sentence.stands(cue.start(), cue.end())
        behind = sentence.clause_behind(cue.end())
        place = read_phrase(behind)
        # "not going to lie" goes nowhere
        if sure is not None and place.head and _PLACE.match(behind) is not None:
            days = sentence.days_in(0, len(sentence.text))
            yield said_of(sentence, Kind.CANCEL, Phrase(GOING, (place.head, *place.marks)), days, is_sure=sure)
    yield from _no_such_thing(sentence)


def _no_such_thing(sentence: Sentence) -> Iterator[Said]:
    """What is said not to be: "No standup tomorrow.", "There will be no class on Friday"."""
    opening = _none_of().match(sentence.plain)
    if opening is None:
        return
    phrase = read_phrase(sentence.clause_behind(opening.end()))
    days = sentence.days_in(opening.end(), len(sentence.text))
    is_plain = opening["cue"].casefold() == "no"
    sure = sentence.stands(opening.start("cue"), opening.end())
    if sure is None or group_of(phrase.head) is None or (is_plain and not days):
        return
    yield said_of(sentence, Kind.CANCEL, phrase, days, is_sure=sure)


@cache
def _none_of() -> re.Pattern[str]:
    cues = rules().english
    return re.compile(
        rf"(?:{cues['opening'].pattern}[\s,:!-]*)?(?P<cue>{cues['cancel_none'].pattern})\s", re.IGNORECASE
    )


def _english_passive(sentence: Sentence, name: str, kind: Kind, *, is_denial: bool = False) -> Iterator[Said]:
    for cue in sentence.found(name):
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
                yield said_of(sentence, kind, phrase, days, is_sure=sure)


def _is_bare_end(sentence: Sentence, at: int, kind: Kind) -> bool:
    """Whether a bare participle ends its clause, as in "Berlin trip cancelled." and not in "She cancelled the trip"."""
    behind = sentence.plain[at:]
    if kind is Kind.MOVE:
        return re.match(r"\s+(?:to|until|till|for|by|from)\b", behind) is not None or not behind.strip(" .!")
    # "meetings cancelled because of the weather are moved" tells of a sort of meetings
    return _BECAUSE.match(behind) is not None and (_STOPS.match(behind) is not None or _VERB.search(behind) is None)


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
    for cue in sentence.found(name):
        _, clause = sentence.clause_before(cue.start())
        if cue[0][:1].isupper() and clause.strip():
            continue  # "The Cancelled Flight" is a name
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
        said = said_of(sentence, kind, phrase, sentence.days_in(cue.end(), cue.end() + len(behind) + 1), is_sure=sure)
        yield replace(said, who="" if who is None else _author(who["who"]))


def _author(word: str) -> str:
    """Empty for the one who writes."""
    return "" if word.casefold() in {"i", "we", "it", "you"} else word


def _english_moved(sentence: Sentence) -> Iterator[Said]:
    for said in labelled(sentence, "move_label", Kind.MOVE):
        yield moved_to(sentence, said, 0)
    for name in ("move", "move_now"):
        for cue in sentence.found(name):
            for said in _move_cue(sentence, cue):
                yield said
    for cue in sentence.found("move_active"):
        yield from _move_active(sentence, cue)


def _move_cue(sentence: Sentence, cue: re.Match[str]) -> Iterator[Said]:
    start = cue.start() + len(cue[0]) - len(cue[0].lstrip(" ,"))
    begin, clause = sentence.clause_before(start)
    sure = sentence.stands(start, cue.end())
    is_bare = _BE.search(cue[0]) is None
    if sure is None or (is_bare and not _is_bare_end(sentence, cue.end(), Kind.MOVE)):
        return
    for phrase in _subjects(sentence, begin, clause):
        said = said_of(sentence, Kind.MOVE, phrase, sentence.days_in(begin, start), is_sure=sure)
        found = moved_to(sentence, said, cue.end())
        if found.new is not None or found.shift_s is not None or is_open_move(sentence, cue[0]):
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
    said = said_of(sentence, Kind.MOVE, phrase, sentence.days_in(cue.end(), end), is_sure=sure)
    found = moved_to(sentence, said, end)
    if found.new is not None or found.shift_s is not None or is_open_move(sentence, cue[0]):
        yield found


def _english_done(sentence: Sentence) -> Iterator[Said]:
    is_told = any(sentence.found("complete")) or any(sentence.found("complete_active"))
    if not is_told or sentence.cues["future"].search(sentence.text):
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
    for cue in sentence.found("reverse"):
        _, clause = sentence.clause_before(cue.start())
        sure, behind = sentence.stands(cue.start(), cue.end()), sentence.clause_behind(cue.end())
        if sure is None or _SUBJECT.search(clause) is None:
            continue
        phrase = read_phrase(behind)
        marks = tuple(dict.fromkeys((*phrase.marks, phrase.head))) if phrase.head else ()
        if marks:
            yield said_of(sentence, Kind.REVERSE, Phrase(DECISION, marks), (), is_sure=sure)
