"""The lists of Chinese names, from resources/redaction/chinese.toml, read when first needed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from app.runtime.paths import resource_table


@dataclass(frozen=True, slots=True)
class ChineseLists:
    """See the table.

    Attributes:
        surnames: single characters, the rare ones included.
        common_surnames: those that are hardly anything else.
        surname: one of these, or a compound one.
        place: any known province, city or district, the longest first.
    """

    surnames: frozenset[str]
    common_surnames: frozenset[str]
    surname: re.Pattern[str]
    compounds: frozenset[str]
    given: frozenset[str]
    no_names: frozenset[str]
    title: re.Pattern[str]
    before: re.Pattern[str]
    place: re.Pattern[str]
    city: re.Pattern[str]
    district: re.Pattern[str]
    stops: frozenset[str]
    suffix: re.Pattern[str]
    known: re.Pattern[str]
    general: frozenset[str]


@cache
def chinese_lists() -> ChineseLists:
    """Read the table."""
    table = resource_table("redaction", "chinese.toml")
    people, places, organisations = table["people"], table["places"], table["organisations"]
    surnames = frozenset(people["surnames"].strip())
    common = surnames - frozenset(people["rare"])
    cities = f"{places['provinces']}|{places['cities']}"
    return ChineseLists(
        surnames=surnames,
        common_surnames=common,
        surname=re.compile(f"[{''.join(sorted(common))}]|{people['compounds']}"),
        compounds=frozenset(people["compounds"].split("|")),
        given=frozenset("".join(people["given"].split())),
        no_names=frozenset(people["no_names"].strip().split("|")),
        title=_any(people["titles"]),
        before=re.compile(f'(?:{_longest_first(people["before"])})(?:名字|姓名|名)?(?:[:：是为叫 “"「(（]{{0,3}})'),
        place=_any(f"{cities}|{places['districts']}"),
        city=_any(cities),
        district=_any(places["districts"]),
        stops=frozenset(places["stops"]),
        suffix=_any(organisations["suffixes"]),
        known=_any(organisations["known"]),
        general=frozenset(organisations["general"].strip().split("|")),
    )


def is_han(character: str) -> bool:
    """Whether it is a Chinese character of the common block."""
    return "\u4e00" <= character <= "\u9fff"


def _longest_first(listed: str) -> str:
    return "|".join(sorted(listed.strip().split("|"), key=len, reverse=True))


def _any(listed: str) -> re.Pattern[str]:
    return re.compile(_longest_first(listed))
