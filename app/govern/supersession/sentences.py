"""A sentence prepared for reading: its dates taken out, and whether it says anything outright (X9.1).

A question, a condition, a denial, an example, a rule of thumb or a story says nothing; a report, a guess, a proposal or
a wish says something that only a person can confirm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain
from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import group_of, is_chinese
from app.govern.supersession.said import Days
from app.inference.dates.reader import read_dates
from app.policy.redaction.needed import may_match, searchable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from app.domain.readings import Candidate, DateReading
    from app.govern.supersession.cues import Cues

_OPEN = re.compile('[“「『《"]')
_CLOSE = re.compile('[”」』》"]')
_NOW = re.compile(
    r"now|nowadays|already|right now|现在|目前|已经|如今|刚才|当前|眼下|再次|today|今天|今日", re.IGNORECASE
)
_RANGE = re.compile(
    r"^(?:from|从|由|自)?\s*(?P<old>.{1,40}?)\s*(?:\bto\b|\buntil\b|到|至|改到)\s*(?P<new>.{1,40})$", re.IGNORECASE
)
_LATIN = re.compile(r"[A-Za-z][\w-]*")
_PAST_TENSE = re.compile(r"\b(?:was|were|went|had a)\b", re.IGNORECASE)
_HAD_TO_BE = re.compile(r"\b(?:had|has|have|needs?|needed) to be\b", re.IGNORECASE)
"""Said of what is so; "to be" alone is not."""
_WEEKDAY = re.compile(
    r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:周|星期|礼拜)[一二三四五六日天]", re.IGNORECASE
)
_UNTIL = re.compile(r"^(?:until|till|by|before|not before|直到|到|至)\s*", re.IGNORECASE)
_WHOLE = frozenset({Grain.DAY, Grain.WEEKEND, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.SEASON, Grain.YEAR})
_WEEK = timedelta(days=7)
_LONG_PAST = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date in a sentence: its place there, and what it may mean, seen from when the sentence was written."""

    start: int
    end: int
    reading: DateReading


@dataclass(frozen=True)
class Sentence:
    """One sentence with its dates.

    Attributes:
        start: its place in the whole text.
        written_at: when it was said; aware.
        is_title: whether it is the title of its entry.
    """

    text: str
    start: int
    moments: tuple[Moment, ...]
    written_at: datetime
    is_title: bool = False

    @cached_property
    def plain(self) -> str:
        """The text with blanks in the place of dates ("lunch tomorrow" keeps its lunch); as long as the text."""
        if not self.moments:
            return self.text
        signs = list(self.text)
        for moment in self.moments:
            if self.text[moment.start : moment.end].casefold() == "now":
                continue
            named = [match.span() for match in _things(self.text[moment.start : moment.end])]
            for at in range(moment.start, moment.end):
                if not any(start <= at - moment.start < end for start, end in named):
                    signs[at] = " "
        return "".join(signs)

    @cached_property
    def is_chinese(self) -> bool:
        """Which language's rules read it."""
        return is_chinese(self.text)

    @property
    def cues(self) -> Cues:
        """The phrases of its language."""
        return rules().chinese if self.is_chinese else rules().english

    @cached_property
    def _searchable(self) -> str | None:
        return searchable(self.plain)

    def found(self, cue: re.Pattern[str] | str) -> Iterator[re.Match[str]]:
        """Where a cue of its language, by its name, or another pattern stands, dates left out."""
        pattern = self.cues[cue] if isinstance(cue, str) else cue
        return pattern.finditer(self.plain) if may_match(pattern, self._searchable) else iter(())

    def clause_before(self, at: int) -> tuple[int, str]:
        """Where the clause begins in which a place stands, and what of it is in front of that place."""
        begin = 0
        for border in self.cues["border"].finditer(self.plain, 0, at):
            begin = border.end()
        return begin, self.plain[begin:at]

    def clause_behind(self, at: int) -> str:
        """What of a clause follows a place."""
        border = self.cues["border" if self.is_chinese else "end"].search(self.plain, at)
        return self.plain[at : border.start()] if border is not None else self.plain[at:]

    def days_in(self, start: int, end: int) -> tuple[Days, ...]:
        """The days named between two places, as far as they are understood; "now" is none."""
        inside = [one for one in self.moments if start <= one.start < end and not self.is_now(one)]
        points = [one for one in inside if one.reading.kind is DateKind.POINT]
        return tuple(days for one in points for days in self.meant(one, is_ahead=False))

    def days_of(self, moment: Moment, *, is_ahead: bool) -> Days | None:
        """What a date means. `is_ahead`: it lies ahead of the writing, whatever the tense says."""
        candidates = [days for days in map(_days, moment.reading.candidates) if days is not None]
        if not candidates:
            return None
        today = self.written_at.date()
        coming = [days for days in candidates if days.end.date() >= today]
        if not is_ahead and _PAST_TENSE.search(self.text) is not None:
            return candidates[0]
        if coming or not is_ahead:
            return coming[0] if coming else candidates[0]
        past = candidates[0]
        is_weekday = moment.reading.candidates[0].grain is not Grain.YEAR and past.start.date() > today - _WEEK
        return replace(past, start=past.start + _WEEK, end=past.end + _WEEK) if is_weekday else None

    def meant(self, moment: Moment, *, is_ahead: bool) -> tuple[Days, ...]:
        """What a date means; a weekday that is today may be that of next week."""
        days = self.days_of(moment, is_ahead=is_ahead)
        if days is None:
            return ()
        is_today = days.start.date() == self.written_at.date()
        if is_today and _WEEKDAY.fullmatch(self.text[moment.start : moment.end].strip()) is not None:
            return days, replace(days, start=days.start + _WEEK, end=days.end + _WEEK)
        return (days,)

    def is_now(self, moment: Moment) -> bool:
        """Whether a date only says that it is now."""
        return _NOW.fullmatch(self.text[moment.start : moment.end].strip()) is not None and not self.is_title

    @cached_property
    def is_asked(self) -> bool:
        """Whether it is a question."""
        text = self.text.strip().rstrip('"”’」』)） ')
        if text.endswith(("?", "？")):
            return True
        return self.cues["question"].search(text) is not None or self.cues["asking"].search(text) is not None

    def stands(self, start: int, end: int, *, is_of_now: bool = False, is_framed: bool = False) -> bool | None:
        """Whether what a cue says at a place is said outright (True), reported or guessed (False), or not at all.

        Args:
            is_of_now: it holds now, whenever it came about: "last month I moved to Porto".
            is_framed: the cue is a whole form of words, which may have a "not" or "instead of" of its own.
        """
        cues = self.cues
        before, behind = self.text[:start], self.text[end:]
        if self.is_asked or self._is_quoted(start) or self._is_dead(start, end, is_framed=is_framed):
            return None
        if cues["long_past"].search(self.text) or self._is_conditional(before, behind):
            return None
        if not is_of_now and any(self._is_long_past(one) for one in self.moments):
            return None
        begin, clause = self.clause_before(start)
        clause = clause.replace("不得不", "")
        if (not is_of_now and cues["past"].search(self.text[begin:start])) or cues["negation"].search(clause):
            return None
        return not cues["doubt"].search(cues["no_doubt"].sub(" ", before))

    def _is_dead(self, start: int, end: int, *, is_framed: bool) -> bool:
        """Whether words say that nothing happens; of a form of words those that stand in its clause, and not in it."""
        dead = self.cues["dead"]
        if not is_framed:
            return dead.search(_HAD_TO_BE.sub(" ", self.text)) is not None
        begin, _ = self.clause_before(start)
        last = end + len(self.clause_behind(end))
        return any(match.start() < start or match.end() > end for match in dead.finditer(self.text, begin, last))

    def _is_long_past(self, moment: Moment) -> bool:
        """Whether a date lies months back, as in "in 2020 it was cancelled"."""
        meant = [days for days in map(_days, moment.reading.candidates) if days is not None]
        return bool(meant) and all(days.end < self.written_at - _LONG_PAST for days in meant)

    def _is_conditional(self, before: str, behind: str) -> bool:
        condition, polite = self.cues["condition"], self.cues["no_condition"]
        return any(condition.search(polite.sub(" ", part)) is not None for part in (before, behind))

    def _is_quoted(self, at: int) -> bool:
        """Whether a place stands between quotation marks; those of a whole sentence are none."""
        before = self.text[:at]
        signs = before.count('"')
        opened = sum(before.count(sign) for sign in "“「『《")
        closed = sum(before.count(sign) for sign in "”」』》")
        return opened > closed or signs % 2 == 1


