"""The kinds of value a setting can have: how each is read from text, checked, written and described."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol, TypeVar

from app.domain.text import Text, msg

T = TypeVar("T")
_ON = frozenset({"true", "on", "yes", "1"})
_OFF = frozenset({"false", "off", "no", "0"})


class Kind(Protocol[T]):
    """A kind of value. `check` and `parse` raise ValueError for what it does not allow."""

    def check(self, value: object) -> T:
        """Accept a value as TOML gives it."""

    def parse(self, text: str) -> T:
        """Read a value as a person types it."""

    def show(self, value: T) -> str:
        """Write a value as a person would type it."""

    @property
    def allowed(self) -> Text:
        """What is allowed, as a phrase."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def check(self, value: object) -> str:
        """See `Kind`."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError("not one of the choices")
        return value

    def parse(self, text: str) -> str:
        """See `Kind`."""
        return self.check(text)

    def show(self, value: str) -> str:
        """See `Kind`."""
        return value

    @property
    def allowed(self) -> Text:
        """See `Kind`."""
        return msg("one of {words}", words=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int

    def check(self, value: object) -> int:
        """See `Kind`. A TOML boolean is no number, though Python counts it as one."""
        if not isinstance(value, int) or isinstance(value, bool) or not self.low <= value <= self.high:
            raise ValueError("not a whole number in the range")
        return value

    def parse(self, text: str) -> int:
        """See `Kind`."""
        return self.check(int(text))

    def show(self, value: int) -> str:
        """See `Kind`."""
        return str(value)

    @property
    def allowed(self) -> Text:
        """See `Kind`."""
        return msg("a whole number from {low} to {high}", low=self.low, high=self.high)


@dataclass(frozen=True, slots=True)
class Fraction:
    """A number from `low` to `high`, both included."""

    low: float
    high: float

    def check(self, value: object) -> float:
        """See `Kind`. The comparison refuses NaN as well."""
        if not isinstance(value, int | float) or isinstance(value, bool) or not self.low <= value <= self.high:
            raise ValueError("not a number in the range")
        return float(value)

    def parse(self, text: str) -> float:
        """See `Kind`."""
        return self.check(float(text))

    def show(self, value: float) -> str:
        """See `Kind`."""
        return str(value)

    @property
    def allowed(self) -> Text:
        """See `Kind`."""
        return msg("a number from {low} to {high}", low=self.low, high=self.high)


@dataclass(frozen=True, slots=True)
class Flag:
    """On or off."""

    def check(self, value: object) -> bool:
        """See `Kind`."""
        if not isinstance(value, bool):
            raise ValueError("neither true nor false")  # noqa: TRY004 - one error for "not allowed", as Kind says
        return value

    def parse(self, text: str) -> bool:
        """See `Kind`."""
        word = text.strip().lower()
        if word not in _ON | _OFF:
            raise ValueError("neither on nor off")
        return word in _ON

    def show(self, value: bool) -> str:  # noqa: FBT001 - the value itself
        """See `Kind`."""
        return "true" if value else "false"

    @property
    def allowed(self) -> Text:
        """See `Kind`."""
        return msg("true or false")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text of a certain form, told by an example."""

    form: str
    example: str

    def check(self, value: object) -> str:
        """See `Kind`."""
        if not isinstance(value, str) or re.fullmatch(self.form, value) is None:
            raise ValueError("not of the form")
        return value

    def parse(self, text: str) -> str:
        """See `Kind`."""
        return self.check(text.strip())

    def show(self, value: str) -> str:
        """See `Kind`."""
        return value

    @property
    def allowed(self) -> Text:
        """See `Kind`."""
        return msg("written like {example}", example=self.example)
