"""How well names are found, on labelled sets of other projects that nothing was trained on.

    python -m tests.bench.spans [--models DIR] [--show N]

Needs the external test sets (see `tests.shared_data`) and the span model's pack. Prints precision, recall and F1 of
exact spans for each label, and the time for a text on one core. A label that a set does not have is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.govern.extraction import Extractor
from app.inference.chinese_names import ChineseNames
from app.inference.packs import SPANS, find_pack
from app.inference.spans import SpanReader
from app.runtime import clock

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FAMULUS_TEST_DATA", ROOT.parent / "shared" / "data")) / "normalized"
MODELS = ROOT / ".venv" / "share" / "famulus" / "models"
SETS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "CLUENER zh": (
        "ner/cluener-dev-zh*.jsonl",
        {
            "name": "person", "address": "place", "scene": "place", "organization": "organisation",
            "company": "organisation", "government": "organisation",
        },
    ),
    "WNUT17 en": ("ner/wnut17-test-en*.jsonl", {"person": "person", "location": "place"}),
    "MemPalace en": (
        "extraction/mempalace-entity_extraction-en*.jsonl",
        {"person": "person", "organization": "organisation", "place": "place", "project": "project"},
    ),
    "MemPalace zh": (
        "extraction/mempalace-entity_extraction-zh*.jsonl",
        {"person": "person", "organization": "organisation", "place": "place", "project": "project"},
    ),
}  # fmt: skip


@dataclass
class Counts:
    """True and false positives, and what was missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    took_ms: list[float] = field(default_factory=list)

    def line(self) -> str:
        """Precision, recall, F1 and how many there are."""
        found, wanted = self.right + self.wrong, self.right + self.missed
        share = 200 * self.right / max(1, found + wanted)
        return (
            f"P {100 * self.right / max(1, found):5.1f}  R {100 * self.right / max(1, wanted):5.1f}  F1 {share:5.1f}"
            f"  ({wanted})"
        )


def rows_of(pattern: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a set."""
    for path in sorted(DATA.glob(pattern)):
        yield from (json.loads(line) for line in path.read_text("utf-8").splitlines() if line)


def wanted_of(row: Mapping[str, Any], labels: Mapping[str, str]) -> set[tuple[Any, ...]]:
    """What a row's authors found: spans, or of a set without places the names themselves."""
    if "spans" in row:
        spans = [span for span in row["spans"] if span["label"] in labels and span["start"] is not None]
        return {(span["start"], span["end"], labels[span["label"]]) for span in spans}
    return {(entity["name"], labels[entity["type"]]) for entity in row["gold"]["entities"] if entity["type"] in labels}


def measure(extractor: Extractor, pattern: str, labels: Mapping[str, str], show: int) -> dict[str, Counts]:
    """Count over a set; the names of `show` rows that were not read right are printed."""
    counts: dict[str, Counts] = defaultdict(Counts)
    for row in rows_of(pattern):
        text = row["text"]
        begun = clock.monotonic_s()
        names = [name for name in extractor.names(text) if name.label in labels.values()]
        counts["all"].took_ms.append((clock.monotonic_s() - begun) * 1000)
        wanted = wanted_of(row, labels)
        has_places = "spans" in row
        found = {(n.start, n.end, n.label) if has_places else (text[n.start : n.end], n.label) for n in names}
        for label in (*sorted(set(labels.values())), "all"):
            ours = {one for one in found if label in {one[-1], "all"}}
            theirs = {one for one in wanted if label in {one[-1], "all"}}
            counts[label].right += len(ours & theirs)
            counts[label].wrong += len(ours - theirs)
            counts[label].missed += len(theirs - ours)
        if show and found != wanted:
            show -= 1
            print(f"    {text}\n        missed {_words(text, wanted - found)}, wrong {_words(text, found - wanted)}")
    return counts


def _words(text: str, spans: set[tuple[Any, ...]]) -> list[tuple[str, str]]:
    return [(text[one[0] : one[1]] if len(one) > 2 else one[0], one[-1]) for one in sorted(spans)]


def main() -> None:
    """Print the figures of each set."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.spans", description=__doc__)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--show", type=int, default=0, help="print so many misses of each set")
    options = parser.parse_args()
    pack = find_pack(options.models, SPANS)
    if pack is None or not DATA.exists():
        sys.exit("the span model or the external test sets are missing (see the first lines of this file)")
    extractor = Extractor(SpanReader(pack, chinese=ChineseNames.installed(), threads=1))
    extractor.names("warm up")
    for name, (pattern, labels) in SETS.items():
        counts = measure(extractor, pattern, labels, options.show)
        print(f"{name}: {counts['all'].line()}, median {statistics.median(counts['all'].took_ms):.1f} ms")
        for label in sorted(set(labels.values())):
            print(f"    {label:14s} {counts[label].line()}")


if __name__ == "__main__":
    main()
