"""What the network reads of a text that is longer than its input: equal windows, and of a huge text a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

# Chunks have at most 500 tokens, so only a text that nobody has cut (a pasted page as a question) is longer. Beyond
# this an average over everything would mean nothing, and would take minutes; the sample is spread evenly.
LONGEST_CHARACTERS = 16_000
_STRETCHES = 16
MOST_WINDOWS = 6


def abridged(text: str) -> str:
    """The text itself up to `LONGEST_CHARACTERS`; of a longer one, as much in stretches spread evenly over it."""
    if len(text) <= LONGEST_CHARACTERS:
        return text
    size = LONGEST_CHARACTERS // _STRETCHES
    starts = [round(number * (len(text) - size) / (_STRETCHES - 1)) for number in range(_STRETCHES)]
    return "\n".join(text[start : start + size] for start in starts)


def windows(ids: Ids, room: int) -> list[Ids]:
    """Cut token ids into the fewest equal windows of at most `room`; at most `MOST_WINDOWS`, then evenly spread."""
    count = max(1, -(-len(ids) // room))
    parts = np.array_split(ids, count)
    if count <= MOST_WINDOWS:
        return parts
    chosen = np.linspace(0, count - 1, MOST_WINDOWS).round().astype(int)
    return [parts[number] for number in chosen]
