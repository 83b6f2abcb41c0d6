"""Which text is too long to be looked through for names: known also to those who do not load what looks for them."""

from __future__ import annotations

from app.domain.errors import BadInput
from app.domain.text import msg

LONGEST_CHARACTERS = 200_000
"""A longer text is refused: it is no mail, note or page."""


def too_long() -> BadInput:
    """The error for a text that is too long to be read at once."""
    return BadInput(
        msg("The text is too long to look for names in it at once."),
        next_step=msg("Cut it into parts, for example by its pages."),
    )
