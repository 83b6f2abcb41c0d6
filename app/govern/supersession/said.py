"""What a sentence says of something that will be, or of what somebody said before: values, and their way into a row."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from app.domain.instants import from_ixdtf, to_ixdtf
from app.govern.supersession.gist import Gist


class Kind(StrEnum):
    """The first four may be changed by the others, if these are said later."""

    PLAN = "plan"
    TASK = "task"
    DECISION = "decision"
    FACT = "fact"
    CANCEL = "cancel"
    MOVE = "move"
    COMPLETE = "complete"
    REVERSE = "reverse"
    RESUME = "resume"
    REPLACE = "replace"
    GIST = "gist"
    """A short entry as a whole, which a later one may end in whatever words."""
    QUOTE = "quote"
    """What somebody else said before, repeated in a mail: it falls with what it repeats."""


SUBJECTS = frozenset({Kind.PLAN, Kind.TASK, Kind.DECISION, Kind.FACT})


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of time, `end` exclusive."""

    start: datetime
    end: datetime

    def meets(self, other: Days) -> bool:
        """Whether they share a calendar day, each in its own zone."""
        last, others_last = self.end - timedelta(seconds=1), other.end - timedelta(seconds=1)
        return (
            self.start.date() <= max(others_last, other.start).date()
            and other.start.date() <= max(last, self.start).date()
        )


@dataclass(frozen=True, slots=True)
class Said:
    """One statement.

    Attributes:
        head: the folded word for the kind of thing that it speaks of; empty: it only says "it".
        marks: words that tell this thing from others of its kind.
        days: when the thing happens (or did, before it is moved), where that is said.
        text: the sentence. start, end: its place in the entry's text; both 0 for the title.
        is_sure: whether it is said outright, and not reported, proposed or supposed: else it only suggests.
        new: of a move, the new time. is_whole_day: of `new`, that no time of day was said. shift_s: by how much.
        verb: of a task, its sort of work; of a completion, which sorts it completes.
        who: of a fact or a completion, whom it is about; empty: the author. value: of a fact.
        alone: "entry" or "passage" where that says nothing else, else empty.
        gist: of an entry as a whole, and of what may end one.
    """

    kind: Kind
    head: str
    marks: tuple[str, ...] = ()
    days: tuple[Days, ...] = ()
    text: str = ""
    start: int = 0
    end: int = 0
    is_sure: bool = True
    new: Days | None = None
    is_whole_day: bool = True
    shift_s: int | None = None
    verb: tuple[str, ...] = ()
    who: str = ""
    value: str = ""
    alone: str = ""
    gist: Gist | None = None

    def body(self) -> str:
        """All but kind and head, as JSON."""
        values = asdict(self)
        del values["kind"], values["head"]
        values["days"] = [_pair(days) for days in self.days]
        values["new"] = None if self.new is None else _pair(self.new)
        if self.gist is None:
            del values["gist"]
        return json.dumps(values, ensure_ascii=False)

    @classmethod
    def of_row(cls, kind: str, head: str, body: str) -> Said:
        """Read a row."""
        values: dict[str, Any] = json.loads(body)
        values["days"] = tuple(_days(pair) for pair in values["days"])
        values["new"] = None if values["new"] is None else _days(values["new"])
        values["marks"], values["verb"] = tuple(values["marks"]), tuple(values["verb"])
        gist = values.pop("gist", None)
        return cls(kind=Kind(kind), head=head, gist=None if gist is None else Gist.of_plain(gist), **values)


def _pair(days: Days) -> list[str]:
    return [to_ixdtf(days.start), to_ixdtf(days.end)]


def _days(pair: list[str]) -> Days:
    return Days(from_ixdtf(pair[0]), from_ixdtf(pair[1]))
