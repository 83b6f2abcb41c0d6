"""Short entries read as a whole: what may be ended by another, and what may end another, in whatever words (G2.6).

Of the first an entry's words, days and values are kept; of the second also which sort of change its words tell of. No
more is decided here: whether they speak of one thing is seen in `kinship`, when both are known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.domain.readings import DateKind
from app.govern.supersession.cues import rules
from app.govern.supersession.gist import Gist, keys_of, names_of, values_of, weekdays_of
from app.govern.supersession.plans import read_task
from app.govern.supersession.said import Days, Kind, Said
from app.govern.supersession.sentences import is_whole_day
from app.govern.supersession.shelves import WHOLE, shelves_of
from app.govern.supersession.turn_cues import turn_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.govern.supersession.cues import Cues
    from app.govern.supersession.sentences import Moment, Sentence
    from app.govern.understanding.contract import StoredEntry

_KINDS = frozenset({EntryKind.MAIL, EntryKind.NOTE, EntryKind.EVENT, EntryKind.TASK, EntryKind.CHAT})
_LONGEST_SUBJECT, _MOST_SUBJECT_SENTENCES, _MOST_DATED = 360, 6, 2
_LONGEST_CHANGE, _MOST_CHANGE_SENTENCES = 1200, 16
_LONGEST_GREETING = 24
_MOST_DAYS = 8
_MORNING, _DAY_HOURS = 7, 24
"""An hour before is taken for one of the afternoon."""
_LONGEST_STRETCH = 31
_DENIED = re.compile(
    r"(?:\bnot|instead of|rather than|no longer|不是|而不是|而非)\s{0,2}(?:at |on |the |£|€|\$)?(?P<it>\d[\d.,:]*)",
    re.IGNORECASE,
)
_EXACT = {
    "off": {Kind.CANCEL, Kind.REVERSE},
    "shift": {Kind.MOVE},
    "done": {Kind.COMPLETE},
    "value": {Kind.REPLACE},
    "rename": {Kind.REPLACE},
    "choice": {Kind.REVERSE},
}
_CLAUSES = re.compile(r"[,;:，；：。]|\s[-–—]\s|\bbut\b", re.IGNORECASE)
_HOUR = re.compile(
    r"\b(?:at|from|to|until|till|for)\s(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?(?![\d:]|st\b|nd\b|rd\b|th\b|\s?[%€£$])(?!\s(?:people|of|euros?|pounds?|days?|hours?|weeks?|months?|minutes?|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
    re.IGNORECASE,
)
_KIND_OF = {
    "off": Kind.CANCEL,
    "shift": Kind.MOVE,
    "done": Kind.COMPLETE,
    "value": Kind.REPLACE,
    "rename": Kind.REPLACE,
    "choice": Kind.REPLACE,
}


@dataclass(frozen=True, slots=True)
class _Dated:
    """A day that an entry names; `is_near`: in a sentence that says what changes."""

    days: Days
    is_whole: bool
    is_near: bool


@dataclass(frozen=True, slots=True)
class _Exact:
    """What the sentences say by their form; `is_kept`: also that something goes on as before."""

    said: Sequence[Said]
    is_kept: bool


def read_whole(entry: StoredEntry, own: Sequence[Sentence], title: Sentence, exact: Sequence[Said]) -> list[Said]:
    """What an entry is as a whole, and what of another it may end; nothing of a long one.

    Args:
        exact: what the sentences were read to say by their form.
    """
    if entry.kind not in _KINDS:
        return []
    content = [one for one in own if not _is_greeting(one.text.strip())]
    length = sum(len(one.text) for one in content)
    found: list[Said] = []
    is_one = len(content) <= _MOST_SUBJECT_SENTENCES and sum(_is_dated(one) for one in content) <= _MOST_DATED
    if length <= _LONGEST_SUBJECT and is_one and (content or title.text):
        subject = _subject(entry, content, title)
        found += [replace(subject, head=shelf) for shelf in shelves_of(entry.kind, subject)]
    if entry.kind in {EntryKind.EVENT, EntryKind.TASK}:
        return found
    if length <= _LONGEST_CHANGE and len(content) <= _MOST_CHANGE_SENTENCES:
        found += _changes(entry, content, title, _Exact(exact, any(map(_stays, own))))
    return found


def _is_dated(sentence: Sentence) -> bool:
    return any(one.reading.kind in {DateKind.POINT, DateKind.RANGE} for one in sentence.moments)


def _is_greeting(text: str) -> bool:
    """Whether a sentence says nothing; of "您好，…" only where nothing of weight follows."""
    if text.rstrip("。！!.").endswith(("了", "吧")):
        return False
    return (
        len(text) <= _LONGEST_GREETING and rules().greeting.match(text) is not None and not any(map(str.isdigit, text))
    )


def _subject(entry: StoredEntry, content: Sequence[Sentence], title: Sentence) -> Said:
    days = _days([*content, title], ())
    asked = entry.kind is EntryKind.TASK or any(_cues(one)["asked"].search(_bare(one)) for one in content)
    chosen = any(_cues(one)["chosen"].search(_bare(one)) for one in content)
    text = "\n".join(one.text.strip() for one in content)
    gist = Gist(
        keys=_keys(entry, content, title),
        title=_folded(title.text),
        focus=keys_of(_undated(content)),
        names=tuple(dict.fromkeys(name for one in (title, *content) for name in names_of(one.plain))),
        values=values_of(_undated([*content, title])),
        sorts=tuple(
            name for name, is_so in (("task", asked), ("plan", _is_ahead(entry, days)), ("choice", chosen)) if is_so
        ),
        times=_times(content),
        wholes=tuple(one.is_whole for one in days),
    )
    return Said(
        Kind.GIST,
        WHOLE,
        days=tuple(one.days for one in days),
        text=text or title.text,
        start=content[0].start if content else 0,
        end=content[-1].start + len(content[-1].text) if content else 0,
        alone="entry",
        verb=read_task(title.text)[0] if entry.kind is EntryKind.TASK else (),
        gist=gist,
    )


def _changes(entry: StoredEntry, content: Sequence[Sentence], title: Sentence, exact: _Exact) -> Iterator[Said]:
    """One statement for each sort of change that is told of."""
    whole = " ".join(_bare(one) for one in (title, *content))
    keys = _keys(entry, content, title)
    for sort, kind in _KIND_OF.items():
        if exact.is_kept and sort not in {"shift", "value", "rename", "choice"}:
            continue
        cued = [one for one in (*content, title) if one.text and _tells(one, sort)]
        is_weak = not cued and sort in {"shift", "value", "choice"}
        cued = _troubled(content) if is_weak else cued
        if not cued:
            continue
        named = [said for said in exact.said if said.kind in _EXACT[sort] and _is_named(said)]
        said = [one for one in cued if not one.is_title]
        days = _days([*content, title], cued)
        if sort == "off":
            days = [one for one in days if one.days.start.date() != entry.written_at.date()]
        is_personal = sort == "off" and any(_cues(one)["personal"].search(_bare(one)) for one in cued)
        focus = " ".join(one.plain for one in ((said or cued) if sort == "off" else content))
        gist = Gist(
            keys=keys,
            title=_folded(title.text),
            is_reply=rules().reply.match(entry.title) is not None,
            focus=(*keys_of(focus), *weekdays_of(" ".join(one.text for one in cued))),
            names=names_of(focus),
            values=values_of(_undated(content)),
            denied=tuple(re.sub(r"\D", "", match["it"]) for match in _DENIED.finditer(whole)),
            sorts=(
                sort,
                *(("personal",) if is_personal else ()),
                *(("said",) if said else ()),
                *(("weak",) if is_weak else ()),
            ),
            times=_times(content),
            wholes=tuple(one.is_whole for one in days if sort != "off" or one.is_near),
            named=tuple(" ".join((said.head, *said.marks)) for said in named),
        )
        first = (said or cued)[0]
        yield Said(
            kind,
            WHOLE,
            days=tuple(one.days for one in days if sort != "off" or one.is_near),
            text=first.text.strip(),
            start=0 if first.is_title else first.start,
            end=0 if first.is_title else first.start + len(first.text),
            verb=tuple(dict.fromkeys(verb for said in named for verb in said.verb)),
            gist=gist,
        )


def _troubled(content: Sequence[Sentence]) -> list[Sentence]:
    """The sentences of an entry in which something came between, and nothing is added or goes on; all, or none."""
    if any(_cues(one)["more"].search(_bare(one)) or _stays(one) for one in content):
        return []
    return list(content) if any(_tells(one, "trouble") for one in content) else []


def _is_named(said: Said) -> bool:
    """Whether a statement's thing is one that can be relied upon: a Chinese phrase has no bounds of its own."""
    if said.kind is Kind.COMPLETE and said.head not in rules().groups.values():
        return False
    is_decided = said.kind is Kind.REVERSE and any(not mark.isascii() for mark in said.marks)
    return said.head.isascii() and bool(said.head) and not is_decided


