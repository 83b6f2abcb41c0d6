"""Times of day in English: "3:30 pm", "half past seven", "quarter to noon", "11ish", "1500 hours"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates.english_clock import (
    HALF_DAY,
    PARTS,
    WHOLE_DAY,
    Clock,
    Hour,
    Part,
    half_clock,
    open_clock,
    within,
)

if TYPE_CHECKING:
    from app.inference.dates.english_context import Context, Distance
    from app.inference.dates.english_tokens import Number
    from app.inference.dates.productions import Build, Row

_SIXTY = 60
ClockParts = tuple[int, int, int, bool, bool]


def _unsure(clock: Clock | None) -> Clock | None:
    return None if clock is None else replace(clock, is_sure=False)


def _hour(_: Context, number: Number) -> Clock | None:
    if number.digits > 2:  # noqa: PLR2004
        return None
    return _unsure(open_clock(number.value, grain=Grain.HOUR, is_zero_led=number.is_zero_led))


def _hour_half(_: Context, number: Number, half: str) -> Clock | None:
    if number.digits in {3, 4}:
        hour, minute = divmod(number.value, 100)
        return half_clock(hour, minute, half, grain=Grain.MINUTE) if minute < _SIXTY and hour <= HALF_DAY else None
    if number.value > WHOLE_DAY:
        return None
    return half_clock(number.value, 0, half, grain=Grain.HOUR)


def _colon(_: Context, parts: ClockParts) -> Clock | None:
    hour, minute, second, is_zero_led, has_second = parts
    grain = Grain.SECOND if has_second else Grain.MINUTE
    return open_clock(hour, minute, second, grain=grain, is_zero_led=is_zero_led)


def _colon_half(_: Context, parts: ClockParts, half: str) -> Clock | None:
    hour, minute, second, _zero, has_second = parts
    return half_clock(hour, minute, half, second=second, grain=Grain.SECOND if has_second else Grain.MINUTE)


def _dotted(context: Context, parts: ClockParts) -> Clock | None:
    return _unsure(_colon(context, parts))


def _two_numbers(_: Context, hour: Number, minute: Number) -> Clock | None:
    """Two thirty, 12 15."""
    if hour.value > WHOLE_DAY or not 10 <= minute.value < _SIXTY or hour.digits > 2 or minute.digits > 2:  # noqa: PLR2004
        return None
    if bool(hour.digits) != bool(minute.digits) or hour.value == 0:
        return None
    found = open_clock(hour.value, minute.value, grain=Grain.MINUTE)
    return found if hour.digits == 0 and hour.value <= HALF_DAY else _unsure(found)


def _two_numbers_half(context: Context, hour: Number, minute: Number, half: str) -> Clock | None:
    if _two_numbers(context, hour, minute) is None:
        return None
    return half_clock(hour.value, minute.value, half, grain=Grain.MINUTE)


def _oh(_: Context, hour: Number, minute: Number, half: str | None) -> Clock | None:
    """Seven oh five."""
    if not 1 <= hour.value <= HALF_DAY or not 1 <= minute.value <= 9:  # noqa: PLR2004
        return None
    if half is not None:
        return half_clock(hour.value, minute.value, half, grain=Grain.MINUTE)
    return open_clock(hour.value, minute.value, grain=Grain.MINUTE)


def _oclock(_: Context, number: Number) -> Clock | None:
    return open_clock(number.value, grain=Grain.HOUR)


def _military(_: Context, number: Number) -> Clock | None:
    hour, minute = divmod(number.value, 100)
    return open_clock(hour, minute, grain=Grain.MINUTE, is_zero_led=True) if minute < _SIXTY else None


def _military_unsure(context: Context, number: Number) -> Clock | None:
    return _unsure(_military(context, number))


def _known(hour: int) -> Build:
    return lambda _, *__: Clock((Hour(hour),), Grain.HOUR)


def _midnight(_: Context) -> Clock:
    return Clock((Hour(WHOLE_DAY, score=0.6), Hour(0, score=0.4)), Grain.HOUR)


def _past(_: Context, minutes: int, clock: Clock) -> Clock | None:
    if any(hour.minute or hour.second for hour in clock.hours) or not 0 < minutes < _SIXTY:
        return None
    hours = tuple(replace(hour, minute=minutes) for hour in clock.hours)
    return replace(clock, hours=hours, grain=Grain.MINUTE, is_sure=True)


def _to(_: Context, minutes: int, clock: Clock) -> Clock | None:
    if any(hour.minute or hour.second for hour in clock.hours) or not 0 < minutes < _SIXTY:
        return None
    hours = tuple(replace(hour, hour=(hour.hour - 1) % WHOLE_DAY, minute=_SIXTY - minutes) for hour in clock.hours)
    return replace(clock, hours=hours, grain=Grain.MINUTE, is_sure=True)


def _half_past(context: Context, clock: Clock) -> Clock | None:
    return _past(context, 30, clock)


def _bare_past(context: Context, number: Number, clock: Clock) -> Clock | None:
    """15 past seven; "5 to 6" is a range rather, and "10 of 12" a fraction."""
    return _past(context, number.value, clock)


def _bare_to(context: Context, number: Number, clock: Clock) -> Clock | None:
    """15 to noon; before a plain number only round numbers of minutes, and words."""
    found = _to(context, number.value, clock)
    if found is None or (not clock.is_sure and (number.digits or number.value not in {5, 10, 20, 25})):
        return None
    return found if number.value % 5 == 0 else _unsure(found)


def _before_hour(_: Context, length: Distance, clock: Clock) -> Clock | None:
    return _apart(length, clock, -1)


def _after_hour(_: Context, length: Distance, clock: Clock) -> Clock | None:
    return _apart(length, clock, 1)


def _apart(length: Distance, clock: Clock, sign: int) -> Clock | None:
    """Half an hour before midnight, 2 hours after noon."""
    minutes = int(length.time.total_seconds() // 60)
    if not clock.is_sure or clock.is_open or length.days or length.months or not 0 < minutes <= HALF_DAY * _SIXTY:
        return None
    found = []
    for hour in clock.hours:
        hours, minute = divmod(int(hour.minutes) + sign * minutes, _SIXTY)
        found.append(replace(hour, hour=hours % WHOLE_DAY, minute=minute))
    return replace(clock, hours=tuple(found), grain=Grain.MINUTE)


def _quarter(_: Context) -> int:
    return 15


def _minutes(_: Context, number: Number) -> int | None:
    return number.value if 0 < number.value < _SIXTY else None


def _ish(_: Context, number: Number, half: str | None) -> Clock | None:
    if number.value > WHOLE_DAY:
        return None
    if half is not None:
        return half_clock(number.value, 0, half, grain=Grain.HOUR)
    return open_clock(number.value, grain=Grain.HOUR)


def _same(_: Context, value: object) -> object:
    return value


def _in_part(_: Context, clock: Clock, part: Part) -> Clock | None:
    return within(clock, part)


def _in_half(_: Context, number: Number, half: str) -> Clock | None:
    return half_clock(number.value, 0, half, grain=Grain.HOUR) if number.value <= HALF_DAY else None


def _zoned(_: Context, clock: Clock, zone: int | str) -> Clock:
    return replace(clock, zone=zone, is_sure=clock.is_sure)


def _offset_zone(sign: int) -> Build:
    return lambda _, number: sign * number.value * 60 if number.value <= 14 else None  # noqa: PLR2004


def _written_offset(sign: int) -> Build:
    """As mail writes zones: +0800, -0330."""

    def build(_: Context, number: Number) -> int | None:
        hours, minutes = divmod(number.value, 100)
        return sign * (hours * _SIXTY + minutes) if hours <= 14 and minutes in {0, 30, 45} else None  # noqa: PLR2004

    return build


def _part(_: Context, name: str) -> Part:
    return PARTS[name]


def former(part: Part) -> Part:
    """The early morning has its own customary bounds; else the first half."""
    return PARTS["early morning"] if part.name == "morning" else part.former()


def latter(part: Part) -> Part:
    """The late night has its own customary bounds; else the second half."""
    return PARTS["late night"] if part.name == "night" else part.latter()


def _mid(_: Context, part: Part) -> Part:
    return part.middle()


def _meal(_: Context, name: str) -> Part:
    return PARTS[name]


PARTS_OF_DAY: tuple[Row, ...] = (
    ("part", "PART", _part),
    ("part", "late|later in? the? <part0>", lambda _, part: latter(part)),
    ("part", "early|earlier in? the? <part0>", lambda _, part: former(part)),
    ("part", "mid -? <part0>", _mid),
    ("part", "<part0>", _same),
    ("part", "<part0> hours|time", _same),
    ("part0", "PART", _part),
    ("part0", "night -? time", lambda _: PARTS["nighttime"]),
    ("part0", "day -? time", lambda _: PARTS["daytime"]),
    ("part0", "lunch|dinner|breakfast|brunch|supper time|hour", lambda _: PARTS["noon"]),
    ("part0", "lunch time|hour?", lambda _: PARTS["noon"]),
    ("part0", "dinner|supper time", lambda _: PARTS["evening"]),
    ("part0", "business|working|office hours", lambda _: PARTS["workday"]),
    ("mealpart", "MEAL time|hours?", _meal),
)
PRODUCTIONS: tuple[Row, ...] = (
    *PARTS_OF_DAY,
    ("past", "a|an? quarter", _quarter),
    ("past", "NUMBER minutes|minute|mins|min", _minutes),
    ("hourly1", "NUMBER HALF", _hour_half),
    ("hourly1", "NUMBER ~HALFLETTER", _hour_half),
    ("hourly1", "NUMBER o'clock|oclock HALF", _hour_half),
    ("hourly1", "NUMBER o'clock|oclock", _oclock),
    ("hourly1", "NUMBER o clock HALF", _hour_half),
    ("hourly1", "NUMBER o clock", _oclock),
    ("hourly1", "12? noon|midday", _known(HALF_DAY)),
    ("hourly1", "twelve noon|midday", _known(HALF_DAY)),
    ("hourly1", "mid - day", _known(HALF_DAY)),
    ("hourly1", "12|twelve? midnight", _midnight),
    ("hourly", "<hourly1>", _same),
    ("hourly", "NUMBER", _hour),
    ("clock0", "CLOCK HALF", _colon_half),
    ("clock0", "CLOCK ~HALFLETTER", _colon_half),
    ("clock0", "DOTCLOCK HALF", _colon_half),
    ("clock0", "CLOCK o'clock|hours|hrs|h?", _colon),
    ("clock0", "DOTCLOCK", _dotted),
    ("clock0", "<length1> before|to <hourly>", _before_hour),
    ("clock0", "<length1> after|past|from <hourly>", _after_hour),
    ("clock0", "half past|after <hourly>", _half_past),
    ("clock0", "half -? past <hourly>", _half_past),
    ("clock0", "half <hourly>", _half_past),
    ("clock0", "<past> past|after|ago <hourly>", _past),
    ("clock0", "<past> to|till|til|before|of|until <hourly>", _to),
    ("clock0", "NUMBER past|after <hourly>", _bare_past),
    ("clock0", "NUMBER to|till|til|before <hourly>", _bare_to),
    ("clock0", "NUMBER NUMBER HALF", _two_numbers_half),
    ("clock0", "NUMBER oh|o NUMBER HALF?", _oh),
    ("clock0", "NUMBER -? ish HALF?", _ish),
    ("clock0", "NUMBER HALF -? ish", _hour_half),
    ("clock0", "NUMBER in the HALF", _in_half),
    ("clock0", "FOUR hours|hrs|hour|h", _military),
    ("clock0", "NUMBER NUMBER", _two_numbers),
    ("clock0", "<hourly1>", _same),
    ("clock0", "BAREHOUR", _hour),
    ("fourclock", "FOUR", _military_unsure),
    ("clock1", "<clock0> in the <part>", _in_part),
    ("clock1", "<clock0> at|in night", lambda context, clock: _in_part(context, clock, PARTS["night"])),
    ("clock1", "<clock0> at? noon", lambda context, clock: _in_part(context, clock, PARTS["noon"])),
    ("clock1", "<clock0> sharp|exactly|approximately|promptly?", _same),
    ("clock1", "<clock0> or so", _same),
    ("clock1", "about|around|approximately|approx|exactly|roughly|circa <clock0>", _same),
    ("zone", "ZONE", _same),
    ("zone", "PLACEZONE standard|daylight? time|timezone", _same),
    ("zone", "CITYZONE time|timezone", _same),
    ("zone", "PLACEZONE time zone", _same),
    ("zone", "PLACEZONE", _same),
    ("zone", "( <zone0> )", _same),
    ("zone", "gmt|utc + NUMBER", _offset_zone(1)),
    ("zone", "gmt|utc - NUMBER", _offset_zone(-1)),
    ("zone", "+ ~FOUR", _written_offset(1)),
    ("zone", "- ~FOUR", _written_offset(-1)),
    ("zone0", "ZONE", _same),
    ("zone0", "PLACEZONE", _same),
    ("clock", "<clock1> <zone>", _zoned),
    ("clock", "<clock1>", _same),
)
"""`hourly` is a full hour, `clock` any time of day, `part` a part of the day."""
