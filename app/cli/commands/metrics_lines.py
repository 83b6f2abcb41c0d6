"""The figures of a span, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import Text, counted, msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.cli.screen import Screen
    from app.domain.metrics import MetricsReport

NOTHING = msg("nothing counted yet")
_LAYERS = {
    "collection": msg("Collection"),
    "governance": msg("Governance"),
    "database": msg("Database"),
    "serving": msg("Serving"),
}
_UNITS = ((86_400, msg("days")), (3_600, msg("hours")), (60, msg("minutes")))


def say_report(screen: Screen, report: MetricsReport) -> None:
    """The rates with their definitions, the layers, and the weeks."""
    first, last = report.first_day.isoformat(), report.last_day.isoformat()
    screen.say(
        counted(
            "{first} to {last}: {count} request",
            "{first} to {last}: {count} requests",
            count=report.requests,
            first=first,
            last=last,
        )
    )
    for rate in report.rates:
        share = "" if rate.value is None else f"  ({rate.part} / {rate.whole})"
        screen.say(f"  {translate(rate.title)}: {figure(rate.value)}{share}")
        screen.say(f"      {translate(rate.definition)}")
    layer = ""
    for one in report.layers:
        if one.layer != layer:
            layer = one.layer
            screen.say(translate(_LAYERS.get(layer, Text(layer))))
        screen.say(f"  {translate(one.title)}: {figure(one.value, one.unit)}")
    screen.say(msg("Weeks"))
    names = {rate.name: translate(rate.title) for rate in report.rates}
    for week in report.weeks:
        shown = ", ".join(f"{names[name]} {value:.0%}" for name, value in week.values if value is not None)
        screen.say(f"  {week.first_day.isoformat()}  {week.requests:>5}  {shown}".rstrip())


def figure(value: float | None, unit: str = "share") -> str:
    """A figure in its unit, as people read it."""
    if value is None:
        return translate(NOTHING)
    if unit == "share":
        return f"{value:.1%}"
    if unit == "count":
        return f"{value:g}"
    for size, word in _UNITS:
        if value >= size:
            return f"{value / size:.1f} {translate(word)}"
    return f"{value:.1f} {translate(msg('seconds'))}"
