"""Rates and figures as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.domain.text import Text, msg
from app.domain.words import duration

if TYPE_CHECKING:
    from app.domain.metrics import LayerFigure, Rate
    from app.ui.wording import Wording

NOTHING: Final = msg("Nothing counted yet")
_LOWER_IS_BETTER: Final = frozenset({"expired_context", "manual_correction"})
_WHOLE_FROM: Final = 10


def percent(value: float) -> str:
    """A share of 0..1 in percent; one decimal where it is small and not 0."""
    share = value * 100
    return f"{share:.1f}%" if 0 < share < _WHOLE_FROM else f"{share:.0f}%"


def rate(figure: Rate) -> str | Text:
    """The value of a rate."""
    return NOTHING if figure.value is None else percent(figure.value)


def part_of_whole(figure: Rate, wording: Wording) -> Text:
    """What was divided by what."""
    return msg("{part} of {whole}", part=wording.number(figure.part), whole=wording.number(figure.whole))


def direction(name: str) -> Text:
    """Which way a rate should go."""
    return msg("lower is better") if name in _LOWER_IS_BETTER else msg("higher is better")


def layer_value(figure: LayerFigure, wording: Wording) -> str:
    """A layer's figure in its unit."""
    if figure.value is None:
        return "\N{EN DASH}"
    if figure.unit == "share":
        return percent(figure.value)
    if figure.unit == "seconds":
        return wording.say(duration(figure.value))
    return wording.number(round(figure.value))