def prepare(text: str, start: int, dates: Sequence[DateReading], written_at: datetime) -> Sentence:
    """A sentence at a place of a text whose dates are known."""
    end = start + len(text)
    moments = tuple(
        Moment(max(0, date.start - start), min(len(text), date.end - start), date)
        for date in dates
        if date.start < end and date.end > start
    )
    return Sentence(text, start, moments, written_at)


def title_of(text: str, written_at: datetime) -> Sentence:
    """A title, without the "Re:" of a reply."""
    bare = rules().reply.sub("", text).strip()
    found = read_dates(bare, written_at) if any(sign.isalnum() for sign in bare) else []
    return replace(prepare(bare, 0, found, written_at), is_title=True)


def split_move(sentence: Sentence, moment: Moment) -> tuple[tuple[Days, ...], Moment | None]:
    """The old and the new time of "from Tuesday to Thursday", or of "until next week" the new one."""
    text = sentence.text[moment.start : moment.end]
    parts = _RANGE.match(text) if moment.reading.kind is DateKind.RANGE else None
    if parts is not None and parts["old"].strip():
        old = _read(parts["old"], sentence.written_at, moment.start + parts.start("old"))
        new = _read(parts["new"], sentence.written_at, moment.start + parts.start("new"))
        if old is not None and new is not None:
            old = replace(old, end=old.start + len(parts["old"]))
            return sentence.meant(old, is_ahead=True), new
    if (bare := _UNTIL.sub("", text)) != text:
        return (), _read(bare, sentence.written_at, moment.end - len(bare))
    return (), moment


def _things(text: str) -> list[re.Match[str]]:
    """Known things that a date has in it: a meal is one, and a time of day."""
    return [match for match in _LATIN.finditer(text) if group_of(match[0]) is not None] + [
        match for match in rules().chinese_heads.finditer(text) if len(match[0]) > 1
    ]


def is_whole_day(moment: Moment) -> bool:
    """Whether a date says no time of day."""
    best = moment.reading.candidates[:1]
    return not best or best[0].grain in _WHOLE


def _read(text: str, reference: datetime, start: int) -> Moment | None:
    found = read_dates(text, reference)
    return Moment(start, start + len(text), found[0]) if found else None


def _days(candidate: Candidate) -> Days | None:
    if candidate.start is None:
        return None
    return Days(candidate.start, candidate.end or candidate.start)
