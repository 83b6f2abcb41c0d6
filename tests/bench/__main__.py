"""Measures the budgets of the design, prints them, and keeps the last whole run in docs/benchmarks.md.

    python -m tests.bench [--quick] [--million] [--only NAME ...]

A benchmark and not a test: it never fails because something is slow.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from app.inference.embedder import Embedder
from app.runtime import clock
from tests.bench import collecting, desktop, launch, mcp, report, search, storage, throughput
from tests.bench.display import missing
from tests.model_pack import model_pack, models_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.bench.measures import Measure

QUICK, WHOLE, MILLION = (10_000,), (10_000, 100_000), (10_000, 100_000, 1_000_000)


def parts(sizes: Sequence[int]) -> dict[str, Callable[[Path], Iterator[Measure]]]:
    """Every group of rows by its name, in the order of the table; each works in an empty folder of its own."""

    def embedder() -> Embedder:
        found = Embedder(model_pack(), threads=2)
        found.load()
        return found

    def screen(folder: Path) -> Iterator[Measure]:
        if lacking := missing():
            print("no rows of the desktop: this machine lacks", ", ".join(lacking))
            return iter(())
        return desktop.measure(folder, models_folder(), embedder())

    return {
        "version": lambda _: launch.version(),
        "mcp": mcp.start,
        "desktop": screen,
        "row": storage.one_row,
        "bytes": storage.bytes_a_chunk,
        "encryption": storage.encryption,
        "index": lambda folder: collecting.index(folder, models_folder()),
        "unchanged": collecting.unchanged,
        "throughput": throughput.measure,
        "search": lambda folder: search.measure_sizes(folder, sizes, embedder()),
    }


def main(arguments: Sequence[str]) -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="search at 10,000 passages only")
    parser.add_argument("--million", action="store_true", help="search at 1,000,000 passages too; takes an hour")
    parser.add_argument("--only", nargs="+", default=[], choices=sorted(parts(())), metavar="NAME")
    given = parser.parse_args(arguments)
    # no keychain, which may ask a person
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    chosen = parts(MILLION if given.million else QUICK if given.quick else WHOLE)
    computer = report.machine()
    measures: list[Measure] = []
    for name in given.only or chosen:
        with tempfile.TemporaryDirectory(prefix="famulus-bench-") as folder:
            for measure in chosen[name](Path(folder)):
                print(report.row(measure), flush=True)
                measures.append(measure)
    if given.quick or given.only:
        print("docs/benchmarks.md keeps whole runs only; this one was not written down")
    else:
        report.write(measures, clock.now().date(), computer)


if __name__ == "__main__":
    main(sys.argv[1:])
