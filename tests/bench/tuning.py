"""What tuning makes of labelled sets, as if a person had marked them; the table of docs/metrics.md.

    python -m tests.bench.tuning [--write]

Needs the external test sets (see `tests.shared_data`) and the embedding model. Takes about two minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
from typing import TYPE_CHECKING

from app.context.batch import BatchModel, RetrieveBatch
from app.context.ranking import load_weights
from app.context.tuning import FIRST, marked_question, tune
from app.domain.context_item import SearchRequest
from app.inference.embedder import Embedder
from app.runtime.lanes import Lanes
from app.runtime.paths import resource
from tests.bench.retrieval import DATA, ROOT, SCRATCH, SETS
from tests.model_pack import model_pack

if TYPE_CHECKING:
    from app.context.tuning import MarkedQuestion, Tuned

PAGE = ROOT / "docs" / "metrics.md"
BEGIN, END = "<!-- tuning: begin -->", "<!-- tuning: end -->"


class Marked:
    """Labelled questions, searched for as tuning does."""

    def __init__(self, lanes: Lanes, embedder: Embedder) -> None:
        self.weights = load_weights(resource("rules", "ranking.toml"))
        self.folder = SCRATCH / f"famulus-tuning-{os.getpid()}"
        self.folder.mkdir(mode=0o700, parents=True)
        model = BatchModel(embedder.counter, embedder)
        self.batch = RetrieveBatch(lanes, self.weights, model, scratch=self.folder, corpora=DATA / "corpora")
        self._numbers: dict[tuple[str, str | None], int] = {}

    async def questions(self, name: str) -> list[MarkedQuestion]:
        """Those of a set that have something to find."""
        lines = (DATA / "retrieval" / f"{name}.example.jsonl").read_text("utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if row["gold"]]
        found = []
        for row in rows:
            corpus = await self.batch._corpus(self.batch._path_of(row))
            limit = max(FIRST, self.weights.candidates.pool)
            items = await corpus.service.search(SearchRequest(row["query"], limit=limit))
            entries = [self._number(row["corpus"], item.place.message_id) for item in items]
            wanted = frozenset(self._number(row["corpus"], one) for one in row["gold"])
            found.append(marked_question(row["id"], items, entries, wanted, self.weights))
        return found

    async def close(self) -> None:
        """Delete the databases."""
        await self.batch.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _number(self, corpus: str, name: str | None) -> int:
        return self._numbers.setdefault((corpus, name), len(self._numbers))


def line(title: str, tuned: Tuned) -> str:
    """A row of the table."""
    final, before, after = tuned.weights.final, tuned.before, tuned.after
    numbers = " ".join(f"{one:.2f}" for one in (final.semantic, final.lexical, final.freshness, final.confidence))
    return (
        f"| {title} | {tuned.learned_from} + {tuned.held_out} | {numbers}, {tuned.weights.time.window_days:.0f} d"
        f" | {before.order:.3f} → {after.order:.3f} | {before.hit:.3f} → {after.hit:.3f}"
        f" | {'yes' if tuned.is_better else 'no'} |"
    )


async def section() -> str:
    """The table, between its markers."""
    lanes, embedder = Lanes(), Embedder(model_pack())
    embedder.load()
    marked = Marked(lanes, embedder)
    lines = [
        BEGIN,
        "| set | learning + held out | best weights found | nDCG@10, held out | hits, held out | recommended |",
        "| --- | ---: | --- | ---: | ---: | --- |",
    ]
    try:
        for title, name in SETS.items():
            lines.append(line(title, tune(await marked.questions(name), marked.weights)))
    finally:
        await marked.close()
        lanes.close()
    return "\n".join([*lines, END])


def main() -> None:
    """Print the table, or put it into the page."""
    parser = argparse.ArgumentParser(description="Tune on labelled sets, as if they were marked.")
    parser.add_argument("--write", action="store_true", help="put the table into docs/metrics.md")
    options = parser.parse_args()
    if not DATA.is_dir():
        parser.exit(3, "the external test sets are not there; set FAMULUS_TEST_DATA\n")
    text = asyncio.run(section())
    if not options.write:
        print(text)
        return
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{text}{rest.partition(END)[2]}", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
