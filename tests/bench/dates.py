"""How well dates are read, on labelled sets of other projects, by their own scorer.

    python -m tests.bench.dates [--show N]

Needs the external test sets (see `tests.shared_data`). Prints for each set what is right, what is wrong but confident,
and the time for a text; with --show the first misses of each. Takes about a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.inference.dates.batch_values import result
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FAMULUS_TEST_DATA", ROOT.parent / "shared" / "data"))
SCORER = DATA / "tools" / "score.py"
SETS = {
    "English, both": ("recognizers-en-*.jsonl", "duckling-en*.jsonl"),
    "Recognizers en": ("recognizers-en-*.jsonl",),
    "duckling en": ("duckling-en*.jsonl",),
    "Recognizers zh": ("recognizers-zh-*.jsonl",),
    "duckling zh": ("duckling-zh*.jsonl",),
    "JioNLP zh": ("jionlp-zh*.jsonl",),
}


def rows_of(patterns: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    """The rows of a set's files."""
    for pattern in patterns:
        for path in sorted((DATA / "normalized" / "date").glob(pattern)):
            yield from (json.loads(line) for line in path.read_text("utf-8").splitlines() if line)


def predict(rows: Iterator[Mapping[str, Any]], target: Path) -> list[float]:
    """Write what is read of each row; gives the milliseconds that each took."""
    took: list[float] = []
    with target.open("w", encoding="utf-8") as lines:
        for row in rows:
            begun = clock.monotonic_s()
            predicted = result(row)
            took.append((clock.monotonic_s() - begun) * 1000)
            lines.write(json.dumps(predicted, ensure_ascii=False) + "\n")
    return took


def score(patterns: tuple[str, ...], predicted: Path, show: int) -> str:
    """What the sets' own scorer says."""
    gold = [str(DATA / "normalized" / "date" / pattern) for pattern in patterns]
    command = [sys.executable, str(SCORER), "date", *gold, "--pred", str(predicted), "--show", str(show)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.dates", description=__doc__)
    parser.add_argument("--show", type=int, default=0, help="print so many misses of each set")
    show = parser.parse_args().show
    if not SCORER.exists():
        sys.exit("the external test sets are not beside the project (set FAMULUS_TEST_DATA)")
    with tempfile.TemporaryDirectory() as folder:
        predicted = Path(folder) / "predicted.jsonl"
        for name, patterns in SETS.items():
            took = predict(rows_of(patterns), predicted)
            said = score(patterns, predicted, show).splitlines()
            print(f"{name:16s} {said[0].removeprefix('ALL').strip()} | median {statistics.median(took):.1f} ms")
            print(*said[1:], sep="\n", end="\n" if said[1:] else "")


if __name__ == "__main__":
    main()
