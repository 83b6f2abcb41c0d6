"""All that an entry says that bears on what will be (G2.6): its title, its own sentences, its structure.

Only the author's own words are read: what a mail quotes was said by somebody else and earlier, and a signature says
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.govern.clauses import sentences as cut
from app.govern.supersession.changing import read_changes
from app.govern.supersession.cues import rules
from app.govern.supersession.facts import read_facts
from app.govern.supersession.phrases import read_phrase
from app.govern.supersession.plans import read_decision, read_plans, read_task
from app.govern.supersession.said import SUBJECTS, Kind, Said
from app.govern.supersession.sentences import prepare, title_of
from app.govern.supersession.turns import read_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.readings import DateReading
    from app.govern.supersession.sentences import Sentence
    from app.govern.understanding.contract import Passage, StoredEntry

READ_KINDS = frozenset(
    {
        EntryKind.DOCUMENT, EntryKind.NOTE, EntryKind.MAIL, EntryKind.EVENT, EntryKind.TASK, EntryKind.CHAT,
        EntryKind.PICTURE, EntryKind.VOICE,
    }
)  # fmt: skip
_WITH_OPENING = frozenset({EntryKind.MAIL, EntryKind.EVENT, EntryKind.TASK})
_MOST_SENTENCES = 3000
_MOST_STATEMENTS = 200
_BULLET = re.compile(r"^[\s\-*•>#]{0,12}(?:\[[ xX]?\]\s*)?(?:\d{1,2}[.)、]\s*)?")
_SPEAKER = re.compile(r"^(?:\[[^\]]{1,40}\]\s*)?(?P<who>[^\s:：,，。]{1,24}(?: [^\s:：,，。]{1,24})?)\s*[:：]\s*(?=\S)")
_SHORT_ASIDE = 60
_LONGEST = 1000
_REPEATED = (">", " >", "&gt;")
_SHORT_QUOTE = 4
"""Sentences of a quote, the one that says whose it is included."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement and the passage that it stands in; None for what the title or the structure says."""

    said: Said
    chunk_id: int | None


@dataclass(frozen=True, slots=True)
class _Own:
    """One sentence of the author's own, and its passage."""

    sentence: Sentence
    chunk_id: int


def read_entry(entry: StoredEntry, dates: Sequence[DateReading]) -> list[Placed]:
    """Every statement of an entry that others may change, or that may change others."""
    if entry.kind not in READ_KINDS:
        return []
    own = list(_own(entry, dates))
    title = title_of(entry.title, entry.written_at)
    found = [Placed(said, None) for said in _of_title(entry, title)]
    previous: list[Said] = []
    exact = [one.said for one in found if one.said.kind not in SUBJECTS]
    for one in own:
        said = [*read_changes(one.sentence)]
        exact += [change for change in said if change.head]
        plans = [*_statements(one.sentence, said)]
        said = [_named(change, previous, title) for change in said]
        found += [Placed(statement, one.chunk_id) for statement in (*said, *plans)]
        previous = [plan for plan in plans if plan.kind is Kind.PLAN]
    kept = [one for one in found if one.said.head or entry.thread is not None][:_MOST_STATEMENTS]
    whole = [Placed(said, None) for said in read_whole(entry, [one.sentence for one in own], title, exact)]
    return [*_alone(entry, kept, own, title), *whole, *_quotes(entry, dates)]


def _quotes(entry: StoredEntry, dates: Sequence[DateReading]) -> list[Placed]:
    """What the passages repeat that somebody said before."""
    found: list[Placed] = []
    for passage in entry.passages:
        if not passage.place.is_quoted or len(found) >= _MOST_STATEMENTS:
            continue
        cuts = cut(entry.text[passage.start : passage.end])
        said = [
            statement
            for one in cuts
            for statement in _statements(
                prepare(
                    entry.text[passage.start + one.start : passage.start + one.end][:_LONGEST].rstrip(),
                    passage.start + one.start,
                    dates,
                    entry.written_at,
                ),
                (),
            )
        ]
        alone = "passage" if len(cuts) <= _SHORT_QUOTE and len({one.head for one in said}) == 1 else ""
        found += [Placed(replace(one, kind=Kind.QUOTE, alone=alone), passage.chunk_id) for one in said]
    return found


def _of_title(entry: StoredEntry, title: Sentence) -> Iterator[Said]:
    if not title.text:
        return
    if entry.kind is EntryKind.TASK:
        verb, phrase = read_task(title.text)
        yield Said(Kind.TASK, phrase.head, phrase.marks, text=title.text, verb=verb, alone="entry")
        return
    changes = [said for said in read_changes(title) if said.head] if entry.kind is not EntryKind.EVENT else []
    yield from changes
    plans = [] if changes else read_plans(title)
    if entry.kind is EntryKind.EVENT:
        phrase = read_phrase(title.plain)
        if not plans and phrase.head:
            plans = [Said(Kind.PLAN, phrase.head, phrase.marks, text=title.text)]
        plans = [replace(plan, days=(), alone="entry") for plan in plans]
    elif entry.kind is not EntryKind.MAIL:
        # what a document is called is no statement of its own; a note may be its title alone
        plans = [plan for plan in plans if plan.days]
    else:
        plans = []
    yield from plans


