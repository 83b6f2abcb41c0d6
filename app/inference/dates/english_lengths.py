"""Lengths of time in English: "three days", "an hour and a half", "2h30", "a couple of weeks"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates.english_context import Context, Distance, distance

if TYPE_CHECKING:
    from app.inference.dates.english_tokens import Number
    from app.inference.dates.productions import Build, Row

_FEW, _SEVERAL, _PAIR, _DOZEN = 3, 4, 2, 12


def _number(_: Context, number: Number) -> float:
    return number.value


def _said(count: float) -> Build:
    return lambda _, *__: count


def _plus_half(_: Context, number: Number) -> float:
    return number.value + 0.5


def _plus_fraction(_: Context, number: Number, fraction: float) -> float:
    return number.value + fraction


def _units(_: Context, count: float, unit: Grain) -> Distance:
    return distance(count, unit)


def _few(_: Context, unit: Grain) -> Distance:
    return replace(distance(_FEW, unit), is_vague=True)


def _one_and_half(_: Context, count: float, unit: Grain) -> Distance:
    return distance(count + 0.5, unit)


def _half(_: Context, unit: Grain) -> Distance:
    return distance(0.5, unit)


def _quarter_hours(count: int) -> Build:
    return lambda _: distance(count * 15, Grain.MINUTE)


def _minutes(_: Context, number: Number) -> Distance | None:
    return distance(number.value, Grain.MINUTE) if number.digits else None


def _seconds(_: Context, number: Number) -> Distance | None:
    return distance(number.value, Grain.SECOND) if number.digits else None


def _clock_like(_: Context, hours: Number, minutes: Number) -> Distance | None:
    if minutes.value >= 60:  # noqa: PLR2004
        return None
    return distance(hours.value * 60 + minutes.value, Grain.MINUTE)


def _working(_: Context, count: float) -> Distance:
    return replace(distance(count, Grain.DAY), is_working=True)


def _nights(_: Context, count: float) -> Distance:
    return distance(count, Grain.DAY)


def _fortnights(_: Context, count: float) -> Distance:
    return distance(count * 14, Grain.DAY)


def _together(_: Context, first: Distance, *others: Distance) -> Distance | None:
    whole = first
    for other in others:
        if other.nominal >= whole.nominal or other.is_working:
            return None
        whole = whole.plus(other)
    return whole


def _same(_: Context, value: Distance) -> Distance:
    return value


PRODUCTIONS: tuple[Row, ...] = (
    ("count", "NUMBER and a half", _plus_half),
    ("count", "NUMBER and an half", _plus_half),
    ("count", "NUMBER and half a?", _plus_half),
    ("count", "NUMBER FRACTION", _plus_fraction),
    ("count", "NUMBER", _number),
    ("count", "DECIMAL", lambda _, value: value),
    ("count", "FRACTION of? an?", lambda _, value: value),
    ("count", "a|an couple of?", _said(_PAIR)),
    ("count", "couple of?", _said(_PAIR)),
    ("count", "a|the? pair of", _said(_PAIR)),
    ("count", "a|an few|handful of?", _said(_FEW)),
    ("count", "few", _said(_FEW)),
    ("count", "several", _said(_SEVERAL)),
    ("count", "a|one dozen", _said(_DOZEN)),
    ("count", "half a dozen", _said(_DOZEN / 2)),
    ("count", "a|an|one single|whole|full?", _said(1)),
    ("length1", "<count> business|working|work day|days", _working),
    ("length1", "<count> workdays|weekdays|workday|weekday", _working),
    ("length1", "<count> nights", _nights),
    ("length1", "one|a|1 night", lambda _: distance(1, Grain.DAY)),
    ("length1", "<count> fortnights|fortnight", _fortnights),
    ("length1", "<count> more|additional|full|whole? UNIT", _units),
    ("length1", "<count> -? UNIT", _units),
    ("length1", "<count> UNIT and a half", _one_and_half),
    ("length1", "<count> UNIT and half", _one_and_half),
    ("length1", "NUMBER ~LETTERUNIT", lambda context, number, unit: _units(context, number.value, unit)),
    ("length1", "DECIMAL ~LETTERUNIT", _units),
    ("length1", "FRACTION LETTERUNIT", _units),
    ("length1", "half a|an UNIT", _half),
    ("length1", "a|an half UNIT", _half),
    ("length1", "half UNIT", _half),
    ("length1", "a|an|one? quarter of an|a hour", _quarter_hours(1)),
    ("length1", "a|an|one? quarter hour", _quarter_hours(1)),
    ("length1", "three quarters of an|a hour", _quarter_hours(3)),
    ("length1", "three quarter of? an|a? hour", _quarter_hours(3)),
    ("length1", "NUMBER ~'", _minutes),
    ("length1", 'NUMBER ~"', _seconds),
    ("length1", "NUMBER ~h ~NUMBER", _clock_like),
    ("length", "<length1> ,? and|& <length1>", _together),
    ("length", "<length1> ,? <length1>", _together),
    ("length", "<length1> ,? <length1> ,? and? <length1>", _together),
    ("length", "<length1> ,? <length1> ,? <length1> ,? and? <length1>", _together),
    ("length", "<length1> and <length1> and <length1>", _together),
    ("length", "<length1>", _same),
    ("length", "about|around|approximately|roughly|circa <length1>", lambda _, value: replace(value, is_vague=True)),
)
"""`count` is how many, `length` how long."""