def _tells(sentence: Sentence, sort: str) -> bool:
    """Whether a sentence says that something changes in this way."""
    cues, text = _cues(sentence), _bare(sentence)
    cue = next((one for one in cues[sort].finditer(text) if not _is_name(text, one)), None)
    if cue is not None and sort in {"shift", "value"} and cues["stays"].search(text):
        return False
    if cue is None or text.rstrip().endswith(("?", "？")) or cues["unsaid"].search(text):
        return False
    if sort == "done" and not any(
        cues["done"].search(part) and not cues["undone"].search(part) for part in _CLAUSES.split(text)
    ):
        return False
    before = text[: cue.start()]
    opened = sum(before.count(sign) for sign in '“「『《"') - sum(before.count(sign) for sign in "”」』》")
    if opened > 0 and (before.count('"') % 2 == 1 or "“" in before):
        return False
    return sentence.stands(cue.start(), cue.end(), is_framed=True) is not None


def _is_name(text: str, cue: re.Match[str]) -> bool:
    """Whether a cue is part of a name: "The Cancelled Flight"."""
    before = text[: cue.start()].rstrip()
    if cue[0].startswith(("I ", "I'")):
        return False
    return cue[0][:1].isupper() and bool(before) and before[-1].isalpha() and not text.isupper()