def _statements(sentence: Sentence, changes: Sequence[Said]) -> Iterator[Said]:
    """What one sentence says will be, and the facts in it; a sentence that moves something says when it will be."""
    kinds = {change.kind for change in changes if change.is_sure}
    for change in changes:
        if change.kind is Kind.MOVE and change.new is not None and change.head:
            yield replace(change, kind=Kind.PLAN, days=(change.new,), new=None, shift_s=None)
    if not kinds & {Kind.CANCEL, Kind.MOVE, Kind.COMPLETE, Kind.REVERSE}:
        plans = read_plans(sentence)
        yield from plans
        decision = read_decision(sentence)
        if decision is not None:
            yield decision
    yield from read_facts(sentence)


def _named(change: Said, previous: Sequence[Said], title: Sentence) -> Said:
    """Of "it is cancelled" what the sentence before or the title names."""
    if change.head:
        return change
    if len(previous) == 1:
        return replace(change, head=previous[0].head, marks=previous[0].marks, days=change.days or previous[0].days)
    phrase = read_phrase(title.plain)
    if phrase.head and phrase.head in rules().groups.values():
        return replace(
            change, head=phrase.head, marks=phrase.marks, days=change.days or title.days_in(0, len(title.text))
        )
    return change


def _own(entry: StoredEntry, dates: Sequence[DateReading]) -> Iterator[_Own]:
    """The sentences that are the author's own, without bullets and, in a chat, without the speaker's name."""
    count = 0
    for number, passage in enumerate(entry.passages):
        if not passage.place.is_own_words:
            continue
        start = _after_opening(entry, passage) if number == 0 else passage.start
        for sentence in cut(entry.text[start : passage.end]):
            count += 1
            if count > _MOST_SENTENCES:
                return
            text = entry.text[start + sentence.start : start + sentence.end]
            if entry.kind is EntryKind.MAIL and _is_repeated(entry.text, start + sentence.start):
                continue
            lead = _BULLET.match(text)
            skip = lead.end() if lead is not None else 0
            if entry.kind is EntryKind.CHAT and (speaker := _SPEAKER.match(text[skip:])) is not None:
                skip += speaker.end()
            # of a line without end its beginning is enough to see that it is no sentence
            bare = text[skip : skip + _LONGEST].rstrip()
            if bare:
                yield _Own(prepare(bare, start + sentence.start + skip, dates, entry.written_at), passage.chunk_id)


def _is_repeated(text: str, at: int) -> bool:
    """Whether a line repeats what was written before, by the sign in front of it."""
    return text.startswith(_REPEATED, text.rfind("\n", 0, at) + 1)


def _after_opening(entry: StoredEntry, passage: Passage) -> int:
    """Behind the lines that say from whom and when a mail is: they are ours, and not the author's."""
    if entry.kind not in _WITH_OPENING:
        return passage.start
    end = entry.text.find("\n\n", passage.start, passage.end)
    return passage.end if end < 0 else end + 2


def _alone(entry: StoredEntry, found: Sequence[Placed], own: Sequence[_Own], title: Sentence) -> list[Placed]:
    """Mark what is all that its entry, or its passage, says: with it the whole loses its force."""
    content = [one for one in own if not rules().greeting.match(one.sentence.text.strip())]
    per_passage = Counter(one.chunk_id for one in content)
    heads = {placed.said.head for placed in found if placed.said.kind in SUBJECTS and placed.chunk_id is not None}
    about = read_phrase(title.plain).head
    length = sum(len(one.sentence.text) for one in content)
    is_short = len(content) <= rules().limits["sentences"] and length <= rules().limits["short_entry"]
    is_aside = all(_is_aside(one, found) for one in content)
    marked = []
    for placed in found:
        said = placed.said
        if said.kind in SUBJECTS | {Kind.REPLACE} and placed.chunk_id is not None and not said.alone:
            is_topic = len(content) == 1 or (is_short and len(heads) == 1 and (about == said.head or is_aside))
            if is_topic and entry.kind not in {EntryKind.EVENT, EntryKind.TASK}:
                said = replace(said, alone="entry")
            elif per_passage[placed.chunk_id] == 1:
                said = replace(said, alone="passage")
        marked.append(replace(placed, said=said))
    return marked


def _is_aside(one: _Own, found: Sequence[Placed]) -> bool:
    """Whether a sentence says nothing that stands without the plan beside it."""
    text = one.sentence.text
    if any(placed.said.start == one.sentence.start and placed.said.kind in SUBJECTS for placed in found):
        return rules().also.search(text) is None
    return len(text) <= _SHORT_ASIDE and rules().also.search(text) is None and not one.sentence.moments
