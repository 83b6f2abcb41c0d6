"""The English grammar: `find` reads every expression of time in a piece of text (X9.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from app.inference.dates.moments import Found


def find(text: str, reference: datetime) -> list[Found]:
    """The expressions of a piece of text, none overlapping, with offsets into it."""
    del text, reference
    return []
