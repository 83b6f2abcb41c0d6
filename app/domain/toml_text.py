"""A TOML text that somebody else wrote: read in bounded time, with one error for all that can be wrong with it (G2.8).

The reader of Python takes time with the square of the parts of a dotted key, recurses once for each bracket, and raises
plain errors for a number of more digits than it reads. Files of ours need none of this.
"""

from __future__ import annotations

import tomllib
from typing import Any

_MOST_DOTS = 200
"""Of one line."""


class NotToml(ValueError):
    """The text is no TOML that is read; says what is wrong, as the parser has it."""


def read_toml(text: str) -> dict[str, Any]:
    """What a text says. Raises `NotToml`."""
    if any(line.count(".") > _MOST_DOTS for line in text.split("\n")):
        raise NotToml("a line has too many dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotToml("it is nested too deeply") from None
    except ValueError as error:
        raise NotToml(str(error)) from None
