"""A freely worded entry beside an earlier one: what they have in common, as far as either says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Trust
from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import holds, words_of
from app.govern.supersession.turn_cues import turn_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.govern.supersession.gist import Gist
    from app.govern.supersession.matching import Spoken

SHORT = timedelta(days=8)
"""A day, or a week: what is longer is no day on which something takes place."""
_GROUP, _WORD, _PAIR = 0.5, 1.0, 0.7
_ANY = frozenset({"decision", "go"})
_CODE = 4


@dataclass(frozen=True)
class Pairing:
    """Both, with the gist of each."""

    later: Spoken
    one: Spoken
    mine: Gist
    theirs: Gist

    @cached_property
    def is_talk(self) -> bool:
        """Whether both are of one conversation, or the later one's title says that it answers."""
        thread = self.later.voice.thread
        if thread is not None and thread == self.one.voice.thread:
            return True
        return self.mine.is_reply and bool(self.mine.title) and self.mine.title == self.theirs.title

    @cached_property
    def is_titled(self) -> bool:
        """Whether both have one title and are of one kind."""
        is_alike = self.later.voice.kind is self.one.voice.kind
        return bool(self.mine.title) and self.mine.title == self.theirs.title and is_alike

    @cached_property
    def is_same(self) -> bool:
        """Whether both are by one author; of the person's own things not all say by whom they are."""
        mine, theirs = self.later.voice.authors, self.one.voice.authors
        is_own = min(self.later.voice.trust, self.one.voice.trust) >= Trust.OWN_FILES
        return bool(mine & theirs) or (is_own and not (mine and theirs))

    @cached_property
    def is_task(self) -> bool:
        """Whether the earlier one asks for something, or is a to-do."""
        return "task" in self.theirs.sorts

    @cached_property
    def is_plan(self) -> bool:
        """Whether the earlier one says of a day that something will be."""
        kind = self.one.voice.kind
        return kind is EntryKind.EVENT or ("plan" in self.theirs.sorts and kind is not EntryKind.TASK)

    @cached_property
    def is_ahead(self) -> bool:
        """Whether a day of the earlier one was still to come; so is what has none."""
        at = self.later.voice.said_at
        days = self.one.days
        return not days or any(one.end.astimezone(at.tzinfo).date() >= at.date() for one in days)

    @cached_property
    def is_far(self) -> bool:
        """Whether the earlier one names no day, but a month or a year."""
        return all(days.end - days.start > SHORT for days in self.one.days)

    @cached_property
    def names_day(self) -> bool:
        """Whether the later one names the day of the earlier one."""
        known = [days for days in self.one.days if days.end - days.start <= SHORT]
        return any(days.meets(old) for days in self.later.said.days for old in known)

    @cached_property
    def own_words(self) -> Sequence[str]:
        """What the earlier one is about, without words for sorts of things and of values."""
        values = turn_rules().values
        return [key for key in self.theirs.focus if not key.startswith(("%", "@")) and key not in values]

    @cached_property
    def covered(self) -> float:
        """How much of what the earlier one is about the later one names, from 0 to 1; verbs do not count."""
        about = self.theirs.focus or self.theirs.keys
        core = [key for key in about if not key.startswith(("%", "@")) and key not in rules().verbs]
        return sum(key in self.mine.keys for key in core) / len(core) if core else 0.0

    @cached_property
    def is_other_name(self) -> bool:
        """Whether each names somebody or some place that the other does not, and none that both do."""
        mine, theirs = self.mine, self.theirs
        own = [name for name in theirs.names if name not in mine.keys and name not in mine.names]
        return bool(self.strangers and own) and len(own) == len(theirs.names)

    @cached_property
    def strangers(self) -> Sequence[str]:
        """Whom and what the later one names, and the earlier one does not."""
        return [name for name in self.mine.names if name not in self.theirs.keys and name not in self.theirs.names]

    @cached_property
    def is_same_shape(self) -> bool:
        """Whether a new value is written like the old one: both telephone numbers, addresses, codes of one length."""
        return any(one != other and _is_alike(one, other) for one in self.mine.values for other in self.theirs.values)

    def holds(self, named: Sequence[str]) -> bool:
        """Whether the earlier one speaks of a thing: of its kind, and with all that tells it from others."""
        keys, context = self.theirs.keys, self.one.context
        words = words_of(context)
        return all(
            f"%{word}" in keys or word in keys or holds(context, words, word) for word in named if word not in _ANY
        )

    def denies(self) -> bool:
        """Whether the later one says "not 290" of what the earlier one never said."""
        return any(value not in self.theirs.values and not self._has_time(value) for value in self.mine.denied)

    def _has_time(self, value: str) -> bool:
        """Whether a number is the old hour, or the old day of the month."""
        for days in self.one.days:
            at = days.start.astimezone(self.later.voice.said_at.tzinfo)
            hours = {at.hour, at.hour % 12 or 12}
            if value in {str(at.day), *map(str, hours), *(f"{hour}{at.minute:02}" for hour in hours)}:
                return True
        return False


def common(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """The weight of what two lists of keys share: a pair of Han characters counts for less than a word."""
    shared = set(mine) & set(theirs)
    return sum(_GROUP if key.startswith(("%", "@")) else _WORD if key.isascii() else _PAIR for key in sorted(shared))


def _is_alike(one: str, other: str) -> bool:
    is_code = len(one) == len(other) >= _CODE
    return is_code or one[0] == other[0] == "#" or ("@" in one and "@" in other)
