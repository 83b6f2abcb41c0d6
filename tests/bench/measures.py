"""What a benchmark says: one line of the table, with its baseline from the same run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured thing.

    Attributes:
        value, baseline: in `unit`; a baseline of None stands for a figure that is nothing but itself.
        budget: the most that `value` may be, or with `is_ratio` the most that `value / baseline` may be.
    """

    what: str
    value: float
    unit: str
    baseline: float | None = None
    against: str = ""
    budget: float | None = None
    is_ratio: bool = False
    is_least: bool = False

    @property
    def ratio(self) -> float | None:
        """`value` over `baseline`."""
        return self.value / self.baseline if self.baseline else None

    @property
    def is_met(self) -> bool | None:
        """Whether the budget is kept; None where there is none."""
        found = self.ratio if self.is_ratio else self.value
        if self.budget is None or found is None:
            return None
        return found >= self.budget if self.is_least else found <= self.budget


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def processor_seconds(work: Callable[[], object]) -> float:
    """How much processor time of this process `work` takes; less disturbed by others than `seconds`."""
    began = time.process_time()
    work()
    return time.process_time() - began


def alternating(times: int, *works: Callable[[], object]) -> list[float]:
    """The median seconds of each of several works, done in turn so that a disturbance hits all of them."""
    taken = [[seconds(work) for work in works] for _ in range(times)]
    return np.median(taken, axis=0).tolist()


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie."""
    return float(np.quantile(values, share))


def spaced(count: int) -> str:
    """A large number in groups of three."""
    return f"{count:,}".replace(",", " ")
