"""The table of budgets in docs/benchmarks.md: only what stands between its markers is ours."""

from __future__ import annotations

import os
import platform
from datetime import date
from typing import TYPE_CHECKING

import psutil

from tests.bench.display import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.bench.measures import Measure

PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- budgets:begin -->", "<!-- budgets:end -->"
_HEAD = "# Benchmarks\n\nMeasured by programs in this repository; each section says how to repeat it.\n\n"
_WORDS = {True: "met", False: "**not met**", None: ""}


def write(measures: Sequence[Measure], today: date, computer: str, *, page: Path = PAGE) -> None:
    """Put a run's rows between the markers, which are made where they are missing."""
    before = page.read_text("utf-8") if page.exists() else _HEAD
    page.write_text(with_section(before, section(measures, today, computer)), "utf-8")


def with_section(page: str, text: str) -> str:
    """A page with what stands between the markers replaced; without markers it is put at the end."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        head, tail = page.rstrip("\n") + "\n\n", "\n"
    return f"{head}{BEGIN}\n{text}{END}{tail}"


def section(measures: Sequence[Measure], today: date, computer: str) -> str:
    """The section as Markdown."""
    lines = [
        "## Budgets",
        "",
        f"`make bench`, {today.isoformat()}, {computer}.",
        "Every row has its baseline from the same run, since machines differ and are disturbed; the ratio is what to",
        "compare. Texts are generated: Zipf, English and Chinese, 240 tokens a passage.",
        "",
        "| what | measured | baseline | ratio | budget | |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    lines += [row(measure) for measure in measures]
    return "\n".join(lines) + "\n"


def row(measure: Measure) -> str:
    """One line of the table."""
    against = "" if measure.baseline is None else f"{amount(measure.baseline, measure.unit)} ({measure.against})"
    ratio = "" if measure.ratio is None else f"{measure.ratio:.2f}"
    cells = (
        measure.what,
        amount(measure.value, measure.unit),
        against,
        ratio,
        _budget(measure),
        _WORDS[measure.is_met],
    )
    return "| " + " | ".join(cells) + " |"


def amount(value: float, unit: str) -> str:
    """A figure with its unit, three digits of it."""
    if value >= 1_000:
        text = f"{value:,.0f}".replace(",", " ")
    else:
        text = f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
        if value < 1 and unit != "":
            text = f"{value:.3f}"
    return f"{text} {unit}".rstrip()


def machine() -> str:
    """The size of this computer and how busy it is with other things; neither its name nor its maker."""
    gib = round(psutil.virtual_memory().total / (1 << 30))
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{system}, {os.cpu_count()} cores, {gib} GiB, load average {psutil.getloadavg()[0]:.1f} before the run"


def _budget(measure: Measure) -> str:
    if measure.budget is None:
        return ""
    if measure.is_ratio:
        return f"{measure.budget:.2f} x"
    return ("at least " if measure.is_least else "") + amount(measure.budget, measure.unit)
