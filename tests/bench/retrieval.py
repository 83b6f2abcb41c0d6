"""How well passages and answers are found, on labelled sets, through the product's own code.

    python -m tests.bench.retrieval [--write]

Needs the external test sets (see `tests.shared_data`) and the embedding model. Prints the section "Retrieval" of
docs/benchmarks.md; with --write puts it there. Takes about ten minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.context import batch as batch_module
from app.context.answers import EXTRACT, AnswerService
from app.context.batch import BatchModel, RetrieveBatch
from app.context.ranking import load_weights
from app.context.speakers import Speakers
from app.inference.calibration import Points
from app.inference.embedder import Embedder
from app.runtime import clock
from app.runtime.lanes import Lanes
from app.runtime.paths import resource
from tests.model_pack import model_pack

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

    from app.context.ranking import Weights

    Row = Mapping[str, Any]

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FAMULUS_TEST_DATA", ROOT.parent / "shared" / "data")) / "normalized"
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- retrieval: begin -->", "<!-- retrieval: end -->"
SETS = {"LoCoMo": "locomo", "MADial zh": "madial-zh", "MADial en": "madial-en", "BFCL memory": "bfcl-memory"}
DEPTHS = (1, 5, 10, 20)
ASKED_AT = datetime(2024, 2, 1, 12, tzinfo=UTC)
SCRATCH = Path("/dev/shm") if Path("/dev/shm").is_dir() else ROOT / "build"  # noqa: S108 - encrypted, and deleted


@dataclass(frozen=True)
class Variant:
    """One way of searching."""

    name: str
    mode: str
    weights: Weights
    is_centred: bool = True
    has_speakers: bool = True
    now: datetime | None = None


class RawCosines:
    """The model without its means: what a plain vector search would do."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        known = embedder.calibration
        nothing = {language: np.zeros_like(mean) for language, mean in known.passage_means.items()}
        plain = dict.fromkeys(known.pairs, Points(0.0, 0.5, 1.0))
        self.calibration = replace(known, pairs=plain, query_means=nothing, passage_means=nothing)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)


