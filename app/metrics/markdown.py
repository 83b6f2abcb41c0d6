"""A page of Markdown out of sentences and numbers, in one language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.text import Text, msg
from app.domain.words import duration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.metrics import LayerFigure

    Say = Callable[[Text | str], str]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")
NOTHING = msg("nothing counted yet")


class Page:
    """Collects the page. A `Text` is ours, and translated; a `str` is data, and is made harmless."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self._blocks: list[str] = []

    def heading(self, text: Text, level: int = 2) -> None:
        """A heading."""
        self._blocks.append(f"{'#' * level} {self.say(text)}")

    def paragraph(self, text: Text) -> None:
        """A paragraph."""
        self._blocks.append(self.say(text))

    def points(self, texts: Sequence[Text]) -> None:
        """A list; nothing where it is empty."""
        if texts:
            self._blocks.append("\n".join(f"- {self.say(text)}" for text in texts))

    def table(self, titles: Sequence[Text], rows: Sequence[Sequence[Text | str]]) -> None:
        """A table; all columns but the first are numbers. Nothing where it has no rows."""
        if not rows:
            return
        lines = [[self.say(title) for title in titles], ["---", *["---:"] * (len(titles) - 1)]]
        lines += [[self._cell(cell) for cell in row] for row in rows]
        self._blocks.append("\n".join(f"| {' | '.join(line)} |" for line in lines))

    @property
    def text(self) -> str:
        """All of it."""
        return "\n\n".join(self._blocks) + "\n"

    def _cell(self, cell: Text | str) -> str:
        return self.say(cell).replace("|", "\\|") if isinstance(cell, Text) else harmless(cell)


def harmless(data: str) -> str:
    """Data on one line, which means nothing to Markdown."""
    return _SPECIAL.sub(r"\\\1", " ".join(data.split()))


def percent(value: float | None) -> Text | str:
    """A share as people read it."""
    return NOTHING if value is None else f"{value:.1%}"


def shown(figure: LayerFigure) -> Text | str:
    """A figure in its unit."""
    if figure.value is None or figure.unit == "share":
        return percent(figure.value)
    if figure.unit == "seconds":
        return duration(figure.value)
    return f"{figure.value:g}"
