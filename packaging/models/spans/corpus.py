"""The sentences that the span model learns from: written for this purpose, with their marks inside the text.

A line is one example. `{p:Ada Lovelace}` marks an entity, `<t>send the contract</t>` a clause; entities may stand
inside clauses, and nothing else nests. What has no mark is a negative.

`varied` gives an example again with other names in the same places, in lower case, or joined with its neighbour, so
that the model learns the place of a name and not the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

ENTITIES = {"p": "person", "o": "organisation", "l": "place", "j": "project", "w": "work", "r": "role"}
CLAUSES = {"t": "task", "d": "decision", "c": "condition"}
FOLDER = Path(__file__).parent / "sentences"

_MARK = re.compile(r"\{([poljwr]):([^{}]*)\}|<(/?)([tdc])>")
_HAN = re.compile("[\u3400-\u9fff]")
_LOWERED, _JOINED, _RENAMED = 0.15, 0.15, 0.6
_UPPERED = 0.03


@dataclass(frozen=True, slots=True)
class Example:
    """A text and its spans: (start, end, label), in characters."""

    text: str
    entities: tuple[tuple[int, int, str], ...]
    clauses: tuple[tuple[int, int, str], ...] = ()

    @property
    def is_chinese(self) -> bool:
        """Whether it is written in Chinese characters for the most part."""
        return len(_HAN.findall(self.text)) * 3 > len(self.text)


class BadLine(ValueError):
    """A line whose marks do not fit together."""


def parse(line: str) -> Example:
    """Read a line; raises `BadLine`."""
    text, entities, clauses = "", [], []
    open_clause: tuple[int, str] | None = None
    at = 0
    for mark in _MARK.finditer(line):
        text += line[at : mark.start()]
        at = mark.end()
        if mark[1]:
            name = mark[2]
            entities.append((len(text), len(text) + len(name), ENTITIES[mark[1]]))
            text += name
        elif not mark[3]:
            if open_clause is not None:
                raise BadLine(line)
            open_clause = (len(text), mark[4])
        else:
            if open_clause is None or open_clause[1] != mark[4]:
                raise BadLine(line)
            clauses.append((open_clause[0], len(text), CLAUSES[mark[4]]))
            open_clause = None
    text += line[at:]
    if open_clause is not None or re.search(r"\{[a-z]:|</?[tdc]>", text):
        raise BadLine(line)
    return Example(text, _trimmed(text, entities), _trimmed(text, clauses))


def read(folder: Path = FOLDER) -> dict[str, list[Example]]:
    """The examples of every file; raises `BadLine` with its place."""
    found: dict[str, list[Example]] = {}
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if line.strip():
                try:
                    found.setdefault(path.stem, []).append(parse(line.strip()))
                except BadLine as error:
                    raise BadLine(f"{path.name}:{number}: {error}") from error
    return found


def pools(examples: Sequence[Example]) -> dict[tuple[str, bool], list[str]]:
    """The names that may stand for each other, by label and whether they are Chinese."""
    found: dict[tuple[str, bool], set[str]] = {}
    for example in examples:
        for start, end, label in example.entities:
            name = example.text[start:end]
            found.setdefault((label, bool(_HAN.search(name))), set()).add(name)
    return {key: sorted(names) for key, names in found.items()}


def varied(
    example: Example, names: Mapping[tuple[str, bool], Sequence[str]], neighbour: Example, dice: random.Random
) -> Example:
    """The example, or a variation of it."""
    if dice.random() < _RENAMED:
        example = _renamed(example, names, dice)
    if dice.random() < _JOINED and len(example.text) + len(neighbour.text) < 300:  # noqa: PLR2004 - characters
        example = _joined(example, neighbour)
    if dice.random() < _LOWERED and not example.is_chinese:
        lowered = example.text.lower()
        if len(lowered) == len(example.text):
            example = Example(lowered, example.entities, example.clauses)
    elif dice.random() < _UPPERED and not example.is_chinese:
        raised = example.text.upper()
        if len(raised) == len(example.text):
            example = Example(raised, example.entities, example.clauses)
    return example


def _renamed(example: Example, names: Mapping[tuple[str, bool], Sequence[str]], dice: random.Random) -> Example:
    text, at = "", 0
    moved: list[tuple[int, int, str]] = []
    shifts: list[tuple[int, int]] = []
    for start, end, label in example.entities:
        old = example.text[start:end]
        pool = names.get((label, bool(_HAN.search(old))), ())
        new = dice.choice(pool) if pool and label not in {"role", "project"} and dice.random() < _RENAMED else old
        if old.islower() and not new.islower():
            new = new.lower()
        text += example.text[at:start]
        moved.append((len(text), len(text) + len(new), label))
        text += new
        at = end
        shifts.append((end, len(text) - end))
    text += example.text[at:]

    def shifted(place: int) -> int:
        return place + next((by for end, by in reversed(shifts) if end <= place), 0)

    clauses = tuple((shifted(start), shifted(end), label) for start, end, label in example.clauses)
    return Example(text, tuple(moved), clauses)


def _joined(first: Example, second: Example) -> Example:
    gap = "" if first.is_chinese and second.is_chinese and first.text[-1] in "。！？" else " "
    by = len(first.text) + len(gap)
    return Example(
        first.text + gap + second.text,
        (*first.entities, *((start + by, end + by, label) for start, end, label in second.entities)),
        (*first.clauses, *((start + by, end + by, label) for start, end, label in second.clauses)),
    )


def _trimmed(text: str, spans: Sequence[tuple[int, int, str]]) -> tuple[tuple[int, int, str], ...]:
    """The spans without white space at their ends, and none that is empty."""
    kept = []
    for start, end, label in spans:
        inside = text[start:end]
        first = start + len(inside) - len(inside.lstrip())
        last = first + len(inside.strip())
        if first < last:
            kept.append((first, last, label))
    return tuple(kept)