class Remembering:
    """The embedder with a memory, so that the same sentence is embedded once in a run."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[tuple[str, str], np.ndarray] = {}

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([self._remember("query", text) for text in texts])

    def embed_passages(self, texts: Sequence[str], stop: object = None) -> np.ndarray:
        return np.stack([self._remember("passage", text) for text in texts]).astype(np.float16)

    def _remember(self, kind: str, text: str) -> np.ndarray:
        if (kind, text) not in self._known:
            embed = self._embedder.embed_queries if kind == "query" else self._embedder.embed_passages
            self._known[kind, text] = embed([text])[0]
        return self._known[kind, text]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)


def changed(weights: Weights, **parts: Mapping[str, float]) -> Weights:
    """The weights with some numbers changed."""
    return replace(weights, **{name: replace(getattr(weights, name), **values) for name, values in parts.items()})


def variants(weights: Weights) -> list[Variant]:
    """What is compared."""
    alone = {"word_before": 0.0, "word_after": 0.0, "same_entry": 0.0, "one_sentence": 0.0}
    silent = {"speaker": 0.0, "asks": 0.0, "says_when": 0.0, "in_time": 0.0, "order": 0.0}
    bare = changed(weights, candidates=alone, clues=silent)
    return [
        Variant("BM25 alone, each passage by itself", "words", bare),
        Variant("words, as shipped", "words", weights),
        Variant("cosines alone, as the model gives them", "vectors", bare, is_centred=False),
        Variant("vectors, as shipped", "vectors", weights),
        Variant("**both, as shipped**", "full", weights),
        Variant(
            "without the words of the passages around",
            "full",
            changed(weights, candidates={"word_before": 0.0, "word_after": 0.0}),
        ),
        Variant("without support in the same entry", "full", changed(weights, candidates={"same_entry": 0.0})),
        Variant("without the best single sentence", "full", changed(weights, candidates={"one_sentence": 0.0})),
        Variant("none of these three, and no clues", "full", bare),
        Variant("without clues (who speaks, what asks, when)", "full", changed(weights, clues=silent)),
        Variant(
            "speakers' names embedded with the question, and no clues",
            "full",
            changed(weights, clues=silent),
            has_speakers=False,
        ),
        Variant(
            "outer weights .40 meaning, .30 words", "full", changed(weights, final={"semantic": 0.40, "lexical": 0.30})
        ),
        Variant(
            "outer weights .65 meaning, .05 words", "full", changed(weights, final={"semantic": 0.65, "lexical": 0.05})
        ),
        Variant("asked on 1 February 2024 (freshness at work)", "full", weights, now=ASKED_AT),
        Variant("the same, freshness over one year", "full", changed(weights, time={"window_days": 365}), now=ASKED_AT),
        Variant("the same, ranking 40 candidates", "full", changed(weights, candidates={"pool": 40}), now=ASKED_AT),
    ]


class Bench:
    """Every corpus in a database of its own, searched in many ways."""

    def __init__(self, lanes: Lanes, embedder: Remembering, folder: Path) -> None:
        self.lanes = lanes
        self.embedder = embedder
        self.weights = load_weights(resource("rules", "ranking.toml"))
        model = BatchModel(embedder.counter, embedder)
        self.batch = RetrieveBatch(lanes, self.weights, model, scratch=folder, corpora=DATA / "corpora")
        self.folder = folder

    async def take(self, variant: Variant, rows: Iterable[Row]) -> dict[str, list[str]]:
        """Rank for every row."""
        self.batch._mode = variant.mode
        embedder = self.embedder if variant.is_centred else RawCosines(self.embedder)
        found = {}
        for row in rows:
            corpus = await self.batch._corpus(self.batch._path_of(row))
            corpus.service.weights = variant.weights
            corpus.service._speakers = Speakers(corpus.store.database, corpus.store.lexical)
            if not variant.has_speakers:
                corpus.service._speakers.named_in = lambda *_: ()
            corpus.service.use(embedder, corpus.service._model.vectors)
            if not variant.is_centred:
                corpus.service._model.semantics._talk = dict(embedder.calibration.query_means)
            found[row["id"]] = await self.batch.ranked(row)
        return found

    async def answers(self, path: Path) -> AnswerService:
        """Answers from one corpus, as shipped."""
        corpus = await self.batch._corpus(path)
        corpus.service.weights = self.weights
        corpus.service.use(self.embedder, corpus.service._model.vectors)
        return AnswerService(corpus.store, self.lanes, corpus.service)


@asynccontextmanager
async def bench() -> AsyncIterator[Bench]:
    """Set up, and clean up."""
    batch_module._OPEN_CORPORA = 32
    folder = SCRATCH / f"famulus-retrieval-{os.getpid()}"
    lanes = Lanes()
    made = Bench(lanes, Remembering(Embedder(model_pack())), folder)
    try:
        yield made
    finally:
        await made.batch.close()
        lanes.close()
        shutil.rmtree(folder, ignore_errors=True)


def rows_of(name: str) -> list[Row]:
    """The questions of a set that have an answer."""
    lines = (DATA / "retrieval" / f"{name}.example.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [row for row in rows if row["gold"] and row.get("type") != "adversarial"]


def recalls(rows: Sequence[Row], found: Mapping[str, Sequence[str]], *, by_session: bool = False) -> list[float]:
    """Recall at each depth, in percent. By session, D1:3 stands for D1, and ten sessions can be found as ten."""
    shares = []
    for row in rows:
        gold, ranked = list(row["gold"]), list(found[row["id"]])
        if by_session:
            gold, ranked = ([name.partition(":")[0] for name in names] for names in (gold, ranked))
        ranked = list(dict.fromkeys(ranked))
        shares.append([len(set(ranked[:depth]) & set(gold)) / len(set(gold)) for depth in DEPTHS])
    return [100 * float(share) for share in np.mean(shares, axis=0)]


async def retrieval_table(made: Bench) -> str:
    """Recall of every variant on every set."""
    heads = (
        "LoCoMo, by turn (R@1 / 5 / 10 / 20)",
        "LoCoMo, by session (R@1 / 5 / 10)",
        "MADial zh (R@10)",
        "MADial en (R@10)",
        "BFCL memory (R@1 / 5)",
    )
    lines = [f"| | {' | '.join(heads)} |", f"| --- |{' --- |' * len(heads)}"]
    for variant in variants(made.weights):
        cells = [variant.name]
        with clock.use(variant.now):
            for label, name in SETS.items():
                rows = rows_of(name)
                found = await made.take(variant, rows)
                turns = recalls(rows, found)
                if label == "LoCoMo":
                    sessions = recalls(rows, found, by_session=True)
                    cells += [figures(turns), figures(sessions[:3])]
                else:
                    cells.append(figures(turns[:2]) if label.startswith("BFCL") else figures(turns[2:3]))
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def figures(values: Iterable[float]) -> str:
    """Numbers for a cell."""
    return " / ".join(f"{value:.1f}" for value in values)


async def answer_table(made: Bench) -> str:
    """How often an answer is given where none can be, and none where one could."""
    lines = [
        "| questions | answerable: silent | answerable: quotes the right entry | unanswerable: answered all the same |",
        "| --- | --- | --- | --- |",
    ]
    for label, known, unknown in await answer_cases(made):
        silent, right = 0, 0
        for service, question, gold in known:
            answer = await service.ask(question)
            silent += answer.route != EXTRACT
            right += any(item.place.message_id in gold for item in answer.items)
        wrong = [(await service.ask(question)).route == EXTRACT for service, question in unknown]
        lines.append(
            f"| {label} ({len(known)} + {len(unknown)}) | {silent / len(known):.0%} | {right / len(known):.0%} "
            f"| {sum(wrong) / len(wrong):.0%} |"
        )
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


Case = tuple[str, list[tuple[AnswerService, str, set[str]]], list[tuple[AnswerService, str]]]


async def answer_cases(made: Bench) -> list[Case]:
    """Questions of one corpus are asked of that corpus, and of the next one, which cannot answer them."""
    cases: list[Case] = []
    for label, name in (("LoCoMo", "locomo"), ("BFCL memory", "bfcl-memory")):
        rows = rows_of(name)
        names = sorted({row["corpus"] for row in rows})
        services = {corpus: await made.answers(DATA / "corpora" / f"{corpus}.jsonl") for corpus in names}
        following = dict(zip(names, [*names[1:], names[0]], strict=True))
        known = [(services[row["corpus"]], row["query"], set(row["gold"])) for row in rows]
        cases.append((label, known, [(services[following[row["corpus"]]], row["query"]) for row in rows]))
    return cases + await fact_cases(made)


async def fact_cases(made: Bench) -> list[Case]:
    """Facts of an invented life: of every second one the passage is stored, all questions are asked."""
    sys.path.insert(0, str(ROOT / "packaging" / "models"))
    from facts import LANGUAGES, SIZES, read_facts

    facts = read_facts()
    cases: list[Case] = []
    for stored_in in (*LANGUAGES, "both"):
        path = made.folder / f"facts-{stored_in}.jsonl"
        stored = {}
        for place, fact in enumerate(facts):
            if place % 2 == 0:
                language = LANGUAGES[place // 2 % 2] if stored_in == "both" else stored_in
                stored[place] = fact.passage(language, SIZES[place // 4 % 3])
        path.write_text(
            "\n".join(json.dumps({"id": str(place), "text": text}) for place, text in stored.items()), "utf-8"
        )
        service = await made.answers(path)
        for asked_in in LANGUAGES:
            questions = [fact.forms["question"][asked_in] for fact in facts]
            known = [(service, questions[place], {str(place)}) for place in stored]
            unknown = [(service, text) for place, text in enumerate(questions) if place not in stored]
            cases.append((f"facts in {stored_in}, asked in {asked_in}", known, unknown))
    return cases


async def section() -> str:
    """The whole section."""
    async with bench() as made:
        recall = await retrieval_table(made)
        answers = await answer_table(made)
    return f"""{BEGIN}
