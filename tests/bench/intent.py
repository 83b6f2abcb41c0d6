"""How well intents are read, on labelled sets that nothing was trained on, through the product's own code.

    python -m tests.bench.intent [--clinc data_full.json [--draws 3]] [--write]

Needs the external test sets (see `tests.shared_data`) and the embedding model. Prints the section "Figures" of
docs/intents.md; with --write puts it there. `intent_map.json` says which of our intents a set's label is: null is not
comparable; `domain/label` goes before `label` (only this program reads it), and a list allows several.

With --clinc, the file of the public repository clinc/oos-eval, 150 intents are read by a table of 20 of its training
sentences each, drawn at random; its test sentences are the external ones. A draw takes 10,000 embeddings.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.inference.embedder import Embedder
from app.inference.intent.opening import open_reader
from tests.bench import report
from tests.model_pack import model_pack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from app.inference.intent.reader import IntentReader

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FAMULUS_TEST_DATA", ROOT.parent / "shared" / "data")) / "normalized" / "intent"
MAP = Path(__file__).with_name("intent_map.json")
PAGE = ROOT / "docs" / "intents.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
SETS = {"SLURP (en)": "slurp-test", "SMP2019 (zh)": "smp2019-zh", "CAIS (zh)": "cais-zh-test"}
CLINC, EXAMPLES = "clinc150-test", 20
SHORT = 60


@dataclass
class Tally:
    """What came of one set."""

    rows: int = 0
    right: int = 0
    acted_wrongly: int = 0
    to_act: int = 0
    acted_rightly: int = 0


def rows_of(name: str) -> list[dict[str, Any]]:
    """All rows of a set that are here."""
    files = sorted(DATA.glob(f"{name}*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]


def wanted(row: Mapping[str, Any], labels: Mapping[str, Any]) -> set[str]:
    """Our intents that would be right for a row; none when it is not comparable."""
    found = labels.get(f"{row.get('domain', '')}/{row['intent']}", labels.get(row["intent"]))
    return set() if found is None else {found} if isinstance(found, str) else set(found)


def tally(reader: IntentReader, rows: Sequence[Mapping[str, Any]], labels: Mapping[str, Any]) -> Tally:
    """Read all rows of a set."""
    total = Tally()
    for row in rows:
        right = wanted(row, labels)
        if not right:
            continue
        reading = reader.read(row["text"])
        acting = [part for part in reading.parts if reader.table.intents[part.intent].acts]
        is_acted_on = reading.is_certain and bool(acting)
        is_wrong = any(part.intent not in right for part in acting)
        should_act = all(reader.table.intents[name].acts for name in right)
        total.rows += 1
        total.right += reading.intent in right
        total.acted_wrongly += is_acted_on and is_wrong
        total.to_act += should_act
        total.acted_rightly += should_act and is_acted_on and not is_wrong
    return total


def duration_ms(reader: IntentReader, rows: Sequence[Mapping[str, Any]]) -> float:
    """The median over short texts of the processor time of one core; of each the best of three, for what else runs."""
    times = []
    for row in rows:
        if len(row["text"]) <= SHORT:
            tries = []
            for _ in range(3):
                begun = time.thread_time()
                reader.read(row["text"])
                tries.append(1000 * (time.thread_time() - begun))
            times.append(min(tries))
    return statistics.median(times)


def clinc(embedder: Embedder, source: Path, draws: int) -> Iterator[tuple[float, float]]:
    """By seed: the accuracy within the 150 intents, and how well the score tells the rest apart (AUROC)."""
    training: dict[str, list[str]] = {}
    for text, intent in json.loads(source.read_text("utf-8"))["train"]:
        training.setdefault(intent, []).append(text)
    rows = rows_of(CLINC)
    for seed in range(draws):
        draw = random.Random(seed)
        lines = ["format = 1"]
        for intent in sorted(training):
            chosen = json.dumps(draw.sample(training[intent], EXAMPLES))
            lines += ["[[intent]]", f'id = "{intent}"', f"en = {chosen}"]
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "routes.toml"
            table.write_text("\n".join(lines), "utf-8")
            reader = open_reader(embedder, Path(folder), only=table)
        best = [reader.guesses(row["text"])[0] for row in rows]
        is_inside = np.array([row["intent"] != "oos" for row in rows])
        is_right = np.array([guess.intent == row["intent"] for guess, row in zip(best, rows, strict=True)])
        yield float(is_right[is_inside].mean()), auroc(np.array([guess.score for guess in best]), is_inside)


def auroc(scores: np.ndarray, is_inside: np.ndarray) -> float:
    """The share of pairs in which the one inside has the higher score; a tie counts half."""
    inside, outside = scores[is_inside], np.sort(scores[~is_inside])
    below = np.searchsorted(outside, inside, "left") + np.searchsorted(outside, inside, "right")
    return float(below.sum() / 2 / len(inside) / len(outside))


def section(embedder: Embedder, source: Path | None, draws: int) -> Iterator[str]:
    """The section's lines."""
    labels = json.loads(MAP.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        reader = open_reader(embedder, Path(folder))
    yield f"`python -m tests.bench.intent`, {report.machine()}."
    yield ""
    yield "| set | rows | right | acted on wrongly | wishes to act on that were | ms a short text |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, files in SETS.items():
        rows = rows_of(files)
        got = tally(reader, rows, labels)
        speed = duration_ms(reader, rows[:100])
        cells = (
            name, str(got.rows), f"{100 * got.right / got.rows:.1f} %", f"{100 * got.acted_wrongly / got.rows:.1f} %",
            f"{got.acted_rightly} of {got.to_act}", f"{speed:.1f}",
        )  # fmt: skip
        yield "| " + " | ".join(cells) + " |"
    if source is not None:
        found = list(clinc(embedder, source, draws))
        accuracy, area = (statistics.mean(column) for column in zip(*found, strict=True))
        each = ", ".join(f"{100 * right:.1f} / {over:.3f}" for right, over in found)
        yield ""
        yield f"CLINC150, {EXAMPLES} examples each: {100 * accuracy:.1f} % right, AUROC {area:.3f} (by draw: {each})."


def main(arguments: Sequence[str]) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.intent", description=__doc__)
    parser.add_argument("--clinc", type=Path, help="data_full.json")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    embedder = Embedder(model_pack(), threads=1)
    embedder.load()
    lines = []
    for line in section(embedder, given.clinc, given.draws):
        print(line, flush=True)
        lines.append(line)
    if given.write:
        head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        tail = rest.partition(END)[2]
        PAGE.write_text(f"{head}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{tail}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
