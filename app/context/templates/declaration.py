"""A task template: its fields, and its parts in their order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.labels import EntryKind

LANGUAGES = ("en", "zh")


class Origin(StrEnum):
    """Where a part takes its content from."""

    SEARCH = "search"
    """Passages for a query."""
    WHOLE = "whole"
    """The one best entry for a query, as a whole."""
    AGENDA = "agenda"
    TASKS = "tasks"
    FACTS = "facts"
    ANSWER = "answer"
    """What structure (or else an extract) answers to a question."""


class TaskChoice(StrEnum):
    """Which tasks a part is of."""

    OPEN = "open"
    DONE = "done"
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True)
class Field:
    """A blank. `default` stands where nothing is filled in; meaning: by language."""

    name: str
    meaning: Mapping[str, str]
    is_required: bool = False
    default: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a briefing.

    Attributes:
        query: by language; `{name}` is a field, `{agenda}` the titles of the agendas above, `{people}` who takes part.
        window: a phrase that `context.when` reads; may name a field. Empty: any time.
        kinds: of entries; all where empty.
        share: how many of the candidates this part may have at most; 0: as many as are left.
        must_cite: whether what is claimed from it needs its source.
        needs: the field without which the part is left out.
        needs_word: whether a passage has to have a word of the query, of whichever language, that stands in no blank:
            a search by meaning finds something in any week.
        is_after: the window is the one that follows, and is as long: the week after {week}.
    """

    heading: Mapping[str, str]
    origin: Origin
    query: Mapping[str, str]
    window: str = ""
    kinds: tuple[EntryKind, ...] = ()
    share: int = 0
    tasks: TaskChoice = TaskChoice.OPEN
    must_cite: bool = True
    needs: str = ""
    needs_word: bool = False
    is_after: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """See the module docstring.

    Attributes:
        title, meaning, instructions: by language; at least one of `LANGUAGES`.
        scope: nothing outside it is looked at; None: whatever the viewer may see.
        candidates: passages of all parts together.
        budget_tokens: of all passages together.
    """

    name: str
    version: str
    title: Mapping[str, str]
    meaning: Mapping[str, str]
    instructions: Mapping[str, str]
    fields: tuple[Field, ...]
    parts: tuple[Part, ...]
    scope: str | None = None
    candidates: int = 12
    budget_tokens: int = 3_000
    is_own: bool = False


def in_language(words: Mapping[str, str], language: str) -> str:
    """What is said in a language, or in the one there is."""
    return words.get(language) or next(iter(words.values()), "")
