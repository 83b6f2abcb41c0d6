"""The best sequence of tags for a sequence of scores (Viterbi, 1967)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


def best_path(scores: Floats, moves: Floats, begin: Floats | None = None) -> list[int]:
    """The sequence whose scores and moves add up to the most.

    Args:
        scores: float32[places, tags], at least one place.
        moves: float32[tags, tags], of going from the row's tag to the column's; minus infinity where it is not allowed.
        begin: float32[tags], of beginning with a tag; None: all alike.

    Returns:
        A tag for each place.
    """
    best = scores[0] if begin is None else scores[0] + begin
    came: list[NDArray[np.intp]] = []
    for row in scores[1:]:
        ways = best[:, None] + moves
        came.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    path = [int(best.argmax())]
    for way in reversed(came):
        path.append(int(way[path[-1]]))
    return path[::-1]
