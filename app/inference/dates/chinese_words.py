"""The Chinese vocabulary of time (resources/dates/chinese.toml), read once, as the tables of productions need it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from app.inference.dates.chinese_pieces import Production
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from app.inference.dates.chinese_pieces import Piece, Setting


@cache
def words() -> Mapping[str, Any]:
    """The tables of the file by their names."""
    return resource_table("dates", "chinese.toml")


def shifts(*tables: str) -> dict[str, int]:
    """Words of tables such as `days`, each with its number."""
    return {word: int(number) for table in tables for number, group in words()[table].items() for word in group}


def numbers(table: str) -> dict[str, tuple[int, ...]]:
    """Words of tables such as `festivals`, each with its numbers."""
    return {word: tuple(values) for word, values in words()[table].items()}


def either(names: Iterable[str]) -> str:
    """A pattern of one of some words, the longer ones first."""
    return "|".join(sorted(names, key=len, reverse=True))


def firsts(names: Iterable[str]) -> frozenset[str]:
    """The signs that some words begin with."""
    return frozenset(name[0] for name in names)


def production(
    starts: str | frozenset[str], pattern: str, make: Callable[[re.Match[str], Setting], Piece | None]
) -> Production:
    """A production: the signs that it can begin with, its pattern, and what it makes of a match."""
    return Production(frozenset(starts), re.compile(pattern, re.ASCII), make)
