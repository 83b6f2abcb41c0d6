"""How much of what is personal is kept back, and how much that is not, through the product's own code.

    python -m tests.bench.redaction [--without-model]

Needs the external test sets (see `tests.shared_data`). Prints the tables of docs/redaction.md: how many values are
covered entirely, in how many clean texts anything was touched, and the median time of one processor core for a text.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.govern.redaction import Conversation
from app.inference.packs import SPANS, find_pack
from app.inference.spans import SpanReader
from app.policy.redaction.finder import NUMBERS_AND_SECRETS, STRICT, RedactionPolicy
from tests.unit.policy.redaction.marked import clean_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.govern.redaction import NameReader

    Row = Mapping[str, Any]

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FAMULUS_TEST_DATA", ROOT.parent / "shared" / "data")) / "normalized"
LABELLED = (
    "argus-zh", "argus-en", "argus-mixed", "presidio-synth-en", "recognizers-sequence-en", "recognizers-sequence-zh",
)  # fmt: skip
ORDINARY = {
    "requests, en": "intent/clinc150-test.example.jsonl",
    "requests, zh": "intent/smp2019-zh.example.jsonl",
    "dates, en": "date/duckling-en.example.jsonl",
    "dates, zh": "date/jionlp-zh.example.jsonl",
}


@dataclass
class Tally:
    """What happened in one set."""

    values: int = 0
    covered: int = 0
    leaked: int = 0
    clean: int = 0
    touched: int = 0
    characters: int = 0
    hidden: int = 0
    seconds: list[float] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)

    @property
    def covered_share(self) -> float:
        return 100 * self.covered / max(1, self.values)

    @property
    def leaked_share(self) -> float:
        return 100 * self.leaked / max(1, self.values)

    @property
    def median_ms(self) -> float:
        return 1000 * statistics.median(self.seconds)


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def run(texts: Iterable[Row], names: NameReader | None, policy: RedactionPolicy = STRICT) -> Tally:
    """Redact every row as a conversation of its own, and count."""
    tally = Tally()
    for row in texts:
        began = time.process_time()
        redacted = Conversation(names, policy).redact(row["text"])
        tally.seconds.append(time.process_time() - began)
        covered = {index for one in redacted.findings for index in range(one.start, one.end)}
        tally.characters += len(row["text"])
        tally.hidden += len(covered)
        for span in row.get("spans") or ():
            is_covered = span["start"] is not None and covered >= set(range(span["start"], span["end"]))
            tally.values += 1
            tally.covered += is_covered
            tally.leaked += span["text"] in redacted.text
            tally.missed[span["label"]] += not is_covered
        if not row.get("spans"):
            tally.clean += 1
            tally.touched += bool(redacted.findings)
    return tally


def reader() -> SpanReader | None:
    """The span model where there is one."""
    folders = [Path(os.environ["FAMULUS_MODELS"])] if "FAMULUS_MODELS" in os.environ else [ROOT / ".models"]
    folders.append(Path(sys.prefix) / "share" / "famulus" / "models")
    packs = [find_pack(folder, SPANS) for folder in folders if folder.is_dir()]
    return next((SpanReader(pack) for pack in packs if pack is not None), None)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-model", action="store_true")
    names = None if parser.parse_args().without_model else reader()
    if names is not None:
        names.load()
    Conversation(names).redact("Warm up 张三")
    print(f"by rules{' and the span model' if names is not None else ' alone'}\n")
    print("| set | values | covered entirely | found in the redacted text | clean rows touched | median ms |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in LABELLED:
        tally = run(rows(DATA / "pii" / f"{name}.example.jsonl"), names)
        print(
            f"| {name} | {tally.values} | {tally.covered_share:.1f} % | {tally.leaked_share:.1f} % "
            f"| {tally.touched} of {tally.clean} | {tally.median_ms:.1f} |"
        )
        print("  missed:", dict(+tally.missed), file=sys.stderr)
    print("\n| ordinary text | texts | strict: touched, characters hidden | numbers and secrets: the same |")
    print("| --- | --- | --- | --- |")
    ordinary = {"our own clean sentences": [{"text": text} for text in clean_texts()]}
    ordinary |= {name: [{"text": row["text"]} for row in rows(DATA / path)] for name, path in ORDINARY.items()}
    for name, texts in ordinary.items():
        shares = []
        for policy in (STRICT, NUMBERS_AND_SECRETS):
            tally = run(texts, names, policy)
            hidden = 100 * tally.hidden / tally.characters
            shares.append(f"{100 * tally.touched / tally.clean:.1f} %, {hidden:.1f} %")
        print(f"| {name} | {len(texts)} | {shares[0]} | {shares[1]} |")


if __name__ == "__main__":
    main()