## Retrieval

Made by `python -m tests.bench.retrieval --write` on the example third of each set, through `batch retrieve`'s code: a
database of its own for each corpus, the product's chunks, search and ranking. A row of a corpus is a passage; a
conversation's rows are neighbours. "As shipped" is resources/rules/ranking.toml, and the outer weights are G4.2's.

{recall}

The weights were chosen on these sets together, from ranges in which all of them were within a point or two; those of
the clues are a linear blend's, fitted with one conversation left out at a time (LoCoMo's recall at 10 on the one left
out: 81), and rounded. Taking off what all questions, all passages and all small talk have in common is worth more than
any weight: compare the two lines on vectors. In a conversation, taking the speaker's name off the question comes next.
What other entries say too takes no second place, which costs where a set counts every copy as an answer of its own
(MADial zh). LoCoMo's conversations are three years old, so that freshness is the same for all of them; the last lines
ask as if they had just ended. Freshness moves recent passages up whatever was asked, which is why the formula ranks few
candidates (G4.5) and freshness fades over three years.

## Answers

The threshold of `app/context/evidence.py`, with the questions of one corpus asked of another one, which cannot answer
them ("answered all the same" counts a few that it can). Facts are those of packaging/models/facts.yaml.

{answers}
{END}
"""


def main() -> None:
    """Print the section, or put it into the page."""
    parser = argparse.ArgumentParser(description="Measure retrieval and answers on labelled sets.")
    parser.add_argument("--write", action="store_true", help="put the section into docs/benchmarks.md")
    options = parser.parse_args()
    if not DATA.is_dir():
        parser.exit(3, "the external test sets are not there; set FAMULUS_TEST_DATA\n")
    text = asyncio.run(section())
    if not options.write:
        print(text)
        return
    page = PAGE.read_text("utf-8") if PAGE.exists() else "# Benchmarks\n\n"
    before, found, rest = page.partition(BEGIN)
    after = rest.partition(END)[2] if found else ""
    PAGE.write_text(f"{before.rstrip()}\n\n{text.rstrip()}\n{after}", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
