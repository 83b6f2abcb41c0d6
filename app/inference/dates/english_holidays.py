"""Holidays by their English names: which day of a year each is, fixed or computed.

Days of the arithmetic calendars (Easter, the Jewish and the tabular Islamic calendar) are computed; local sightings of
the moon may move an Islamic feast by a day, so those are given as two candidates by the grammar.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from app.inference.dates import calendar, lunar

MON, TUE, THU, FRI, SUN = 0, 1, 3, 4, 6
DayOf = Callable[[int], list[date]]


@dataclass(frozen=True, slots=True)
class Holiday:
    """A holiday; `days` gives its first days in a year, mostly one, and `length` how many days it lasts."""

    name: str
    days: DayOf
    length: int = 1
    is_sighted: bool = False


def _fixed(month: int, day: int) -> DayOf:
    return lambda year: [date(year, month, day)]


def _nth(month: int, weekday: int, count: int, offset: int = 0) -> DayOf:
    return lambda year: [calendar.nth_weekday(calendar.month(year, month), weekday, count) + timedelta(days=offset)]


def _lunar(month: int, day: int) -> DayOf:
    """A day of the Chinese calendar; none outside the years that are known."""

    def days(year: int) -> list[date]:
        found = lunar.day(year, month, day)
        return [] if found is None else [found]

    return days


def _qingming(year: int) -> list[date]:
    found = lunar.solar_term(year, "清明")
    return [] if found is None else [found]


def _easter(offset: int) -> DayOf:
    return lambda year: [calendar.easter(year) + timedelta(days=offset)]


def _before(month: int, day: int, weekday: int) -> DayOf:
    """The last such weekday before a day: Victoria Day is the Monday before 25 May."""
    return lambda year: [calendar.previous(date(year, month, day), weekday)]


def _islamic(month: int, day: int) -> DayOf:
    def days(year: int) -> list[date]:
        first = int((year - 622) * 33 / 32) - 1
        found = [_from_islamic(number, month, day) for number in range(first, first + 4)]
        return [one for one in found if one.year == year]

    return days


_ISLAMIC_EPOCH = date(622, 7, 19).toordinal()


def _from_islamic(year: int, month: int, day: int) -> date:
    """The tabular Islamic calendar, civil epoch, the eleven leap years of thirty."""
    ordinal = day + (59 * (month - 1) + 1) // 2 + (year - 1) * 354 + (3 + 11 * year) // 30 + _ISLAMIC_EPOCH - 1
    return date.fromordinal(ordinal)


def _jewish(days_from_new_year: int) -> DayOf:
    return lambda year: [_rosh_hashanah(year) + timedelta(days=days_from_new_year)]


def _pesach(offset: int) -> DayOf:
    """Passover is 163 days before the new year that follows it."""
    return lambda year: [_rosh_hashanah(year) + timedelta(days=offset - 163)]


def _hanukkah(year: int) -> list[date]:
    """25 Kislev: 83 days after the new year, 84 in a long year, when Marheshvan has 30 days."""
    this, following = _rosh_hashanah(year), _rosh_hashanah(year + 1)
    return [this + timedelta(days=84 if (following - this).days in {355, 385} else 83)]


def _rosh_hashanah(year: int) -> date:
    """The first day of the Jewish year that begins in a Gregorian one."""
    jewish = year + 3761
    months = (235 * jewish - 234) // 19
    parts = 12084 + 13753 * months
    day = 29 * months + parts // 25920
    if 3 * (day + 1) % 7 < 3:  # noqa: PLR2004 - not on a Sunday, Wednesday or Friday
        day += 1
    return date.fromordinal(day - 1373427 + _days_put_off(jewish))


def _days_put_off(jewish: int) -> int:
    """Two more delays, which keep a year from being too long or too short."""
    last, this, following = (_elapsed(jewish + step) for step in (-1, 0, 1))
    if following - this == 356:  # noqa: PLR2004
        return 2
    return 1 if this - last == 382 else 0  # noqa: PLR2004


def _elapsed(jewish: int) -> int:
    months = (235 * jewish - 234) // 19
    day = 29 * months + (12084 + 13753 * months) // 25920
    return day + 1 if 3 * (day + 1) % 7 < 3 else day  # noqa: PLR2004


_FIXED: Final = """
1-1 new years day|new year day|new years|new year|newyears day
1-6 epiphany|three kings day
1-26 australia day
2-2 groundhog day|groundhogs day
2-14 valentines day|valentine day|valentines|st valentines day|saint valentines day
3-8 international womens day|womens day|woman day
3-14 pi day
3-17 st patricks day|saint patricks day|st patrick day|st paddys day|saint patrick day
4-1 april fools|april fools day|april fool day|all fools day
4-22 earth day
4-25 anzac day
4-27 kings day
5-1 may day|mayday|international workers day|workers day
5-4 star wars day
5-5 cinco de mayo
6-14 flag day
6-19 juneteenth|freedom day|jubilee day|emancipation day
7-1 canada day
7-4 independence day|us independence day|fourth of july holiday
7-14 bastille day
8-15 assumption|assumption day
8-26 womens equality day
10-31 halloween|hallowe en|all hallows eve|halloween day|all hallow eve
11-1 all saints day|all hallows day|all hallows|all hallow day|all saint day
11-2 all souls day|all soul day
11-5 guy fawkes day|guy fawkes night|bonfire night
11-11 veterans day|remembrance day|armistice day|singles day|double eleven
11-20 universal childrens day
12-6 st nicholas day|saint nicholas day
12-24 christmas eve|xmas eve|x mas eve
12-25 christmas|xmas|x mas|christmas day|xmas day|noel
12-26 boxing day|st stephens day
12-31 new years eve|new year eve|silvester|hogmanay|newyears eve
6-1 childrens day|international childrens day
9-10 teachers day
5-4 youth day
3-12 arbor day
12-10 human rights day
10-24 united nations day|un day
9-21 international day of peace
6-5 world environment day
12-1 world aids day
"""
_NTH: Final = """
1 0 3 martin luther king day|mlk day|martin luther king jr day|martin luther king junior day|civil rights day
2 0 3 presidents day|washingtons birthday|president day
5 6 2 mothers day|mother day|mothering day
5 0 -1 memorial day|decoration day
6 6 3 fathers day|father day
9 0 1 labor day|labour day
10 0 2 columbus day|indigenous peoples day
11 3 4 thanksgiving|thanksgiving day|thanks giving day|thanks giving
5 5 3 armed forces day
9 6 1 grandparents day
4 2 -2 administrative professionals day|secretaries day
"""
_EASTER: Final = """
0 easter|easter sunday|easter day
1 easter monday
-1 easter saturday|holy saturday|easter eve
-2 good friday
-3 maundy thursday|holy thursday
-7 palm sunday
-46 ash wednesday
-47 shrove tuesday|mardi gras|pancake day|pancake tuesday|fat tuesday
39 ascension|ascension day|ascension thursday
49 pentecost|whitsun|whit sunday
50 whit monday|pentecost monday
60 corpus christi
56 trinity sunday
"""


def _computed() -> list[Holiday]:
    return [
        Holiday("black friday", _nth(11, THU, 4, 1)),
        Holiday("small business saturday", _nth(11, THU, 4, 2)),
        Holiday("cyber monday", _nth(11, THU, 4, 4)),
        Holiday("giving tuesday", _nth(11, THU, 4, 5)),
        Holiday("victoria day", _before(5, 25, MON)),
        Holiday("super bowl sunday|super bowl", _nth(2, SUN, 2)),
        Holiday("tax day", _fixed(4, 15)),
        Holiday("boss day|bosses day", _fixed(10, 16)),
        Holiday("chinese new year|lunar new year|spring festival", _lunar(1, 1)),
        Holiday("lantern festival", _lunar(1, 15)),
        Holiday("dragon boat festival", _lunar(5, 5)),
        Holiday("mid autumn festival|moon festival", _lunar(8, 15)),
        Holiday("qingming|qingming festival|tomb sweeping day", _qingming),
        Holiday("ramadan|ramadhan|ramzan", _islamic(9, 1), 30, is_sighted=True),
        Holiday("eid al fitr|eid ul fitr|id al fitr|aid al fitr|eid", _islamic(10, 1), is_sighted=True),
        Holiday("eid al adha|eid ul adha|feast of sacrifice|feast of the sacrifice", _islamic(12, 10), is_sighted=True),
        Holiday("islamic new year|muharram", _islamic(1, 1), is_sighted=True),
        Holiday("ashura", _islamic(1, 10), is_sighted=True),
        Holiday("mawlid|mawlid al nabi", _islamic(3, 12), is_sighted=True),
        Holiday("rosh hashanah|rosh hashana|rosh ha shanah", _jewish(0)),
        Holiday("yom kippur|day of atonement", _jewish(9)),
        Holiday("sukkot|feast of tabernacles", _jewish(14), 7),
        Holiday("simchat torah", _jewish(22)),
        Holiday("hanukkah|chanukah|hanukah|chanukkah", _hanukkah, 8),
        Holiday("purim", _pesach(-30)),
        Holiday("passover|pesach", _pesach(0), 8),
        Holiday("shavuot", _pesach(50)),
        Holiday("tisha b av|tisha bav", _pesach(114)),
    ]


class Names:
    """The names of all holidays, and what they begin with."""

    def __init__(self, holidays: list[Holiday]) -> None:
        self._named = {name: one for one in holidays for name in one.name.split("|")}
        self._prefixes = {name[:end] for name in self._named for end, letter in enumerate(name) if letter == " "}

    def __contains__(self, name: str) -> bool:
        return name in self._named

    def __getitem__(self, name: str) -> Holiday:
        return self._named[name]

    @property
    def first_words(self) -> frozenset[str]:
        """What the names begin with."""
        return frozenset(name.partition(" ")[0] for name in self._named)

    def is_prefix(self, words: str) -> bool:
        """Whether a longer name begins with these words."""
        return words in self._prefixes


@functools.cache
def holiday_names() -> Names:
    """The table, made when first asked for."""
    found = []
    for line in _FIXED.split("\n"):
        if line:
            key, names = line.split(" ", 1)
            month, day = (int(number) for number in key.split("-"))
            found.append(Holiday(names, _fixed(month, day)))
    for line in _NTH.split("\n"):
        if line:
            *numbers, names = line.split(" ", 3)
            found.append(Holiday(names, _nth(*(int(number) for number in numbers))))
    for line in _EASTER.split("\n"):
        if line:
            distance, names = line.split(" ", 1)
            found.append(Holiday(names, _easter(int(distance))))
    return Names(found + _computed())