def _days(sentences: Sequence[Sentence], near: Sequence[Sentence]) -> list[_Dated]:
    """The days that sentences name, those of some first."""
    found: list[_Dated] = []
    for one in sorted(sentences, key=lambda one: one not in near):
        meant = [(moment, days) for moment in one.moments for days in _meant(one, moment)]
        found += [_Dated(days, is_whole_day(moment), one in near) for moment, days in meant]
    return found[:_MOST_DAYS]


def _meant(sentence: Sentence, moment: Moment) -> Sequence[Days]:
    """The days that a date means, up to a month long; of now, and of a time of day alone, none."""
    if moment.reading.kind not in {DateKind.POINT, DateKind.RANGE} or _is_clock(moment) or sentence.is_now(moment):
        return ()
    meant = sentence.meant(moment, is_ahead=False) if moment.reading.kind is DateKind.POINT else ()
    last = None if meant else _last_day(sentence, moment)
    found = meant if last is None else (last,)
    return [days for days in found if (days.end - days.start).days <= _LONGEST_STRETCH]


def _last_day(sentence: Sentence, moment: Moment) -> Days | None:
    """A stretch of time; of one that begins with the writing, as "by Monday" does, its last day."""
    days = sentence.days_of(moment, is_ahead=False)
    if days is None or abs(days.start - sentence.written_at) > timedelta(days=1):
        return days
    return Days(max(days.start, days.end - timedelta(days=1)), days.end)


def _is_ahead(entry: StoredEntry, days: Sequence[_Dated]) -> bool:
    """Whether one of the days lies ahead of the one on which they were written down."""
    return any(one.days.start.date() > entry.written_at.date() for one in days)


def _is_clock(moment: Moment) -> bool:
    return bool(moment.reading.candidates) and moment.reading.candidates[0].is_time_only


def _times(sentences: Sequence[Sentence]) -> tuple[int, ...]:
    """Times of day, with a date or without one, as minutes."""
    found = []
    for one in sentences:
        for moment in one.moments:
            best = moment.reading.candidates[:1]
            if best and best[0].start is not None and not is_whole_day(moment):
                found.append(best[0].start.hour * 60 + best[0].start.minute)
        hours = [(int(match["hour"]), int(match["minute"] or 0)) for match in _HOUR.finditer(one.plain)]
        found += [(hour + 12 * (hour < _MORNING)) * 60 + minute for hour, minute in hours if hour < _DAY_HOURS]
    return tuple(dict.fromkeys(found))[:_MOST_DAYS]


def _keys(entry: StoredEntry, content: Sequence[Sentence], title: Sentence) -> tuple[str, ...]:
    people = " ".join(f"{one.name} {re.sub(r'[._+0-9-]', ' ', one.address.partition('@')[0])}" for one in entry.people)
    days = weekdays_of("\n".join((title.text, *(one.text for one in content))))
    return (*keys_of("\n".join((title.plain, people, *(one.plain for one in content)))), *days)


def _undated(sentences: Sequence[Sentence]) -> str:
    return "\n".join(one.plain for one in sentences)


def _bare(sentence: Sentence) -> str:
    return sentence.text.replace("’", "'").replace("‘", "'")


def _cues(sentence: Sentence) -> Cues:
    return turn_rules().chinese if sentence.is_chinese else turn_rules().english


def _stays(sentence: Sentence) -> bool:
    return _cues(sentence)["stays"].search(_bare(sentence)) is not None


def _folded(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
